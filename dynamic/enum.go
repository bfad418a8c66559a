package dynamic

import "google.golang.org/protobuf/reflect/protoreflect"

// An enum is a value of an enum that is known only at run time.
type enum struct {
	number protoreflect.EnumNumber
	typ    enumType
}

func (e enum) Descriptor() protoreflect.EnumDescriptor { return e.typ.ed }
func (e enum) Type() protoreflect.EnumType             { return e.typ }
func (e enum) Number() protoreflect.EnumNumber         { return e.number }

type enumType struct{ ed protoreflect.EnumDescriptor }

// NewEnumType returns the type of the enum that ed describes; equal descriptors have equal
// types. Values are equal if their types and numbers are.
func NewEnumType(ed protoreflect.EnumDescriptor) protoreflect.EnumType { return enumType{ed} }

func (t enumType) New(n protoreflect.EnumNumber) protoreflect.Enum { return enum{n, t} }
func (t enumType) Descriptor() protoreflect.EnumDescriptor         { return t.ed }
