package runner

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Types are the message types of a program, by the keys that requests use.
type Types map[string]*variant.Type

// TestMain is that of the generated program. Given the path of a request and nothing
// else, it does what the request asks and writes events to standard output;
// otherwise it is go test's.
func TestMain(m *testing.M, types Types) {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run())
	}
	// Ctrl-C reaches the whole group of processes. Who started this one ends it,
	// and can then tell an interruption from a crash.
	signal.Ignore(os.Interrupt)
	if err := serve(types, os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(types Types, path string, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var req Request
	if err := json.Unmarshal(text, &req); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r := &run{types: types, req: &req, events: json.NewEncoder(out), find: variant.Find, in: os.Stdin}
	return r.do()
}

// A run is the work on one request.
type run struct {
	types  Types
	req    *Request
	events *json.Encoder
	find   func(string) *variant.Variant
	in     io.Reader // tells what to run, where the request asks to serve
}

func (r *run) do() error {
	for _, p := range r.req.Payloads {
		load, err := r.open(p)
		if err != nil {
			return err
		}
		switch {
		case r.req.Verify:
			r.verify(load)
		case r.req.Profile:
			err = r.profile(load)
		case r.req.Serve:
			err = r.takeTurns(load)
		default:
			err = r.measure(load)
		}
		if err != nil {
			return err
		}
	}
	return r.emit(Event{Done: true})
}

func (r *run) emit(e Event) error { return r.events.Encode(e) }

func (r *run) begin(p, v, op string) stats.Key {
	k := stats.Key{Payload: p, Variant: v, Op: op}
	_ = r.emit(Event{Begin: &k})
	return k
}

// A load is a payload with its type and its samples, which stay in their file
// until they are needed.
type load struct {
	Payload
	typ     *variant.Type
	file    io.ReaderAt
	samples []span
}

// A span is where a sample lies in the file.
type span struct {
	at   int64
	size int
}

func (r *run) open(p Payload) (*load, error) {
	t := r.types[p.Type]
	if t == nil {
		return nil, fmt.Errorf("payload %s: the program has no type %s", p.Name, p.Type)
	}
	file, err := os.Open(p.Samples) // stays open as long as the process lives
	if err != nil {
		return nil, err
	}
	l := &load{Payload: p, typ: t, file: file}
	in := bufio.NewReader(file)
	for at := int64(0); ; {
		size, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return l, nil
		}
		if err == nil {
			_, err = in.Discard(int(size))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Samples, err)
		}
		at += int64(protowire.SizeVarint(size))
		l.samples = append(l.samples, span{at, int(size)})
		at += int64(size)
	}
}

// messages decodes the samples of the given indexes.
func (l *load) messages(indexes []int) ([]proto.Message, error) {
	ms := make([]proto.Message, len(indexes))
	for i, j := range indexes {
		b := make([]byte, l.samples[j].size)
		if _, err := l.file.ReadAt(b, l.samples[j].at); err != nil {
			return nil, err
		}
		ms[i] = l.typ.New()
		if err := proto.Unmarshal(b, ms[i]); err != nil {
			return nil, err
		}
	}
	return ms, nil
}

// guard runs f and turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// outcome gives the status and the reason that an error stands for, of no sample.
func outcome(err error) Verified {
	v := Verified{Status: result.OK, Sample: -1}
	if err == nil {
		return v
	}
	v.Status, v.Reason = result.Failed, err.Error()
	switch refused := errors.As(err, new(*variant.RefusalError)); {
	case refused:
		v.Status, v.Refused = result.NotApplicable, true
	case errors.Is(err, variant.ErrNotApplicable):
		v.Status = result.NotApplicable
	}
	return v
}
