package gojapb

import (
	"math"
	"strings"
	"time"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"

	// The types that the functions here make are there for scripts in any program.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/proto"
)

// The numbers of the fields of Timestamp, Duration and Any.
const (
	timeSeconds = 1
	timeNanos   = 2
	anyURL      = 1
	anyValue    = 2
)

// newKnown returns a new message of a well-known type.
func (m *Module) newKnown(name protoreflect.FullName) (*binding, protoreflect.Message) {
	d, err := m.schema.find(name)
	md, ok := d.(protoreflect.MessageDescriptor)
	if err != nil || !ok {
		m.throwType("there is no message type %s", name)
	}
	b := m.bind(m.shapeOf(md))
	return b, b.typ.New()
}

// known returns the message of a well-known type that is argument i of a function.
func (m *Module) known(call goja.FunctionCall, i int, function string, name protoreflect.FullName) protoreflect.Message {
	msg := m.argument(call, i, function)
	if msg.desc.FullName() != name {
		m.throwType("%s: expected %s, got %s", function, name, msg.desc.FullName())
	}
	return msg.m
}

func field64(r protoreflect.Message, number protoreflect.FieldNumber) int64 {
	return r.Get(r.Descriptor().Fields().ByNumber(number)).Int()
}

func (m *Module) setSeconds(r protoreflect.Message, seconds int64, nanos int32) {
	fields := r.Descriptor().Fields()
	r.Set(fields.ByNumber(timeSeconds), protoreflect.ValueOfInt64(seconds))
	r.Set(fields.ByNumber(timeNanos), protoreflect.ValueOfInt32(nanos))
}

// setMilliseconds sets a Timestamp, whose nanoseconds count forwards whatever the sign is.
func (m *Module) setMilliseconds(r protoreflect.Message, ms int64) {
	t := time.UnixMilli(ms)
	m.setSeconds(r, t.Unix(), int32(t.Nanosecond()))
}

// millisecondsOf returns the time of a Date.
func (m *Module) millisecondsOf(date *goja.Object) int64 {
	v, err := m.builtin.getTime(date)
	if err != nil {
		panic(err)
	}
	return m.milliseconds("Date", v)
}

// milliseconds returns a number of milliseconds, whose fraction is dropped.
func (m *Module) milliseconds(function string, v goja.Value) int64 {
	if !goja.IsNumber(v) {
		m.throwType("%s: expected a number of milliseconds, got %s", function, describe(v))
	}
	f := v.ToFloat()
	if math.IsNaN(f) || math.Abs(f) > maxSafe {
		m.throwRange("%s: %v is no time", function, f)
	}
	return int64(math.Floor(f))
}

func (m *Module) timestamp(ms int64) goja.Value {
	b, r := m.newKnown("google.protobuf.Timestamp")
	m.setMilliseconds(r, ms)
	return m.fresh(b, r).object
}

// timestampNow is pb.timestampNow(), to the nanosecond.
func (m *Module) timestampNow(goja.FunctionCall) goja.Value {
	b, r := m.newKnown("google.protobuf.Timestamp")
	now := time.Now()
	m.setSeconds(r, now.Unix(), int32(now.Nanosecond()))
	return m.fresh(b, r).object
}

// timestampFromDate is pb.timestampFromDate(date).
func (m *Module) timestampFromDate(call goja.FunctionCall) goja.Value {
	v := call.Argument(0)
	if o, ok := v.(*goja.Object); ok && o.ExportType() == timeType {
		return m.timestamp(m.millisecondsOf(o))
	}
	if !goja.IsNumber(v) {
		m.throwType("pb.timestampFromDate: expected a Date, got %s", describe(v))
	}
	return m.timestamp(m.milliseconds("pb.timestampFromDate", v))
}

// timestampDate is pb.timestampDate(msg).
func (m *Module) timestampDate(call goja.FunctionCall) goja.Value {
	ms := timestampMillis(m.known(call, 0, "pb.timestampDate", "google.protobuf.Timestamp"))
	o, err := m.rt.New(m.builtin.date, m.rt.ToValue(ms))
	if err != nil {
		panic(err)
	}
	return o
}

// timestampFromMs is pb.timestampFromMs(ms).
func (m *Module) timestampFromMs(call goja.FunctionCall) goja.Value {
	return m.timestamp(m.milliseconds("pb.timestampFromMs", call.Argument(0)))
}

// timestampMs is pb.timestampMs(msg).
func (m *Module) timestampMs(call goja.FunctionCall) goja.Value {
	return m.rt.ToValue(timestampMillis(m.known(call, 0, "pb.timestampMs", "google.protobuf.Timestamp")))
}

func timestampMillis(r protoreflect.Message) int64 {
	return time.Unix(field64(r, timeSeconds), field64(r, timeNanos)).UnixMilli()
}

// durationFromMs is pb.durationFromMs(ms). Seconds and nanoseconds have the same sign.
func (m *Module) durationFromMs(call goja.FunctionCall) goja.Value {
	v := call.Argument(0)
	ms := m.milliseconds("pb.durationFromMs", v)
	if f := v.ToFloat(); f < 0 {
		ms = int64(math.Ceil(f))
	}
	b, r := m.newKnown("google.protobuf.Duration")
	m.setSeconds(r, ms/1000, int32(ms%1000)*1e6)
	return m.fresh(b, r).object
}

// durationMs is pb.durationMs(msg).
func (m *Module) durationMs(call goja.FunctionCall) goja.Value {
	r := m.known(call, 0, "pb.durationMs", "google.protobuf.Duration")
	return m.rt.ToValue(float64(field64(r, timeSeconds))*1000 + float64(field64(r, timeNanos)/1e6))
}

// anyPack is pb.anyPack(M, msg).
func (m *Module) anyPack(call goja.FunctionCall) goja.Value {
	b, msg := m.bindingOf(call, 0, "pb.anyPack"), m.argument(call, 1, "pb.anyPack")
	if msg.desc.FullName() != b.desc.FullName() {
		m.throwType("pb.anyPack: expected %s, got %s", b.desc.FullName(), msg.desc.FullName())
	}
	m.throwIfDeep(msg)
	wire, err := proto.Marshal(msg.m.Interface())
	if err != nil {
		m.throwError("pb.anyPack: %v", err)
	}
	known, r := m.newKnown("google.protobuf.Any")
	fields := r.Descriptor().Fields()
	r.Set(fields.ByNumber(anyURL), protoreflect.ValueOfString("type.googleapis.com/"+string(b.desc.FullName())))
	r.Set(fields.ByNumber(anyValue), protoreflect.ValueOfBytes(wire))
	return m.fresh(known, r).object
}

// anyUnpack is pb.anyUnpack(any, M).
func (m *Module) anyUnpack(call goja.FunctionCall) goja.Value {
	packed := m.known(call, 0, "pb.anyUnpack", "google.protobuf.Any")
	b := m.bindingOf(call, 1, "pb.anyUnpack")
	if name := insideOf(packed); name != string(b.desc.FullName()) {
		m.throwType("pb.anyUnpack: the Any holds %q, not %s", name, b.desc.FullName())
	}
	r := b.typ.New()
	wire := packed.Get(packed.Descriptor().Fields().ByNumber(anyValue)).Bytes()
	if err := (proto.UnmarshalOptions{Resolver: m.schema}).Unmarshal(wire, r.Interface()); err != nil {
		m.throwError("pb.anyUnpack: %s: %v", b.desc.FullName(), err)
	}
	return m.fresh(b, r).object
}

// anyIs is pb.anyIs(any, M or name).
func (m *Module) anyIs(call goja.FunctionCall) goja.Value {
	packed := m.known(call, 0, "pb.anyIs", "google.protobuf.Any")
	return m.rt.ToValue(insideOf(packed) == m.typeName(call, 1, "pb.anyIs"))
}

// insideOf returns the full name of the type that an Any holds.
func insideOf(packed protoreflect.Message) string {
	url := packed.Get(packed.Descriptor().Fields().ByNumber(anyURL)).String()
	return url[strings.LastIndexByte(url, '/')+1:]
}
