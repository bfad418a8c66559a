package schema

import (
	"fmt"
	"slices"
)

// A Rule is one kind of finding. Its texts are complete sentences or clauses in one line.
type Rule struct {
	// ID names the rule in comments and configurations.
	ID string
	// Purpose is one sentence: what the rule checks.
	Purpose string
	// Cost says what the thing that is found costs, or breaks.
	Cost string
	// WayOut says what is safe instead.
	WayOut string
	// Data says that the rule is about samples, so that [Check] does not find it.
	Data bool
}

// The IDs of the rules.
const (
	Struct      = "PROTEAN_STRUCT"
	Value       = "PROTEAN_VALUE"
	ListValue   = "PROTEAN_LIST_VALUE"
	Any         = "PROTEAN_ANY"
	Depth       = "PROTEAN_DEPTH"
	Recursive   = "PROTEAN_RECURSIVE"
	Ignore      = "PROTEAN_IGNORE"
	DataDepth   = "PROTEAN_DATA_DEPTH"
	DataInteger = "PROTEAN_DATA_INTEGER"
	DataFinite  = "PROTEAN_DATA_NOT_FINITE"
	DataNoKind  = "PROTEAN_DATA_NO_KIND"
	DataSize    = "PROTEAN_DATA_SIZE"
)

const (
	// DepthLimit is how many messages may be nested, the outermost included, for readers in
	// C++, Java, C#, Python and Rust with their default settings; Go reads 10,000.
	DepthLimit = 100
	// SizeLimit is how many bytes a message may have for gRPC's receivers with their default
	// settings.
	SizeLimit = 4 << 20
)

// dynamicCost is what the three types of struct.proto have in common. The ratio is that of the
// lab's table in README.md; a test holds the two together.
const dynamicCost = "in Go about ten times a typed message's time to marshal and unmarshal (lab: hidden-cost, " +
	"medium), integers exact up to 2^53 alone"

// beside is the move that is safe for every reader.
const beside = "keep it, add a typed field beside it, write both, read the new one where it is set"

// rules lists the rules in the order in which tables show them.
var rules = []Rule{
	{
		ID:      Struct,
		Purpose: "Checks that no field is a google.protobuf.Struct.",
		Cost: dynamicCost +
			", keys sent every time, 3 of the 100 nesting levels of other languages for each level of " +
			"objects",
		WayOut: beside +
			"; or, if nobody uses JSON, Object {repeated KeyValue fields = 1;} with KeyValue {string key = 1; " +
			"google.protobuf.Value value = 2;}, which has the same bytes",
	},
	{
		ID:      Value,
		Purpose: "Checks that no field is a google.protobuf.Value.",
		Cost:    dynamicCost + ", 3 of the 100 nesting levels of other languages for each level of objects",
		WayOut: beside +
			"; or, if nobody uses JSON, bytes, the same on the wire and read in place by Protean's value.Parse",
	},
	{
		ID:      ListValue,
		Purpose: "Checks that no field is a google.protobuf.ListValue.",
		Cost:    dynamicCost + ", 2 of the 100 nesting levels of other languages for each level of lists",
		WayOut: "keep it, add a repeated field of the elements' type beside it, write both, read the new one where " +
			"it is set",
	},
	{
		ID:      Any,
		Purpose: "Checks that no field is a google.protobuf.Any.",
		Cost: "the URL of the type in each message, a second message to unmarshal, and ProtoJSON fails in any " +
			"process that does not link the type",
		WayOut: "keep it, add a oneof of the types that occur beside it, write both, read the oneof where it is set",
	},
	{
		ID:      Depth,
		Purpose: "Checks that no message needs more than 100 levels of nesting.",
		Cost: "readers in C++, Java, C#, Python and Rust refuse messages nested deeper than 100 levels; Go reads " +
			"10,000",
		WayOut: "name the inner messages by ID in a repeated field of the outer one, in place of nesting them",
	},
	{
		ID:      Recursive,
		Purpose: "Checks that no message can contain itself.",
		Cost: "nothing bounds how deep it is nested: Go writes up to 10,000 levels, readers in C++, Java, C#, " +
			"Python and Rust refuse more than 100",
		WayOut: "bound the depth where messages are made, or hold the nodes in a repeated field and name children by " +
			"their position",
	},
	{
		ID:      Ignore,
		Purpose: "Checks that each comment protean:lint:ignore names rules that exist.",
		Cost:    "the comment excuses nothing",
		WayOut: "write // protean:lint:ignore and the rule's ID above the field, its message, or the file's first " +
			"statement",
	},
	{
		ID:      DataDepth,
		Purpose: "Checks that no sample is nested deeper than 100 levels.",
		Cost:    "readers in C++, Java, C#, Python and Rust refuse the message; Go reads 10,000 levels",
		WayOut:  "bound the depth where messages are made; JSON text in a string_value is one level whatever it holds",
		Data:    true,
	},
	{
		ID:      DataInteger,
		Purpose: "Checks that no Value in a sample holds an integer of 2^53 or more.",
		Cost: "a double cannot tell it from its neighbours: whoever wrote it may have lost its last digits, without " +
			"an error",
		WayOut: "write such integers as strings, or in a typed 64-bit field beside this one",
		Data:   true,
	},
	{
		ID:      DataFinite,
		Purpose: "Checks that no Value in a sample holds NaN or an infinity.",
		Cost:    "it is legal in binary form, and the whole message fails in ProtoJSON",
		WayOut:  "leave the member out, or write null or a string in its place",
		Data:    true,
	},
	{
		ID:      DataNoKind,
		Purpose: "Checks that each Value in a sample has a kind.",
		Cost:    "it is legal in binary form, and the whole message fails in ProtoJSON",
		WayOut:  "write null_value where null is meant",
		Data:    true,
	},
	{
		ID:      DataSize,
		Purpose: "Checks that no sample is larger than the 4 MiB that gRPC receives by default.",
		Cost:    "receivers with gRPC's default settings refuse it: ResourceExhausted",
		WayOut:  "stream it in parts, or raise the limit of every receiver, proxies included",
		Data:    true,
	},
}

// Rules returns the rules in the order in which tables show them.
func Rules() []Rule { return slices.Clone(rules) }

// RuleByID finds a rule.
func RuleByID(id string) (Rule, bool) {
	for _, r := range rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// mustRule returns a rule that exists.
func mustRule(id string) Rule {
	r, ok := RuleByID(id)
	if !ok {
		panic(fmt.Sprintf("no rule %s", id))
	}
	return r
}
