package native

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Error is the failure to convert one value. Its text is the path of the value,
// such as actor.tags[2], and the reason.
type Error struct {
	Err error // the reason, without the path

	// The steps of the path, innermost first: it grows while the failure
	// unwinds, so that nothing is spent on paths when all goes well.
	steps []string
}

// Path returns the path of the value from the outermost message, such as
// actor.tags[2].name or labels["a"]; it is empty for that message itself.
func (e *Error) Path() string {
	var b strings.Builder
	for i := len(e.steps) - 1; i >= 0; i-- {
		b.WriteString(e.steps[i])
	}
	return strings.TrimPrefix(b.String(), ".")
}

// Error returns the path and the reason.
func (e *Error) Error() string {
	if path := e.Path(); path != "" {
		return path + ": " + e.Err.Error()
	}
	return e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// InField returns err with the field fd put in front of its path, and nil for nil.
func InField(err error, fd protoreflect.FieldDescriptor) error {
	return within(err, fieldStep(fd))
}

// InElement returns err with the list index i put in front of its path, and nil for nil.
func InElement(err error, i int) error {
	return within(err, indexStep(i))
}

// InEntry returns err with the map key k put in front of its path, and nil for nil.
func InEntry(err error, k protoreflect.MapKey) error {
	return within(err, keyStep(k))
}

// InKey is [InEntry] for a key that is none of the map's type.
func InKey(err error, k any) error {
	return within(err, fmt.Sprintf("[%v]", k))
}

func within(err error, step string) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Err: err}
	}
	e.steps = append(e.steps, step)
	return e
}

func fieldStep(fd protoreflect.FieldDescriptor) string { return "." + fieldName(fd) }

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

func keyStep(k protoreflect.MapKey) string {
	if s, ok := k.Interface().(string); ok {
		return "[" + strconv.Quote(s) + "]"
	}
	return "[" + k.String() + "]"
}

// fieldName returns the key of a field in native data.
func fieldName(fd protoreflect.FieldDescriptor) string {
	if fd.IsExtension() {
		return "[" + string(fd.FullName()) + "]"
	}
	return string(fd.Name())
}

// mismatch is the error for a value of the wrong kind.
func mismatch(want string, got any) error {
	return fmt.Errorf("expected %s, found %s", want, kindOf(got))
}

func kindOf(v any) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprintf("%T", v)
}
