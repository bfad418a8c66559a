package jsonencode

import (
	"math"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
)

// encodeStructpb writes a Value, Struct or ListValue of structpb's types.
func (e *encoder) encodeStructpb(c layout.Class, p unsafe.Pointer, at int) int {
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		return e.encodeNode((*structpb.Value)(p), at)
	case layout.Struct:
		return e.fields((*structpb.Struct)(p), at)
	}
	return e.array((*structpb.ListValue)(p), at)
}

// encodeNode writes a Value.
func (e *encoder) encodeNode(v *structpb.Value, at int) int {
	switch k := v.GetKind().(type) {
	case *structpb.Value_StringValue:
		if k != nil {
			return e.string(k.StringValue, at)
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			if math.IsNaN(k.NumberValue) || math.IsInf(k.NumberValue, 0) {
				return e.fail(protoerr.ErrValue, notFinite)
			}
			return e.double(k.NumberValue, at)
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return e.bool(k.BoolValue, at)
		}
	case *structpb.Value_NullValue:
		if k != nil {
			return e.raw("null", at)
		}
	case *structpb.Value_StructValue:
		if k != nil {
			return e.fields(k.StructValue, at)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			return e.array(k.ListValue, at)
		}
	}
	return e.fail(protoerr.ErrValue, unsetValue)
}

// fields writes a Struct, in the order of its keys.
func (e *encoder) fields(s *structpb.Struct, at int) int {
	if e.depth++; e.depth > maxDepth {
		return e.fail(protoerr.ErrDepth, "")
	}
	at = e.put('{', at)
	fields := s.GetFields()
	from, to := mapsort.Push(&e.entered, fields)
	for i := from; i < to; i++ {
		key, v := mapsort.At(&e.entered, fields, i)
		if at = e.string(key, at); at < 0 {
			return e.at("[" + strconv.Quote(protoerr.Clip(key)) + "]")
		}
		if at = e.encodeNode(v, e.put(':', at)); at < 0 {
			return e.at("[" + strconv.Quote(protoerr.Clip(key)) + "]")
		}
		at = e.put(',', at)
	}
	e.entered.Pop(from)
	at = e.close('}', at)
	e.depth--
	e.room(0, at)
	return at
}

// array writes a ListValue.
func (e *encoder) array(l *structpb.ListValue, at int) int {
	if e.depth++; e.depth > maxDepth {
		return e.fail(protoerr.ErrDepth, "")
	}
	at = e.put('[', at)
	for i, v := range l.GetValues() {
		e.room(0, at)
		if at = e.encodeNode(v, at); at < 0 {
			return e.at(protoerr.Index(i))
		}
		at = e.put(',', at)
	}
	at = e.close(']', at)
	e.depth--
	e.room(0, at)
	return at
}

// at says where a failure is in a Struct or ListValue.
func (e *encoder) at(index string) int {
	e.trace = append(e.trace, index)
	return failed
}
