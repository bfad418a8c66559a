package value

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// An IntegerPolicy says what becomes of an integer that a double, the only number that
// a Value knows, cannot hold exactly: most of those beyond 2^53.
type IntegerPolicy uint8

// The policies.
const (
	// IntegersError is the default: the error is [ErrInexact].
	IntegersError IntegerPolicy = iota
	// IntegersAsString writes the integer as a string of decimal digits, as ProtoJSON
	// does with every int64.
	IntegersAsString
	// IntegersRound writes the nearest double, as structpb.NewValue does.
	IntegersRound
)

// MarshalOptions say how to marshal. The zero MarshalOptions are [Marshal]. They may be
// used by several goroutines at the same time.
type MarshalOptions struct {
	// Deterministic writes the keys of every object in the order of their bytes, those
	// of structs too, so that equal data gives equal bytes: those that the official
	// library writes with its option Deterministic. JSON text from a method MarshalJSON
	// and the bytes of a [Doc] keep their order.
	Deterministic bool
	// Integers says what to do with an integer, of a Go integer type or a json.Number
	// in integer syntax, that a double cannot hold exactly.
	Integers IntegerPolicy
	// MaxDepth is how many messages may be nested; 0 stands for [DefaultMaxDepth]. It
	// is also what ends cyclic data.
	MaxDepth int
	// MaxSize is how many bytes the result may have; 0 stands for the 256 MiB that
	// this package reads.
	MaxSize int
}

// Marshal returns the wire form of a google.protobuf.Value for a Go value.
//
// What structpb.NewValue accepts gives the same message: nil, bool, all integers,
// float32 and float64 (NaN and infinities too), string, json.Number, []byte as a
// string in base64, []any and map[string]any, of which nil ones are empty. Everything
// else is what encoding/json makes of it: named types, pointers, arrays, other slices
// and maps, of which nil ones are null, structs by their json tags, and methods
// MarshalJSON and MarshalText. What encoding/json has added since Go 1.26 does not count, so
// that results do not depend on the release: maps whose keys are neither strings nor
// integers nor have a method MarshalText are [ErrType], the options "embed", "case" and
// "format" of json tags have no meaning, and a name in a tag that has quotes, backslashes
// or the like is ignored. Where encoding/json and a Value differ in what they can
// hold, the Value counts: a float32 is the double of the same value, NaN is a number,
// and text that is not UTF-8 is an error. A [Doc] stands for the Value that it is, an
// absent one for null, and so do *structpb.Value, *structpb.Struct and
// *structpb.ListValue; other messages are errors.
//
// The error is an [*Error] with the path, and Offset -1: [ErrType], [ErrUTF8],
// [ErrInexact], [ErrNumber] or [ErrSyntax] for a json.Number, [ErrDepth], [ErrSize],
// or what a method of the caller's type returned.
//
// The result is the caller's. For data made of the types of structpb.NewValue it is the
// only allocation.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// MarshalStruct returns the wire form of a google.protobuf.Struct, with the rules of [Marshal]: v must be
// something that
// becomes an object, else the error is [ErrKind].
func MarshalStruct(v any) ([]byte, error) { return MarshalOptions{}.MarshalStruct(v) }

// MarshalList returns the wire form of a google.protobuf.ListValue, with the rules of [Marshal]: v must be
// something that
// becomes a list, else the error is [ErrKind].
func MarshalList(v any) ([]byte, error) { return MarshalOptions{}.MarshalList(v) }

// Marshal is the function [Marshal] with options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) { return o.fresh(v, index.Value) }

// MarshalStruct is the function [MarshalStruct] with options.
func (o MarshalOptions) MarshalStruct(v any) ([]byte, error) { return o.fresh(v, index.Struct) }

// MarshalList is the function [MarshalList] with options.
func (o MarshalOptions) MarshalList(v any) ([]byte, error) { return o.fresh(v, index.List) }

// MarshalAppend appends what [MarshalOptions.Marshal] returns to dst, and returns the
// extended slice. If dst has the capacity, it allocates nothing. After an error it
// returns dst as it was.
func (o MarshalOptions) MarshalAppend(dst []byte, v any) ([]byte, error) {
	return o.append(dst, v, index.Value)
}

// MarshalStructAppend appends the wire form of a google.protobuf.Struct, with the rules of
// [MarshalOptions.MarshalAppend].
func (o MarshalOptions) MarshalStructAppend(dst []byte, v any) ([]byte, error) {
	return o.append(dst, v, index.Struct)
}

// MarshalListAppend appends the wire form of a google.protobuf.ListValue, with the rules of
// [MarshalOptions.MarshalAppend].
func (o MarshalOptions) MarshalListAppend(dst []byte, v any) ([]byte, error) {
	return o.append(dst, v, index.List)
}

func (o MarshalOptions) fresh(v any, form index.Form) ([]byte, error) {
	e := encoders.Get().(*encoder)
	var out []byte
	b, err := e.marshal(v, form, o)
	if err == nil {
		out = make([]byte, len(b)) // and copy, which the compiler makes one
		copy(out, b)
	}
	e.release()
	return out, err
}

func (o MarshalOptions) append(dst []byte, v any, form index.Form) ([]byte, error) {
	e := encoders.Get().(*encoder)
	b, err := e.marshal(v, form, o)
	if err == nil {
		dst = append(dst, b...)
	}
	e.release()
	return dst, err
}

// An encoder writes one Go value, from its end to its start: that way the length of a
// message is known when its turn comes. It does not use a wire.Back, but hands on
// where the written bytes start, from call to call, as at: it stays in a register.
//
// The methods that write return the new start, or failed after fail has said why.
type encoder struct {
	buf      []byte
	sorted   bool
	integers IntegerPolicy
	maxDepth int
	maxSize  int
	pointers int             // that lead to what is being written
	entries  mapsort.Entries // of the maps that are being written in order
	err      *Error
	path     []protoerr.Step // from the place of the error to the root
}

const failed = -1

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// maxKept is how many bytes the buffer of an encoder may have that goes back to the
// pool.
const maxKept = 1 << 20

func (e *encoder) release() {
	if len(e.buf) <= maxKept {
		e.entries.Pop(0) // there are some after an error
		e.err, e.path = nil, nil
		encoders.Put(e)
	}
}

// marshal returns the wire form of v, which is valid until release.
func (e *encoder) marshal(v any, form index.Form, o MarshalOptions) ([]byte, error) {
	e.sorted, e.integers, e.maxDepth, e.maxSize, e.pointers = o.Deterministic, o.Integers, o.MaxDepth, o.MaxSize, 0
	if e.maxDepth <= 0 {
		e.maxDepth = DefaultMaxDepth
	}
	if e.maxSize <= 0 {
		e.maxSize = maxSize
	}
	depth := 1
	if form != index.Value {
		depth = 0 // what would be the Value is not there
	}
	at := e.value(v, depth, len(e.buf))
	if at == failed {
		return nil, e.failure()
	}
	b := e.buf[at:]
	if form != index.Value {
		inside, ok := unwrap(b, form)
		if !ok {
			e.fail(ErrKind,
				kindOf(b).String()+" instead of "+[...]Kind{index.Struct: Object, index.List: List}[form].String())
			return nil, e.failure()
		}
		b = inside
	}
	if len(b) > e.maxSize {
		e.fail(ErrSize, "")
		return nil, e.failure()
	}
	return b, nil
}

// kindOf returns what a Value holds that this package has written.
func kindOf(b []byte) Kind {
	if len(b) == 0 {
		return Unset
	}
	return [...]Kind{1: Null, 2: Number, 3: String, 4: Bool, 5: Object, 6: List}[b[0]>>3]
}

// unwrap returns the Struct or ListValue in a Value that holds it and nothing else.
func unwrap(b []byte, form index.Form) ([]byte, bool) {
	tag := byte(index.TagStruct)
	if form == index.List {
		tag = index.TagList
	}
	if len(b) < 2 || b[0] != tag {
		return nil, false
	}
	length, n := protowire.ConsumeVarint(b[1:])
	return b[max(1+n, 0):], n > 0 && uint64(len(b)-1-n) == length
}

// fail notes what is wrong with the value at hand.
func (e *encoder) fail(err error, detail string) int {
	e.err = &Error{Err: err, Offset: -1, Detail: detail}
	return failed
}

// in adds the step that leads to the place of the error.
func (e *encoder) in(s protoerr.Step) int {
	e.path = append(e.path, s)
	return failed
}

// failure is the error, with its path.
func (e *encoder) failure() error {
	slices.Reverse(e.path)
	e.err.Path = protoerr.FormatValuePath(e.path)
	return e.err
}
