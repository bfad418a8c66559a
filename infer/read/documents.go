package read

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/protean-pb/protean/infer/profile"
)

// A Fault says where a document is not JSON.
type Fault struct {
	File string
	// Line and Column count from 1, characters in bytes; Line is 0 where it is not known.
	Line, Column int
	Message      string
}

// Error returns "file:line:column: message".
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// Documents gives the documents of a batch to yield, each with its byte in the batch: yield returns where it ends. A
// *profile.SyntaxError of yield is given to broken, with the place in the file; if broken returns nil, reading goes
// on with the next line, or, where documents are not lines, with the next batch.
func (b Batch) Documents(yield func(text []byte) (int, error), broken func(*Fault) error) error {
	open := b.Open
	needComma := false
	for at := 0; ; {
		at = skipSpace(b.Text, at)
		if at == len(b.Text) {
			if open && b.Last {
				return broken(b.fault(at, "the file ends within an array"))
			}
			return nil
		}
		message := ""
		switch c := b.Text[at]; {
		case c == '[' && !open:
			open, needComma = true, false
			at++
			continue
		case c == ']' && open:
			open, needComma = false, false
			at++
			continue
		case c == ',' && open && (needComma || b.Open && at == firstByte(b.Text)):
			needComma = false
			at++
			continue
		case open && needComma:
			message = `expected "," or "]"`
		}
		var err error = &profile.SyntaxError{Offset: 0, Message: message}
		end := 0
		if message == "" {
			end, err = yield(b.Text[at:])
		}
		if err == nil {
			at += end
			needComma = open
			continue
		}
		var syntax *profile.SyntaxError
		if !errors.As(err, &syntax) {
			return err
		}
		if err := broken(b.fault(at+syntax.Offset, syntax.Message)); err != nil {
			return err
		}
		next := bytes.IndexByte(b.Text[at:], '\n')
		if next < 0 || !b.Lines {
			return nil
		}
		at += next + 1
		open, needComma = false, false
	}
}

func firstByte(text []byte) int { return skipSpace(text, 0) }

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

func (b Batch) fault(at int, message string) *Fault {
	f := &Fault{File: b.File, Message: message}
	if f.File == "-" {
		f.File = "stdin"
	}
	if b.Line > 0 {
		f.Line = b.LineOf(at)
		f.Column = at - bytes.LastIndexByte(b.Text[:at], '\n')
	}
	return f
}

// LineOf returns the line of a byte of the batch; 0 if it is not known.
func (b Batch) LineOf(at int) int {
	if b.Line == 0 {
		return 0
	}
	return b.Line + bytes.Count(b.Text[:at], []byte("\n"))
}
