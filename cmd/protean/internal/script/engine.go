package script

import (
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
	"github.com/protean-pb/protean/gojapb"
)

// An engine is the JavaScript of one variant.
type engine struct {
	// setUp prepares the engine: what the loops need is put into env.
	setUp func(*codec) error
	// locals declares what the loops have at hand.
	locals string
	// encode and decode are expressions for x, a message or bytes; empty where the
	// variant has no messages.
	encode, decode string
	// noWellKnown says that the library has no ProtoJSON of well-known types.
	noWellKnown bool
	ops         map[string]loop
}

// A loop is what one operation does.
type loop struct {
	// input names the array that the loop walks along: in its body, x is one of its
	// elements. Where it is empty, the loop stays with one sample, i, and then goes on
	// to the next.
	input string
	// before and after stand around the loop that stays with a sample.
	before, body, after string
	result              kind
}

// A kind says what a loop leaves.
type kind int

const (
	nothing kind = iota
	aMessage
	empty     // a new message
	itsBytes  // a Uint8Array
	plainData // in ProtoJSON's shapes
	itsText   // the same as JSON
	aPart     // a message with one field
	plainPart // plain data with one member
)

// In the sources, FIELD stands for the field's name and PROPERTY for that of the property.
const (
	thisValue = `v = env.values[i];`
	ownList   = `list = env.lists[i];`
	ownMap    = `entries = env.entries[i], keys = env.keys[i], wanted = env.wanted[i], n = keys.length, [a, b, c] = keys, [x, y, z] = wanted;`
	checked   = `.PROPERTY = v; if (m.PROPERTY !== v) wrong();`
	// What has arrays and objects for lists and maps copies them, as gojapb does.
	setArray = `m.PROPERTY = list.slice(); const seen = m.PROPERTY;
		for (let j = 0; j < seen.length; j++) { if (seen[j] !== list[j]) wrong(); }`
	setObject = `m.PROPERTY = Object.assign({}, entries); const seen = m.PROPERTY;
		if (n > 0 && seen[a] !== x || n > 1 && seen[b] !== y || n > 2 && seen[c] !== z) wrong();
		for (let j = 3; j < n; j++) { if (seen[keys[j]] !== wanted[j]) wrong(); }`
)

var engines = map[string]*engine{
	"gojapb (goja)": gojapbEngine(func(c *codec) error {
		// A host that knows no schema has none of these.
		return setUpGojapb(c, gojapb.WithFiles(new(protoregistry.Files)), gojapb.WithResolver(new(protoregistry.Types)))
	}),
	"gojapb (goja, generated)": gojapbEngine(func(c *codec) error { return setUpGojapb(c) }),
	"protobufjs (goja)": {
		setUp:  func(c *codec) error { return c.setUpPeer("protobufjs") },
		locals: `const T = env.peer.T, shapes = env.peer.shapes;`,
		encode: `T.encode(x).finish()`, decode: `T.decode(x)`,
		noWellKnown: true,
		ops: map[string]loop{
			variant.Create: {input: "bytes", body: `last = T.create();`, result: empty},
			variant.SetGetProperty: {before: `const m = T.create(), ` + thisValue, body: `m` + checked,
				after: `last = m;`, result: aPart},
			variant.Marshal:   {input: "messages", body: `last = T.encode(x).finish();`, result: itsBytes},
			variant.Unmarshal: {input: "bytes", body: `last = T.decode(x);`, result: aMessage},
			variant.MarshalUnmarshal: {input: "messages", body: `last = T.decode(T.encode(x).finish());`,
				result: aMessage},
			variant.ToJSON:   {input: "messages", body: `last = T.toObject(x, shapes);`, result: plainData},
			variant.FromJSON: {input: "data", body: `last = T.fromObject(x);`, result: aMessage},
			variant.ToFromJSON: {input: "messages", body: `last = T.fromObject(T.toObject(x, shapes));`,
				result: aMessage},
			variant.Repeated: {before: `const m = T.create(), ` + ownList, body: setArray, after: `last = m;`,
				result: aPart},
			variant.Map: {before: `const m = T.create(), ` + ownMap, body: setObject, after: `last = m;`,
				result: aPart},
		},
	},
	"protobuf-es (goja)": {
		setUp:  func(c *codec) error { return c.setUpPeer("protobuf-es") },
		locals: `const {S, create, toBinary, fromBinary, toJson, fromJson} = env.peer;`,
		encode: `toBinary(S, x)`, decode: `fromBinary(S, x)`,
		ops: map[string]loop{
			variant.Create: {input: "bytes", body: `last = create(S);`, result: empty},
			variant.SetGetProperty: {before: `const m = create(S), ` + thisValue, body: `m` + checked,
				after: `last = m;`, result: aPart},
			variant.Marshal:   {input: "messages", body: `last = toBinary(S, x);`, result: itsBytes},
			variant.Unmarshal: {input: "bytes", body: `last = fromBinary(S, x);`, result: aMessage},
			variant.MarshalUnmarshal: {input: "messages", body: `last = fromBinary(S, toBinary(S, x));`,
				result: aMessage},
			variant.ToJSON:     {input: "messages", body: `last = toJson(S, x);`, result: plainData},
			variant.FromJSON:   {input: "data", body: `last = fromJson(S, x);`, result: aMessage},
			variant.ToFromJSON: {input: "messages", body: `last = fromJson(S, toJson(S, x));`, result: aMessage},
			variant.Repeated: {before: `const m = create(S), ` + ownList, body: setArray, after: `last = m;`,
				result: aPart},
			variant.Map: {before: `const m = create(S), ` + ownMap, body: setObject, after: `last = m;`, result: aPart},
		},
	},
	"plain object (goja)": {
		ops: map[string]loop{
			variant.SetGet: {before: `const m = {PROPERTY: ""}, ` + thisValue, body: `m` + checked,
				after: `last = m;`, result: plainPart},
			variant.SetGetProperty: {before: `const m = {PROPERTY: ""}, ` + thisValue, body: `m` + checked,
				after: `last = m;`, result: plainPart},
			variant.ToJSON:     {input: "data", body: `last = JSON.stringify(x);`, result: itsText},
			variant.FromJSON:   {input: "texts", body: `last = JSON.parse(x);`, result: plainData},
			variant.ToFromJSON: {input: "data", body: `last = JSON.parse(JSON.stringify(x));`, result: plainData},
			variant.Repeated: {before: `const m = {}, ` + ownList, body: setArray, after: `last = m;`,
				result: plainPart},
			variant.Map: {before: `const m = {}, ` + ownMap, body: setObject, after: `last = m;`, result: plainPart},
		},
	},
	"Go calls (goja)": {
		setUp:  setUpGoCalls,
		locals: `const Nothing = env.Nothing, set = env.set, get = env.get;`,
		ops: map[string]loop{
			variant.Create: {input: "bytes", body: `last = new Nothing();`},
			variant.SetGet: {before: `const ` + thisValue, body: `set(v); if (get() !== v) wrong();`},
		},
	},
	"empty loop (goja)": {
		ops: map[string]loop{variant.Loop: {input: "bytes"}},
	},
}

// gojapbEngine is module gojapb, set up by setUp.
func gojapbEngine(setUp func(*codec) error) *engine {
	return &engine{
		setUp:  setUp,
		locals: `const pb = env.pb, M = env.M;`,
		encode: `pb.encode(x)`, decode: `pb.decode(M, x)`,
		ops: map[string]loop{
			variant.Create: {input: "bytes", body: `last = new M();`, result: empty},
			variant.SetGet: {before: `const m = new M(), ` + thisValue,
				body: `m.set(FIELD, v); if (m.get(FIELD) !== v) wrong();`, after: `last = m;`, result: aPart},
			variant.SetGetProperty: {before: `const m = new M(), ` + thisValue, body: `m` + checked,
				after: `last = m;`, result: aPart},
			variant.Marshal:          {input: "messages", body: `last = pb.encode(x);`, result: itsBytes},
			variant.Unmarshal:        {input: "bytes", body: `last = pb.decode(M, x);`, result: aMessage},
			variant.MarshalUnmarshal: {input: "messages", body: `last = pb.decode(M, pb.encode(x));`, result: aMessage},
			variant.ToJSON:           {input: "messages", body: `last = pb.toJSON(x);`, result: plainData},
			variant.FromJSON:         {input: "data", body: `last = pb.fromJSON(M, x);`, result: aMessage},
			variant.ToFromJSON: {input: "messages", body: `last = pb.fromJSON(M, pb.toJSON(x));`,
				result: aMessage},
			variant.Repeated: {before: `const m = new M(), ` + ownList, body: `m.set(FIELD, list); const seen = m.get(FIELD);
				for (let j = 0; j < seen.length; j++) { if (seen.get(j) !== list[j]) wrong(); }`, after: `last = m;`, result: aPart},
			variant.Map: {before: `const m = new M(), ` + ownMap, body: `m.set(FIELD, entries); const seen = m.get(FIELD);
				if (n > 0 && seen.get(a) !== x || n > 1 && seen.get(b) !== y || n > 2 && seen.get(c) !== z) wrong();
				for (let j = 3; j < n; j++) { if (seen.get(keys[j]) !== wanted[j]) wrong(); }`, after: `last = m;`, result: aPart},
		},
	}
}

// setUpGojapb loads the schema as a script does.
func setUpGojapb(c *codec, opts ...gojapb.Option) error {
	m, err := gojapb.New(c.rt, opts...)
	if err != nil {
		return err
	}
	c.module = m
	pb := c.rt.NewObject()
	m.SetupExports(pb)
	if _, err := m.LoadDescriptorSetBytes(c.descriptorSet()); err != nil {
		return err
	}
	c.env.Set("pb", pb)
	c.env.Set("name", string(c.md.FullName()))
	return c.evaluate(`env.M = env.pb.messageType(env.name)`)
}

// setUpGoCalls adds Go functions that hold a value, and a constructor that adds nothing to
// the object that the engine makes.
func setUpGoCalls(c *codec) error {
	held := goja.Undefined()
	c.env.Set("set", func(call goja.FunctionCall) goja.Value {
		held = call.Argument(0)
		return goja.Undefined()
	})
	c.env.Set("get", func(goja.FunctionCall) goja.Value { return held })
	c.env.Set("Nothing", func(goja.ConstructorCall) *goja.Object { return nil })
	return nil
}

// evaluate runs a statement about env.
func (c *codec) evaluate(statement string) error {
	f, err := c.function(`(function(env) { "use strict"; ` + statement + ` })`)
	if err != nil {
		return err
	}
	_, err = f(goja.Undefined(), c.env)
	return err
}

// hasWellKnown reports whether a well-known type with a ProtoJSON of its own can be inside md.
func hasWellKnown(md protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if seen[md.FullName()] {
		return false
	}
	seen[md.FullName()] = true
	if strings.HasPrefix(string(md.FullName()), "google.protobuf.") {
		return true
	}
	for i := range md.Fields().Len() {
		if inside := md.Fields().Get(i).Message(); inside != nil && hasWellKnown(inside, seen) {
			return true
		}
	}
	return false
}
