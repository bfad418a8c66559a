package proto

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/wire/required"
)

// Message is the official package's: any message, generated or not.
type Message = proto.Message

// Error matches all errors of Protobuf with errors.Is, those of this package too.
var Error = proto.Error

// CheckInitialized returns a [*FieldError] if a required field is not set in m or below.
func CheckInitialized(m Message) error {
	if m == nil {
		return nil
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return proto.CheckInitialized(m)
	}
	return public(required.Check(l, p))
}

// The functions below are the official package's, so that its import path can be replaced by
// this one's.

// Clone returns a deep copy of m.
func Clone(m Message) Message { return proto.Clone(m) }

// CloneOf returns a deep copy of m, as the type that m has.
func CloneOf[M Message](m M) M { return proto.CloneOf(m) }

// Equal reports whether x and y are of the same type and hold the same.
func Equal(x, y Message) bool { return proto.Equal(x, y) }

// Merge adds what src holds to dst.
func Merge(dst, src Message) { proto.Merge(dst, src) }

// Reset makes m empty.
func Reset(m Message) { proto.Reset(m) }

// MessageName returns the full name of m's type.
func MessageName(m Message) protoreflect.FullName { return proto.MessageName(m) }

// HasExtension reports whether the extension field is set.
func HasExtension(m Message, xt protoreflect.ExtensionType) bool { return proto.HasExtension(m, xt) }

// ClearExtension makes the extension field absent.
func ClearExtension(m Message, xt protoreflect.ExtensionType) { proto.ClearExtension(m, xt) }

// GetExtension returns the value of the extension field, or its default.
func GetExtension(m Message, xt protoreflect.ExtensionType) any { return proto.GetExtension(m, xt) }

// SetExtension sets the extension field.
func SetExtension(m Message, xt protoreflect.ExtensionType, v any) { proto.SetExtension(m, xt, v) }

// RangeExtensions calls f for each extension field that is set, until f returns false.
func RangeExtensions(m Message, f func(protoreflect.ExtensionType, any) bool) {
	proto.RangeExtensions(m, f)
}

// ValueOrNil returns a pointer to what getter returns if has, else nil.
func ValueOrNil[T any](has bool, getter func() T) *T { return proto.ValueOrNil(has, getter) }

// ValueOrDefault returns val, or a new message if it is nil.
func ValueOrDefault[T interface {
	*P
	Message
}, P any](val T) T {
	return proto.ValueOrDefault(val)
}

// ValueOrDefaultBytes returns val, or an empty slice if it is nil.
func ValueOrDefaultBytes(val []byte) []byte { return proto.ValueOrDefaultBytes(val) }

// Bool returns a pointer to a copy of v.
func Bool(v bool) *bool { return &v }

// Int32 returns a pointer to a copy of v.
func Int32(v int32) *int32 { return &v }

// Int64 returns a pointer to a copy of v.
func Int64(v int64) *int64 { return &v }

// Float32 returns a pointer to a copy of v.
func Float32(v float32) *float32 { return &v }

// Float64 returns a pointer to a copy of v.
func Float64(v float64) *float64 { return &v }

// Uint32 returns a pointer to a copy of v.
func Uint32(v uint32) *uint32 { return &v }

// Uint64 returns a pointer to a copy of v.
func Uint64(v uint64) *uint64 { return &v }

// String returns a pointer to a copy of v.
func String(v string) *string { return &v }
