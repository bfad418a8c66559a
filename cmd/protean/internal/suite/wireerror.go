package suite

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

func recordName(n int) string { return fmt.Sprintf("record %d", n) }

// wireError words the failure to parse the bytes of a message that begins at
// start of the file. The Protobuf library does not say where it failed, so the
// bytes are walked again.
func (r *reader) wireError(record string, start int, b []byte, err error) *usererr.InputError {
	w := wireWalk{types: r.schema.Types()}
	at, path, message := 0, "", libraryText(err)
	if w.message(b, 0, "", r.md, maxWireDepth); w.found {
		at, path, message = w.at, w.path, w.problem
	}
	if path != "" {
		message = "field " + path + ": " + message
	}
	return r.wireProblem(record, start+at, message)
}

// wireProblem is an error at a byte of a binary file.
func (r *reader) wireProblem(record string, at int, message string) *usererr.InputError {
	where := fmt.Sprintf("at byte %d: ", at)
	if record != "" {
		where = record + " " + where
	}
	return usererr.Errorf(r.file, "%s%s", where, message)
}

// maxWireDepth is the nesting at which the Protobuf library gives up.
const maxWireDepth = protowire.DefaultRecursionLimit

const tooDeep = "messages are nested too deeply"

// A wireWalk finds the first byte at which a binary message is wrong.
type wireWalk struct {
	types *Types

	found   bool
	at      int // offset from the start of the message
	path    string
	problem string
}

func (w *wireWalk) fail(at int, path, problem string) {
	w.found, w.at, w.path, w.problem = true, at, path, problem
}

// message walks the bytes of a message that begins at base.
func (w *wireWalk) message(b []byte, base int, path string, md protoreflect.MessageDescriptor, depth int) {
	if depth == 0 {
		w.fail(base, "", tooDeep)
		return
	}
	for i := 0; i < len(b) && !w.found; {
		num, typ, n := protowire.ConsumeTag(b[i:])
		if n < 0 {
			w.fail(base+i, path, "invalid tag of a field")
			return
		}
		fd := w.field(md, num)
		name := joinField(path, fmt.Sprint(num))
		if fd != nil {
			name = joinField(path, fieldName(fd))
		}
		size := protowire.ConsumeFieldValue(num, typ, b[i+n:])
		if size < 0 {
			w.fail(base+i, name, truncation(size))
			return
		}
		if fd != nil {
			w.value(b[i+n:i+n+size], base+i+n, name, fd, typ, depth)
		}
		i += n + size
	}
}

func (w *wireWalk) field(md protoreflect.MessageDescriptor, num protowire.Number) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByNumber(num); fd != nil {
		return fd
	}
	if xt, err := w.types.FindExtensionByNumber(md.FullName(), num); err == nil {
		return xt.TypeDescriptor()
	}
	return nil
}

// value walks the value of a known field.
func (w *wireWalk) value(v []byte, base int, path string, fd protoreflect.FieldDescriptor, typ protowire.Type,
	depth int) {
	switch {
	case fd.Kind() == protoreflect.GroupKind && typ == protowire.StartGroupType:
		end := len(v) - protowire.SizeTag(fd.Number())
		w.message(v[:max(end, 0)], base, path, fd.Message(), depth-1)
	case typ != protowire.BytesType:
	case fd.Kind() == protoreflect.MessageKind:
		b, n := protowire.ConsumeBytes(v)
		w.message(b, base+n-len(b), path, fd.Message(), depth-1)
	case fd.Kind() == protoreflect.StringKind:
		if b, _ := protowire.ConsumeBytes(v); mustBeUTF8(fd) && !utf8.Valid(b) {
			w.fail(base, path, "string is not UTF-8")
		}
	case fd.IsList():
		w.packed(v, base, path, fd.Kind())
	}
}

// mustBeUTF8 reports whether a string field may hold nothing else. In editions
// that is a feature, which descriptors show to the library itself only.
func mustBeUTF8(fd protoreflect.FieldDescriptor) bool {
	if fd, ok := fd.(interface{ EnforceUTF8() bool }); ok {
		return fd.EnforceUTF8()
	}
	return fd.ParentFile().Syntax() == protoreflect.Proto3
}

// packed walks the elements of a packed field.
func (w *wireWalk) packed(v []byte, base int, path string, kind protoreflect.Kind) {
	b, n := protowire.ConsumeBytes(v)
	base += n - len(b)
	typ := wireType(kind)
	for i := 0; i < len(b) && typ != protowire.BytesType; {
		n := protowire.ConsumeFieldValue(1, typ, b[i:])
		if n < 0 {
			w.fail(base+i, path, truncation(n))
			return
		}
		i += n
	}
}

// wireType is the wire type of one element of a scalar kind.
func wireType(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

// truncation words an error code of protowire.
func truncation(code int) string {
	err := protowire.ParseError(code)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the value runs past the end"
	case libraryText(err) == "parse error":
		return tooDeep // the one failure that protowire has no words for
	}
	return libraryText(err)
}
