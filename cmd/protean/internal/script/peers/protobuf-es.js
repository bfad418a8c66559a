// Protobuf-ES by reflection, which it does without compiling anything.
import { create, createFileRegistry, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

globalThis.open = function (schema, name) {
	const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, schema));
	const S = registry.getMessage(name);
	const property = (number) => S.fields.find((f) => f.number === number).localName;
	return { S, property, create, fromBinary, fromJson, toBinary, toJson };
};
