// Package kafkacodec reads and writes Kafka records in the wire format of Confluent's schema registry, as Protobuf: the
// schema of a record is fetched from the registry and compiled once, and the message in it becomes JSON text, Go
// values, a message of package dynamic or a generated one, whole or only some fields of it.
//
//	registry, err := kafkacodec.NewRegistry(sr.URLs("http://localhost:8081"))
//	codec := kafkacodec.New(registry, kafkacodec.Options{})
//	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
//	text, err = decoder.AppendJSON(ctx, text[:0], record.Value)
//
// # Wire format
//
// A record is a zero, the id of its schema in four bytes, message indexes as zigzag varints, and a message in wire
// form. The indexes, with their number before them, say which message type of the schema it is: [1] is the second of
// the file, [1 0] the first that is nested in that; none at all stand for the first of the file. See
// [Options.SourceIndexes] for where Confluent's own libraries count in different ways.
//
// # Schemas
//
// A schema is source, or a serialized descriptor in base64; what it refers to in the registry is fetched, too. Imports
// need no reference if they come with every Protobuf compiler, if they are confluent/meta.proto or
// confluent/type/decimal.proto, or if the program links their generated code, such as that of google/type. A schema is
// fetched and compiled once, by one goroutine, while others wait; one that is not there is not asked for again for a
// while. The number of schemas that are kept is bounded by [Options].
//
// # Writing
//
// [Codec.Append] finds the id and indexes of a message by its descriptor. (franz-go's sr.Serde goes by the Go type, so
// that all messages of package dynamic, or of dynamicpb, go out with the id that was registered last.) A message that
// was read by [Decoder.Message] is written with the schema that it came with. Schemas are registered by other means,
// such as CreateSchema of the client.
//
// # Hostile input
//
// Records may come from anybody: each that is wrong is an error, memory is in proportion to its length, and ids that
// the registry does not have push out no schema. The registry is trusted with what the fields are called, not with
// memory: answers, schemas, references, nesting and names have limits.
package kafkacodec
