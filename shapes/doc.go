// Package shapes writes down what the messages of a running program look like, and not what they say: for each message
// a made-up one of the same type, with values of the same sizes. protean bench measures on that what each way of
// serializing the program's messages would cost, without a word of its data leaving the program.
//
//	recorder, err := shapes.Open("shapes", shapes.Options{PerSecond: 1})
//	…
//	recorder.Record(event) // on each message: one a second is written
//	…
//	err = recorder.Close()
//
// Packages codec/grpccodec and codec/connectcodec have interceptors that call Record. Of messages of type acme.v1.Event
// it writes acme.v1.Event.jsonl, ProtoJSON a line, and acme.v1.Event.binpb, the schema:
//
//	protean bench --descriptor-set shapes/acme.v1.Event.binpb --message acme.v1.Event --data shapes/acme.v1.Event.jsonl
//
// # What is kept, and what is not
//
// Kept are: the type of the message; which fields are set; how long lists and maps are; the lengths of strings and
// bytes, and how many characters of a string take one, two, three and four bytes; how many bytes an integer takes as a
// varint, or bits if it is of fixed size, and its sign; how many digits a floating-point number has, its exponent and
// its sign; whether it is infinite or no number; the type in an Any; the names in the schema, where it has names of
// values of enums.
//
// Replaced by chance are: strings, bytes, all numbers, values of enums and bools, keys of maps and of Structs. A
// string that is a key becomes the same one each time, for one Recorder, since keys that come again are what caches of
// keys live by. Options.KeepKeys keeps keys: in a Struct they are the names of the fields, and mostly no secret.
//
// Some values cannot change without a change of shape, and stay: zero, the least integer of a type, NaN and infinities,
// a bool that is set in a field without presence, and a value of an enum that has no other of its size. The sign of
// sint32 and sint64 may change. A type in an Any that the program does not link, unknown fields and extension fields
// are left out; a message without a ProtoJSON form is skipped.
//
// # Limits
//
// Record on a message that is not sampled costs a look at the clock. One that is sampled is copied and written by the
// call itself, so that nothing is queued: memory is a few times the size of one message, of at most Options.MaxMessage
// bytes. While one is being written, others are skipped. Files grow up to Options.MaxDisk bytes together, those of
// earlier runs included, and then no more.
package shapes
