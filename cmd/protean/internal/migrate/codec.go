package migrate

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	ourproto "github.com/protean-pb/protean/proto"
	ourjson "github.com/protean-pb/protean/protojson"
)

// maxJSONDepth bounds the nesting of documents that are read: the official library's own limit.
const maxJSONDepth = 10000

// write returns the message as the official library writes it.
func (p *prover) write(s *Side, m proto.Message) ([]byte, error) {
	if p.wire == JSON {
		return writeJSON(s, m)
	}
	return proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
}

func writeJSON(s *Side, m proto.Message) ([]byte, error) {
	return protojson.MarshalOptions{AllowPartial: true, Resolver: s.Schema.Types()}.Marshal(m)
}

// unmarshalBinary reads a message. The official library, v1.36.12, panics on a map entry that
// has a second key of another wire type.
func unmarshalBinary(s *Side, b []byte, m proto.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the reader panics: %v", p)
		}
	}()
	return proto.UnmarshalOptions{AllowPartial: true, Resolver: s.Schema.Types()}.Unmarshal(b, m)
}

func unmarshalJSON(s *Side, b []byte, m proto.Message) error {
	o := protojson.UnmarshalOptions{AllowPartial: true, Resolver: s.Schema.Types(), RecursionLimit: maxJSONDepth}
	return o.Unmarshal(b, m)
}

// transfer writes a message and reads it as the other side, by package dynamic too.
func (p *prover) transfer(m *dynamicpb.Message) (*dynamicpb.Message, error) {
	doc, err := p.write(p.from, m)
	if err != nil {
		return nil, err
	}
	got, err := p.parse(p.to, doc)
	p.checkOurs(doc, got, err)
	return got, err
}

// read writes a message and reads it by a schema.
func (p *prover) read(s *Side, m *dynamicpb.Message) (*dynamicpb.Message, error) {
	doc, err := p.write(p.from, m)
	if err != nil {
		return nil, err
	}
	return p.parse(s, doc)
}

func (p *prover) parse(s *Side, doc []byte) (*dynamicpb.Message, error) {
	got := dynamicpb.NewMessage(s.Message)
	if p.wire == JSON {
		return got, unmarshalJSON(s, doc, got)
	}
	return got, unmarshalBinary(s, doc, got)
}

// checkOurs reads a document by package dynamic too, and records where it disagrees.
func (p *prover) checkOurs(doc []byte, want *dynamicpb.Message, wantErr error) {
	r := p.result
	r.Compared++
	got := dynamic.NewMessage(p.to.Message)
	var err error
	if p.wire == JSON {
		o := ourjson.UnmarshalOptions{AllowPartial: true, Resolver: p.to.Schema.Types(), RecursionLimit: maxJSONDepth}
		err = o.Unmarshal(doc, got)
	} else {
		err = ourproto.UnmarshalOptions{AllowPartial: true, Resolver: p.to.Schema.Types()}.Unmarshal(doc, got)
	}
	text := ""
	switch {
	case err != nil && wantErr != nil:
		return
	case err != nil:
		text = "package dynamic refuses what the official library reads: " + errorText(err)
	case wantErr != nil:
		text = "package dynamic reads what the official library refuses: " + errorText(wantErr)
	case !sameBytes(want, got):
		text = "package dynamic reads another message than the official library"
	default:
		return
	}
	r.Disagreements++
	if r.Disagreement == "" {
		r.Disagreement = fmt.Sprintf("%s, %s: %s (%s)", p.dir.Text(), p.wire, text, clip(string(doc)))
	}
}

// sameBytes compares messages of two implementations by what they write: [proto.Equal] takes
// NaN for equal too, but not the order of unknown fields.
func sameBytes(a, b proto.Message) bool {
	o := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	x, errX := o.Marshal(a)
	y, errY := o.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y) || proto.Equal(a, b)
}

// errorText is an error of a library on one line, without its prefix and the position in a
// document that nobody has.
func errorText(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	text = strings.TrimPrefix(text, "proto: ")
	if _, rest, ok := strings.Cut(text, "): "); ok &&
		strings.HasPrefix(strings.TrimPrefix(text, "syntax error "), "(line ") {
		text = rest
	}
	return text
}

// protojsonUnmarshal reads a document of the package's own.
func protojsonUnmarshal(text string, m proto.Message) error {
	return protojson.Unmarshal([]byte(text), m)
}
