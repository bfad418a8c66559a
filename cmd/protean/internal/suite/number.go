package suite

import (
	"errors"
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// numberProblem returns why text is not a number of the kind, as strconv has
// it. It looks at decimal integers and at the range of floats only.
func numberProblem(kind protoreflect.Kind, text string) error {
	var err error
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		_, err = strconv.ParseInt(text, 10, 32)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		_, err = strconv.ParseInt(text, 10, 64)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		_, err = parseUint(text, 32)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		_, err = parseUint(text, 64)
	case protoreflect.FloatKind:
		_, err = strconv.ParseFloat(text, 32)
	case protoreflect.DoubleKind:
		_, err = strconv.ParseFloat(text, 64)
	}
	return err
}

// parseUint calls a negative integer out of range, where strconv finds its
// syntax wrong.
func parseUint(text string, bits int) (uint64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n < 0 {
		return 0, strconv.ErrRange
	}
	return strconv.ParseUint(text, 10, bits)
}

func isRangeError(err error) bool { return errors.Is(err, strconv.ErrRange) }
