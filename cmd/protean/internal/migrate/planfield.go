package migrate

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/value"
)

// beside keeps the old fields, and puts the new ones beside them under numbers of their own.
func (p *planner) beside() error {
	c, kept := p.keepAll()
	plan := Plan{Title: "new fields beside the old ones, and dual writing"}
	var pairs, alone []string
	for _, k := range kept {
		plan.Schema = append(plan.Schema, declareField(k.before))
		if k.moved == nil {
			alone = append(alone, string(k.before.Name()))
			continue
		}
		plan.Schema = append(plan.Schema, k.declaration())
		pairs = append(pairs, fmt.Sprintf("%s for %s", k.moved.GetName(), k.before.Name()))
	}
	if len(alone) > 0 {
		plan.Steps = append(plan.Steps,
			fmt.Sprintf("keep %s: there are writers that set it, and data with it", strings.Join(alone, ", ")))
	}
	if len(pairs) > 0 {
		plan.Steps = append(plan.Steps,
			"give readers the new schema; they take the new field where it is set, and else the old one: "+
				strings.Join(pairs, ", "),
			"then writers set both, the old field as before: old readers go on reading it")
	}
	plan.Steps = append(plan.Steps,
		"when the last old reader is gone, writers stop setting the old fields",
		"when no data with them is left, remove them: reserve their numbers and names")
	var err error
	plan.Proof, err = p.prove(c, p.options)
	p.add(plan)
	return err
}

// A kept is a cause whose old field is back in the new schema, and what it has made room.
type kept struct {
	cause
	moved *fieldProto // nil if nothing was in its place
}

// declaration is the field that has made room, as a .proto file has it.
func (k kept) declaration() string {
	if k.after != nil && k.after.IsMap() {
		return declareAs(k.after, k.moved.GetName(), k.moved.GetNumber())
	}
	return declaration(k.moved)
}

// keepAll is the new schema with the old fields of all causes.
func (p *planner) keepAll() (*candidate, []kept) {
	c := newCandidate(p.after)
	var all []kept
	for _, x := range p.causes {
		all = append(all, kept{x, c.keep(x.before, x.in)})
	}
	return c, all
}

// declareField is a field of a linked schema as a .proto file has it.
func declareField(fd protoreflect.FieldDescriptor) string {
	return declareAs(fd, string(fd.Name()), int32(fd.Number()))
}

// declareAs is declareField with another name and number.
func declareAs(fd protoreflect.FieldDescriptor, name string, number int32) string {
	kind := kindName(fd)
	switch {
	case fd.IsMap():
		kind = fmt.Sprintf("map<%s, %s>", fd.MapKey().Kind(), kindName(fd.MapValue()))
	case fd.IsList():
		kind = "repeated " + kind
	case fd.HasOptionalKeyword():
		kind = "optional " + kind
	}
	return fmt.Sprintf("%s %s = %d;", kind, name, number)
}

func kindName(fd protoreflect.FieldDescriptor) string {
	if name := typeName(fd); name != "" {
		return string(name)
	}
	return fd.Kind().String()
}

// jsonName keeps the old names in JSON where fields are renamed.
func (p *planner) jsonName() error {
	c := newCandidate(p.before)
	plan := Plan{Title: "the new name in the schema, the old one in JSON",
		Steps: []string{"give readers and writers the new schema, in any order"}}
	for _, x := range p.causes {
		if !x.renamed() {
			continue
		}
		c.change(x.before, func(_ *fileProto, _ *messageProto, f *fieldProto) {
			f.Name, f.JsonName = proto.String(string(x.after.Name())), proto.String(x.before.JSONName())
			plan.Schema = append(plan.Schema, declaration(f))
		})
	}
	if len(plan.Schema) == 0 {
		return nil
	}
	var err error
	plan.Proof, err = p.prove(c, p.options)
	p.add(plan)
	return err
}

// oneof puts an old field and a new one into a oneof. A writer sets one of them, so old
// readers must be gone before a writer sets the new one.
func (p *planner) oneof() error {
	c, all := p.keepAll()
	plan := Plan{Title: "a oneof of the old field and the new one, readers first"}
	var pairs []string
	for _, x := range all {
		if x.moved == nil || c.failed || x.after == nil || !x.retyped() || isMany(x.before) || isMany(x.after) ||
			oneofOf(x.before) != "" || oneofOf(x.after) != "" {
			continue
		}
		_, m := c.find(x.in.FullName())
		name := string(x.before.Name()) + "_kind"
		intoOneof(m, name, string(x.before.Name()), x.moved.GetName())
		plan.Schema = append(plan.Schema, "oneof "+name+" {", "  "+declareField(x.before), "  "+x.declaration(), "}")
		pairs = append(pairs, fmt.Sprintf("%s in place of %s", x.moved.GetName(), x.before.Name()))
	}
	if len(pairs) == 0 {
		return nil
	}
	plan.Steps = []string{
		"give every reader the new schema; it looks which member is set",
		fmt.Sprintf("only then writers set %s: an old reader would see neither", strings.Join(pairs, ", ")),
		"when no data with the old fields is left, remove them: reserve their numbers and names",
	}
	var err error
	plan.Proof, err = p.prove(c, p.options, ReadersFirst)
	p.add(plan)
	return err
}

// isMany reports whether a field is a list or a map, and so no member of a oneof.
func isMany(fd protoreflect.FieldDescriptor) bool { return fd.IsList() || fd.IsMap() }

// intoOneof makes a oneof of fields that are in none, which must lie side by side. It comes
// first, since those of proto3's optional fields must come last.
func intoOneof(m *messageProto, name string, members ...string) {
	m.OneofDecl = append([]*descriptorpb.OneofDescriptorProto{{Name: proto.String(name)}}, m.OneofDecl...)
	var others, inside []*fieldProto
	for _, f := range m.Field {
		switch {
		case slices.Contains(members, f.GetName()):
			f.OneofIndex = proto.Int32(0)
			inside = append(inside, f)
		case f.OneofIndex != nil:
			*f.OneofIndex++
			fallthrough
		default:
			others = append(others, f)
		}
	}
	m.Field = append(others, inside...)
}

// bytes declares a Value, a Struct or a ListValue as bytes of the same number.
func (p *planner) bytes() error {
	c := newCandidate(p.before)
	plan := Plan{
		Title: "bytes of the same number, read by value.Doc (binary form only: in JSON the two differ)",
		Steps: []string{
			"give readers and writers the new schema, in any order; nothing changes on the wire",
			"new readers use value.Parse, new writers value.Marshal or value.AppendFromJSON, and never JSON text, " +
				"which old readers lose",
			"a service that speaks ProtoJSON keeps the old schema",
		},
	}
	return p.onlyBinary(c, &plan, func(x cause) bool {
		return x.leavesKnown("Value", "Struct", "ListValue")
	}, func(x cause, file *fileProto, m *messageProto, f *fieldProto) {
		f.Type, f.TypeName = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum(), nil
		if file.GetSyntax() == "proto3" && f.OneofIndex == nil { // an empty Struct is not an absent one
			f.Proto3Optional, f.OneofIndex = proto.Bool(true), proto.Int32(int32(len(m.OneofDecl)))
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String("_" + f.GetName())})
		}
		plan.Schema = append(plan.Schema, declaration(f))
	})
}

// pairs declares a Struct as a message of repeated pairs.
func (p *planner) pairs() error {
	c := newCandidate(p.before)
	plan := Plan{
		Title: "repeated KeyValue in place of Struct (binary form only: in JSON the two differ)",
		Schema: []string{"message Pairs { repeated KeyValue fields = 1; }",
			"message KeyValue { string key = 1; google.protobuf.Value value = 2; }"},
		Steps: []string{
			"give readers and writers the new schema, in any order; nothing changes on the wire",
			"new writers write a key once: old readers take the last",
		},
	}
	return p.onlyBinary(c, &plan, func(x cause) bool { return x.leavesKnown("Struct") },
		func(x cause, _ *fileProto, m *messageProto, f *fieldProto) {
			f.TypeName = proto.String("." + string(x.before.ContainingMessage().FullName()) + ".Pairs")
			addPairs(m, f.GetTypeName())
			plan.Schema = append(plan.Schema, fmt.Sprintf("Pairs %s = %d;", f.GetName(), f.GetNumber()))
		})
}

// onlyBinary edits the fields of the old schema that a way is for, and proves it in binary form.
func (p *planner) onlyBinary(
	c *candidate, plan *Plan, isFor func(cause) bool, edit func(cause, *fileProto, *messageProto, *fieldProto),
) error {
	if !slices.Contains(p.options.wires(), Binary) {
		return nil
	}
	edited := 0
	for _, x := range p.causes {
		if isFor(x) {
			c.change(x.before, func(file *fileProto, m *messageProto, f *fieldProto) { edit(x, file, m, f) })
			edited++
		}
	}
	if edited == 0 {
		return nil
	}
	o := p.options
	o.Wires, o.BytesHoldMessages = []Wire{Binary}, true
	var err error
	plan.Proof, err = p.prove(c, o)
	p.add(*plan)
	return err
}

// addPairs declares Pairs and KeyValue in a message, once.
func addPairs(m *messageProto, name string) {
	for _, n := range m.NestedType {
		if n.GetName() == "Pairs" {
			return
		}
	}
	field := func(
		name string, number int32, label descriptorpb.FieldDescriptorProto_Label,
		kind descriptorpb.FieldDescriptorProto_Type, typeName string,
	) *fieldProto {
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
			Name: proto.String("KeyValue"),
			Field: []*fieldProto{field("key", 1, one, text, ""),
				field("value", 2, one, message, ".google.protobuf.Value")},
		}},
	})
}

// text keeps the Value of the old schema and puts JSON text into its string_value, for those
// who wanted text. Old readers see the text, so they must be gone.
func (p *planner) text() error {
	plan := Plan{
		Title: "the old schema, with JSON text in string_value, readers first",
		Steps: []string{
			"every reader learns to parse the text of a string_value, beside the values that it reads now",
			"only then writers put JSON text there; a reader that does not know sees a string",
		},
	}
	tried := 0
	for _, x := range p.causes {
		if x.after == nil || !x.knownField("Value") ||
			x.after.Kind() != protoreflect.BytesKind && x.after.Kind() != protoreflect.StringKind {
			continue
		}
		n, ok := p.carriesText(x.before.Message())
		if !ok {
			return p.ctx.Err()
		}
		tried += n
		plan.Schema = append(plan.Schema, declareField(x.before))
	}
	if tried > 0 {
		plan.Proof = fmt.Sprintf("%d values written as text, read as a Value and parsed again, in every form: the same",
			tried)
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
	got, err := (&prover{wire: w, from: p.before}).read(&Side{p.before.Schema, m.Descriptor()}, m)
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
