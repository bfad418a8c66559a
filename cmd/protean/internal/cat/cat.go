// Package cat prints records as JSON lines: those of a Kafka topic, or of files of length-delimited records.
package cat

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"
)

// A Record is one message and where it is from.
type Record struct {
	// Source says that in errors: topic/partition@offset, or the file and the number of the record.
	Source string
	Value  []byte // nil for a tombstone
	// The rest is of a topic's records.
	Topic     string
	Partition int32
	Offset    int64
	Time      time.Time
	Key       []byte
}

// A Printer prints records, up to a number of them. A record that is wrong is a line among the errors, and does not end
// it.
type Printer struct {
	// Decode appends the message of a record's value as JSON on one line.
	Decode func(ctx context.Context, dst, value []byte) ([]byte, error)
	// Meta prints an object with the record's topic, partition, offset, time and key around each message.
	Meta bool
	// Count is how many records are printed; 0 means all.
	Count int
	// Problem is told of each record that is wrong.
	Problem func(error)

	out     *bufio.Writer
	line    []byte
	records int
	wrong   int
}

// NewPrinter returns a Printer that prints to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{out: bufio.NewWriter(w)} }

// Done reports whether all records that were asked for are printed.
func (p *Printer) Done() bool { return p.Count > 0 && p.records >= p.Count }

// Wrong returns how many records were wrong.
func (p *Printer) Wrong() int { return p.wrong }

// Print prints a record. The error is that of the writer, or the context's.
func (p *Printer) Print(ctx context.Context, r *Record) error {
	p.records++
	line, err := p.appendRecord(ctx, p.line[:0], r)
	if cap(line) <= maxLine {
		p.line = line
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.wrong++
		// What is printed stands before what is said of it where both go to a terminal.
		if err := p.out.Flush(); err != nil {
			return err
		}
		p.Problem(fmt.Errorf("%s: %w", r.Source, err))
		return nil
	}
	_, err = p.out.Write(append(line, '\n'))
	return err
}

// maxLine is how long a line may be whose memory is kept for the next.
const maxLine = 1 << 20

// Flush prints what is held back.
func (p *Printer) Flush() error { return p.out.Flush() }

func (p *Printer) appendRecord(ctx context.Context, b []byte, r *Record) ([]byte, error) {
	if p.Meta {
		b = appendMeta(b, r)
	}
	if r.Value == nil {
		b = append(b, "null"...)
	} else {
		var err error
		if b, err = p.Decode(ctx, b, r.Value); err != nil {
			return b, err
		}
	}
	if p.Meta {
		b = append(b, '}')
	}
	return b, nil
}

// appendMeta appends the object around a message, up to that. A key that is not text is in base64, under another name.
func appendMeta(b []byte, r *Record) []byte {
	b = append(append(b, `{"topic":`...), quoted(r.Topic)...)
	b = strconv.AppendInt(append(b, `,"partition":`...), int64(r.Partition), 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), r.Offset, 10)
	b = append(append(b, `,"time":`...), quoted(r.Time.UTC().Format(time.RFC3339Nano))...)
	switch {
	case r.Key == nil:
	case utf8.Valid(r.Key):
		b = append(append(b, `,"key":`...), quoted(string(r.Key))...)
	default:
		b = append(append(b, `,"keyBase64":`...), quoted(base64.StdEncoding.EncodeToString(r.Key))...)
	}
	return append(b, `,"value":`...)
}

func quoted(text string) []byte {
	b, _ := json.Marshal(text) // which a string cannot fail
	return b
}
