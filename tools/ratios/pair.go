package main

// A pair is two variants of the lab that do the same job.
type pair struct{ op, variant, against string }

// Tables are what can be asked for: wire is of the binary forms, json of ProtoJSON.
var tables = map[string][]pair{
	"wire": {
		{"marshal", "Concrete (protean)", "Concrete (proto)"},
		{"marshal", "Concrete (protean)", "Concrete (vtproto)"},
		{"unmarshal", "Concrete (protean)", "Concrete (proto)"},
		{"unmarshal", "Concrete (protean)", "Concrete (vtproto)"},
		{"unmarshal", "Concrete (protean, aliased)", "Concrete (vtproto, unsafe)"},
		{"marshal", "Value (protean proto)", "google.protobuf.Value (proto)"},
		{"unmarshal", "Value (protean proto)", "google.protobuf.Value (proto)"},
		{"marshal", "Any (protean)", "google.protobuf.Any (proto)"},
		{"unmarshal", "Any (protean)", "google.protobuf.Any (proto)"},
		{"marshal", "dynamic (protean)", "dynamicpb (proto)"},
		{"unmarshal", "dynamic (protean)", "dynamicpb (proto)"},
		{"unmarshal", "dynamic (protean)", "hyperpb (proto)"},
	},
	"json": {
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSONProto)"},
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSON)"},
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSONv2)"},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSONProto)"},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSON)"},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSONv2)"},
		{"marshal", "Value (protean JSONProto)", "google.protobuf.Value (JSONProto)"},
		{"unmarshal", "Value (protean JSONProto)", "google.protobuf.Value (JSONProto)"},
		{"marshal", "Any (JSONProto, protean)", "google.protobuf.Any (JSONProto)"},
		{"unmarshal", "Any (JSONProto, protean)", "google.protobuf.Any (JSONProto)"},
		{"marshal", "dynamic (JSONProto, protean)", "dynamicpb (JSONProto)"},
		{"unmarshal", "dynamic (JSONProto, protean)", "dynamicpb (JSONProto)"},
		{"convert", "Concrete (JSONProto, protean)", "Concrete (JSONProto)"},
		{"construct", "Concrete (JSONProto, protean)", "Concrete (JSONProto)"},
	},
}
