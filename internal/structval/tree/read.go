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

// ReadValue merges the wire form of a Value, without tag and length, into v, as the
// official library does. The error is an [*Error]; v then holds what had been read of it.
//
// All that v holds afterwards is its own and may be changed; see the package documentation
// for what shares memory. A message of a few small objects takes an allocation for each
// kind of thing in it, a large one as many more as slabs are filled.
func ReadValue(v *structpb.Value, body []byte, o ReadOptions) error {
	if v.Kind != nil {
		return o.official(v, body, index.Value)
	}
	return o.read(v, body, index.Value)
}

// ReadStruct works like [ReadValue] for a Struct.
func ReadStruct(s *structpb.Struct, body []byte, o ReadOptions) error {
	return o.read(s, body, index.Struct)
}

// ReadList works like [ReadValue] for a ListValue.
func ReadList(l *structpb.ListValue, body []byte, o ReadOptions) error {
	return o.read(l, body, index.List)
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// read reads a body that is regular into m, or has the official library do it.
func (o ReadOptions) read(m proto.Message, body []byte, form index.Form) error {
	switch {
	case o.Depth <= 0:
		return o.official(m, body, form)
	case len(body) == 0:
		return nil
	}
	r := readers.Get().(*reader)
	r.begin(body, !o.Alias)
	ok := r.message(form, o.Depth) && r.into(m)
	r.release()
	if ok {
		return nil
	}
	return o.official(m, body, form)
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
