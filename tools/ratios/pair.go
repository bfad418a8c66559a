package main

// A pair is two variants of the lab that do the same job.
type pair struct {
	op, variant, against string
	target               float64 // how many times faster variant was to be; 0 if nobody said
}

// Tables are what can be asked for: wire is of the binary forms, json of ProtoJSON.
var tables = map[string][]pair{
	"wire": {
		{"marshal", "Concrete (protean)", "Concrete (proto)", 3},
		{"marshal", "Concrete (protean)", "Concrete (vtproto)", 1},
		{"unmarshal", "Concrete (protean)", "Concrete (proto)", 2.5},
		{"unmarshal", "Concrete (protean)", "Concrete (vtproto)", 1.4},
		{"unmarshal", "Concrete (protean, aliased)", "Concrete (vtproto, unsafe)", 0},
		{"marshal", "Value (protean proto)", "google.protobuf.Value (proto)", 9},
		{"unmarshal", "Value (protean proto)", "google.protobuf.Value (proto)", 4},
		{"marshal", "Any (protean)", "google.protobuf.Any (proto)", 0},
		{"unmarshal", "Any (protean)", "google.protobuf.Any (proto)", 0},
		{"marshal", "dynamic (protean)", "dynamicpb (proto)", 10},
		{"unmarshal", "dynamic (protean)", "dynamicpb (proto)", 7},
		{"unmarshal", "dynamic (protean)", "hyperpb (proto)", 1},
	},
	"json": {
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSONProto)", 10},
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSON)", 1},
		{"marshal", "Concrete (JSONProto, protean)", "Concrete (JSONv2)", 1},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSONProto)", 6},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSON)", 1},
		{"unmarshal", "Concrete (JSONProto, protean)", "Concrete (JSONv2)", 1},
		{"marshal", "Value (protean JSONProto)", "google.protobuf.Value (JSONProto)", 14},
		{"unmarshal", "Value (protean JSONProto)", "google.protobuf.Value (JSONProto)", 8},
		{"marshal", "Any (JSONProto, protean)", "google.protobuf.Any (JSONProto)", 8},
		{"unmarshal", "Any (JSONProto, protean)", "google.protobuf.Any (JSONProto)", 6},
		{"marshal", "dynamic (JSONProto, protean)", "dynamicpb (JSONProto)", 10},
		{"unmarshal", "dynamic (JSONProto, protean)", "dynamicpb (JSONProto)", 0},
		{"convert", "Concrete (JSONProto, protean)", "Concrete (JSONProto)", 8},
		{"construct", "Concrete (JSONProto, protean)", "Concrete (JSONProto)", 0},
	},
}
