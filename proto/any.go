package proto

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire/encode"
)

// Pack returns m in an Any: anypb.New through this package's encoder.
func Pack(m Message) (*anypb.Any, error) { return MarshalOptions{}.Pack(m) }

// Pack is the function [Pack] with the options o.
func (o MarshalOptions) Pack(m Message) (*anypb.Any, error) {
	if m == nil {
		return nil, errNilMessage
	}
	b, err := o.Marshal(m)
	if err != nil {
		return nil, err
	}
	l, _ := layout.Of(m)
	return &anypb.Any{TypeUrl: l.AnyURL(m), Value: b}, nil
}

// AppendAny appends to b the wire form of an Any that holds m, and returns that. It writes
// the inside once and in its place: the bytes are those of Pack and then Marshal. As the
// value of a field they need the field's tag and their length before them.
func AppendAny(b []byte, m Message) ([]byte, error) { return MarshalOptions{}.AppendAny(b, m) }

// AppendAny is the function [AppendAny] with the options o.
func (o MarshalOptions) AppendAny(b []byte, m Message) ([]byte, error) {
	if m == nil {
		return b, errNilMessage
	}
	l, p := layout.Of(m)
	if l.Ready() != layout.Official && p != nil {
		own := o.own()
		own.URL = l.AnyURL(m)
		out, err := encode.Append(b, l, p, own)
		return out, public(err)
	}
	a, err := o.Pack(m)
	if err != nil {
		return b, err
	}
	return o.MarshalAppend(b, a)
}

// Unpack returns the message in a, of the type that the global registry has for its
// type_url. It does not refer to a's memory.
func Unpack(a *anypb.Any) (Message, error) { return UnmarshalOptions{}.Unpack(a) }

// Unpack is the function [Unpack] with the options o; a resolver that finds messages
// (protoregistry.MessageTypeResolver) takes the place of the global registry.
func (o UnmarshalOptions) Unpack(a *anypb.Any) (Message, error) {
	return o.unpack(a.GetTypeUrl(), a.GetValue())
}

// UnpackTo reads the message in a into m, and fails if it is of another type than m.
func UnpackTo(a *anypb.Any, m Message) error { return UnmarshalOptions{}.UnpackTo(a, m) }

// UnpackTo is the function [UnpackTo] with the options o.
func (o UnmarshalOptions) UnpackTo(a *anypb.Any, m Message) error {
	return o.unpackTo(a.GetTypeUrl(), a.GetValue(), m)
}

// UnmarshalAny reads the wire form of an Any and returns the message in it, without an
// Any and a copy of its value between.
func UnmarshalAny(b []byte) (Message, error) { return UnmarshalOptions{}.UnmarshalAny(b) }

// UnmarshalAny is the function [UnmarshalAny] with the options o; as to types see
// [UnmarshalOptions.Unpack].
func (o UnmarshalOptions) UnmarshalAny(b []byte) (Message, error) {
	url, value, at, err := readAny(b)
	if err != nil {
		return nil, err
	}
	m, err := o.unpack(url, value)
	return m, moved(err, at)
}

// UnmarshalAnyTo is [UnmarshalAny] into m, which must be of the type that is in the Any.
func UnmarshalAnyTo(b []byte, m Message) error { return UnmarshalOptions{}.UnmarshalAnyTo(b, m) }

// UnmarshalAnyTo is the function [UnmarshalAnyTo] with the options o.
func (o UnmarshalOptions) UnmarshalAnyTo(b []byte, m Message) error {
	url, value, at, err := readAny(b)
	if err != nil {
		return err
	}
	return moved(o.unpackTo(url, value, m), at)
}

var errNilMessage = fmt.Errorf("%w: a nil message cannot be packed", proto.Error)

func (o UnmarshalOptions) unpack(url string, value []byte) (Message, error) {
	var resolver protoregistry.MessageTypeResolver = protoregistry.GlobalTypes
	if r, ok := o.Resolver.(protoregistry.MessageTypeResolver); ok {
		resolver = r
	}
	t, err := resolver.FindMessageByURL(url)
	if err != nil {
		return nil, typeError(url, err)
	}
	m := t.New().Interface()
	return m, o.Unmarshal(value, m)
}

func (o UnmarshalOptions) unpackTo(url string, value []byte, m Message) error {
	if m == nil {
		return errNilMessage
	}
	want := m.ProtoReflect().Descriptor().FullName()
	if got := url[strings.LastIndexByte(url, '/')+1:]; protoreflect.FullName(got) != want {
		return fmt.Errorf("%w: an Any holds %q, not %q", proto.Error, got, want)
	}
	return o.Unmarshal(value, m)
}

// readAny returns the fields of an Any, those that come last, and where the value starts.
// They are parts of b.
func readAny(b []byte) (url string, value []byte, start int, err error) {
	for at := 0; at < len(b); {
		num, typ, n := protowire.ConsumeTag(b[at:])
		if n < 0 {
			return "", nil, 0, anyError(protoerr.ErrMalformed, at)
		}
		end := protowire.ConsumeFieldValue(num, typ, b[at+n:])
		if end < 0 {
			return "", nil, 0, anyError(protoerr.ErrMalformed, at)
		}
		if end += at + n; typ == protowire.BytesType && num <= 2 {
			content, _ := protowire.ConsumeBytes(b[at+n:])
			if num == 2 {
				value, start = content, end-len(content)
			} else if url = string(content); !utf.Valid(content) {
				return "", nil, 0, anyError(protoerr.ErrUTF8, end-len(content))
			}
		}
		at = end
	}
	return url, value, start, nil
}

func typeError(url string, err error) error {
	return fmt.Errorf("%w: the type %q of an Any: %w", proto.Error, url, err)
}

func anyError(err error, at int) error {
	return &FieldError{Err: err, Offset: at, Message: "google.protobuf.Any"}
}

// moved makes the offset in err one in the bytes of which what err is about begins at start.
func moved(err error, start int) error {
	if f := (*FieldError)(nil); errors.As(err, &f) && f.Offset >= 0 {
		f.Offset += start
	}
	return err
}
