package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Types are the message types of a program, by the keys that requests use.
type Types map[string]*variant.Type

// Main is the main function of the generated program: it reads the request whose
// path is the only argument and writes events to standard output.
func Main(types Types) {
	if err := serve(types, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(types Types, args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: program REQUEST.json")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var req Request
	if err := json.Unmarshal(text, &req); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	r := &run{types: types, req: &req, commands: json.NewDecoder(in), events: json.NewEncoder(out), find: variant.Find}
	return r.do()
}

// A run is the work on one request.
type run struct {
	types    Types
	req      *Request
	commands *json.Decoder
	events   *json.Encoder
	find     func(string) *variant.Variant
}

func (r *run) do() error {
	for _, p := range r.req.Payloads {
		load, err := r.open(p)
		if err != nil {
			return err
		}
		if r.req.Verify {
			r.verify(load)
			continue
		}
		if err := r.obey(load); err != nil {
			return err
		}
	}
	return r.emit(Event{Done: true})
}

func (r *run) emit(e Event) error { return r.events.Encode(e) }

func (r *run) begin(p, v, op string) stats.Key {
	k := stats.Key{Payload: p, Variant: v, Op: op}
	r.emit(Event{Begin: &k})
	return k
}

// A load is a payload with its type and its samples, which stay in binary form
// until a turn needs them.
type load struct {
	Payload
	typ     *variant.Type
	samples [][]byte
}

func (r *run) open(p Payload) (*load, error) {
	t := r.types[p.Type]
	if t == nil {
		return nil, fmt.Errorf("payload %s: the program has no type %s", p.Name, p.Type)
	}
	l := &load{Payload: p, typ: t}
	text, err := os.ReadFile(p.Samples)
	if err != nil {
		return nil, err
	}
	for in := bufio.NewReader(bytes.NewReader(text)); ; {
		m := t.New()
		err := protodelim.UnmarshalOptions{MaxSize: -1}.UnmarshalFrom(in, m)
		if err == io.EOF {
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Samples, err)
		}
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return nil, err
		}
		l.samples = append(l.samples, b)
	}
}

// messages decodes the samples of the given indexes.
func (l *load) messages(indexes []int) ([]proto.Message, error) {
	ms := make([]proto.Message, len(indexes))
	for i, j := range indexes {
		ms[i] = l.typ.New()
		if err := proto.Unmarshal(l.samples[j], ms[i]); err != nil {
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

// outcome gives the status and the reason that an error stands for.
func outcome(err error) (report.Status, string) {
	switch {
	case err == nil:
		return report.OK, ""
	case errors.Is(err, variant.ErrNotApplicable):
		return report.NotApplicable, err.Error()
	}
	return report.Failed, err.Error()
}
