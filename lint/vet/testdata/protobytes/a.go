package protobytes

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/fnv"
	"os"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"example.com/calls/eventpb"
)

func anyMessage(m proto.Message) ([32]byte, error) {
	b, err := proto.Marshal(m)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(b), nil // want `a marshalled message is hashed, and it may have maps`
}

func keys(m *eventpb.Labelled, seen map[string]bool, shared *sync.Map) bool {
	b, _ := proto.Marshal(m)
	key := hex.EncodeToString(b)
	seen[key] = true           // want `a marshalled message is the key of a map, and Labelled has maps`
	delete(seen, string(b))    // want `the key of a map`
	shared.Store(string(b), 1) // want `the key of a map`
	return seen[string(b)]     // want `the key of a map`
}

func signed(key ed25519.PrivateKey, secret []byte, h *eventpb.Holder, o *eventpb.Opaque, s *structpb.Struct) []byte {
	b, _ := proto.Marshal(h)
	mac := hmac.New(sha256.New, secret)
	mac.Write(b) // want `hashed, and Labelled has maps`
	b, _ = proto.MarshalOptions{AllowPartial: true}.Marshal(o)
	f := fnv.New64a()
	_, _ = f.Write(b) // want `hashed, and OpaqueChild has maps`
	b, _ = proto.Marshal(s)
	return ed25519.Sign(key, b) // want `signed, and Struct has maps`
}

func text(m *eventpb.Plain, h hash.Hash) {
	b, _ := protojson.Marshal(m)
	h.Write(b) // want `ProtoJSON is hashed, and the official library adds white space at random`
}

func fine(m *eventpb.Plain, l *eventpb.Labelled, h hash.Hash, file *os.File, list []int, options proto.MarshalOptions) {
	b, _ := proto.Marshal(m)
	h.Write(b)
	b, _ = proto.MarshalOptions{Deterministic: true}.Marshal(l)
	h.Write(b)
	b, _ = options.Marshal(l)
	h.Write(b)
	b, _ = proto.Marshal(l)
	_, _ = file.Write(b)
	_ = list[len(b)]
	sum := h.Sum(nil)
	h.Write(sum)
}
