package dynamic_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// A steppingDescriptor calls step in what is asked of it when a type is compiled.
type steppingDescriptor struct {
	protoreflect.MessageDescriptor
	step func()
}

func (d *steppingDescriptor) FullName() protoreflect.FullName {
	d.step()
	return d.MessageDescriptor.FullName()
}

func (d *steppingDescriptor) ParentFile() protoreflect.FileDescriptor {
	d.step()
	return d.MessageDescriptor.ParentFile()
}

func (d *steppingDescriptor) Fields() protoreflect.FieldDescriptors {
	d.step()
	return d.MessageDescriptor.Fields()
}

func (d *steppingDescriptor) Oneofs() protoreflect.OneofDescriptors {
	d.step()
	return d.MessageDescriptor.Oneofs()
}

func (d *steppingDescriptor) RequiredNumbers() protoreflect.FieldNumbers {
	d.step()
	return d.MessageDescriptor.RequiredNumbers()
}

func (d *steppingDescriptor) ExtensionRanges() protoreflect.FieldRanges {
	d.step()
	return d.MessageDescriptor.ExtensionRanges()
}

// TestInterruptedByDescriptors has a descriptor panic anywhere in the midst of the first use of its type. Messages that
// were made before may go on to panic; no message is read or written in part without a word.
func TestInterruptedByDescriptors(t *testing.T) {
	kept := interrupt.Keep(t)
	for _, full := range []proto.Message{
		&benchpb.Order{Id: 1, Customer: "customer", Shipping: &benchpb.Order_Address{City: "city"},
			Lines: []*benchpb.Order_Line{{Sku: "sku"}}, Counters: map[string]int64{"a": 1},
			Payment: &benchpb.Order_Card{Card: "card"}},
		&benchpb.Tree{Name: "root",
			Children: []*benchpb.Tree{{Name: "child", Kind: &benchpb.Tree_Leaf{Leaf: &benchpb.Leaf{Id: 1}}}}},
		&legacypb.Leaf{Id: proto.Int32(1), Name: proto.String("leaf")},
	} {
		wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		for name, use := range map[string]func(m *dynamic.Message) error{
			"wire format": func(m *dynamic.Message) error { return protean.Unmarshal(wire, m) },
			"official":    func(m *dynamic.Message) error { return proto.Unmarshal(wire, m) },
			"ProtoJSON": func(m *dynamic.Message) error {
				text, err := protojson.Marshal(full)
				if err != nil {
					return err
				}
				return protojson.Unmarshal(text, m)
			},
			"reflection": func(m *dynamic.Message) error {
				full.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
					m.Set(fd, v)
					return true
				})
				return nil
			},
		} {
			var md protoreflect.MessageDescriptor
			var half *dynamic.Message
			check := func(m *dynamic.Message) {
				if err := use(m); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				kept.Add(name, string(wire), func() string {
					b, err := protean.MarshalOptions{Deterministic: true}.Marshal(m)
					if err != nil {
						return err.Error()
					}
					return string(b)
				})
			}
			n := interrupt.Steps(t, func(step func()) {
				half = nil
				md = &steppingDescriptor{full.ProtoReflect().Descriptor(), step}
				half = dynamic.NewMessage(md)
				check(half)
			}, func() {
				if half != nil {
					func() {
						defer func() { _ = recover() }()
						check(half)
					}()
				}
				check(dynamic.NewMessage(md))
			})
			if n < 3 {
				t.Errorf("%s: only %d interruptions", name, n)
			}
		}
	}
}
