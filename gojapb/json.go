package gojapb

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/protojson"
)

// jsonOptions returns the options of pb.fromJSON, which are an object or absent.
func (m *Module) jsonOptions(v goja.Value) protojson.UnmarshalOptions {
	options := protojson.UnmarshalOptions{Resolver: m.schema}
	if absent(v) {
		return options
	}
	o, ok := v.(*goja.Object)
	if !ok || !plainObject(o) {
		m.throwType("pb.fromJSON: expected an object of options, got %s", describe(v))
	}
	for _, name := range o.Keys() {
		if name != "discardUnknown" {
			m.throwType("pb.fromJSON: there is no option %q", name)
		}
		switch v := o.Get(name); {
		case isBool(v):
			options.DiscardUnknown = v.ToBoolean()
		case !goja.IsUndefined(v):
			m.throwType("pb.fromJSON: discardUnknown: expected a boolean, got %s", describe(v))
		}
	}
	return options
}

// jsonOf returns a JavaScript value as the Go value that package protojson takes for it. It stands for what
// JSON.stringify would write, but for bytes and BigInts, which are taken as what ProtoJSON has for them, and for Maps
// and Sets, of which JSON.stringify writes nothing.
func (m *Module) jsonOf(v goja.Value, depth int) any {
	switch {
	case absent(v):
		return nil
	case goja.IsString(v):
		if s := v.String(); wellFormedText(s, v) {
			return s
		}
		m.throwType("pb.fromJSON: a string has half a surrogate pair, which UTF-8 cannot say")
	case goja.IsNumber(v):
		f := v.ToFloat()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			m.throwRange("pb.fromJSON: %v is no number in JSON (ProtoJSON has a string for it)", f)
		}
		return f
	case goja.IsBigInt(v):
		return json.Number(bigOf(v).String())
	case isBool(v):
		return v.ToBoolean()
	}
	o, ok := v.(*goja.Object)
	if !ok {
		m.throwType("pb.fromJSON: expected a JSON value, got %s", describe(v))
	}
	if depth > maxDepth {
		m.throwRange("pb.fromJSON: values are nested deeper than %d, or part of themselves", maxDepth)
	}
	return m.jsonOfObject(o, depth)
}

func (m *Module) jsonOfObject(o *goja.Object, depth int) any {
	switch t := o.ExportType(); {
	case t == messageGoType:
		return m.jsonOf(m.json(messageOf(o)), depth)
	case t == mapViewGoType:
		view := mapViewOf(o)
		return m.jsonOf(m.jsons.mapping(view.field, view.read()), depth)
	case t == listViewGoType:
		view := o.Export().(*listView)
		return m.jsonOf(m.jsons.list(view.field, view.read()), depth)
	case t == mapType || isSet(o):
		return m.jsonOfCollection(o, t == mapType, depth)
	case t == bytesType || t == bufferType:
		return append([]byte{}, m.bytesOf("pb.fromJSON", o)...)
	case t == timeType || t != objectType && o.ClassName() != "Array" && t != proxyType && t.Kind() != reflect.Slice &&
		!plainObject(o):
		return m.viaToJSON(o, depth)
	}
	if isArray(o) {
		items, holes := make([]any, 0, min(length(o), 1024)), 0
		for i := 0; i < length(o); i++ {
			items = append(items, m.jsonOf(m.item(o, i, &holes), depth+1))
		}
		return items
	}
	if to, callable := goja.AssertFunction(o.Get("toJSON")); callable {
		return m.called(to, o, depth)
	}
	fields := map[string]any{}
	var room [someKeys]string
	for _, name := range keysOf(o, room[:]) {
		v := m.member(o, name, "pb.fromJSON")
		if _, callable := goja.AssertFunction(v); callable || goja.IsUndefined(v) {
			continue
		}
		fields[name] = m.jsonOf(v, depth+1)
	}
	return fields
}

// jsonOfCollection takes a Map as the object of its entries, and a Set as the array of its elements, as fields can be
// set to them.
func (m *Module) jsonOfCollection(o *goja.Object, isMap bool, depth int) any {
	if to, callable := goja.AssertFunction(o.Get("toJSON")); callable {
		return m.called(to, o, depth)
	}
	items, fields := []any{}, map[string]any{}
	m.rt.ForOf(o, func(v goja.Value) bool {
		if !isMap {
			items = append(items, m.jsonOf(v, depth+1))
			return true
		}
		entry := v.ToObject(m.rt)
		name, v := m.jsonName(entry.Get("0")), entry.Get("1")
		if _, callable := goja.AssertFunction(v); !callable && !goja.IsUndefined(v) {
			fields[name] = m.jsonOf(v, depth+1)
		}
		return true
	})
	if isMap {
		return fields
	}
	return items
}

// jsonName returns the name in JSON of a key of a Map.
func (m *Module) jsonName(key goja.Value) string {
	if !goja.IsString(key) && !goja.IsNumber(key) && !goja.IsBigInt(key) && !isBool(key) {
		m.throwType("pb.fromJSON: expected a string, number or boolean for a key, got %s", describe(key))
	}
	name := key.String()
	if !wellFormedText(name, key) {
		m.throwType("pb.fromJSON: a key has half a surrogate pair, which UTF-8 cannot say")
	}
	return name
}

// viaToJSON takes objects of other kinds, such as Date, for what their method toJSON returns.
func (m *Module) viaToJSON(o *goja.Object, depth int) any {
	to, callable := goja.AssertFunction(o.Get("toJSON"))
	if !callable {
		m.throwType("pb.fromJSON: expected a JSON value, got %s", describe(o))
	}
	return m.called(to, o, depth)
}

func (m *Module) called(toJSON goja.Callable, o *goja.Object, depth int) any {
	v, err := toJSON(o)
	if err != nil {
		panic(err)
	}
	return m.jsonOf(v, depth+1)
}

func decimalKey(n protoreflect.EnumNumber) string { return strconv.Itoa(int(n)) }
