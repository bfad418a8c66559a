// protobufjs by reflection: it compiles its functions for a type with the constructor
// Function, which goja has.
import protobuf from "protobufjs";
import "protobufjs/ext/descriptor";

globalThis.open = function (schema, name) {
	const T = protobuf.Root.fromDescriptor(schema).resolveAll().lookupType(name);
	return {
		T,
		property: (number) => T.fieldsById[number].name,
		// ProtoJSON's shapes.
		shapes: { longs: String, enums: String, bytes: String, json: true },
	};
};
