// Package connectcodec has connect-go read and write messages with packages proto and protojson, in place of the
// official library:
//
//	var codecs connectcodec.Options
//	path, handler := eventv1connect.NewEventServiceHandler(service, connectcodec.HandlerOption(codecs))
//	client := eventv1connect.NewEventServiceClient(http.DefaultClient, url, connectcodec.ClientOption(codecs))
//
// The wire format is the same, in all three protocols that connect-go speaks: either side may use any library.
// Generated code stays as it is.
//
// # What is as in connect-go
//
// The codecs are named "proto" and "json", and take messages of google.golang.org/protobuf only; anything else is
// refused with connect-go's error. What cannot be read is "unmarshal into TYPE: " and the error of package proto or
// protojson, which says in which field and at which byte. JSON may have unknown fields, unless Options.RefuseUnknown is
// set, and must not be empty. Sizes are limited by connect-go itself (connect.WithReadMaxBytes and its like).
//
// connect-go finds by their methods that the codecs append to its buffers, and that they have a stable form for HTTP
// GET: maps sorted by key, and JSON without white space, which is what package protojson writes anyway. The stable form
// is the same as long as the versions of the program and of its libraries are.
package connectcodec
