package tree

import (
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// ReadOptions say how to read.
type ReadOptions struct {
	// Depth is how many messages may be nested, the one that is read included. The entry
	// of an object is a message too.
	Depth int
	// Alias lets strings share the bytes of the body, which must not be changed as long as
	// one of them is in use. Without it, what is read does not refer to the body.
	Alias bool
	// DiscardUnknown leaves unknown fields out.
	DiscardUnknown bool
}

// A Reader reads messages one after the other, which share slabs: of those in a list the first has memory of the right
// size, and what follows has memory for more and more of its kind, as far as the list may need it. The zero Reader is
// ready. It is for one goroutine.
type Reader struct {
	r    *reader
	read int // how many messages
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// Read merges the wire form of a message of that form, without tag and length, into m, as the official library does.
// The message is expected to be the first of so many alike, 0 for none. The error is an [*Error]; m then holds what had
// been read of it.
//
// All that m holds afterwards is its own and may be changed; see the package documentation
// for what shares memory. A message of a few small objects takes an allocation for each
// kind of thing in it, a large one as many more as slabs are filled.
func (u *Reader) Read(m proto.Message, body []byte, form index.Form, o ReadOptions, expected int) error {
	v, ok := m.(*structpb.Value)
	switch {
	case o.Depth <= 0 || ok && v.Kind != nil:
		return o.official(m, body, form)
	case len(body) == 0:
		return nil
	}
	if u.r == nil {
		u.r = readers.Get().(*reader)
	}
	u.read++
	u.r.begin(body, !o.Alias)
	if u.r.message(form, o.Depth) && u.r.into(m, max(1, min(expected, 1+u.read))) {
		return nil
	}
	return o.official(m, body, form)
}

// Release ends the use of u. The messages that were read stay as they are.
func (u *Reader) Release() {
	if u.r != nil {
		u.r.release()
		u.r = nil
	}
}

// official has the official library read body into m.
func (o ReadOptions) official(m proto.Message, body []byte, form index.Form) error {
	if o.Depth <= 0 {
		return &Error{Err: protoerr.ErrDepth}
	}
	err := proto.UnmarshalOptions{
		Merge: true, AllowPartial: true, DiscardUnknown: o.DiscardUnknown, RecursionLimit: o.Depth,
	}.Unmarshal(body, m)
	if err == nil {
		return nil
	}
	return o.fault(body, form, err)
}

// fault says what is wrong with a body for which the official library has that error.
func (o ReadOptions) fault(body []byte, form index.Form, err error) error {
	if _, f := index.Regularize(body, form, o.Depth); f != nil {
		return &Error{Err: f.Err, Offset: f.Offset, Path: faultPath(f.Path, form)}
	}
	return &Error{Err: err, Offset: -1}
}
