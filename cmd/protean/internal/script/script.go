// Package script opens the variants in JavaScript: loops in the engine goja over messages of gojapb, over messages of
// libraries from npm, and over plain objects.
//
// An operation is one function with a loop in it, compiled once and called once for a slice. Its time includes its own
// instructions and one iteration of the loop, which the variant "empty loop (goja)" measures by itself. It excludes
// parsing and compiling; the call from Go into the engine is spread over all operations of a slice. An exception ends
// the run. What is read from a field is compared with what was set, in the loop and in all variants alike.
package script

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
	"github.com/protean-pb/protean/gojapb"
)

// Open opens the variant of the given name for a message type. It is what
// [variant.Type.OpenScript] is in programs that have an engine.
func Open(t *variant.Type, name string) (variant.Codec, error) {
	e := engines[name]
	if e == nil {
		return nil, fmt.Errorf("no script for the variant %s", name)
	}
	rt := goja.New()
	c := &codec{typ: t, md: t.Descriptor(), rt: rt, env: rt.NewObject(), engine: e}
	if e.setUp != nil {
		if err := e.setUp(c); err != nil {
			return nil, err
		}
	}
	return c, c.compile(variant.Find(name).Ops)
}

// A codec is a variant in an engine of its own.
type codec struct {
	typ    *variant.Type
	md     protoreflect.MessageDescriptor
	rt     *goja.Runtime
	env    *goja.Object // what the loops see
	engine *engine
	module *gojapb.Module // where the variant has it
	ops    []*variant.Op

	encode, decode goja.Callable // message to bytes and back, where there are messages
	stringify      goja.Callable
	parse          goja.Callable
	property       goja.Callable // the name of a field's property, by its number; nil where it is the field's

	samples []proto.Message
	wire    [][]byte
	inputs  map[string][]goja.Value // by the names of the arrays in env that loops walk along; a sample each
	cycle   int                     // how many of them the arrays go round
	last    result
	held    goja.Value // last result of unmarshal
}

// A result is what an operation left for sample i.
type result struct {
	value goja.Value
	i     int
}

func (c *codec) Ops() []*variant.Op            { return c.ops }
func (c *codec) Wire(i int) [][]byte           { return [][]byte{c.wire[i]} }
func (c *codec) Canonical(piece []byte) []byte { return piece }

func (c *codec) SetWire(i int, pieces [][]byte) {
	c.wire[i] = pieces[0]
	c.inputs["bytes"][i] = c.bytes(pieces[0])
	c.cycle = 0
}

func (c *codec) Reencode() ([][]byte, error) {
	b, err := c.written(c.held)
	return [][]byte{b}, err
}

// Load prepares what the loops start from: for each sample its bytes, the message, plain
// data in ProtoJSON's shapes and its text, and what the fields are set to.
func (c *codec) Load(samples []proto.Message) error {
	c.samples, c.wire, c.inputs, c.cycle = samples, nil, map[string][]goja.Value{}, 0
	c.last, c.held = result{}, nil
	for _, m := range samples {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return err
		}
		c.wire = append(c.wire, b)
		if err := c.loadSample(m, b); err != nil {
			return err
		}
	}
	return c.loadFields()
}

func (c *codec) loadSample(m proto.Message, wire []byte) error {
	text, err := protojson.Marshal(m)
	if err != nil {
		return err
	}
	data, err := c.parse(goja.Undefined(), c.rt.ToValue(string(text)))
	if err != nil {
		return err
	}
	c.input("data", data)
	// The text that JSON.parse reads is the one that JSON.stringify writes.
	compact, err := c.stringify(goja.Undefined(), data)
	if err != nil {
		return err
	}
	c.input("texts", compact)
	bytes := c.bytes(wire)
	c.input("bytes", bytes)
	if c.decode == nil {
		return nil
	}
	message, err := c.decode(goja.Undefined(), bytes)
	if err != nil {
		return err
	}
	c.input("messages", message)
	return nil
}

func (c *codec) input(name string, v goja.Value) { c.inputs[name] = append(c.inputs[name], v) }

// bytes returns a copy of b as a Uint8Array.
func (c *codec) bytes(b []byte) goja.Value {
	buffer := c.rt.ToValue(c.rt.NewArrayBuffer(append([]byte{}, b...)))
	v, err := c.rt.New(c.rt.Get("Uint8Array"), buffer)
	if err != nil {
		panic(err) // of the engine's own constructor
	}
	return v
}

// around fills the arrays that loops walk along with the first n samples, repeated up to the length of a stretch.
func (c *codec) around(n int) error {
	if c.cycle == n {
		return nil
	}
	for name, values := range c.inputs {
		var array []any
		for len(array) == 0 || len(array)+n <= stretch {
			for _, v := range values[:n] {
				array = append(array, v)
			}
		}
		if err := c.env.Set(name, c.rt.NewArray(array...)); err != nil {
			return err
		}
	}
	c.cycle = n
	return nil
}

// written returns the bytes of a message.
func (c *codec) written(message goja.Value) ([]byte, error) {
	if c.encode == nil {
		return nil, errors.New("the variant has no messages")
	}
	v, err := c.encode(goja.Undefined(), message)
	if err != nil {
		return nil, err
	}
	return exported(v)
}

// exported returns what a Uint8Array holds, which is not copied.
func exported(v goja.Value) ([]byte, error) {
	if b, ok := v.Export().([]byte); ok {
		return b, nil
	}
	return nil, fmt.Errorf("not a Uint8Array: %s", v)
}

// descriptorSet returns the schema of the message type, with all that it imports.
func (c *codec) descriptorSet() []byte {
	set, seen := new(descriptorpb.FileDescriptorSet), map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
	}
	add(c.md.ParentFile())
	b, err := proto.Marshal(set)
	if err != nil {
		panic(err) // descriptors always have a binary form
	}
	return b
}
