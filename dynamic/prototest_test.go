package dynamic_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/testing/prototest"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb"
)

// eachType runs test for the dynamic type of every schema of a test message.
func eachType(t *testing.T, test func(t *testing.T, mt protoreflect.MessageType)) {
	for _, generated := range testpb.Schemas() {
		md := generated.Descriptor()
		t.Run(string(md.FullName()), func(t *testing.T) { test(t, dynamic.NewMessageType(md)) })
	}
}

// TestMessagesPassTheOfficialTest has the official library test the implementation of reflection.
func TestMessagesPassTheOfficialTest(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType) {
		if messages(mt.Descriptor(), nil, maxMessages) == 0 {
			t.Skip("the test would never end: it fills every field of every message below")
		}
		var tb testing.TB = t
		if holdsMessageSet(mt.Descriptor(), map[protoreflect.FullName]bool{}) {
			tb = unwritable{t}
		}
		prototest.Message{Resolver: extensions{}}.Test(tb, mt)
	})
}

// unwritable is for messages that the official library refuses to write.
type unwritable struct{ testing.TB }

func (u unwritable) Errorf(format string, args ...any) {
	if !strings.HasPrefix(format, "Marshal() = ") && !strings.HasPrefix(format, "Unmarshal() = ") &&
		!strings.HasPrefix(format, "round-trip ") {
		u.TB.Errorf(format, args...)
	}
}

// holdsMessageSet reports whether md or anything below it is a message set.
func holdsMessageSet(md protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if md == nil || seen[md.FullName()] {
		return false
	}
	seen[md.FullName()] = true
	found := testpb.IsMessageSet(md)
	for i := range md.Fields().Len() {
		found = found || holdsMessageSet(md.Fields().Get(i).Message(), seen)
	}
	return found
}

// maxMessages is how many messages the official test may fill at a time.
const maxMessages = 5_000

// messages returns how many of left remain when the official test has filled a message: it
// makes four elements of each list and map, and stops at a type that it is in the midst of.
func messages(md protoreflect.MessageDescriptor, above []protoreflect.MessageDescriptor, left int) int {
	if left--; left <= 0 {
		return 0
	}
	if slices.Contains(above, md) {
		return left
	}
	above = append(above, md)
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		n := 1
		if fd.Cardinality() == protoreflect.Repeated {
			n = 4
		}
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		for ; fd.Message() != nil && n > 0; n-- {
			left = messages(fd.Message(), above, left)
		}
	}
	return left
}

// extensions finds the extension fields of the test messages, as dynamic ones.
type extensions struct{}

func (extensions) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return registered.FindExtensionByName(name)
}

func (extensions) FindExtensionByNumber(
	message protoreflect.FullName, number protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return registered.FindExtensionByNumber(message, number)
}

func (extensions) RangeExtensionsByMessage(message protoreflect.FullName, f func(protoreflect.ExtensionType) bool) {
	protoregistry.GlobalTypes.RangeExtensionsByMessage(message, func(xt protoreflect.ExtensionType) bool {
		return f(dynamic.NewExtensionType(xt.TypeDescriptor()))
	})
}

var registered = dynamic.NewTypes(protoregistry.GlobalFiles)
