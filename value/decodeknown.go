package value

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
)

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// knownStore returns what to do with a type that is decoded without looking at its kind
// and methods, because it has a meaning here or because that is faster; else nil.
func knownStore(t reflect.Type) store {
	switch t {
	case reflect.TypeFor[Doc]():
		return ifExported(storeDoc, storeNothing)
	case reflect.TypeFor[structpb.Value](), reflect.TypeFor[structpb.Struct](), reflect.TypeFor[structpb.ListValue]():
		return ifExported(storeMessage, storeNothing)
	case reflect.TypeFor[time.Time]():
		return ifExported(storeByText(storeNothing), storeNothing)
	case numberType:
		return storeNumber
	case reflect.TypeFor[[]any]():
		return anysStore()
	case reflect.TypeFor[map[string]any]():
		return storeAnyMap
	case reflect.TypeFor[map[string]string]():
		return storeStringMap
	}
	return nil
}

// storeDoc gives a Doc an index of its own. The bytes have been found to be right, the
// depth too.
func storeDoc(d *decoder, v reflect.Value, at int) bool {
	doc, err := ParseOptions{MaxDepth: math.MaxInt32}.Parse(d.node(at).Bytes())
	if err != nil {
		return d.fail(at, err, "")
	}
	*v.Addr().Interface().(*Doc) = doc
	return true
}

// storeMessage decodes into one of the three messages.
func storeMessage(d *decoder, v reflect.Value, at int) bool {
	want, b := d.nodes[at].Kind(), []byte(nil)
	m := v.Addr().Interface().(proto.Message)
	switch m.(type) {
	case *structpb.Value:
		b = d.node(at).Bytes()
	case *structpb.Struct:
		want, b = index.Object, d.node(at).Inside()
	case *structpb.ListValue:
		want, b = index.Array, d.node(at).Inside()
	}
	if d.nodes[at].Kind() != want {
		return d.fail(at, ErrKind, (Kind(d.nodes[at].Kind())+1).String()+" into Go type "+v.Type().String())
	}
	if err := (proto.UnmarshalOptions{RecursionLimit: math.MaxInt32}).Unmarshal(b, m); err != nil {
		return d.fail(at, err, "")
	}
	return true
}

// storeByJSON gives JSON text to the method UnmarshalJSON.
func storeByJSON(d *decoder, v reflect.Value, at int) bool {
	d.text = append(d.text[:0], "null"...)
	if !d.isNull(at) {
		text, bad, err := writeJSON(d.text[:0], d.nodes, d.wire, at)
		if err != nil {
			return d.fail(bad, err, "for UnmarshalJSON of "+v.Type().String())
		}
		d.text = text
	}
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(d.text); err != nil {
		return d.fail(at, err, "UnmarshalJSON of "+v.Type().String())
	}
	return true
}

// storeByText gives a string to the method UnmarshalText. What null does depends on the
// kind of the type. The text is a copy: it may be written to.
func storeByText(plain store) store {
	return func(d *decoder, v reflect.Value, at int) bool {
		n := &d.nodes[at]
		switch {
		case n.Kind() == index.String:
			d.text = append(d.text[:0], n.Text(d.wire)...)
			if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(d.text); err != nil {
				return d.fail(at, err, "UnmarshalText of "+v.Type().String())
			}
			return true
		case d.isNull(at):
			return plain(d, v, at)
		}
		return d.mismatch(v, at)
	}
}
