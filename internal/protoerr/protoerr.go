// Package protoerr has the errors of all codecs: what is wrong, and where. It imports nothing of the repository.
package protoerr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What may be wrong with a message or its wire form.
var (
	ErrTruncated = errors.New("the input ends in the middle of a field")
	ErrMalformed = errors.New("malformed wire format")
	ErrUTF8      = errors.New("invalid UTF-8")
	ErrDepth     = errors.New("nested too deeply")
	ErrSize      = errors.New("too large")
	ErrRequired  = errors.New("required field not set")
)

// An Error says what is wrong, and where. Package proto documents its fields, and returns it as
// its own FieldError, which has the same ones.
type Error struct {
	Err     error
	Offset  int
	Path    string
	Message string
}

// Error returns the whole message in one line, with the middle of a long path left out.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("proto: ")
	b.WriteString(e.Message)
	if e.Path != "" {
		b.WriteString(": ")
		b.WriteString(ClipPath(e.Path))
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Inner returns what err, of the codec of the wire form, says is wrong, and with which field: an
// error about a text that has the message in it says that itself, and not another [Error].
func Inner(err error) (path string, cause error) {
	if e, ok := err.(*Error); ok {
		return e.Path, e.Err
	}
	return "", err
}

// A Trace is a path that is built while a failure unwinds: the innermost step first.
type Trace []string

// Within adds the step into a field, and before it, where index is not empty, that into one of
// its elements.
func (t *Trace) Within(field, index string) {
	if index != "" {
		*t = append(*t, index)
	}
	*t = append(*t, field)
}

// String returns the path from the outside: a step that begins with a bracket follows
// the one before it without a dot.
func (t Trace) String() string {
	var b strings.Builder
	for _, s := range slices.Backward(t) {
		if b.Len() > 0 && s != "" && !strings.HasPrefix(s, "[") {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}

// maxQuoted is how much of a text from the input an error repeats.
const maxQuoted = 60

// Clip returns the beginning of a text that is too long for an error.
func Clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
}

// maxPath is how many bytes of a path an error prints. A message that contains itself has a path of megabytes.
const maxPath = 400

// ClipPath returns the beginning and the end of a path that is too long for the text of an error.
func ClipPath(path string) string {
	if len(path) <= maxPath {
		return path
	}
	first, last := path[:maxPath/2], path[len(path)-maxPath/2:]
	return strings.ToValidUTF8(first, "") + "…" + strings.ToValidUTF8(last, "")
}
