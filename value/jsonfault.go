package value

import (
	"bytes"
	"errors"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/protoerr"
)

// A textFault is an error in JSON text. Where it lies in the document is found out by
// reading the text again, so that reading it the first time need not keep track.
type textFault struct {
	err    error
	at     int    // the offset
	node   int    // an offset in the value that it is about, if that is another one
	detail string // what more there is to say
}

// unexpected is the fault that something else should be at an offset.
func (r *jsonReader) unexpected(at int, want string) *textFault {
	detail, ok := jsontext.Unexpected(r.text, at, want)
	if !ok {
		return &textFault{err: ErrUTF8, at: at}
	}
	return &textFault{err: ErrSyntax, at: at, detail: detail}
}

func (r *jsonReader) badNumber(start, at int, err error) *textFault {
	switch {
	case errors.Is(err, jsontext.ErrRange):
		return &textFault{err: ErrNumber, at: start}
	case at == start:
		return r.unexpected(at, "a value")
	case r.byte(at)-'0' < 10: // a digit after a zero
		return r.unexpected(at, "the end of the number")
	default:
		return r.unexpected(at, "a digit")
	}
}

func (r *jsonReader) badString(at int, err error) *textFault {
	switch {
	case errors.Is(err, jsontext.ErrUTF8):
		return &textFault{err: ErrUTF8, at: at}
	case errors.Is(err, jsontext.ErrEscape):
		return &textFault{err: ErrSyntax, at: at, detail: err.Error()}
	default:
		return r.unexpected(at, "'\"'")
	}
}

// error makes an Error of a fault in text.
func (f *textFault) error(text []byte) *Error {
	before := text[:f.at]
	return &Error{
		Err:    f.err,
		Offset: f.at,
		Line:   bytes.Count(before, []byte{'\n'}) + 1,
		Column: f.at - bytes.LastIndexByte(before, '\n'),
		Path:   textPath(text[:max(f.at, f.node)]),
		Detail: f.detail,
	}
}

// textPath returns the path of the value that comes next after the given text, which
// starts a JSON text and is legal so far, but may end in the middle of a string.
func textPath(text []byte) string {
	var steps []protoerr.Step
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			steps = append(steps, protoerr.Step{Index: noKey})
		case '[':
			steps = append(steps, protoerr.Step{})
		case '}', ']':
			steps = steps[:len(steps)-1]
		case ',':
			if s := &steps[len(steps)-1]; s.Index >= 0 {
				s.Index++
			} else {
				*s = protoerr.Step{Index: noKey}
			}
		case '"':
			s, next, err := jsontext.Unquote(nil, text, i)
			if err != nil {
				i = len(text)
			} else if i = next - 1; len(steps) > 0 && steps[len(steps)-1].Index == noKey {
				steps[len(steps)-1] = protoerr.Step{Key: string(s), Index: -1}
			}
		}
	}
	if n := len(steps); n > 0 && steps[n-1].Index == noKey {
		steps = steps[:n-1]
	}
	return protoerr.FormatValuePath(steps)
}

// noKey is the index of a step into an object whose key is not known yet.
const noKey = -2
