package gojapb

import (
	"math/big"
	"strconv"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// scalar returns a value that is no message as a JavaScript value. Bytes are copied.
func (m *Module) scalar(e *element, v protoreflect.Value) goja.Value {
	switch e.kind {
	case protoreflect.StringKind:
		return m.stringValue(v.String())
	case protoreflect.BoolKind:
		return m.rt.ToValue(v.Bool())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return m.rt.ToValue(v.Int())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return m.rt.ToValue(int64(v.Uint()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return m.int64Value(v.Int())
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return m.uint64Value(v.Uint())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return m.rt.ToValue(v.Float())
	case protoreflect.EnumKind:
		return m.rt.ToValue(int64(v.Enum()))
	case protoreflect.BytesKind:
		return m.newBytes(append([]byte{}, v.Bytes()...))
	}
	panic("gojapb: a message is no scalar")
}

// stringValue is m.rt.ToValue of a string, without an allocation for the argument: goja copies the string out of it.
func (m *Module) stringValue(s string) goja.Value {
	m.argumentOfToValue = s
	return m.rt.ToValue(xunsafe.BoxString(&m.argumentOfToValue))
}

func (m *Module) int64Value(n int64) goja.Value {
	switch {
	case m.int64s == StringInt64:
		return m.rt.ToValue(strconv.FormatInt(n, 10))
	case m.int64s == BigInt64 || n > maxSafe || n < -maxSafe:
		return m.rt.ToValue(big.NewInt(n))
	}
	return m.rt.ToValue(n)
}

func (m *Module) uint64Value(n uint64) goja.Value {
	switch {
	case m.int64s == StringInt64:
		return m.rt.ToValue(strconv.FormatUint(n, 10))
	case m.int64s == BigInt64 || n > maxSafe:
		return m.rt.ToValue(new(big.Int).SetUint64(n))
	}
	return m.rt.ToValue(int64(n))
}

// newBytes returns a Uint8Array of b, which becomes its memory.
func (m *Module) newBytes(b []byte) goja.Value {
	o, err := m.rt.New(m.builtin.uint8Array, m.rt.ToValue(m.rt.NewArrayBuffer(b)))
	if err != nil {
		panic(err)
	}
	return o
}

// shapeIn returns the shape of r, which is a message of e.
func (m *Module) shapeIn(e *element, r protoreflect.Message) *shape {
	if r.Descriptor() == e.msg {
		return m.shapeOfElement(e)
	}
	return m.shapeOf(r.Descriptor())
}
