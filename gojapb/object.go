package gojapb

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/proto"
)

// A writer makes plain JavaScript objects of messages, whole, with the JSON names of fields: for toJSON in the shapes
// of ProtoJSON, for toObject with numbers, BigInts, Uint8Arrays and numbers of enums as fields have them.
type writer struct {
	*Module
	json bool
}

// message returns a message as a JavaScript value: an object, or what its well-known type is in ProtoJSON.
func (w *writer) message(s *shape, r protoreflect.Message) goja.Value {
	if s.known.plain() {
		return w.plainCopy(r)
	}
	if w.json && s.known != ordinary {
		return w.wellKnown(s, r)
	}
	o := w.rt.NewObject()
	w.fields(o, s, r)
	return o
}

// fields sets what is in a message as properties of o.
func (w *writer) fields(o *goja.Object, s *shape, r protoreflect.Message) {
	for i := range s.fields {
		if f := &s.fields[i]; r.Has(f.FieldDescriptor) {
			w.set(o, f.json, w.field(f, r.Get(f.FieldDescriptor)))
		}
	}
	if s.desc.ExtensionRanges().Len() == 0 {
		return
	}
	for _, f := range w.extensionsOf(r) {
		w.set(o, f.json, w.field(f, r.Get(f.FieldDescriptor)))
	}
}

func (w *writer) set(o *goja.Object, name string, v goja.Value) {
	if name == "__proto__" { // which would be set rather than defined
		if err := o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
		return
	}
	if err := o.Set(name, v); err != nil {
		panic(err)
	}
}

func (w *writer) field(f *field, v protoreflect.Value) goja.Value {
	switch f.cardinality {
	case list:
		return w.list(f, v.List())
	case mapped:
		return w.mapping(f, v.Map())
	}
	return w.value(&f.value, v)
}

func (w *writer) list(f *field, l protoreflect.List) goja.Value {
	items := make([]any, l.Len())
	for i := range items {
		items[i] = w.value(&f.value, l.Get(i))
	}
	return w.rt.NewArray(items...)
}

func (w *writer) mapping(f *field, m protoreflect.Map) goja.Value {
	o := w.rt.NewObject()
	for _, k := range sortedKeys(f, m) {
		name := k.String()
		if f.key.kind == protoreflect.StringKind {
			w.wellFormed(&f.key, name)
		}
		w.set(o, name, w.value(&f.value, m.Get(k)))
	}
	return o
}

func (w *writer) value(e *element, v protoreflect.Value) goja.Value {
	if e.msg != nil {
		return w.message(w.shapeIn(e, v.Message()), v.Message())
	}
	if !w.json {
		return w.scalar(e, v)
	}
	switch e.kind {
	case protoreflect.StringKind:
		w.wellFormed(e, v.String())
		return w.stringValue(v.String())
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return w.rt.ToValue(strconv.FormatInt(v.Int(), 10))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return w.rt.ToValue(strconv.FormatUint(v.Uint(), 10))
	case protoreflect.FloatKind:
		return w.float(shortest(v.Float()))
	case protoreflect.DoubleKind:
		return w.float(v.Float())
	case protoreflect.BytesKind:
		return w.rt.ToValue(base64.StdEncoding.EncodeToString(v.Bytes()))
	case protoreflect.EnumKind:
		return w.enumValue(e, v.Enum())
	}
	return w.scalar(e, v)
}

// wellFormed throws if a string is not UTF-8, as ProtoJSON asks.
func (w *writer) wellFormed(e *element, s string) {
	if w.json && !utf8.ValidString(s) {
		w.throwType("%s: the string is not UTF-8", e.name())
	}
}

// shortest returns the number that the shortest text of a float stands for, as ProtoJSON has it: 0.1 rather than
// 0.10000000149011612.
func shortest(f float64) float64 {
	if f == math.Trunc(f) && math.Abs(f) < 1<<24 || math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	return short
}

// float returns a number; those that JSON cannot say are strings.
func (w *writer) float(f float64) goja.Value {
	switch {
	case math.IsNaN(f):
		return w.rt.ToValue("NaN")
	case math.IsInf(f, 1):
		return w.rt.ToValue("Infinity")
	case math.IsInf(f, -1):
		return w.rt.ToValue("-Infinity")
	}
	return w.rt.ToValue(f)
}

func (w *writer) enumValue(e *element, n protoreflect.EnumNumber) goja.Value {
	if e.enum.FullName() == "google.protobuf.NullValue" {
		return goja.Null()
	}
	if value := e.enum.Values().ByNumber(n); value != nil {
		return w.rt.ToValue(string(value.Name()))
	}
	return w.rt.ToValue(int64(n))
}

// plainCopy returns a Struct, Value or ListValue as a plain value that does not refer to the message.
func (w *writer) plainCopy(r protoreflect.Message) goja.Value {
	md := r.Descriptor()
	switch knownTypes[md.FullName()] {
	case structType:
		s := w.shapeOf(md)
		return w.mapping(&s.fields[0], r.Get(s.fields[0].FieldDescriptor).Map())
	case listValueType:
		s := w.shapeOf(md)
		return w.list(&s.fields[0], r.Get(s.fields[0].FieldDescriptor).List())
	}
	fd := r.WhichOneof(md.Oneofs().Get(0))
	switch {
	case fd != nil && fd.Message() != nil:
		return w.plainCopy(r.Get(fd).Message())
	case fd == nil && w.json:
		w.throwType("google.protobuf.Value: holds no value, which ProtoJSON cannot say")
	case fd != nil && fd.Number() == valueNumber && w.json:
		if f := r.Get(fd).Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			w.throwRange("google.protobuf.Value: %v is no number in ProtoJSON", f)
		}
	case fd != nil && fd.Number() == valueString:
		w.wellFormed(&element{fd: fd}, r.Get(fd).String())
	}
	return w.plainScalar(r, fd)
}

// wellKnown returns a message of a well-known type in its own form of ProtoJSON.
func (w *writer) wellKnown(s *shape, r protoreflect.Message) goja.Value {
	switch s.known {
	case anyType:
		return w.any(s, r)
	case wrapperType:
		return w.value(&s.fields[0].value, r.Get(s.fields[0].FieldDescriptor))
	case emptyType:
		return w.rt.NewObject()
	case fieldMaskType:
		return w.fieldMask(s, r)
	}
	seconds, nanos := r.Get(s.fields[0].FieldDescriptor).Int(), int32(r.Get(s.fields[1].FieldDescriptor).Int())
	write := jsontext.AppendDuration
	if s.known == timestampType {
		write = jsontext.AppendTimestamp
	}
	out, ok := write(nil, seconds, nanos)
	if !ok {
		w.throwRange("%s: %d seconds and %d nanoseconds are out of range", s.desc.FullName(), seconds, nanos)
	}
	return w.rt.ToValue(string(out))
}

func (w *writer) fieldMask(s *shape, r protoreflect.Message) goja.Value {
	l := r.Get(s.fields[0].FieldDescriptor).List()
	paths := make([]string, l.Len())
	for i := range paths {
		paths[i] = l.Get(i).String()
	}
	out, bad := jsontext.AppendMask(nil, paths)
	if bad >= 0 {
		w.throwType("google.protobuf.FieldMask.paths: %q has no JSON form", paths[bad])
	}
	return w.rt.ToValue(string(out))
}

// any returns an Any: what is in it, and its type.
func (w *writer) any(s *shape, r protoreflect.Message) goja.Value {
	url, wire := r.Get(s.fields[0].FieldDescriptor).String(), r.Get(s.fields[1].FieldDescriptor).Bytes()
	o := w.rt.NewObject()
	if url == "" && len(wire) == 0 {
		return o
	}
	mt, err := w.schema.FindMessageByURL(url)
	if err != nil {
		w.throwType("google.protobuf.Any: %q is not known", url)
	}
	inside := mt.New()
	if err := (proto.UnmarshalOptions{AllowPartial: true, Resolver: w.schema}).
		Unmarshal(wire, inside.Interface()); err != nil {
		w.throwError("google.protobuf.Any: %v", err)
	}
	w.set(o, "@type", w.rt.ToValue(url))
	sub := w.shapeOf(inside.Descriptor())
	if sub.known == ordinary || sub.known == emptyType {
		w.fields(o, sub, inside)
	} else {
		w.set(o, "value", w.message(sub, inside))
	}
	return o
}
