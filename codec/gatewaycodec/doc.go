// Package gatewaycodec has grpc-gateway read and write JSON with package protojson, in place of the official library:
//
//	mux := runtime.NewServeMux(gatewaycodec.Option())
//
// For other options there is [JSONPb], which takes the place of runtime.JSONPb with the same fields: the options of
// google.golang.org/protobuf/encoding/protojson.
//
// # What is as in runtime.JSONPb
//
// Messages, pointers to them and lists of them go by package protojson, all other values (fields of a message that a
// path or a body names, maps, enums) by runtime.JSONPb itself. The text of messages is compact and always the same,
// where that of the official library has white space that differs from program to program. The errors of messages are
// package protojson's: they say line, column, field.
package gatewaycodec
