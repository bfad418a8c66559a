package variant

import (
	"bytes"
	"encoding/json"
	"runtime"

	jsonv2 "github.com/go-json-experiment/json"
	gojson "github.com/goccy/go-json"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/gostruct"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

// A textLibrary is a JSON library as the JSON variants use it.
type textLibrary struct {
	name, path string
	marshal    func(any) ([]byte, error)
	unmarshal  func([]byte, any) error
}

var (
	stdJSON = textLibrary{"JSON", "encoding/json", json.Marshal, json.Unmarshal}
	jsonV2  = textLibrary{"JSONv2", "github.com/go-json-experiment/json",
		func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }}
	goJSON = textLibrary{"go-json", "github.com/goccy/go-json", gojson.Marshal, gojson.Unmarshal}
)

var jsonVariants = []*Variant{
	concreteJSON(stdJSON), concreteJSON(jsonV2), sonic(concreteJSON), concreteJSON(goJSON),
	mapJSON(stdJSON), mapJSON(jsonV2), sonic(mapJSON), mapJSON(goJSON),
}

// sonic returns the variant of github.com/bytedance/sonic, which is one of the [Libraries].
func sonic(of func(textLibrary) *Variant) *Variant {
	l := textLibrary{name: "sonic", path: "github.com/bytedance/sonic"}
	v := of(l)
	v.Needs = ApartCode
	v.Open = func(t *Type) (Codec, error) {
		if t.Libraries == nil {
			return nil, errApart
		}
		if t.Libraries.Sonic.Marshal == nil {
			return nil, NotApplicable("%s has no code of its own for %s on %s and calls encoding/json",
				l.path, runtime.Version(), runtime.GOARCH)
		}
		linked := l
		linked.marshal, linked.unmarshal = t.Libraries.Sonic.Marshal, t.Libraries.Sonic.Unmarshal
		return of(linked).Open(t)
	}
	return v
}

func concreteJSON(l textLibrary) *Variant {
	return &Variant{
		Name: "Concrete (" + l.name + ")", Family: JSON, Library: l.path, Generator: GoStructs,
		About: "a Go struct with json tags",
		Ops:   []string{Size, Marshal, Unmarshal}, Needs: StructCode,
		Open: func(t *Type) (Codec, error) {
			if t.NewStruct == nil {
				return nil, noStruct(t)
			}
			c := structCodec(t)
			c.encode = func(v any) ([]byte, error) { return l.marshal(v) }
			c.decode = func(b []byte) (proto.Message, error) {
				v := t.NewStruct()
				if err := json.Unmarshal(b, v); err != nil {
					return nil, err
				}
				return structMessage(t, v)
			}
			c.encodes(Marshal, func(i int) (err error) {
				c.bytes, err = l.marshal(c.in[i])
				return err
			})
			c.decodes(Unmarshal, func(i int) error {
				c.held = t.NewStruct()
				return l.unmarshal(c.wire[i], c.held)
			})
			return c, nil
		},
	}
}

// structCodec returns a codec that holds a pointer to the plain struct.
func structCodec(t *Type) *codec[any, []byte] {
	return &codec[any, []byte]{
		source:  func(m proto.Message) (any, error) { return structOf(t, m) },
		message: func(v any) (proto.Message, error) { return structMessage(t, v) },
	}
}

func noStruct(t *Type) error {
	return NotApplicable("%s is a well-known type, which has no struct of its own", t.Descriptor().FullName())
}

func structOf(t *Type, m proto.Message) (any, error) {
	v := t.NewStruct()
	if t.Rows != "" {
		return v, gostruct.FromList(t.rows(m), v)
	}
	return v, gostruct.FromMessage(m.ProtoReflect(), v)
}

func structMessage(t *Type, v any) (proto.Message, error) {
	m := t.New()
	if t.Rows != "" {
		return m, gostruct.ToList(v, m.ProtoReflect().Mutable(t.rowsField()).List())
	}
	return m, gostruct.ToMessage(v, m.ProtoReflect())
}

func mapJSON(l textLibrary) *Variant {
	return &Variant{
		Name: "Map (" + l.name + ")", Family: JSON, Library: l.path, Generator: NoGenerator,
		About: "a map[string]any without a schema",
		Ops:   []string{Size, Marshal, Unmarshal},
		Open: func(t *Type) (Codec, error) {
			c := &codec[any, []byte]{
				source:  func(m proto.Message) (any, error) { return nativeOf(t, m) },
				message: func(v any) (proto.Message, error) { return nativeMessage(t, v) },
				encode:  func(v any) ([]byte, error) { return l.marshal(v) },
				decode:  func(b []byte) (proto.Message, error) { return textMessage(t, b) },
			}
			c.encodes(Marshal, func(i int) (err error) {
				c.bytes, err = l.marshal(c.in[i])
				return err
			})
			c.decodes(Unmarshal, func(i int) error {
				c.held = nil
				return l.unmarshal(c.wire[i], &c.held)
			})
			return c, nil
		},
	}
}

// textMessage decodes JSON text without a schema, its numbers digit by digit.
func textMessage(t *Type, b []byte) (proto.Message, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return nativeMessage(t, v)
}

// nativeOf returns m as native Go data: a map, or the list of its rows.
func nativeOf(t *Type, m proto.Message) (any, error) {
	v, err := native.FromMessage(m.ProtoReflect())
	if err != nil || t.Rows == "" {
		return v, err
	}
	rows, ok := v.(map[string]any)[string(t.Rows)]
	if !ok {
		return []any{}, nil
	}
	return rows, nil
}

func nativeMessage(t *Type, v any) (proto.Message, error) {
	if t.Rows != "" {
		v = map[string]any{string(t.Rows): v}
	}
	m := t.New()
	return m, native.ToMessage(v, m.ProtoReflect())
}
