package records

import (
	"fmt"
	"strconv"
	"strings"
)

// An Alteration is a value of a record that has no counterpart in the form that is written.
type Alteration struct {
	// Path leads to the value: "$.actor.tags[2]".
	Path string
	// What says what becomes of it.
	What string

	refused bool
	at      int // the offset of the value in the text of the record, plus 1; 0 if it is not known
}

// Error says what becomes of the value, or would.
func (a *Alteration) Error() string {
	if a.refused {
		return a.Path + ": " + ErrAltered.Error() + ": " + a.What
	}
	return a.Path + ": " + a.What
}

// Unwrap returns [ErrAltered].
func (a *Alteration) Unwrap() error { return ErrAltered }

// alterations are those of one record.
type alterations struct {
	allow bool
	count int
	first Alteration
	at    int // of the next one
}

func (a *alterations) reset() { *a = alterations{allow: a.allow} }

// note counts an alteration; it is an error unless alterations are allowed.
func (a *alterations) note(path fmt.Stringer, format string, args ...any) error {
	if !a.allow {
		return &Alteration{path.String(), fmt.Sprintf(format, args...), true, a.at}
	}
	if a.count == 0 {
		a.first = Alteration{path.String(), fmt.Sprintf(format, args...), false, a.at}
	}
	a.count++
	return nil
}

// A valuePath leads to a value within a record.
type valuePath []step

// A step is a key, or else an index.
type step struct {
	key   []byte
	index int // -1 for a key
}

func (p *valuePath) push(key []byte, index int) { *p = append(*p, step{key, index}) }

func (p *valuePath) pop() { *p = (*p)[:len(*p)-1] }

// String returns the path as package value writes it, with the middle left out if it is long.
func (p valuePath) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for i, s := range p {
		switch {
		case len(p) > 20 && i == 10:
			b.WriteString("…")
		case len(p) > 20 && i > 10 && i < len(p)-9:
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case isName(string(s.key)):
			b.WriteString("." + string(s.key))
		default:
			b.WriteString("[" + strconv.Quote(string(s.key[:min(len(s.key), 100)])) + "]")
		}
	}
	return b.String()
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9' || i == 0) && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 100
}

// at is an error about a value.
func (p valuePath) at(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p, fmt.Errorf(format, args...))
}
