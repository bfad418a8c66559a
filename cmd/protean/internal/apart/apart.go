// Package apart links the libraries that have a benchmark program of their own. Nothing
// but that program imports it.
package apart

import (
	"buf.build/go/hyperpb"
	"github.com/bytedance/sonic"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Libraries returns the libraries.
func Libraries() *variant.Libraries {
	l := &variant.Libraries{Hyperpb: openHyperpb}
	if sonic.APIKind == sonic.UseSonicJSON {
		l.Sonic.Marshal, l.Sonic.Unmarshal = sonic.Marshal, sonic.Unmarshal
	}
	return l
}

func openHyperpb(md protoreflect.MessageDescriptor) (read, reread func([]byte) (proto.Message, error)) {
	mt := hyperpb.CompileMessageDescriptor(md)
	read = func(b []byte) (proto.Message, error) {
		m := hyperpb.NewMessage(mt)
		return m, m.Unmarshal(b)
	}
	shared := new(hyperpb.Shared)
	shared.NewMessage(mt) // Free panics on memory that has never held a message
	reread = func(b []byte) (proto.Message, error) {
		shared.Free()
		m := shared.NewMessage(mt)
		return m, m.Unmarshal(b)
	}
	return read, reread
}
