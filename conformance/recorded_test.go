package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
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
	r := &conformancepb.ConformanceRequest{
		Payload:               &conformancepb.ConformanceRequest_ProtobufPayload{ProtobufPayload: c.Payload},
		RequestedOutputFormat: conformancepb.WireFormat(conformancepb.WireFormat_value[c.Out]),
		MessageType:           string(c.Type),
		TestCategory:          conformancepb.TestCategory(conformancepb.TestCategory_value[c.Category]),
	}
	if c.In == "JSON" {
		r.Payload = &conformancepb.ConformanceRequest_JsonPayload{JsonPayload: string(c.Payload)}
	}
	return r
}

// cases are the recorded cases that read and write the wire format and ProtoJSON.
func cases(t *testing.T) []*recorded {
	f, err := os.Open("testdata/cases-33.2.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []*recorded
	ours := map[string]bool{"PROTOBUF": true, "JSON": true}
	counts := map[[2]string]int{}
	for d := json.NewDecoder(z); d.More(); {
		c := new(recorded)
		if err := d.Decode(c); err != nil {
			t.Fatal(err)
		}
		if ours[c.In] && ours[c.Out] {
			all = append(all, c)
			counts[[2]string{c.In, c.Out}]++
		}
	}
	want := map[[2]string]int{
		{"PROTOBUF", "PROTOBUF"}: 2805, {"PROTOBUF", "JSON"}: 1252, {"JSON", "PROTOBUF"}: 534, {"JSON", "JSON"}: 976,
	}
	if !maps.Equal(counts, want) {
		t.Fatalf("%v cases, want %v", counts, want)
	}
	return all
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
	if err := c.same(got, want); err != nil {
		return fmt.Errorf("not what the official library answers: %w", err)
	}
	if g, w := compact(got.GetJsonPayload()), compact(want.GetJsonPayload()); g != w {
		return fmt.Errorf("%s, the official library: %s", g, w)
	}
	return nil
}

// compact removes the white space of JSON text, some of which the official library puts
// in at random.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// accept judges an answer as the runner does.
func (c *recorded) accept(got *conformancepb.ConformanceResponse) error {
	want := new(conformancepb.ConformanceResponse)
	switch {
	case c.Expect != "output":
	case c.Out == "JSON":
		want.Result = &conformancepb.ConformanceResponse_JsonPayload{JsonPayload: string(c.Accepted)}
	default:
		want.Result = &conformancepb.ConformanceResponse_ProtobufPayload{ProtobufPayload: c.Accepted}
	}
	if o := outcome(got); o != c.Expect && o != outcome(want) {
		return fmt.Errorf("%s (%s), want %s", o, text(got), c.Expect)
	}
	if err := c.same(got, want); err != nil {
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

// same compares what two answers hold as messages of the open API, whatever the kind that
// was read and written, by the official library.
func (c *recorded) same(a, b *conformancepb.ConformanceResponse) error {
	mt, err := protoregistry.GlobalTypes.FindMessageByName(c.Type)
	if err != nil {
		return err
	}
	ma, mb := mt.New().Interface(), mt.New().Interface()
	if err := decode(a, ma); err != nil {
		return err
	}
	if err := decode(b, mb); err != nil {
		return err
	}
	if !proto.Equal(ma, mb) {
		return fmt.Errorf("%v is not %v", a, b)
	}
	return nil
}

// decode reads the message of an answer, if there is one.
func decode(r *conformancepb.ConformanceResponse, m proto.Message) error {
	if _, ok := r.Result.(*conformancepb.ConformanceResponse_JsonPayload); ok {
		return protojson.Unmarshal([]byte(r.GetJsonPayload()), m)
	}
	return proto.Unmarshal(r.GetProtobufPayload(), m)
}

// TestRecorded puts the recorded cases to the testee of every kind, and holds its
// answers against the recording and against the official library's.
func TestRecorded(t *testing.T) {
	all := cases(t)
	exceptions := readExceptions(t)
	for _, name := range Kinds() {
		t.Run(name, func(t *testing.T) {
			testee, err := NewTestee(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
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
	after     string // what JSON text has after its end
}

func (b broken) Marshal(o proto.MarshalOptions, m proto.Message) ([]byte, error) {
	out, err := b.official.Marshal(o, m)
	return b.marshal(out), err
}

func (b broken) Unmarshal(o proto.UnmarshalOptions, in []byte, m proto.Message) error {
	return b.unmarshal(b.official.Unmarshal(o, in, m))
}

func (b broken) ToJSON(o protojson.MarshalOptions, m proto.Message) ([]byte, error) {
	out, err := b.official.ToJSON(o, m)
	if err != nil {
		return out, err
	}
	return append(b.marshal(out), b.after...), nil
}

func (b broken) FromJSON(o protojson.UnmarshalOptions, in []byte, m proto.Message) error {
	return b.unmarshal(b.official.FromJSON(o, in, m))
}

// TestJudge checks that faults are noticed.
func TestJudge(t *testing.T) {
	keep, pass := func(b []byte) []byte { return b }, func(err error) error { return err }
	all := cases(t)
	for _, test := range []struct {
		name  string
		codec codec
		min   int
	}{
		{"sound", broken{marshal: keep, unmarshal: pass}, 0},
		{"accepts all", broken{marshal: keep, unmarshal: func(error) error { return nil }}, 1100},
		{"forgets all", broken{marshal: func([]byte) []byte { return nil }, unmarshal: pass}, 3000},
		{"refuses all", broken{marshal: keep, unmarshal: func(error) error { return os.ErrInvalid }}, 4300},
		{"panics", broken{marshal: func([]byte) []byte { panic("fault") }, unmarshal: pass}, 4300},
		{"sloppy JSON", broken{marshal: keep, unmarshal: pass, after: "}"}, 1700},
	} {
		t.Run(test.name, func(t *testing.T) {
			failed := 0
			for _, c := range all {
				if c.judge(&Testee{codec: test.codec, kind: kinds["generated"]}) != nil {
					failed++
				}
			}
			if failed < test.min || test.min == 0 && failed > 0 {
				t.Errorf("%d cases fail, want %d or more", failed, test.min)
			}
			t.Logf("%d of %d cases fail", failed, len(all))
		})
	}
}
