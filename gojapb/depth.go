package gojapb

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxDepth is how deep messages may be nested, as the official library decodes them.
const maxDepth = 10000

var errDepth = errors.New("messages are nested deeper than 10000")

// checkPart throws if putting a message into field f of msg would make a message part of itself, which nothing could
// encode, or too deep a one. before is how often messages had been shared before sub was made.
func (msg *message) checkPart(f *field, sub protoreflect.Message, before int) {
	if msg.shares == before || !msg.owned {
		return // what is part of no other message is not part of sub
	}
	if contains(sub, msg.m, map[protoreflect.Message]bool{}, maxDepth-int(msg.depth)) {
		msg.throwType("%s: a message cannot be part of itself, or nested deeper than %d", f.FullName(), maxDepth)
	}
}

// throwIfDeep throws what checkDepth returns.
func (m *Module) throwIfDeep(msg *message) {
	if err := m.checkDepth(msg); err != nil {
		m.throwRange("%v", err)
	}
}

// contains reports whether target is m or in it. It gives up, and says yes, below the depth.
func contains(m, target protoreflect.Message, seen map[protoreflect.Message]bool, depth int) bool {
	if m == target || depth < 0 {
		return true
	}
	if seen[m] {
		return false
	}
	seen[m] = true
	return !eachMessage(m, func(sub protoreflect.Message) bool { return !contains(sub, target, seen, depth-1) })
}

// eachMessage calls f for the messages in m until it returns false, and reports whether it never did.
func eachMessage(m protoreflect.Message, f func(protoreflect.Message) bool) bool {
	ok := true
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		ok = eachIn(fd, v, f)
		return ok
	})
	return ok
}

// eachIn visits the messages in the value of one field.
func eachIn(fd protoreflect.FieldDescriptor, v protoreflect.Value, f func(protoreflect.Message) bool) bool {
	ok := true
	switch {
	case fd.IsMap():
		if fd.MapValue().Message() != nil {
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				ok = f(v.Message())
				return ok
			})
		}
	case fd.Message() == nil:
	case fd.IsList():
		for i := 0; i < v.List().Len() && ok; i++ {
			ok = f(v.List().Get(i).Message())
		}
	default:
		ok = f(v.Message())
	}
	return ok
}

// checkDepth returns an error for a message that is nested too deeply to be handed to anything that recurs.
func (m *Module) checkDepth(msg *message) error {
	if m.nested && tooDeep(msg.m, maxDepth, map[protoreflect.Message]int{}) {
		return fmt.Errorf("%w: %s", errDepth, msg.desc.FullName())
	}
	return nil
}

// tooDeep reports whether messages are nested deeper in m. It looks at each message once; heights are those that are
// known, and of messages that it is in, more than any.
func tooDeep(m protoreflect.Message, depth int, heights map[protoreflect.Message]int) bool {
	if h, ok := heights[m]; ok || depth < 0 {
		return h > depth || depth < 0
	}
	heights[m] = math.MaxInt
	height := 0
	if !eachMessage(m, func(sub protoreflect.Message) bool {
		if tooDeep(sub, depth-1, heights) {
			return false
		}
		height = max(height, heights[sub]+1)
		return true
	}) {
		return true
	}
	heights[m] = height
	return false
}
