package migrate

import (
	"fmt"
	"strings"
)

// A Class says what became of a value that one side wrote and the other read.
type Class int

// The classes, the worst last. Of two silent ones, a value that is not the one written is worse than none.
const (
	Same    Class = iota // the reader sees the value that was written
	Form                 // the same content in another type, or with another presence
	Error                // the reader refuses the message, or cannot write what it has read
	Lost                 // the reader sees nothing, or a part, and no error
	Altered              // the reader sees another value, and no error
)

var classNames = [...]string{"same", "form", "error", "lost", "altered"}

// String returns the name of the class in JSON.
func (c Class) String() string { return classNames[c] }

// Text returns the class in words.
func (c Class) Text() string {
	return [...]string{"same", "changed in form only", "error", "lost silently", "altered silently"}[c]
}

// Bad reports whether data is lost, altered or refused.
func (c Class) Bad() bool { return c >= Error }

// A Wire is a form in which messages go from writer to reader.
type Wire int

// The forms.
const (
	Binary Wire = iota
	JSON        // ProtoJSON
)

// String returns the name of the form in JSON and in flags.
func (w Wire) String() string { return [...]string{"binary", "json"}[w] }

// ParseWires returns the forms of a list with commas between; an empty one is all of them.
func ParseWires(list string) ([]Wire, error) {
	var out []Wire
	for _, name := range strings.Split(list, ",") {
		switch strings.TrimSpace(name) {
		case "":
		case "binary":
			out = append(out, Binary)
		case "json":
			out = append(out, JSON)
		default:
			return nil, fmt.Errorf("%q: expected binary, json or both with a comma between", name)
		}
	}
	if len(out) == 0 {
		out = []Wire{Binary, JSON}
	}
	return out, nil
}

// A Direction says which schema writes and which reads.
type Direction int

// The directions.
const (
	OldToNew Direction = iota // an old writer, a new reader
	NewToOld                  // a new writer, an old reader
)

// String returns the name of the direction in JSON.
func (d Direction) String() string { return [...]string{"old-to-new", "new-to-old"}[d] }

// Text returns the direction as the tables have it.
func (d Direction) Text() string { return [...]string{"old → new", "new → old"}[d] }

// A Rollout is the order in which services take the new schema.
type Rollout int

// The orders.
const (
	Both         Rollout = iota // no order: both directions happen
	ReadersFirst                // every reader is new before the first writer is
	WritersFirst                // every writer is new before the first reader is
)

// String returns the name of the order in flags.
func (r Rollout) String() string { return [...]string{"both", "readers-first", "writers-first"}[r] }

// ParseRollout returns the order of that name.
func ParseRollout(name string) (Rollout, error) {
	for r := Both; r <= WritersFirst; r++ {
		if r.String() == name {
			return r, nil
		}
	}
	return 0, fmt.Errorf("%q: expected readers-first, writers-first or both", name)
}

// Has reports whether messages go in that direction while the order is kept. With readers
// first, new readers read what old writers write, and with writers first the reverse.
func (r Rollout) Has(d Direction) bool {
	return r == Both || r == ReadersFirst && d == OldToNew || r == WritersFirst && d == NewToOld
}
