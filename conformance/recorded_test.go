package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/conformance/internal/conformancepb"
)

// A recorded is one request of the official runner, and what it makes of answers.
type recorded struct {
	Name     string
	Type     protoreflect.FullName
	Category string
	In, Out  string
	Payload  []byte `json:"in_b64"`
	// Expect is output, parse_error or see_official_runner: the runner looks at more
	// than the message.
	Expect   string
	Accepted []byte `json:"out_b64"`
	// RefPass says that the official library passes.
	RefPass bool `json:"ref_pass"`
}

func (c *recorded) request() *conformancepb.ConformanceRequest {
	return &conformancepb.ConformanceRequest{
		Payload:               &conformancepb.ConformanceRequest_ProtobufPayload{ProtobufPayload: c.Payload},
		RequestedOutputFormat: conformancepb.WireFormat_PROTOBUF,
		MessageType:           string(c.Type),
		TestCategory:          conformancepb.TestCategory(conformancepb.TestCategory_value[c.Category]),
	}
}

// binaryCases are the recorded cases that read and write the wire format.
func binaryCases(t *testing.T) []*recorded {
	f, err := os.Open("testdata/cases-33.2.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*recorded
	for d := json.NewDecoder(z); d.More(); {
		c := new(recorded)
		if err := d.Decode(c); err != nil {
			t.Fatal(err)
		}
		if c.In == "PROTOBUF" && c.Out == "PROTOBUF" {
			cases = append(cases, c)
		}
	}
	if len(cases) != 2805 {
		t.Fatalf("%d cases, want 2805", len(cases))
	}
	return cases
}

// judge says what is wrong with the testee's answer to a case, nil if nothing. The
// answer must be that of the official library as it is built here, and what the
// runner accepts. Where the official library passed in the recording, but not as it
// is built here (message sets, which need the build tag protolegacy), either will do.
func (c *recorded) judge(t *Testee) error {
	got, want := t.Respond(c.request()), t.Official().Respond(c.request())
	err := c.equal(got, want)
	if !c.RefPass {
		return err
	}
	accepted := c.accept(got)
	if c.accept(want) != nil && (err == nil || accepted == nil) {
		return nil
	}
	return errors.Join(err, accepted)
}

// equal compares an answer with the official library's.
func (c *recorded) equal(got, want *conformancepb.ConformanceResponse) error {
	if g, w := outcome(got), outcome(want); g != w {
		return fmt.Errorf("%s (%s), the official library: %s (%s)", g, text(got), w, text(want))
	}
	if err := c.same(got.GetProtobufPayload(), want.GetProtobufPayload()); err != nil {
		return fmt.Errorf("not what the official library answers: %w", err)
	}
	return nil
}

// accept judges an answer as the runner does.
func (c *recorded) accept(got *conformancepb.ConformanceResponse) error {
	want := map[string]string{"parse_error": "parse_error", "output": "protobuf_payload"}[c.Expect]
	if outcome(got) != want {
		return fmt.Errorf("%s (%s), want %s", outcome(got), text(got), c.Expect)
	}
	if err := c.same(got.GetProtobufPayload(), c.Accepted); err != nil {
		return fmt.Errorf("not the recorded answer: %w", err)
	}
	return nil
}

// outcome names the field of the result.
func outcome(r *conformancepb.ConformanceResponse) string {
	m := r.ProtoReflect()
	if fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("result")); fd != nil {
		return string(fd.Name())
	}
	return "nothing"
}

func text(r *conformancepb.ConformanceResponse) string {
	return r.GetParseError() + r.GetSerializeError() + r.GetRuntimeError() + r.GetSkipped()
}

// same compares two encodings as messages of the open API, whatever the kind that
// was read and written, by the official library.
func (c *recorded) same(a, b []byte) error {
	mt, err := protoregistry.GlobalTypes.FindMessageByName(c.Type)
	if err != nil {
		return err
	}
	ma, mb := mt.New().Interface(), mt.New().Interface()
	if err := proto.Unmarshal(a, ma); err != nil {
		return err
	}
	if err := proto.Unmarshal(b, mb); err != nil {
		return err
	}
	if !proto.Equal(ma, mb) {
		return fmt.Errorf("%x is not %x", a, b)
	}
	return nil
}

// TestRecorded puts the recorded cases to the testee of every kind, and holds its
// answers against the recording and against the official library's.
func TestRecorded(t *testing.T) {
	cases := binaryCases(t)
	exceptions := readExceptions(t)
	for _, name := range Kinds() {
		t.Run(name, func(t *testing.T) {
			testee, err := NewTestee(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				err, key := c.judge(testee), name+" "+c.Name
				switch reason, listed := exceptions[key]; {
				case err != nil && !listed:
					t.Errorf("%s: %v", c.Name, err)
				case err == nil && listed:
					t.Errorf("%s passes, although it is listed: %s", c.Name, reason)
				}
				delete(exceptions, key)
			}
		})
	}
	for key := range exceptions {
		t.Errorf("testdata/exceptions.txt names no case: %s", key)
	}
}

// readExceptions reads lines of the form KIND NAME # REASON into reasons by kind and
// name. Lines that begin with # are comments.
func readExceptions(t *testing.T) map[string]string {
	b, err := os.ReadFile("testdata/exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, reason, ok := strings.Cut(line, " # ")
		if !ok {
			t.Fatalf("no reason: %s", line)
		}
		reasons[key] = reason
	}
	return reasons
}

// A broken codec is the official one with a fault.
type broken struct {
	official
	marshal   func([]byte) []byte
	unmarshal func(error) error
}

func (b broken) Marshal(o proto.MarshalOptions, m proto.Message) ([]byte, error) {
	out, err := b.official.Marshal(o, m)
	return b.marshal(out), err
}

func (b broken) Unmarshal(o proto.UnmarshalOptions, in []byte, m proto.Message) error {
	return b.unmarshal(b.official.Unmarshal(o, in, m))
}

// TestJudge checks that faults are noticed.
func TestJudge(t *testing.T) {
	keep, pass := func(b []byte) []byte { return b }, func(err error) error { return err }
	for _, test := range []struct {
		name  string
		codec codec
		min   int
	}{
		{"sound", broken{marshal: keep, unmarshal: pass}, 0},
		{"accepts all", broken{marshal: keep, unmarshal: func(error) error { return nil }}, 700},
		{"forgets all", broken{marshal: func([]byte) []byte { return nil }, unmarshal: pass}, 1500},
		{"refuses all", broken{marshal: keep, unmarshal: func(error) error { return os.ErrInvalid }}, 2000},
		{"panics", broken{marshal: func([]byte) []byte { panic("fault") }, unmarshal: pass}, 2000},
	} {
		t.Run(test.name, func(t *testing.T) {
			failed := 0
			for _, c := range binaryCases(t) {
				if c.judge(&Testee{codec: test.codec, kind: kinds["generated"]}) != nil {
					failed++
				}
			}
			if failed < test.min || test.min == 0 && failed > 0 {
				t.Errorf("%d cases fail, want %d or more", failed, test.min)
			}
		})
	}
}
