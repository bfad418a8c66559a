package gojapb

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// absent reports whether v is null or undefined.
func absent(v goja.Value) bool { return v == nil || goja.IsUndefined(v) || goja.IsNull(v) }

// describe says what a value is, for errors.
func describe(v goja.Value) string {
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case goja.IsString(v):
		s := v.String()
		if len(s) > 40 {
			s = s[:40] + "…"
		}
		return "string " + strconv.Quote(s)
	case goja.IsBigInt(v):
		return "BigInt"
	case goja.IsNumber(v):
		return "number " + v.String()
	}
	switch v := v.(type) {
	case *goja.Symbol:
		return "Symbol"
	case *goja.Object:
		if msg := messageOf(v); msg != nil {
			return string(msg.desc.FullName())
		}
		if _, ok := goja.AssertFunction(v); ok {
			return "function"
		}
		switch {
		case v.ExportType() == mapType:
			return "Map"
		case isSet(v):
			return "Set"
		}
		return v.ClassName()
	}
	return "boolean"
}

// scalarOf returns v as a value of the type of e, which is no message. It throws if v is not of that type.
func (m *Module) scalarOf(e *element, v goja.Value) protoreflect.Value {
	switch e.kind {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(m.stringOf(e, v))
	case protoreflect.BoolKind:
		if isBool(v) {
			return protoreflect.ValueOfBool(v.ToBoolean())
		}
		m.wrongType(e, "boolean", v)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(m.integer(e, v, math.MinInt32, math.MaxInt32)))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(m.integer(e, v, 0, math.MaxUint32)))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(m.int64(e, v))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(m.uint64(e, v))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(m.float32(e, v))
	case protoreflect.DoubleKind:
		if !goja.IsNumber(v) {
			m.wrongType(e, "number", v)
		}
		return protoreflect.ValueOfFloat64(v.ToFloat())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append([]byte{}, m.bytes(e.name, v)...))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(m.enum(e, v))
	}
	panic("gojapb: a message is no scalar")
}

// stringOf returns a string. It throws if v is none.
func (m *Module) stringOf(e *element, v goja.Value) string {
	if !goja.IsString(v) {
		m.wrongType(e, "string", v)
	}
	return m.text(e, v)
}

var boolType = reflect.TypeFor[bool]()

// isBool reports whether v is true or false, and no Boolean object.
func isBool(v goja.Value) bool {
	_, isObject := v.(*goja.Object)
	return v != nil && !isObject && v.ExportType() == boolType
}

// name returns the name of the field that e belongs to.
func (e *element) name() string {
	if e.fd == nil {
		return string(e.msg.FullName()) // a message by itself
	}
	if parent, ok := e.fd.Parent().(protoreflect.MessageDescriptor); ok && parent.IsMapEntry() && !e.fd.IsExtension() {
		return mapName(parent) + ", " + string(e.fd.Name())
	}
	return string(e.fd.FullName())
}

// mapName returns the full name of the map field whose entries are described.
func mapName(entry protoreflect.MessageDescriptor) string {
	if md, ok := entry.Parent().(protoreflect.MessageDescriptor); ok {
		for i := range md.Fields().Len() {
			if fd := md.Fields().Get(i); fd.Message() == entry {
				return string(fd.FullName())
			}
		}
	}
	return string(entry.FullName())
}

func (m *Module) wrongType(e *element, want string, v goja.Value) {
	m.throwType("%s: expected %s, got %s", e.name(), want, describe(v))
}

// text returns a string, which must be one that UTF-8 can say: half a surrogate pair is refused rather than replaced.
func (m *Module) text(e *element, v goja.Value) string {
	s := v.String()
	m.mustBeWellFormed(e, s, v)
	return s
}

func (m *Module) mustBeWellFormed(e *element, s string, v goja.Value) {
	if !wellFormedText(s, v) {
		m.throwType("%s: the string has half a surrogate pair, which UTF-8 cannot say", e.name())
	}
}

// wellFormedText reports whether each surrogate in v, which is s in UTF-8, is part of a pair.
func wellFormedText(s string, v goja.Value) bool {
	return !strings.Contains(s, "\uFFFD") || wellFormed(v)
}

func wellFormed(v goja.Value) bool {
	s, ok := v.ToString().(goja.String)
	if !ok {
		return true
	}
	for i := 0; i < s.Length(); i++ {
		c := s.CharAt(i)
		switch {
		case c < 0xd800 || c > 0xdfff:
		case c > 0xdbff || i+1 == s.Length() || s.CharAt(i+1)&^0x3ff != 0xdc00:
			return false
		default:
			i++
		}
	}
	return true
}

// member returns a member of a plain object by one of its keys, undefined if a getter has removed it meanwhile. goja's
// keys are UTF-8, so that one with half a surrogate pair is not found by it, and throws.
func (m *Module) member(o *goja.Object, key string, of protoreflect.FullName) goja.Value {
	v := o.Get(key)
	if v != nil {
		return v
	}
	if strings.ContainsRune(key, utf8.RuneError) {
		m.throwType("%s: a key has half a surrogate pair, which UTF-8 cannot say", of)
	}
	return goja.Undefined()
}

// integer returns an integer of at most 32 bits.
func (m *Module) integer(e *element, v goja.Value, lowest, highest int64) int64 {
	var n int64
	switch {
	case goja.IsNumber(v):
		f := v.ToFloat()
		if f < float64(lowest) || f > float64(highest) || f != math.Trunc(f) || f != f {
			m.outOfRange(e, v)
		}
		return int64(f)
	case goja.IsBigInt(v):
		if b := bigOf(v); b.IsInt64() {
			if n = b.Int64(); n >= lowest && n <= highest {
				return n
			}
		}
		m.outOfRange(e, v)
	}
	m.wrongType(e, "integer", v)
	return 0
}

func (m *Module) outOfRange(e *element, v goja.Value) {
	m.throwRange("%s: %s is no %s", e.name(), v.String(), e.kind)
}

// bigOf returns a BigInt.
func bigOf(v goja.Value) *big.Int { return v.Export().(*big.Int) }

// maxSafe is the greatest number that stands for itself alone.
const maxSafe = 1<<53 - 1

func (m *Module) int64(e *element, v goja.Value) int64 {
	switch {
	case goja.IsNumber(v):
		return m.safe(e, v)
	case goja.IsBigInt(v):
		if b := bigOf(v); b.IsInt64() {
			return b.Int64()
		}
		m.outOfRange(e, v)
	case goja.IsString(v):
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err != nil {
			m.badDecimal(e, v, err)
		}
		return n
	}
	m.wrongType(e, "integer", v)
	return 0
}

func (m *Module) uint64(e *element, v goja.Value) uint64 {
	switch {
	case goja.IsNumber(v):
		if n := m.safe(e, v); n >= 0 {
			return uint64(n)
		}
		m.outOfRange(e, v)
	case goja.IsBigInt(v):
		if b := bigOf(v); b.IsUint64() {
			return b.Uint64()
		}
		m.outOfRange(e, v)
	case goja.IsString(v):
		n, err := strconv.ParseUint(v.String(), 10, 64)
		if err != nil {
			m.badDecimal(e, v, err)
		}
		return n
	}
	m.wrongType(e, "integer", v)
	return 0
}

// safe returns a number that is an integer, and exact.
func (m *Module) safe(e *element, v goja.Value) int64 {
	f := v.ToFloat()
	if f != math.Trunc(f) || f < -maxSafe || f > maxSafe {
		m.throwRange("%s: %s is no exact integer (a BigInt or a decimal string can be greater than 2^53-1)", e.name(),
			v.String())
	}
	return int64(f)
}

func (m *Module) badDecimal(e *element, v goja.Value, err error) {
	if strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) {
		m.outOfRange(e, v)
	}
	m.wrongType(e, "decimal integer", v)
}

func (m *Module) float32(e *element, v goja.Value) float32 {
	if !goja.IsNumber(v) {
		m.wrongType(e, "number", v)
	}
	f := v.ToFloat()
	if n := float32(f); !math.IsInf(float64(n), 0) || math.IsInf(f, 0) {
		return n
	}
	m.outOfRange(e, v)
	return 0
}

// enum returns an enum's number, of a number or a name.
func (m *Module) enum(e *element, v goja.Value) protoreflect.EnumNumber {
	if goja.IsString(v) {
		value := e.enum.Values().ByName(protoreflect.Name(v.String()))
		if value == nil {
			m.throwType("%s: %s has no value %q", e.name(), e.enum.FullName(), v.String())
		}
		return value.Number()
	}
	n := protoreflect.EnumNumber(m.integer(e, v, math.MinInt32, math.MaxInt32))
	if e.enum.IsClosed() && e.enum.Values().ByNumber(n) == nil {
		m.throwRange("%s: %s has no value %d", e.name(), e.enum.FullName(), n)
	}
	return n
}

var (
	bytesType  = reflect.TypeFor[[]byte]()
	bufferType = reflect.TypeFor[goja.ArrayBuffer]()
)

// bytes returns what is in a Uint8Array or an ArrayBuffer, which the caller must not keep.
func (m *Module) bytes(name func() string, v goja.Value) []byte {
	o, ok := v.(*goja.Object)
	if !ok {
		m.throwType("%s: expected Uint8Array, got %s", name(), describe(v))
	}
	switch o.ExportType() {
	case bytesType:
		if b, ok := m.viewed(o); ok {
			return b
		}
		m.throwType("%s: the buffer of the Uint8Array is detached", name())
	case bufferType:
		buffer := o.Export().(goja.ArrayBuffer)
		if buffer.Detached() {
			m.throwType("%s: the ArrayBuffer is detached", name())
		}
		return buffer.Bytes()
	}
	m.throwType("%s: expected Uint8Array, got %s", name(), describe(v))
	return nil
}

// viewed returns the bytes of a Uint8Array; false if its buffer is detached. goja's own conversion would then hand out
// memory that is not there, or take the program down.
func (m *Module) viewed(o *goja.Object) (b []byte, ok bool) {
	if o.Get("0") == nil && m.detached(o) { // a first element is there, or else nobody knows why not
		return nil, false
	}
	err := m.rt.ExportTo(o, &b)
	return b, err == nil
}

// detached reports whether the buffer of a Uint8Array is.
func (m *Module) detached(o *goja.Object) bool {
	v, err := m.builtin.bufferOf(o)
	if err != nil {
		return false // bytes of the host
	}
	buffer, ok := v.Export().(goja.ArrayBuffer)
	return ok && buffer.Detached()
}

func (m *Module) bytesOf(name string, v goja.Value) []byte {
	return m.bytes(func() string { return name }, v)
}
