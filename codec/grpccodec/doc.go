// Package grpccodec has grpc-go read and write messages with package proto, in place of the official library:
//
//	func main() {
//		grpccodec.Register()
//		…
//	}
//
// All clients and servers of the program then use it. For one server or one client alone there are [ServerOption] and
// [DialOption], or any other place that takes the encoding.CodecV2 that [New] returns, such as grpc.ForceCodecV2. The
// wire format is the same: either side of a call may use any library. Generated code stays as it is.
//
// # What is as in grpc-go
//
// The codec is named "proto". It takes what the official codec takes: messages of google.golang.org/protobuf, and those
// of the time before it (protoadapt.MessageV1). Anything else is refused with the official codec's error. Sizes are
// limited by grpc-go itself, before it calls the codec and after (MaxCallRecvMsgSize and its like). Buffers of more
// than 1 KiB and up to 32 KiB come from grpc-go's pool. The text of errors about messages is package proto's: it says
// which field, and at which byte.
//
// # How it works
//
// A message is written in one pass, without asking for its size first: into a buffer of grpc-go's pool as large as the
// last message of its Go type suggests, or, below 1 KiB and above 32 KiB, into memory of just its length. grpc-go's
// pool has buffers of 1 MiB above 32 KiB, and clears each of them when it hands it out. What arrives in several buffers
// is joined once, in memory that is used again where it is no more than 4 MiB, grpc-go's limit. Nothing in a message
// refers to the buffers that it was read from.
//
// The join of messages of 16 KiB to 4 MiB, in frames of 16 KiB, takes 0.3 to 0.8 % of the time to read them where they
// have fields, lists or a Struct (BenchmarkJoin, AMD EPYC, go1.26.8): a decoder for several buffers could save no more.
// In a message that is one long bytes field it takes 7 to 37 %, and memory of its own to which the field would refer is
// not faster.
//
// # Arenas
//
// [ArenaServer] reads the requests of unary calls into memory that is used again when the response has been written. It
// is off unless asked for, since handlers have to keep the rules that stand there.
package grpccodec
