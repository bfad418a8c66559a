package variant

const (
	gojaLibrary       = "github.com/dop251/goja"
	gojapbLibrary     = "github.com/protean-pb/protean/gojapb"
	protobufjsLibrary = "protobufjs"
	protobufESLibrary = "@bufbuild/protobuf"
)

// What works in a script works in the engine goja, each operation in a loop that is compiled
// once. Beside it stand the same operations in Go, and below it what the engine itself takes.
var scriptVariants = []*Variant{
	inScript(&Variant{
		Name: "gojapb (goja)", Library: gojapbLibrary, Generator: NoGenerator,
		About: "JavaScript with Protean's module protobuf, of a schema that the script loads",
		Ops:   scriptOps(),
	}),
	inScript(&Variant{
		Name: "gojapb (goja, generated)", Library: gojapbLibrary, Generator: GoGenerator,
		About: "the same with the generated messages of the host's program",
		Ops:   scriptOps(),
	}),
	inScript(&Variant{
		Name: "protobufjs (goja)", Library: protobufjsLibrary, Version: "8.8.1", Generator: NoGenerator,
		About: "JavaScript with protobufjs by reflection, which compiles functions for the type",
		Ops: []string{Create, SetGetProperty, Marshal, Unmarshal, MarshalUnmarshal, ToJSON, FromJSON, ToFromJSON,
			Repeated, Map},
	}),
	inScript(&Variant{
		Name: "protobuf-es (goja)", Library: protobufESLibrary, Version: "2.17.0", Generator: NoGenerator,
		About: "JavaScript with Protobuf-ES by reflection",
		Ops: []string{Create, SetGetProperty, Marshal, Unmarshal, MarshalUnmarshal, ToJSON, FromJSON, ToFromJSON,
			Repeated, Map},
	}),
	{
		Name: "dynamicpb (Go)", Family: Proto, Library: dynamicLibrary, OnRequest: true, Generator: NoGenerator,
		About: "the same in Go: messages of a descriptor known only at run time, official library",
		Ops:   scriptOps(),
		Open:  func(t *Type) (Codec, error) { return openGo(t, officialDynamic), nil },
	},
	{
		Name: "generated (Go)", Family: Proto, Library: protoLibrary, OnRequest: true, Generator: GoGenerator,
		About: "the same in Go: generated messages, their fields by reflection, official library",
		Ops:   scriptOps(),
		Open:  func(t *Type) (Codec, error) { return openGo(t, officialGenerated), nil },
	},
	{
		Name: "dynamic (Go, protean)", Family: Proto, Library: dynamicOwnLibrary, OnRequest: true,
		Generator: NoGenerator,
		About:     "the same in Go: messages of a descriptor known only at run time, Protean",
		Ops:       scriptOps(),
		Open:      func(t *Type) (Codec, error) { return openGo(t, proteanDynamic), nil },
	},
	inScript(&Variant{
		Name: "plain object (goja)", Library: gojaLibrary, Generator: NoGenerator,
		About: "the floor: JavaScript's own objects, and JSON.stringify and JSON.parse",
		Ops:   []string{SetGet, SetGetProperty, ToJSON, FromJSON, ToFromJSON, Repeated, Map},
	}),
	inScript(&Variant{
		Name: "Go calls (goja)", Library: gojaLibrary, Generator: NoGenerator,
		About: "the floor: a Go constructor that does nothing, and two calls of Go functions",
		Ops:   []string{Create, SetGet},
	}),
	inScript(&Variant{
		Name: "empty loop (goja)", Library: gojaLibrary, Generator: NoGenerator,
		About: "the floor: a turn of the loop that every time in a script includes",
		Ops:   []string{Loop},
	}),
}

// scriptOps are the operations that a library for messages has in the suite.
func scriptOps() []string {
	return []string{Create, SetGet, SetGetProperty, Marshal, Unmarshal, MarshalUnmarshal, ToJSON, FromJSON, ToFromJSON,
		Repeated, Map}
}

// inScript makes v a variant that works in a script.
func inScript(v *Variant) *Variant {
	v.Family, v.OnRequest, v.Needs = JS, true, ScriptCode
	v.Open = func(t *Type) (Codec, error) {
		if t.OpenScript == nil {
			return nil, NotApplicable("the program has no engine for scripts")
		}
		return t.OpenScript(t, v.Name)
	}
	return v
}
