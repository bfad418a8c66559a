package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// An Error says what is wrong, and where.
type Error struct {
	// Err is one of the errors of package protoerr, or what the official library says where
	// it alone sees a fault.
	Err error
	// Offset is the position in the body that was read, from 0; -1 where there is none, as
	// for a message that is written.
	Offset int
	// Path leads from the message at hand to the field, or as far as is known:
	// fields["a"].list_value.values[3].string_value. It is empty for the message itself. A
	// key that is not UTF-8 is in the path of its entry, escaped.
	Path string
}

// Error returns all of it in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, "byte %d: ", e.Offset)
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// The names of the fields that hold others.
const (
	structField = "struct_value"
	listField   = "list_value"
)

func entryStep(key string) string { return "fields[" + strconv.Quote(key) + "]" }

func elementStep(i int) string { return "values[" + strconv.Itoa(i) + "]" }

// faultPath returns the path to a fault in a message of that form.
func faultPath(steps []protoerr.Step, form index.Form) string {
	var path []string
	for _, s := range steps {
		holder, step := structField, ""
		if s.Index >= 0 {
			holder, step = listField, elementStep(s.Index)
		} else {
			step = entryStep(s.Key)
		}
		if len(path) > 0 || form == index.Value {
			path = append(path, holder)
		}
		path = append(path, step)
	}
	return strings.Join(path, ".")
}

// joinReversed returns the path whose last step comes first.
func joinReversed(steps []string) string {
	slices.Reverse(steps)
	return strings.Join(steps, ".")
}
