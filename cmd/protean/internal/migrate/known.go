package migrate

import "strings"

// knownElsewhere is what readers of other languages are known to do otherwise with such a
// value, as their documentation says. None of it was tried.
func knownElsewhere(w Wire, o outcome) string {
	for _, k := range elsewhere {
		if k.wire == w && k.class == o.class && strings.Contains(o.why, k.why) {
			return k.text
		}
	}
	return ""
}

// elsewhere lists the differences by the words of the reason.
var elsewhere = []struct {
	wire  Wire
	class Class
	why   string
	text  string
}{
	{JSON, Error, "unknown field",
		"lenient readers skip the name, so the value is lost silently: grpc-gateway's default, " +
			"Java's ignoringUnknownFields, Python's ignore_unknown_fields, protobuf.js"},
	{JSON, Same, addedJSON, "readers of Java, C++ and Python refuse the name too, unless told to skip unknown fields"},
	{JSON, Error, "for enum",
		"readers that skip unknown fields may skip an unknown name of an enum too, and read the default"},
	{Binary, Error, "invalid UTF-8", "C++, Java and Python refuse it in proto3, as Go does"},
	{Binary, Form, keptClosed, "C++ and Java put it among the unknown fields of a closed enum and read the default"},
	{Binary, Form, keptOpen, "Java shows UNRECOGNIZED"},
}

// depthElsewhere is the nesting at which the readers of C++, Java, Python and others stop.
const depthElsewhere = 100
