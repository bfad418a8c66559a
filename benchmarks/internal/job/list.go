package job

import (
	"encoding/json"

	officialjson "google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

// Libraries that Protean is compared with.
const (
	theOfficial = "official"
	vtprotobuf  = "vtprotobuf"
)

// All are the jobs, in the order in which they are reported.
var All = []Job{
	{"marshal", theOfficial, "a generated message to bytes", versus(checkWire,
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return official.Marshal(s.Message) }
		},
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return proto.Marshal(s.Message) }
		},
	)},
	{"unmarshal", theOfficial, "bytes to a generated message", versus(checkMessage,
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, official.Unmarshal(s.Wire, m)
			}
		},
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, proto.Unmarshal(s.Wire, m)
			}
		},
	)},
	{"arena-unmarshal", theOfficial, "bytes to a generated message in an arena that is reset before; a new one",
		versus(checkMessage,
			func(s *Subject) func() (official.Message, error) {
				return func() (official.Message, error) {
					m := s.New()
					return m, official.Unmarshal(s.Wire, m)
				}
			},
			func(s *Subject) func() (official.Message, error) { return inArena(s, s.New()) },
		)},
	{"five-paths", theOfficial, "five fields of a message, by a mask; the whole message", versus(checkPaths,
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, official.Unmarshal(s.Wire, m)
			}
		},
		func(s *Subject) func() (official.Message, error) {
			mask, err := proto.NewMask(s.Message.ProtoReflect().Descriptor(), paths(s.Message)...)
			must(err)
			o := proto.UnmarshalOptions{Mask: mask}
			return func() (official.Message, error) {
				m := s.New()
				return m, o.Unmarshal(s.Wire, m)
			}
		},
	)},
	{"vt-marshal", vtprotobuf, "a generated message to bytes; the code of its module", versus(checkWire,
		func(s *Subject) func() ([]byte, error) {
			switch m := s.Message.(type) {
			case interface{ MarshalVT() ([]byte, error) }:
				return m.MarshalVT
			case interface{ MarshalVTStrict() ([]byte, error) }:
				return m.MarshalVTStrict
			default:
				return nil
			}
		},
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return proto.Marshal(s.Message) }
		},
	)},
	{"vt-unmarshal", vtprotobuf, "bytes to a generated message; the code of its module", versus(checkMessage,
		func(s *Subject) func() (official.Message, error) {
			type unmarshaler interface{ UnmarshalVT([]byte) error }
			if _, ok := s.Message.(unmarshaler); !ok {
				return nil
			}
			return func() (official.Message, error) {
				m := s.New()
				return m, m.(unmarshaler).UnmarshalVT(s.Wire)
			}
		},
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, proto.Unmarshal(s.Wire, m)
			}
		},
	)},
	{"dynamic-marshal", theOfficial, "a message of a descriptor to bytes; dynamicpb", versus(checkWire,
		func(s *Subject) func() ([]byte, error) {
			m := dynamicpb.NewMessage(s.Message.ProtoReflect().Descriptor())
			must(official.Unmarshal(s.Wire, m))
			return func() ([]byte, error) { return official.Marshal(m) }
		},
		func(s *Subject) func() ([]byte, error) {
			m := s.Dynamic.New().Interface()
			must(proto.Unmarshal(s.Wire, m))
			return func() ([]byte, error) { return proto.Marshal(m) }
		},
	)},
	{"dynamic-unmarshal", theOfficial, "bytes to a message of a descriptor; dynamicpb", versus(checkDynamic,
		func(s *Subject) func() (official.Message, error) {
			md := s.Message.ProtoReflect().Descriptor()
			return func() (official.Message, error) {
				m := dynamicpb.NewMessage(md)
				return m, official.Unmarshal(s.Wire, m)
			}
		},
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.Dynamic.New().Interface()
				return m, proto.Unmarshal(s.Wire, m)
			}
		},
	)},
	{"arena-dynamic", theOfficial,
		"bytes to a message of a descriptor in an arena that is reset before; a new one of dynamicpb",
		versus(checkDynamic,
			func(s *Subject) func() (official.Message, error) {
				md := s.Message.ProtoReflect().Descriptor()
				return func() (official.Message, error) {
					m := dynamicpb.NewMessage(md)
					return m, official.Unmarshal(s.Wire, m)
				}
			},
			func(s *Subject) func() (official.Message, error) { return inArena(s, s.Dynamic.New().Interface()) },
		)},
	{"json-marshal", theOfficial, "a generated message to ProtoJSON", versus(checkText,
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return officialjson.Marshal(s.Message) }
		},
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return protojson.Marshal(s.Message) }
		},
	)},
	{"json-unmarshal", theOfficial, "ProtoJSON to a generated message", versus(checkMessage,
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, officialjson.Unmarshal(s.Text, m)
			}
		},
		func(s *Subject) func() (official.Message, error) {
			return func() (official.Message, error) {
				m := s.New()
				return m, protojson.Unmarshal(s.Text, m)
			}
		},
	)},
	{"to-any", theOfficial, "a generated message to an any; ProtoJSON, which encoding/json reads", versus(checkTree,
		func(s *Subject) func() (any, error) {
			return func() (tree any, err error) {
				text, err := officialjson.Marshal(s.Message)
				if err != nil {
					return nil, err
				}
				err = json.Unmarshal(text, &tree)
				return tree, err
			}
		},
		func(s *Subject) func() (any, error) {
			return func() (any, error) { return protojson.ToAny(s.Message) }
		},
	)},
	{"value-marshal", theOfficial, "the message as ProtoJSON in an any, to bytes of a google.protobuf.Value; NewValue",
		versus(checkValueWire,
			func(s *Subject) func() ([]byte, error) {
				return func() ([]byte, error) {
					v, err := structpb.NewValue(s.Tree)
					if err != nil {
						return nil, err
					}
					return official.Marshal(v)
				}
			},
			func(s *Subject) func() ([]byte, error) {
				return func() ([]byte, error) { return value.Marshal(s.Tree) }
			},
		)},
	{"value-unmarshal", theOfficial, "those bytes to an any; AsInterface", versus(checkTree,
		func(s *Subject) func() (any, error) {
			return func() (any, error) {
				v := new(structpb.Value)
				err := official.Unmarshal(s.ValueWire, v)
				return v.AsInterface(), err
			}
		},
		func(s *Subject) func() (any, error) {
			return func() (tree any, err error) {
				err = value.Unmarshal(s.ValueWire, &tree)
				return tree, err
			}
		},
	)},
	{"structpb-marshal", theOfficial, "the same data as a *structpb.Value, to bytes", versus(checkValueWire,
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return official.Marshal(s.Value) }
		},
		func(s *Subject) func() ([]byte, error) {
			return func() ([]byte, error) { return proto.Marshal(s.Value) }
		},
	)},
	{"structpb-unmarshal", theOfficial, "those bytes to a *structpb.Value", versus(checkValue,
		func(s *Subject) func() (*structpb.Value, error) {
			return func() (*structpb.Value, error) {
				v := new(structpb.Value)
				return v, official.Unmarshal(s.ValueWire, v)
			}
		},
		func(s *Subject) func() (*structpb.Value, error) {
			return func() (*structpb.Value, error) {
				v := new(structpb.Value)
				return v, proto.Unmarshal(s.ValueWire, v)
			}
		},
	)},
	{"structpb-new", theOfficial, "an any to a *structpb.Value; NewValue", versus(checkValue,
		func(s *Subject) func() (*structpb.Value, error) {
			return func() (*structpb.Value, error) { return structpb.NewValue(s.Tree) }
		},
		func(s *Subject) func() (*structpb.Value, error) {
			return func() (*structpb.Value, error) { return value.New(s.Tree) }
		},
	)},
	{"structpb-interface", theOfficial, "a *structpb.Value to an any; AsInterface", versus(checkTree,
		func(s *Subject) func() (any, error) {
			return func() (any, error) { return s.Value.AsInterface(), nil }
		},
		func(s *Subject) func() (any, error) {
			return func() (any, error) { return value.Interface(s.Value), nil }
		},
	)},
}

// inArena returns a function that reads the wire form into m, with all that is in it in an arena.
func inArena(s *Subject, m official.Message) func() (official.Message, error) {
	arena := new(proto.Arena)
	o := proto.UnmarshalOptions{Arena: arena}
	return func() (official.Message, error) {
		arena.Reset()
		return m, o.Unmarshal(s.Wire, m)
	}
}
