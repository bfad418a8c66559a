package suite

import "google.golang.org/protobuf/reflect/protoreflect"

// A form is the shape that a message has in ProtoJSON.
type form int

const (
	formObject  form = iota // an object of the message's fields
	formAny                 // an object with "@type"
	formText                // a string: Timestamp, Duration, FieldMask
	formWrapper             // the value of the only field
	formStruct              // any object
	formList                // any array
	formValue               // anything
)

// forms are the well-known types that are no object of their fields.
var forms = map[protoreflect.FullName]form{
	"google.protobuf.Any":         formAny,
	"google.protobuf.Timestamp":   formText,
	"google.protobuf.Duration":    formText,
	"google.protobuf.FieldMask":   formText,
	"google.protobuf.BoolValue":   formWrapper,
	"google.protobuf.Int32Value":  formWrapper,
	"google.protobuf.Int64Value":  formWrapper,
	"google.protobuf.UInt32Value": formWrapper,
	"google.protobuf.UInt64Value": formWrapper,
	"google.protobuf.FloatValue":  formWrapper,
	"google.protobuf.DoubleValue": formWrapper,
	"google.protobuf.StringValue": formWrapper,
	"google.protobuf.BytesValue":  formWrapper,
	"google.protobuf.Struct":      formStruct,
	"google.protobuf.ListValue":   formList,
	"google.protobuf.Value":       formValue,
}

func formOf(md protoreflect.MessageDescriptor) form { return forms[md.FullName()] }

// hasCustomJSON reports whether a message packed in an Any is written below
// "value" there.
func hasCustomJSON(md protoreflect.MessageDescriptor) bool {
	return formOf(md) != formObject || md.FullName() == "google.protobuf.Empty"
}
