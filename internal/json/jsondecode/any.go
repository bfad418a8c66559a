package jsondecode

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/resolve"
)

// UnmarshalAny reads the text of an Any and returns the message in it: m, which must be
// empty and of the type that the text names, or, if m is nil, a new one of the type that
// the resolver has. The error is a [*protoerr.TextError]; the message is then read in part.
// Required fields are not looked at.
func UnmarshalAny(in []byte, m proto.Message, o Options) (proto.Message, error) {
	var d decoder // which is not copied, as the value of an expression would be
	d.begin(in, o)
	pos := d.outermostAny(&m, jsontext.SkipSpace(in, 0), o.Depth-1)
	return m, d.end(pos, "google.protobuf.Any")
}

// outermostAny reads the Any at pos, whose message is *m or becomes that.
func (d *decoder) outermostAny(m *proto.Message, pos, depth int) int {
	if depth < 0 {
		return d.fail(protoerr.ErrDepth, pos, "")
	}
	if d.byte(pos) != '{' {
		return d.notOf(pos, "an object")
	}
	first := jsontext.SkipSpace(d.in, pos+1)
	if d.byte(first) == '}' {
		return d.fail(protoerr.ErrAny, pos, noType)
	}
	at, next, t := d.findType(first, depth)
	if next < 0 {
		return failed
	}
	if at < 0 {
		return d.fail(protoerr.ErrAny, pos, noType)
	}
	if d.choose(m, at) < 0 {
		return failed
	}
	l, p := layout.Of(*m)
	if l.Ready() == layout.Official {
		return d.foreignAny(*m, pos, depth)
	}
	return d.inside(l, p, pos, next, depth, t)
}

// choose makes *m a message of the type that is named at pos, or checks that it is one.
func (d *decoder) choose(m *proto.Message, pos int) int {
	url, next := d.quoted(pos)
	switch {
	case next < 0:
		return failed
	case len(url) == 0:
		return d.fail(protoerr.ErrAny, pos, emptyType)
	case *m == nil:
		fresh, detail, err := resolve.New(d.Resolver, string(url))
		if err != nil {
			return d.fail(err, pos, detail)
		}
		*m = fresh
		return next
	}
	got, want := url[bytes.LastIndexByte(url, '/')+1:], proto.MessageName(*m)
	if string(got) != string(want) {
		return d.fail(protoerr.ErrAny, pos, fmt.Sprintf("it holds %q, not %q", protoerr.Clip(string(got)), want))
	}
	return next
}

// foreignAny reads the Any at pos into a message that only the official library can read.
func (d *decoder) foreignAny(m proto.Message, pos, depth int) int {
	b, next := d.foreign(m, pos, depth)
	if next < 0 {
		return failed
	}
	if err := (proto.UnmarshalOptions{AllowPartial: true, Resolver: resolve.OrGlobal(d.Resolver)}).
		Unmarshal(b, m); err != nil {
		return d.fail(protoerr.ErrAny, pos, err.Error())
	}
	return next
}
