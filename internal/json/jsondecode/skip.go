package jsondecode

import (
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/protoerr"
)

// skipValue reads any value, with so many objects and arrays within one another at most.
func (d *decoder) skipValue(pos, most int) int {
	from := len(d.open)
	defer func() { d.open = d.open[:from] }()
	for {
		switch c := d.byte(pos); c {
		case '{', '[':
			if len(d.open)-from >= most {
				return d.fail(protoerr.ErrDepth, pos, "")
			}
			next := jsontext.SkipSpace(d.in, pos+1)
			if d.byte(next) == c+2 { // the closing bracket
				pos = next + 1
				break
			}
			d.open = append(d.open, c)
			if pos = next; c == '{' {
				if pos = d.skipName(pos); pos < 0 {
					return failed
				}
			}
			continue
		case '"':
			pos = d.skipString(pos)
		case 't':
			pos = d.word(pos, "true")
		case 'f':
			pos = d.word(pos, "false")
		case 'n':
			pos = d.word(pos, "null")
		default:
			end := jsontext.NumberEnd(d.in, pos)
			if end < 0 {
				return d.unexpected(pos, "a value")
			}
			pos = end
		}
		// What ends after the value, up to the next one.
		for {
			if pos < 0 {
				return failed
			}
			if len(d.open) == from {
				return pos
			}
			c := d.open[len(d.open)-1]
			pos = jsontext.SkipSpace(d.in, pos)
			switch next := d.byte(pos); {
			case next == ',' && c == '{':
				pos = d.skipName(jsontext.SkipSpace(d.in, pos+1))
			case next == ',':
				pos = jsontext.SkipSpace(d.in, pos+1)
			case next == c+2:
				d.open = d.open[:len(d.open)-1]
				pos++
				continue
			default:
				return d.unexpected(pos, "',' or '"+string(c+2)+"'")
			}
			break
		}
		if pos < 0 {
			return failed
		}
	}
}

// skipName reads the name of a member, the colon and white space.
func (d *decoder) skipName(pos int) int {
	_, next := d.name(pos)
	if next < 0 {
		return failed
	}
	return jsontext.SkipSpace(d.in, next)
}

func (d *decoder) skipString(pos int) int {
	_, next := d.quoted(pos)
	return next
}

// official has the official library read a value into m.
func (d *decoder) official(m proto.Message, pos, depth int) int {
	if depth <= 0 {
		return d.fail(protoerr.ErrDepth, pos, "")
	}
	end := d.skipValue(pos, len(d.in))
	if end < 0 {
		return failed
	}
	o := protojson.UnmarshalOptions{AllowPartial: true, DiscardUnknown: d.DiscardUnknown, RecursionLimit: depth}
	if d.Resolver != nil {
		o.Resolver = d.Resolver
	}
	if err := o.Unmarshal(d.in[pos:end], m); err != nil {
		if strings.Contains(err.Error(), "recursion depth") { // which has no value of its own
			err = protoerr.ErrDepth
		}
		return d.fail(err, pos, "")
	}
	return end
}
