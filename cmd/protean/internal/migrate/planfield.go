package migrate

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/value"
)

// The parts of a schema that a change edits.
type (
	fileProto    = descriptorpb.FileDescriptorProto
	messageProto = descriptorpb.DescriptorProto
	fieldProto   = descriptorpb.FieldDescriptorProto
)

// beside keeps the old fields, and puts the new ones beside them under numbers of their own.
func (p *planner) beside() error {
	c := newCandidate(p.after)
	plan := Plan{Title: "new fields beside the old ones, and dual writing"}
	for _, x := range p.causes {
		moved := c.keep(x.before, x.in)
		plan.Schema = append(plan.Schema, declareField(x.before))
		if moved == nil {
			plan.Steps = append(plan.Steps, fmt.Sprintf("keep %s: old writers set it", x.before.Name()))
			continue
		}
		plan.Schema = append(plan.Schema, declaration(moved))
		plan.Steps = append(plan.Steps,
			fmt.Sprintf("readers take %s where it is set, and else %s; give them the new schema before any writer sets it",
				moved.GetName(), x.before.Name()),
			fmt.Sprintf("writers set both, %s as before; old readers go on reading it", x.before.Name()))
	}
	plan.Steps = append(plan.Steps,
		"when the last old reader is gone, writers stop setting the old fields",
		"when no data with them is left, remove them: reserve their numbers and names")
	var err error
	plan.Proof, err = p.prove(c, p.options)
	p.add(plan)
	return err
}

// declareField is a field of a linked schema as a .proto file has it.
func declareField(fd protoreflect.FieldDescriptor) string {
	if fd.IsMap() {
		return fmt.Sprintf("map<%s, %s> %s = %d;", fd.MapKey().Kind(), kindName(fd.MapValue()), fd.Name(), fd.Number())
	}
	label := ""
	switch {
	case fd.IsList():
		label = "repeated "
	case fd.HasOptionalKeyword():
		label = "optional "
	}
	return fmt.Sprintf("%s%s %s = %d;", label, kindName(fd), fd.Name(), fd.Number())
}

func kindName(fd protoreflect.FieldDescriptor) string {
	if name := typeName(fd); name != "" {
		return string(name)
	}
	return fd.Kind().String()
}

// jsonName keeps the old names in JSON where fields are renamed.
func (p *planner) jsonName() error {
	c := newCandidate(p.after)
	plan := Plan{Title: "the new name in the schema, the old one in JSON",
		Steps: []string{"give readers and writers the new schema, in any order"}}
	for _, x := range p.causes {
		if !x.renamed() {
			return nil
		}
		c.change(x.after, func(_ *fileProto, _ *messageProto, f *fieldProto) {
			f.JsonName = proto.String(x.before.JSONName())
			plan.Schema = append(plan.Schema, declaration(f))
		})
	}
	var err error
	plan.Proof, err = p.prove(c, p.options)
	p.add(plan)
	return err
}

// oneof puts an old field and a new one into a oneof. A writer sets one of them, so old
// readers must be gone before a writer sets the new one.
func (p *planner) oneof() error {
	if len(p.causes) != 1 {
		return nil
	}
	x := p.causes[0]
	if x.after == nil || !x.retyped() || x.before.IsList() || x.before.IsMap() || x.after.IsList() || x.after.IsMap() ||
		oneofOf(x.before) != "" || oneofOf(x.after) != "" {
		return nil
	}
	c := newCandidate(p.after)
	moved := c.keep(x.before, x.in)
	if moved == nil || c.failed {
		return nil
	}
	_, m := c.find(x.in.FullName())
	name := string(x.before.Name()) + "_kind"
	intoOneof(m, name, string(x.before.Name()), moved.GetName())
	proof, err := p.prove(c, p.options, ReadersFirst)
	p.add(Plan{
		Title:  "a oneof of the old field and the new one, readers first",
		Schema: []string{"oneof " + name + " {", "  " + declareField(x.before), "  " + declaration(moved), "}"},
		Steps: []string{
			"give every reader the new schema; it looks which member is set",
			fmt.Sprintf("only then writers set %s in place of %s: an old reader would see neither", moved.GetName(), x.before.Name()),
			fmt.Sprintf("when no data with %s is left, remove it: reserve its number and name", x.before.Name()),
		},
		Proof: proof,
	})
	return err
}

// intoOneof makes a oneof of fields that are in none; it comes first, since those of proto3's
// optional fields must come last.
func intoOneof(m *messageProto, name string, members ...string) {
	m.OneofDecl = append([]*descriptorpb.OneofDescriptorProto{{Name: proto.String(name)}}, m.OneofDecl...)
	for _, f := range m.Field {
		if f.OneofIndex != nil {
			*f.OneofIndex++
		}
	}
	for _, f := range m.Field {
		for _, name := range members {
			if f.GetName() == name && f.OneofIndex == nil {
				f.OneofIndex = proto.Int32(0)
			}
		}
	}
}

// onlyBinary are options for plans that hold in binary form alone; false if that is not asked for.
func (p *planner) onlyBinary() (Options, bool) {
	o := p.options
	o.Wires, o.BytesHoldMessages = []Wire{Binary}, true
	for _, w := range p.options.wires() {
		if w == Binary {
			return o, true
		}
	}
	return o, false
}

// bytes declares a Value, a Struct or a ListValue as bytes of the same number.
func (p *planner) bytes() error {
	o, ok := p.onlyBinary()
	if !ok {
		return nil
	}
	c := newCandidate(p.after)
	plan := Plan{Title: "bytes of the same number, read by value.Doc (binary form only: in JSON the two differ)"}
	for _, x := range p.causes {
		if x.after == nil || x.after.Number() != x.before.Number() || !x.knownField("Value", "Struct", "ListValue") {
			return nil
		}
		c.change(x.after, func(_ *fileProto, _ *messageProto, f *fieldProto) {
			f.Type, f.TypeName = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum(), nil
			f.Label = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
			plan.Schema = append(plan.Schema, declaration(f))
		})
	}
	plan.Steps = []string{
		"give readers and writers the new schema, in any order; nothing changes on the wire",
		"new readers use value.Parse, new writers value.Marshal or value.FromJSON: never JSON text, which old readers lose",
		"a service that speaks ProtoJSON keeps the old schema",
	}
	var err error
	plan.Proof, err = p.prove(c, o)
	p.add(plan)
	return err
}

// pairs declares a Struct as a message of repeated pairs.
func (p *planner) pairs() error {
	o, ok := p.onlyBinary()
	if !ok {
		return nil
	}
	c := newCandidate(p.after)
	plan := Plan{Title: "repeated KeyValue in place of Struct (binary form only: in JSON the two differ)"}
	for _, x := range p.causes {
		if x.after == nil || x.after.Number() != x.before.Number() || !x.knownField("Struct") {
			return nil
		}
		known := x.before.Message().ParentFile().Messages().ByName("Value")
		c.change(x.after, func(file *fileProto, m *messageProto, f *fieldProto) {
			c.need(file, known)
			f.Type, f.Label = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
			f.TypeName = proto.String("." + string(x.in.FullName()) + ".Pairs")
			if len(plan.Schema) == 0 {
				plan.Schema = []string{"message Pairs { repeated KeyValue fields = 1; }",
					"message KeyValue { string key = 1; google.protobuf.Value value = 2; }"}
			}
			addPairs(m, f.GetTypeName())
			plan.Schema = append(plan.Schema, fmt.Sprintf("Pairs %s = %d;", f.GetName(), f.GetNumber()))
		})
	}
	plan.Steps = []string{
		"give readers and writers the new schema, in any order; nothing changes on the wire",
		"new writers write a key once: old readers take the last",
	}
	var err error
	plan.Proof, err = p.prove(c, o)
	p.add(plan)
	return err
}

// addPairs declares Pairs and KeyValue in a message, once.
func addPairs(m *messageProto, name string) {
	for _, n := range m.NestedType {
		if n.GetName() == "Pairs" {
			return
		}
	}
	field := func(name string, number int32, label descriptorpb.FieldDescriptorProto_Label, kind descriptorpb.FieldDescriptorProto_Type, typeName string) *fieldProto {
		f := &fieldProto{Name: proto.String(name), Number: proto.Int32(number), Label: label.Enum(), Type: kind.Enum()}
		if typeName != "" {
			f.TypeName = proto.String(typeName)
		}
		return f
	}
	const one, many = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL, descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	const text, message = descriptorpb.FieldDescriptorProto_TYPE_STRING, descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	m.NestedType = append(m.NestedType, &messageProto{
		Name:  proto.String("Pairs"),
		Field: []*fieldProto{field("fields", 1, many, message, name+".KeyValue")},
		NestedType: []*messageProto{{
			Name:  proto.String("KeyValue"),
			Field: []*fieldProto{field("key", 1, one, text, ""), field("value", 2, one, message, ".google.protobuf.Value")},
		}},
	})
}

// text keeps the Value of the old schema and puts JSON text into its string_value, for those
// who wanted text. Old readers see the text, so they must be gone.
func (p *planner) text() error {
	tried := 0
	for _, x := range p.causes {
		if x.after == nil || !x.knownField("Value") ||
			x.after.Kind() != protoreflect.BytesKind && x.after.Kind() != protoreflect.StringKind {
			return nil
		}
		n, ok := p.carriesText(x.before.Message())
		if !ok {
			return p.ctx.Err()
		}
		tried += n
	}
	plan := Plan{
		Title: "the old schema, with JSON text in string_value, readers first",
		Steps: []string{
			"every reader learns to parse the text of a string_value, beside the values that it reads now",
			"only then writers put JSON text there; a reader that does not know sees a string",
		},
		Proof: fmt.Sprintf("%d values written as text, read as a Value and parsed again, in every form: the same", tried),
	}
	for _, x := range p.causes {
		plan.Schema = append(plan.Schema, declareField(x.before))
	}
	p.add(plan)
	return nil
}

// carriesText reports whether Values survive as JSON text in a Value, and how many were tried.
func (p *planner) carriesText(md protoreflect.MessageDescriptor) (int, bool) {
	tried := 0
	for _, v := range append(knownDocuments(md), p.sampledValues(md)...) {
		wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(v().Message().Interface())
		if err != nil {
			return tried, false
		}
		text, err := value.AppendJSON(nil, wire)
		if err != nil {
			continue // NaN has no JSON text
		}
		m := dynamicpb.NewMessage(md)
		m.Set(md.Fields().ByName("string_value"), protoreflect.ValueOfString(string(text)))
		for _, w := range p.options.wires() {
			if !p.roundTrips(m, w, wire) {
				return tried, false
			}
		}
		tried++
	}
	return tried, tried > 0
}

// roundTrips writes a Value that holds JSON text, reads it, parses the text and compares.
func (p *planner) roundTrips(m *dynamicpb.Message, w Wire, want []byte) bool {
	var err error
	got := dynamicpb.NewMessage(m.Descriptor())
	doc, err := (&prover{wire: w}).write(p.before, m)
	if err == nil && w == JSON {
		err = unmarshalJSON(p.before, doc, got)
	} else if err == nil {
		err = unmarshalBinary(p.before, doc, got)
	}
	if err != nil {
		return false
	}
	back, err := value.AppendFromJSON(nil, []byte(got.Get(m.Descriptor().Fields().ByName("string_value")).String()))
	if err != nil {
		return false
	}
	x, y := dynamicpb.NewMessage(m.Descriptor()), dynamicpb.NewMessage(m.Descriptor())
	return proto.Unmarshal(want, x) == nil && proto.Unmarshal(back, y) == nil && proto.Equal(x, y)
}

// maxSampled bounds the values of the samples that are tried as text.
const maxSampled = 1000

// sampledValues are the messages of a type in the samples of the old side.
func (p *planner) sampledValues(md protoreflect.MessageDescriptor) []maker {
	var out []maker
	var visit func(m protoreflect.Message, _ *place) bool
	visit = func(m protoreflect.Message, _ *place) bool {
		if m.Descriptor().FullName() == md.FullName() {
			out = append(out, func() protoreflect.Value { return protoreflect.ValueOfMessage(m) })
			return len(out) < maxSampled
		}
		eachMessage(m, nil, visit)
		return len(out) < maxSampled
	}
	for _, s := range p.samples.Old {
		m := dynamicpb.NewMessage(p.before.Message)
		if len(out) < maxSampled && unmarshalBinary(p.before, s.Wire, m) == nil {
			visit(m, nil)
		}
	}
	return out
}
