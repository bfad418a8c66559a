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
func (m *Module) known(
	call goja.FunctionCall, i int, function string, name protoreflect.FullName,
) protoreflect.Message {
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

// millisecondsOf returns the time of a Date, which is for a function or a field.
func (m *Module) millisecondsOf(what string, date *goja.Object) int64 {
	v, err := m.builtin.getTime(date)
	if err != nil {
		panic(err)
	}
	return m.milliseconds(what, v)
}

// milliseconds returns a number of milliseconds. A fraction is dropped, as Date does: -1.9 is -1.
func (m *Module) milliseconds(what string, v goja.Value) int64 {
	if !goja.IsNumber(v) {
		m.throwType("%s: expected a number of milliseconds, got %s", what, describe(v))
	}
	f := v.ToFloat()
	if math.IsNaN(f) || math.Abs(f) > maxSafe {
		m.throwRange("%s: %s is no time in exact milliseconds", what, v.String())
	}
	return int64(f)
}

// maxDate is how many milliseconds a Date can be from 1970 on.
const maxDate = 864e13

// millisOf returns the seconds of a Timestamp or a Duration, and its nanoseconds as milliseconds, all in milliseconds.
// It throws if they are more than highest, in either direction, and says what has none such.
func (m *Module) millisOf(function string, r protoreflect.Message, nanos, highest int64, what string) int64 {
	seconds := field64(r, timeSeconds)
	ms := seconds*1000 + nanos
	if seconds < -maxSafe/1000-1 || seconds > maxSafe/1000+1 || ms < -highest || ms > highest {
		m.throwRange("%s: %s.seconds: %d is beyond what %s", function, r.Descriptor().FullName(), seconds, what)
	}
	return ms
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
		return m.timestamp(m.millisecondsOf("pb.timestampFromDate", o))
	}
	if !goja.IsNumber(v) {
		m.throwType("pb.timestampFromDate: expected a Date, got %s", describe(v))
	}
	return m.timestamp(m.milliseconds("pb.timestampFromDate", v))
}

// timestampDate is pb.timestampDate(msg).
func (m *Module) timestampDate(call goja.FunctionCall) goja.Value {
	ms := m.timestampMillis(call, "pb.timestampDate", maxDate, "a Date can hold")
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
	return m.rt.ToValue(m.timestampMillis(call, "pb.timestampMs", maxSafe, exactMilliseconds))
}

// exactMilliseconds is what a Timestamp or Duration that is too great does not fit in.
const exactMilliseconds = "a number can say in exact milliseconds"

// timestampMillis returns the millisecond in which the Timestamp is that a function is called with.
func (m *Module) timestampMillis(call goja.FunctionCall, function string, highest int64, what string) int64 {
	r := m.known(call, 0, function, "google.protobuf.Timestamp")
	return m.millisOf(function, r, time.Unix(0, field64(r, timeNanos)).UnixMilli(), highest, what)
}

// durationFromMs is pb.durationFromMs(ms). Seconds and nanoseconds have the same sign.
func (m *Module) durationFromMs(call goja.FunctionCall) goja.Value {
	ms := m.milliseconds("pb.durationFromMs", call.Argument(0))
	b, r := m.newKnown("google.protobuf.Duration")
	m.setSeconds(r, ms/1000, int32(ms%1000)*1e6)
	return m.fresh(b, r).object
}

// durationMs is pb.durationMs(msg), less a fraction of a millisecond.
func (m *Module) durationMs(call goja.FunctionCall) goja.Value {
	r := m.known(call, 0, "pb.durationMs", "google.protobuf.Duration")
	return m.rt.ToValue(m.millisOf("pb.durationMs", r, field64(r, timeNanos)/1e6, maxSafe, exactMilliseconds))
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
