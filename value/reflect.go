package value

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// A writer writes a Value for a Go value of one type, as the methods of encoder do.
type writer func(e *encoder, v reflect.Value, depth, at int) int

var writers sync.Map // reflect.Type -> writer

// typed writes a Value for what needs reflection.
func (e *encoder) typed(v any, depth, at int) int {
	r := reflect.ValueOf(v)
	return writerOf(r.Type())(e, r, depth, at)
}

func writerOf(t reflect.Type) writer {
	if w, ok := writers.Load(t); ok {
		return w.(writer)
	}
	b := writerBuilder{}
	w := b.of(t)
	for t, w := range b {
		writers.Store(t, *w)
	}
	return w
}

// A writerBuilder makes the writers of a type and of those that it consists of. A type
// that consists of itself finds here the writer that is yet to be made.
type writerBuilder map[reflect.Type]*writer

func (b writerBuilder) of(t reflect.Type) writer {
	if w, ok := writers.Load(t); ok {
		return w.(writer)
	}
	if w, ok := b[t]; ok {
		return func(e *encoder, v reflect.Value, depth, at int) int { return (*w)(e, v, depth, at) }
	}
	w := new(writer)
	b[t] = w
	*w = b.build(t)
	return *w
}

// build makes a writer in the order in which encoding/json looks at a type: the methods
// of a pointer to it, which a value has if it is addressable, its own, its kind.
func (b writerBuilder) build(t reflect.Type) writer {
	if w := knownWriter(t); w != nil {
		return w
	}
	w := b.direct(t)
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return w
	}
	var ofPointer writer
	switch p := reflect.PointerTo(t); {
	case p.Implements(jsonMarshaler):
		ofPointer = writeByJSON
	case p.Implements(textMarshaler):
		ofPointer = writeByText
	default:
		return w
	}
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.CanAddr() {
			return ofPointer(e, v.Addr(), depth, at)
		}
		return w(e, v, depth, at)
	}
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	protoMessage  = reflect.TypeFor[proto.Message]()
	numberType    = reflect.TypeFor[json.Number]()
)

func (b writerBuilder) direct(t reflect.Type) writer {
	switch {
	case t.Kind() == reflect.Interface:
		return writeInterface
	case t.Implements(jsonMarshaler):
		return writeByJSON
	case t.Implements(textMarshaler):
		return writeByText
	case t.Implements(protoMessage), reflect.PointerTo(t).Implements(protoMessage):
		return refuse(t, " is a message of its own: write it with protojson, and hold the result in a json.RawMessage")
	}
	return b.byKind(t)
}

func (b writerBuilder) byKind(t reflect.Type) writer {
	switch t.Kind() {
	case reflect.Bool:
		return func(e *encoder, v reflect.Value, _, at int) int { return e.bool(v.Bool(), at) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(e *encoder, v reflect.Value, _, at int) int { return e.integer(v.Int(), at) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(e *encoder, v reflect.Value, _, at int) int { return e.unsigned(v.Uint(), at) }
	case reflect.Float32, reflect.Float64:
		return func(e *encoder, v reflect.Value, _, at int) int { return e.number(v.Float(), at) }
	case reflect.String:
		if t == numberType {
			return func(e *encoder, v reflect.Value, _, at int) int { return e.literal(v.String(), at) }
		}
		return func(e *encoder, v reflect.Value, _, at int) int { return e.text(v.String(), at) }
	case reflect.Pointer:
		return pointerWriter(b.of(t.Elem()))
	case reflect.Slice:
		return b.sliceWriter(t)
	case reflect.Array:
		return elementsWriter(b.of(t.Elem()))
	case reflect.Map:
		return b.mapWriter(t)
	case reflect.Struct:
		return b.structWriter(t)
	}
	return refuse(t, "")
}

func refuse(t reflect.Type, why string) writer {
	detail := t.String() + why
	return func(e *encoder, _ reflect.Value, _, _ int) int { return e.fail(ErrType, detail) }
}

// literal writes a json.Number that is one by its static type: as encoding/json has it,
// the empty one is zero and the others are JSON.
func (e *encoder) literal(s string, at int) int {
	if s == "" {
		s = "0"
	}
	if !isLiteral(s) {
		return e.fail(ErrSyntax, strconv.Quote(s)+" is not a number")
	}
	return e.numeral(s, at)
}

// isLiteral reports whether s is a number in JSON.
func isLiteral(s string) bool {
	c, last := s[0], s[len(s)-1]
	return (c == '-' || '0' <= c && c <= '9') && '0' <= last && last <= '9' && json.Valid([]byte(s))
}

func writeInterface(e *encoder, v reflect.Value, depth, at int) int {
	if v.IsNil() {
		return e.null(at)
	}
	return e.value(v.Interface(), depth, at)
}

func pointerWriter(elem writer) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		// Pointers that lead in a circle do not make the message deeper.
		if e.pointers++; e.pointers > e.maxDepth {
			return e.fail(ErrDepth, "a circle of pointers")
		}
		at = elem(e, v.Elem(), depth, at)
		e.pointers--
		return at
	}
}

func (b writerBuilder) sliceWriter(t reflect.Type) writer {
	if t.Elem().Kind() == reflect.Uint8 {
		if p := reflect.PointerTo(t.Elem()); !p.Implements(jsonMarshaler) && !p.Implements(textMarshaler) {
			return writeBytes
		}
	}
	elements := elementsWriter(b.of(t.Elem()))
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		return elements(e, v, depth, at)
	}
}

func writeBytes(e *encoder, v reflect.Value, _, at int) int {
	if v.IsNil() {
		return e.null(at)
	}
	return e.base64(v.Bytes(), at)
}

// elementsWriter returns the writer of slices and arrays that reflection must read.
func elementsWriter(elem writer) writer {
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if !e.mayOpen(depth, v.Len() > 0, perList) {
			return failed
		}
		since := e.since(at)
		for i := v.Len() - 1; i >= 0; i-- {
			before := e.since(at)
			if at = elem(e, v.Index(i), depth+perList, at); at == failed {
				return e.in(protoerr.Step{Index: i})
			}
			at = e.delimit(index.TagElement, at, before)
		}
		return e.close(index.TagList, at, since)
	}
}

// A mapEntry is an entry of a map with the key as it is in JSON.
type mapEntry struct {
	key   string
	value reflect.Value
}

// mapWriter returns the writer of maps that reflection must read. The values of the entries are
// copies, because methods of a pointer must not be found on them.
func (b writerBuilder) mapWriter(t reflect.Type) writer {
	if k := t.Key(); k.Kind() != reflect.String && !isIntegerKind(k.Kind()) && !k.Implements(textMarshaler) {
		return refuse(t, ": its keys are no strings")
	}
	elem := b.of(t.Elem())
	return func(e *encoder, v reflect.Value, depth, at int) int {
		if v.IsNil() {
			return e.null(at)
		}
		if !e.mayOpen(depth, v.Len() > 0, perObject) {
			return failed
		}
		entries := make([]mapEntry, 0, v.Len())
		for i := v.MapRange(); i.Next(); {
			key, ok := e.keyOf(i.Key())
			if !ok {
				return failed
			}
			entries = append(entries, mapEntry{key, i.Value()})
		}
		if e.sorted {
			slices.SortFunc(entries, func(a, b mapEntry) int { return strings.Compare(b.key, a.key) })
		}
		since := e.since(at)
		for _, entry := range entries {
			before := e.since(at)
			if at = elem(e, entry.value, depth+perObject, at); at != failed {
				at = e.entry(entry.key, at, before)
			}
			if at == failed {
				return e.in(protoerr.Step{Key: entry.key, Index: -1})
			}
		}
		return e.close(index.TagStruct, at, since)
	}
}

func isIntegerKind(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// keyOf returns a key as encoding/json writes it.
func (e *encoder) keyOf(k reflect.Value) (string, bool) {
	if k.Kind() == reflect.String {
		return k.String(), true
	}
	if m, ok := k.Interface().(encoding.TextMarshaler); ok {
		if k.Kind() == reflect.Pointer && k.IsNil() {
			return "", true
		}
		text, err := m.MarshalText()
		if err != nil {
			e.fail(err, "MarshalText of "+k.Type().String())
		}
		return string(text), err == nil
	}
	if k.CanInt() {
		return strconv.FormatInt(k.Int(), 10), true
	}
	return strconv.FormatUint(k.Uint(), 10), true
}
