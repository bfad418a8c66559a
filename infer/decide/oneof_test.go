package decide_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/proof"
)

// changed returns the members of one document in n others.
func changed(n int, values ...string) []string {
	return many(n, func(i int) string { return `{"v":` + values[i%len(values)] + `,"id":1}` })
}

// Objects with one of several keys each are a oneof, in either fidelity, and nothing is lost.
func TestOneof(t *testing.T) {
	union := []string{`{"text":""}`, `{"flag":false}`, `{"made":{"id":1}}`, `{}`, `{"all":["a"]}`}
	for _, wire := range []bool{false, true} {
		documents := changed(100, union...)
		f, md := infer(t, decide.Options{Wire: wire}, documents...)
		got := declarations(f)
		for _, line := range []string{"oneof kind {", "string text = ", "bool flag = ", "Made made = ",
			"repeated string all = "} {
			if !strings.Contains(got, "\n"+line) {
				t.Errorf("wire %v: no %q, got\n%s", wire, line, got)
			}
		}
		r := prove(f, md, documents...)
		if r.Levels[proof.Lossy] > 0 || r.Levels[proof.SameText]+r.Levels[proof.SameJSON] < 80 {
			t.Errorf("wire %v: %v %v", wire, r.Levels, r.Findings)
		}
	}
	for _, tt := range []struct {
		name, against string
		hint          string
		documents     []string
	}{
		{"one has two members", "", "", append(changed(100, union...), `{"v":{"text":"a","flag":true}}`)},
		{"null is no member", "", "", append(changed(100, union...), `{"v":{"text":null}}`)},
		{"few objects", "little evidence", "", changed(15, union...)},
		{"a key that came once", "new was in 1 of them", "", append(changed(100, union...), `{"v":{"new":1}}`)},
		{"values alike", "all are alike", "", changed(100, `{"en":"a"}`, `{"de":"b"}`)},
		{"nothing but lists", "cannot be in a oneof", "", changed(100, `{"a":[1]}`, `{"b":{"10":1,"20":2,"30":1}}`)},
		{"a message by hint", "", "message", changed(100, union...)},
	} {
		o := decide.Options{}
		if tt.hint != "" {
			o.Hints = map[string]string{"$.v": tt.hint}
		}
		f, _ := infer(t, o, tt.documents...)
		if got := declarations(f); strings.Contains(got, "oneof") {
			t.Errorf("%s: got\n%s", tt.name, got)
		}
		against := ""
		for _, field := range f.Root().Fields {
			against += strings.Join(field.Facts.Against, "; ")
		}
		if !strings.Contains(against, tt.against) || tt.against == "" && strings.Contains(against, "oneof:") {
			t.Errorf("%s: against %q, want %q", tt.name, against, tt.against)
		}
	}
	o := decide.Options{Hints: map[string]string{"$.v": "oneof"}}
	if f, _ := infer(t, o, changed(4, union...)...); !strings.Contains(declarations(f), "oneof kind {") {
		t.Errorf("a oneof by hint: got\n%s", declarations(f))
	}
	o.Package, o.Message = "p", "M"
	_, err := decide.Schema(profileOf(t, `{"v":{"a":1,"b":"x"}}`), o)
	if want := "hint $.v=oneof: some objects have several members, or null"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The lock keeps a oneof and its name; new members come into it; what has several members ends it, and nothing else
// changes. What was a message stays one.
func TestOneofLocked(t *testing.T) {
	documents := changed(100, `{"text":"a"}`, `{"flag":true}`, `{"kind":3}`)
	f, _ := infer(t, decide.Options{}, documents...)
	old := lock.Of(f)
	if !strings.Contains(declarations(f), "oneof kind_2 {") {
		t.Fatalf("got\n%s", declarations(f))
	}
	again, _ := infer(t, decide.Options{Lock: old}, documents[:2]...)
	one, _ := infer(t, decide.Options{Lock: old, KeepUnseen: true}, documents[:1]...)
	if changes := old.Changes(one); len(changes) > 0 {
		t.Errorf("one key alone needs %v", changes)
	}
	kept, _ := infer(t, decide.Options{Lock: old, KeepUnseen: true}, append(documents[:2:2], `{"v":{"new":1.5}}`)...)
	for _, line := range []string{"oneof kind_2 {", "double new = 4;", "int32 kind = "} {
		if !strings.Contains(declarations(kept), line) {
			t.Errorf("no %q in\n%s", line, declarations(kept))
		}
	}
	if got := declarations(again); !strings.Contains(got, "oneof kind_2 {") || !strings.Contains(got, `reserved "kind";`) {
		t.Errorf("got\n%s", got)
	}
	ended, _ := infer(t, decide.Options{Lock: old}, append(documents, `{"v":{"text":"a","flag":true}}`)...)
	if got := declarations(ended); strings.Contains(got, "oneof") || strings.Contains(got, "reserved") ||
		!strings.Contains(got, "optional string text = ") {
		t.Errorf("got\n%s", got)
	}
	want := lock.Change{Path: "$.v",
		Change: "take the fields of message V out of oneof kind_2: some objects have several members, or null"}
	if changes := old.Changes(ended); !slices.Contains(changes, want) {
		t.Errorf("changes %v, want %v", changes, want)
	}
	flat, _ := infer(t, decide.Options{}, `{"v":{"text":"a","flag":true,"kind":1},"id":1}`)
	got, _ := infer(t, decide.Options{Lock: lock.Of(flat)}, documents...)
	if strings.Contains(declarations(got), "oneof") {
		t.Errorf("a message of the lock became a oneof:\n%s", declarations(got))
	}
}
