package decide_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/infer/adapt"
	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/protojson"
)

// events returns n documents, each with the payload of a type, before or after it.
func events(n int, payloads ...string) []string {
	return many(n, func(i int) string {
		name, payload, _ := strings.Cut(payloads[i%len(payloads)], " ")
		if i%2 == 0 {
			return fmt.Sprintf(`{"payload":%s,"id":%d,"type":%q}`, payload, i, name)
		}
		return fmt.Sprintf(`{"id":%d,"type":%q,"payload":%s}`, i, name, payload)
	})
}

var (
	push   = `PushEvent {"size":3,"commits":[{"sha":"a"}]}`
	issue  = `IssuesEvent {"action":"opened","issue":{"title":"t"}}`
	watch  = `WatchEvent {"action":"started"}`
	public = `PublicEvent {}`
)

// Objects that a string beside them tells apart are a oneof of messages, in wire fidelity, and nothing is lost.
func TestUnion(t *testing.T) {
	wire := decide.Options{Wire: true}
	documents := events(101, push, issue, watch, public, `+1 {"n":1}`, `-1 {"n":1}`, `a\"b {"n":2}`)
	f, md := infer(t, wire, documents...)
	got := declarations(f)
	for _, lines := range []string{
		"oneof payload {\n", "PushEventPayload push_event_payload = ", "message PublicEventPayload {}",
		"message PushEventPayload {\nint32 size = 1;\nrepeated Commit commits = 2;\n}",
		"message WatchEventPayload {\n", "string type = 9;",
	} {
		if !strings.Contains(got, lines) {
			t.Errorf("no %q, got\n%s", lines, got)
		}
	}
	if strings.Contains(got, "message Payload ") {
		t.Errorf("got\n%s", got)
	}
	if r := prove(f, md, documents...); r.Levels[proof.Lossy] > 0 || r.Samples != 101 {
		t.Errorf("%v %v", r.Levels, r.Findings)
	}
	text := strings.ReplaceAll(string(f.Print()), "\n  // ", " ")
	if want := "member payload, and type says which message it is."; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, f.Print())
	}
	flat, _ := infer(t, decide.Options{}, documents...)
	if got := declarations(flat); strings.Contains(got, "oneof") || !strings.Contains(got, "message Payload {") {
		t.Errorf("in JSON fidelity: got\n%s", got)
	}
}

// What speaks against a oneof.
func TestUnionEvidence(t *testing.T) {
	for _, tt := range []struct {
		name, against string
		hint          string
		documents     []string
	}{
		{"few objects", "little evidence", "", events(19, push, watch)},
		{"a string that came twice", "WatchEvent came only 2 times", "", append(events(100, push, issue), events(2, watch)...)},
		{"keys alike", "", "", events(100, `A {"size":1}`, `B {"size":2}`)},
		{"half of the keys alike", "", "", events(100, `A {"size":1,"a":1}`, `B {"size":2}`)},
		{"one object without", "", "", append(events(100, push, watch), `{"payload":{"size":1},"id":1}`)},
		{"a number", "", "", append(events(100, push, watch), `{"payload":{"size":1},"id":1,"type":1}`)},
		{"no object", "", "", append(events(100, push, watch), `{"payload":"x","id":1,"type":"PushEvent"}`)},
		{"too many strings", "", "", many(300, func(i int) string {
			return fmt.Sprintf(`{"type":"t%d","payload":{"%c":1}}`, i%65, 'a'+i%26)
		})},
		{"one of one member each", "", "", events(100, `A {"text":"x"}`, `B {"flag":true}`)},
		{"a message by hint", "", "message", events(100, push, issue, watch)},
	} {
		o := decide.Options{Wire: true}
		if tt.hint != "" {
			o.Hints = map[string]string{"$.payload": tt.hint}
		}
		f, md := infer(t, o, tt.documents...)
		if got := declarations(f); strings.Contains(got, "oneof payload") {
			t.Errorf("%s: got\n%s", tt.name, got)
		}
		if r := prove(f, md, tt.documents...); r.Levels[proof.Lossy] > 0 {
			t.Errorf("%s: %v", tt.name, r.Findings)
		}
		against := ""
		for _, field := range f.Root().Fields {
			against += strings.Join(field.Facts.Against, "; ")
		}
		if !strings.Contains(against, tt.against) || tt.against == "" && strings.Contains(against, "oneof: type") {
			t.Errorf("%s: against %q, want %q", tt.name, against, tt.against)
		}
	}
	o := decide.Options{Wire: true, Hints: map[string]string{"$.payload": "oneof"}}
	for _, documents := range [][]string{events(4, push, watch), events(100, `A {"size":1,"a":1}`, `B {"size":2,"a":1}`)} {
		if f, _ := infer(t, o, documents...); !strings.Contains(declarations(f), "oneof payload {") {
			t.Errorf("by hint: got\n%s", declarations(f))
		}
	}
}

// The lock keeps the numbers of members, also of those that go and come again; new strings become new members; a new
// key comes into its message.
func TestUnionLocked(t *testing.T) {
	documents := events(100, push, issue, watch, public)
	wire := decide.Options{Wire: true}
	f, _ := infer(t, wire, documents...)
	want, first := numbersOf(f), lock.Of(f)
	wire.Lock = read(t, first)
	same, _ := infer(t, wire, documents...)
	if string(same.Print()) != string(f.Print()) {
		t.Errorf("another schema with the lock:\n%s", same.Print())
	}
	fewer, _ := infer(t, wire, events(8, watch)...)
	kept := declarations(fewer)
	if !strings.Contains(kept, "oneof payload {") || !strings.Contains(kept, `"push_event_payload"`) {
		t.Errorf("got\n%s", kept)
	}
	later := lock.Of(fewer)
	later.Keep(first)
	wire.Lock = read(t, later)
	added := events(2, `ForkEvent {"forkee":{"id":1}}`, `WatchEvent {"size":1}`)
	more, md := infer(t, wire, append(documents, added...)...)
	got := numbersOf(more)
	for name, number := range want {
		if got[name] != number {
			t.Errorf("%s has number %d, was %d", name, got[name], number)
		}
	}
	if got["Event.fork_event_payload"] != 7 || got["WatchEventPayload.size"] != 2 {
		t.Errorf("got\n%s", declarations(more))
	}
	if r := prove(more, md, documents...); r.Levels[proof.Lossy] > 0 {
		t.Errorf("%v", r.Findings)
	}
	change := `add ForkEventPayload fork_event_payload = 7 to oneof payload of message Event for type "ForkEvent"`
	if changes := first.Changes(more); !slices.Contains(changes, lock.Change{Path: "$.payload", Change: change}) {
		t.Errorf("changes %v", changes)
	}
	// What --check does with one document.
	wire.KeepUnseen, wire.Lock = true, read(t, first)
	one, _ := infer(t, wire, events(1, watch)...)
	if changes := first.Changes(one); len(changes) > 0 || !strings.Contains(declarations(one), "push_event_payload") {
		t.Errorf("changes %v in\n%s", changes, declarations(one))
	}
	// In JSON fidelity the lock counts too.
	plain, _ := infer(t, decide.Options{Lock: read(t, first)}, documents...)
	if !strings.Contains(declarations(plain), "oneof payload {") {
		t.Errorf("got\n%s", declarations(plain))
	}
	for _, unseen := range []bool{true, false} {
		o := decide.Options{Wire: true, Lock: read(t, first), KeepUnseen: unseen}
		ended, _ := infer(t, o, append(documents, `{"id":1,"payload":{"size":1}}`)...)
		if got := declarations(ended); strings.Contains(got, "oneof") || !strings.Contains(got, "Payload payload = 7;") {
			t.Errorf("got\n%s", got)
		}
	}
	// What was a message in the lock stays one.
	flat, _ := infer(t, decide.Options{}, documents...)
	still, _ := infer(t, decide.Options{Wire: true, Lock: lock.Of(flat)}, documents...)
	if strings.Contains(declarations(still), "oneof") {
		t.Errorf("got\n%s", declarations(still))
	}
}

// read returns the lock after it was written and read.
func read(t *testing.T, l *lock.Lock) *lock.Lock {
	t.Helper()
	text, err := l.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	out, err := lock.Unmarshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func numbersOf(f *schema.File) map[string]int32 {
	out := map[string]int32{}
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			out[m.Name+"."+field.Name] = field.Number
		}
	}
	return out
}

// Documents become messages and come back, wherever such objects are; those with keys that only ProtoJSON has do not.
func TestUnionAdapted(t *testing.T) {
	inner := events(60, push, issue, watch, `Nested {"of":{"type":"PushEvent","payload":{"size":1}},`+
		`"by":{"type":"IssuesEvent","payload":{"issue":{"title":"x"}}}}`)
	for i := range inner {
		inner[i] = fmt.Sprintf(`{"list":[%s,%s],"maps":{"%d":%s},"type":"A","data":null}`,
			inner[i], inner[(i+7)%60], 1000+i, inner[i])
	}
	f, md := infer(t, decide.Options{Wire: true}, inner...)
	if !strings.Contains(declarations(f), "oneof payload {") {
		t.Fatalf("got\n%s", declarations(f))
	}
	if r := prove(f, md, inner...); r.Levels[proof.Lossy] > 0 {
		t.Errorf("%v", r.Findings)
	}
	documents := events(40, push, issue, watch)
	f, md = infer(t, decide.Options{Wire: true}, documents...)
	a := adapt.New(lock.Of(f).Schema("acme.v1"), md)
	for _, in := range append(documents, `{"type":"WatchEvent","payload":null}`) {
		text, err := a.AppendProtoJSON(nil, []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if err := protojson.Unmarshal(text, dynamic.NewMessage(md)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if back, err := a.AppendDocument(nil, text); err != nil || string(back) != in {
			t.Errorf("%s comes back as %s", in, back)
		}
	}
	for _, in := range []string{`{"type":"PushEvent","pushEventPayload":{}}`, `{"type":"NewEvent","payload":{}}`,
		`{"payload":{},"id":1}`, `{"type":"PushEvent","payload":{"issue":{}}}`} {
		text, err := a.AppendProtoJSON(nil, []byte(in))
		if err == nil {
			err = protojson.Unmarshal(text, dynamic.NewMessage(md))
		}
		if err == nil {
			t.Errorf("%s: no error, %s", in, text)
		}
	}
}

// A key of documents that is the name of a member is left out, and one that is there before gets the name.
func TestUnionNames(t *testing.T) {
	documents := events(40, push, watch, `push_event {"n":1}`)
	documents = append(documents, `{"id":1,"pushEventPayload":"x","push_event_payload":1,"payload_2":2}`)
	f, md := infer(t, decide.Options{Wire: true}, documents...)
	if r := prove(f, md, documents...); r.Levels[proof.Lossy] > 0 {
		t.Errorf("%v in\n%s", r.Findings, f.Print())
	}
	old := lock.Of(f)
	isWatch := func(f *schema.Field) bool { return f.Value == "WatchEvent" }
	key := f.Root().Fields[slices.IndexFunc(f.Root().Fields, isWatch)].Key
	later, _ := infer(t, decide.Options{Wire: true, Lock: old}, append(documents, fmt.Sprintf(`{%q:1}`, key))...)
	want := key + " (it is the name of a member of a oneof)"
	if !strings.Contains(strings.Join(later.Root().Comment, " "), want) {
		t.Errorf("no %q in\n%s", want, later.Print())
	}
	md2 := compile(t, later)
	if r := prove(later, md2, documents...); r.Levels[proof.Lossy] > 0 {
		t.Errorf("%v", r.Findings)
	}
}
