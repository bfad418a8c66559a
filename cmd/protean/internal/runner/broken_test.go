package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A double is a codec of test variants, on messages of type JSONEnvelope. Each
// test spoils one of its functions.
type double struct {
	in      []proto.Message
	wire    [][]byte
	marshal func(proto.Message) ([]byte, error)
	bytes   []byte
	held    proto.Message
}

func (d *double) Load(samples []proto.Message) error {
	d.in, d.wire = samples, nil
	for _, m := range samples {
		b, err := proto.Marshal(m)
		if err != nil {
			return err
		}
		d.wire = append(d.wire, b)
	}
	return nil
}

func (d *double) Wire(i int) [][]byte            { return [][]byte{d.wire[i]} }
func (d *double) SetWire(i int, pieces [][]byte) { d.wire[i] = pieces[0] }
func (d *double) Canonical(piece []byte) []byte  { return piece }
func (d *double) Reencode() ([][]byte, error) {
	b, err := proto.Marshal(d.held)
	return [][]byte{b}, err
}

func (d *double) Ops() []*variant.Op {
	return []*variant.Op{
		{
			Name: variant.Marshal,
			Run: func(i int) (err error) {
				d.bytes, err = d.marshal(d.in[i])
				return err
			},
			Result: func() any { return d.bytes },
			Message: func(r any) (proto.Message, error) {
				m := new(envelopepb.JSONEnvelope)
				return m, proto.Unmarshal(r.([]byte), m)
			},
		},
		{
			Name: variant.Unmarshal,
			Run: func(i int) error {
				d.held = new(envelopepb.JSONEnvelope)
				return proto.Unmarshal(d.wire[i], d.held)
			},
			Result:  func() any { return d.held },
			Message: func(r any) (proto.Message, error) { return r.(proto.Message), nil },
		},
	}
}

// doubleVariant returns a variant with the given marshal function.
func doubleVariant(reuses bool, open func() (func(proto.Message) ([]byte, error), error)) *variant.Variant {
	return &variant.Variant{
		Name: "double", Family: variant.Proto, Reuses: reuses,
		Ops: []string{variant.Size, variant.Marshal, variant.Unmarshal},
		Open: func(*variant.Type) (variant.Codec, error) {
			marshal, err := open()
			return &double{marshal: marshal}, err
		},
	}
}

// play runs one request with one variant and returns the events.
func play(t *testing.T, v *variant.Variant, req *Request, samples ...proto.Message) []Event {
	t.Helper()
	var data bytes.Buffer
	for _, m := range samples {
		if _, err := protodelim.MarshalTo(&data, m); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "samples")
	if err := os.WriteFile(path, data.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	req.Payloads[0].Samples = path
	var out bytes.Buffer
	r := &run{
		types:  Types{"T": {New: func() proto.Message { return samples[0].ProtoReflect().New().Interface() }}},
		req:    req,
		events: json.NewEncoder(&out),
		find:   func(string) *variant.Variant { return v },
	}
	if err := r.do(); err != nil {
		t.Fatal(err)
	}
	var events []Event
	for in := bufio.NewScanner(&out); in.Scan(); {
		var e Event
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func verifyRequest() *Request {
	return &Request{Verify: true, Payloads: []Payload{{Name: "p", Type: "T", Variants: []string{"double"}}}}
}

// verdict returns what verification said of the operation marshal.
func verdictOn(t *testing.T, events []Event) *Verified {
	t.Helper()
	for _, e := range events {
		if e.Verified != nil && e.Verified.Op == variant.Marshal {
			return e.Verified
		}
	}
	t.Fatal("no verdict on marshal")
	return nil
}

func message(text string) proto.Message { return &envelopepb.JSONEnvelope{JsonData: text} }

// TestBrokenVariants breaks a variant in every way that a benchmark is known to
// have timed, on a payload of a single sample.
func TestBrokenVariants(t *testing.T) {
	type marshal = func(proto.Message) ([]byte, error)
	for _, c := range []struct {
		name   string
		reuses bool
		open   func() (marshal, error)
		status result.Status
		reason string
	}{
		{"sound", false, func() (marshal, error) { return proto.Marshal, nil }, result.OK, ""},
		{"drops a field", false, func() (marshal, error) {
			return func(proto.Message) ([]byte, error) { return nil, nil }, nil
		}, result.Failed, `json_data: "hello" was lost`},
		{"answers from memory", false, func() (marshal, error) {
			var first []byte
			return func(m proto.Message) (b []byte, err error) {
				if first == nil {
					first, err = proto.Marshal(m)
				}
				return first, err
			}, nil
		}, result.Failed, `on a copy with one field changed: json_data: "hello+" became "hello"`},
		{"overwrites its last result", false, staleBuffer, result.Failed, "cannot be read"},
		{"declares that it does", true, staleBuffer, result.OK, ""},
		{"errs", false, func() (marshal, error) {
			return func(proto.Message) ([]byte, error) { return nil, errors.New("no ink") }, nil
		}, result.Failed, "no ink"},
		{"errs on the second call", false, func() (marshal, error) {
			calls := 0
			return func(m proto.Message) ([]byte, error) {
				if calls++; calls > 1 {
					return nil, errors.New("no more ink")
				}
				return proto.Marshal(m)
			}, nil
		}, result.Failed, "no more ink"},
		{"panics", false, func() (marshal, error) {
			return func(proto.Message) ([]byte, error) { panic("fire") }, nil
		}, result.Failed, "panic: fire"},
		{"writes nonsense", false, func() (marshal, error) {
			return func(proto.Message) ([]byte, error) { return []byte{0xff}, nil }, nil
		}, result.Failed, "its result cannot be read"},
		{"cannot serve the schema", false, func() (marshal, error) {
			return nil, variant.NotApplicable("wrong season")
		}, result.NotApplicable, "wrong season"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOn(t, play(t, doubleVariant(c.reuses, c.open), verifyRequest(), message("hello")))
			if v.Status != c.status || !strings.Contains(v.Reason, c.reason) || (v.Reason == "") != (c.reason == "") {
				t.Errorf("got %s: %q; want %s: %q", v.Status, v.Reason, c.status, c.reason)
			}
		})
	}
}

// staleBuffer opens a variant that marshals each message into the same buffer.
func staleBuffer() (func(proto.Message) ([]byte, error), error) {
	buf := make([]byte, 0, 100)
	return func(m proto.Message) ([]byte, error) {
		return proto.MarshalOptions{}.MarshalAppend(buf[:0], m)
	}, nil
}

// TestSampleNamed checks that a verdict names the sample that is at fault.
func TestSampleNamed(t *testing.T) {
	open := func() (func(proto.Message) ([]byte, error), error) {
		return func(m proto.Message) ([]byte, error) {
			if m.(*envelopepb.JSONEnvelope).GetJsonData() == "bad" {
				return nil, errors.New("bad sample")
			}
			return proto.Marshal(m)
		}, nil
	}
	samples := make([]proto.Message, chunkSize+10)
	for i := range samples {
		samples[i] = message("good")
	}
	samples[chunkSize+3] = message("bad")
	v := verdictOn(t, play(t, doubleVariant(false, open), verifyRequest(), samples...))
	if v.Status != result.Failed || v.Sample != chunkSize+3 {
		t.Errorf("got %s on sample %d: %s; want failed on sample %d", v.Status, v.Sample, v.Reason, chunkSize+3)
	}
}

// timeIt has a timing process run for a while and returns its events.
func timeIt(t *testing.T, open func() (func(proto.Message) ([]byte, error), error), samples ...proto.Message) []Event {
	t.Helper()
	return play(t, doubleVariant(false, open), &Request{Seconds: 0.2, Payloads: []Payload{{
		Name: "p", Type: "T", Block: 1,
		Cells: []Cell{{Variant: "double", Op: variant.Marshal, Baseline: true, NS: 100, BytesOp: 16}},
	}}}, samples...)
}

// TestErrorInTimedLoop checks that a variant that fails under the clock, after it
// has passed verification, is reported and gets no further time.
func TestErrorInTimedLoop(t *testing.T) {
	for _, how := range []string{"error", "panic"} {
		calls := 0
		open := func() (func(proto.Message) ([]byte, error), error) {
			return func(m proto.Message) ([]byte, error) {
				if calls++; calls > 2_000 {
					if how == "panic" {
						panic("fire")
					}
					return nil, errors.New("worn out")
				}
				return proto.Marshal(m)
			}, nil
		}
		failed := false
		for _, e := range timeIt(t, open, message("hello")) {
			if e.Turn != nil && failed {
				t.Errorf("%s: a turn after the failure", how)
			}
			if e.Failed != nil {
				failed = true
				if e.Failed.Status != result.Failed || e.Failed.Reason == "" {
					t.Errorf("%s: got %s: %q", how, e.Failed.Status, e.Failed.Reason)
				}
			}
		}
		if !failed {
			t.Errorf("%s: not reported after %d calls", how, calls)
		}
	}
}

// TestTurns checks what a timing process reports.
func TestTurns(t *testing.T) {
	open := func() (func(proto.Message) ([]byte, error), error) { return proto.Marshal, nil }
	events := timeIt(t, open, message("hello"))
	if len(events) != 4 || events[0].CalibrationFloor <= 0 || events[1].Garbage == nil || !events[3].Done {
		t.Fatalf("got %+v; want the floor, the garbage, a turn and the end", events)
	}
	if turn := events[2].Turn; turn == nil || turn.Round != 0 || turn.NS <= 0 || turn.Ops <= 0 {
		t.Errorf("the turn is %+v", turn)
	}
}

// TestBlocks checks that rounds take the samples block by block, and that one round
// after the other all have their turn.
func TestBlocks(t *testing.T) {
	seen := map[int]bool{}
	for round := range 15 {
		l := &load{Payload: Payload{Block: 7}, samples: make([]span, 100)}
		m, err := (&run{req: &Request{Seed: 1, Round: round}}).newMeasurement(l)
		if err != nil {
			t.Fatal(err)
		}
		block := m.deal()
		if len(block) != 7 || !slices.Equal(block, m.deal()) {
			t.Fatalf("round %d: %v, and then %v", round, block, m.deal())
		}
		for _, i := range block {
			seen[i] = true
		}
	}
	if len(seen) != 100 {
		t.Errorf("15 rounds of 7 dealt %d of 100 samples", len(seen))
	}
}

// TestAllocations checks that counts are exact, whatever else the process did.
func TestAllocations(t *testing.T) {
	var sink []byte
	got, err := allocations(func() error {
		for range 3 {
			sink = make([]byte, 100)
		}
		return nil
	}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got.objects != 3 || got.bytes != 3*112 { // 112 is the size class of 100
		t.Errorf("got %v objects, %v bytes; want 3 and 336", got.objects, got.bytes)
	}
	_ = sink
}
