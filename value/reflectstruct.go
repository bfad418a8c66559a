package value

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A structWriter writes the structs of one type.
type structWriter struct {
	fields []fieldWriter // in the order of the struct
	sorted []fieldWriter // in the order of the names
}

type fieldWriter struct {
	name      string
	head      string // the key of the entry, with its tag and length
	index     []int
	omitEmpty bool
	omitZero  func(reflect.Value) bool // nil without the option
	write     writer
}

func (b writerBuilder) structWriter(t reflect.Type) writer {
	w := new(structWriter)
	for _, f := range structOf(t).fields {
		fw := fieldWriter{name: f.name, index: f.index, omitEmpty: f.omitEmpty}
		fw.head = string(protowire.AppendString([]byte{index.TagKey}, f.name))
		if f.omitZero {
			fw.omitZero = reflect.Value.IsZero
			if t.FieldByIndex(f.index).IsExported() {
				fw.omitZero = zeroTest(f.typ)
			}
		}
		if f.quoted {
			fw.write = b.quotedWriter(f.typ)
		} else {
			fw.write = b.of(f.typ)
		}
		w.fields = append(w.fields, fw)
	}
	w.sorted = slices.Clone(w.fields)
	slices.SortFunc(w.sorted, func(a, b fieldWriter) int { return strings.Compare(a.name, b.name) })
	return w.write
}

func (w *structWriter) write(e *encoder, v reflect.Value, depth, at int) int {
	if !e.mayOpen(depth, false, perObject) {
		return failed
	}
	fields, since := w.fields, e.since(at)
	if e.sorted {
		fields = w.sorted
	}
	for i := len(fields) - 1; i >= 0; i-- {
		f := &fields[i]
		fv := v
		if len(f.index) == 1 {
			fv = v.Field(f.index[0])
		} else if fv = embeddedField(v, f.index); !fv.IsValid() {
			continue
		}
		if f.omitEmpty && isEmpty(fv) || f.omitZero != nil && f.omitZero(fv) {
			continue
		}
		if at = f.entry(e, fv, depth, at); at == failed {
			return e.in(protoerr.Step{Key: f.name, Index: -1})
		}
	}
	return e.close(index.TagStruct, at, since)
}

// entry writes the entry of a field in an object.
func (f *fieldWriter) entry(e *encoder, v reflect.Value, depth, at int) int {
	if depth+perObject > e.maxDepth {
		return e.fail(ErrDepth, "")
	}
	since := e.since(at)
	if at = f.write(e, v, depth+perObject, at); at == failed {
		return failed
	}
	at = e.delimit(index.TagValue, at, since)
	at = e.room(at, len(f.head)) - len(f.head)
	copy(e.buf[at:], f.head)
	return e.delimit(index.TagElement, at, since)
}

// embeddedField is v.FieldByIndex; the result is not valid if a pointer on the way is
// nil.
func embeddedField(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// isEmpty reports whether the option omitempty leaves v out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return false
	}
	return v.IsZero()
}

// A zeroer can tell itself whether it is zero.
type zeroer interface{ IsZero() bool }

// zeroTest returns what the option omitzero asks of a field: its method IsZero, if it
// has one and is no nil pointer, which is zero.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	is := reflect.TypeFor[zeroer]()
	switch {
	case t.Kind() == reflect.Interface && t.Implements(is):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() ||
				v.Interface().(zeroer).IsZero()
		}
	case t.Kind() == reflect.Pointer && t.Implements(is):
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(zeroer).IsZero() }
	case t.Implements(is):
		return func(v reflect.Value) bool { return v.Interface().(zeroer).IsZero() }
	case reflect.PointerTo(t).Implements(is):
		return func(v reflect.Value) bool {
			if !v.CanAddr() {
				p := reflect.New(t)
				p.Elem().Set(v)
				v = p.Elem()
			}
			return v.Addr().Interface().(zeroer).IsZero()
		}
	}
	return reflect.Value.IsZero
}

// quotedWriter writes what the option "string" makes of a field: a string that holds
// the value's JSON text. Null stays null, and methods of the type go first.
func (b writerBuilder) quotedWriter(t reflect.Type) writer {
	elem := t
	if t.Kind() == reflect.Pointer {
		elem = t.Elem()
	}
	if p := reflect.PointerTo(elem); p.Implements(jsonMarshaler) || p.Implements(textMarshaler) {
		return b.of(t)
	}
	if t.Kind() == reflect.Pointer {
		return pointerWriter(writeQuoted)
	}
	return writeQuoted
}

func writeQuoted(e *encoder, v reflect.Value, _, at int) int {
	switch {
	case v.Kind() == reflect.Bool:
		return e.text(strconv.FormatBool(v.Bool()), at)
	case v.CanInt():
		return e.text(strconv.FormatInt(v.Int(), 10), at)
	case v.CanUint():
		return e.text(strconv.FormatUint(v.Uint(), 10), at)
	case v.Type() == numberType:
		return e.quotedNumber(v.String(), at)
	case v.Kind() == reflect.String && !utf8.ValidString(v.String()):
		return e.fail(ErrUTF8, "")
	}
	// The exact form of other numbers and of strings is encoding/json's.
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return e.fail(ErrNumber, "NaN and infinities have no JSON text")
	}
	return e.text(xunsafe.String(text), at)
}

func (e *encoder) quotedNumber(s string, at int) int {
	if s == "" {
		s = "0"
	}
	if !isLiteral(s) {
		return e.fail(ErrSyntax, strconv.Quote(s)+" is not a number")
	}
	return e.text(s, at)
}
