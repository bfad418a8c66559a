package value

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/test/interrupt"
)

// stepped is called by the methods of the types below. It is not safe for concurrent use.
var stepped = func() {}

// step calls it, once: not again for what it does itself.
func step() {
	f := stepped
	stepped = func() {}
	f()
	stepped = f
}

// A textWord is written and read by methods of its own, as a value and as a key.
type textWord string

func (w textWord) MarshalText() ([]byte, error) {
	step()
	return []byte(w), nil
}

func (w *textWord) UnmarshalText(b []byte) error {
	step()
	*w = textWord(b)
	return nil
}

// A jsonData is written and read as JSON by methods of its own.
type jsonData struct{ v any }

func (d jsonData) MarshalJSON() ([]byte, error) {
	step()
	return json.Marshal(d.v)
}

func (d *jsonData) UnmarshalJSON(b []byte) error {
	step()
	return json.Unmarshal(b, &d.v)
}

// A steppingDoc has methods of its own in many places.
type steppingDoc struct {
	Before string
	Word   textWord
	Data   jsonData
	List   []jsonData
	Keys   map[textWord]map[string]textWord
	Below  *steppingDoc `json:",omitempty"`
	After  []any
}

func newSteppingDoc(data any, below *steppingDoc) *steppingDoc {
	return &steppingDoc{
		Before: strings.Repeat("before ", 20), Word: "word", Data: jsonData{data}, List: []jsonData{{"a"}, {data}},
		Keys:  map[textWord]map[string]textWord{"key": {"k": "v"}, "other": {"a": "1"}},
		Below: below, After: []any{data, "after"},
	}
}

// A treeUser uses the functions of this package after something was interrupted, and keeps the results.
type treeUser struct {
	t    *testing.T
	kept *interrupt.Kept
	name string // of what was interrupted
	n    int

	data       any // what is read and written
	wire, text string
}

func newTreeUser(t *testing.T) *treeUser {
	t.Helper()
	u := &treeUser{t: t, kept: interrupt.Keep(t)}
	u.data = map[string]any{
		"text": strings.Repeat("text ", 100), "number": 1.5, "true": true, "null": nil,
		"list": []any{1.0, "two", map[string]any{"three": 3.0}}, "object": map[string]any{"b": "2", "a": []any{}},
	}
	wire, err := MarshalOptions{Deterministic: true}.Marshal(u.data)
	u.must(err)
	text, err := AppendJSON(nil, wire)
	u.must(err)
	u.wire, u.text = string(wire), string(text)
	return u
}

func (u *treeUser) must(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
}

// use reads and writes the data in all ways.
func (u *treeUser) use() {
	u.t.Helper()
	u.useOnce()
	if u.n++; u.n%16 == 0 {
		u.nested()
	}
}

func (u *treeUser) useOnce() {
	u.t.Helper()
	wire := func(b []byte, err error) []byte {
		u.t.Helper()
		u.must(err)
		u.kept.Add("wire form after "+u.name, u.wire, func() string { return string(b) })
		return b
	}
	value := func(v any, err error) {
		u.t.Helper()
		u.must(err)
		u.kept.Add("value after "+u.name, "the data", func() string {
			if !reflect.DeepEqual(v, u.data) {
				return "something else"
			}
			return "the data"
		})
	}
	b := wire(MarshalOptions{Deterministic: true}.Marshal(u.data))
	text, err := AppendJSON(nil, b)
	u.must(err)
	u.kept.Add("text after "+u.name, u.text, func() string { return string(text) })
	b = wire(AppendFromJSON(nil, text))
	b = wire(AppendCanonical(nil, b))
	b, err = Set(b, "another", "list", 0)
	u.must(err)
	b = wire(Set(b, 1.0, "list", 0))
	var v any
	err = Unmarshal(b, &v)
	value(v, err)
	var m map[string]any
	err = Unmarshal(b, &m)
	value(any(m), err)
	d, err := Parse(b)
	value(d.Interface(), err)
	pb, err := New(u.data)
	value(pb.AsInterface(), err)
	value(Interface(pb), nil)
}

// nested uses the functions in the midst of using them: calls that were handed the same memory would be in one
// another's way.
func (u *treeUser) nested() {
	u.t.Helper()
	stepped = u.useOnce
	doc := newSteppingDoc(u.data, newSteppingDoc(1.5, nil))
	u.checkDoc(doc)
	b, err := Set([]byte(u.wire), doc, "object", "a", 0)
	u.must(err)
	d, err := Parse(b)
	u.must(err)
	got := new(steppingDoc)
	u.must(d.Get("object", "a", 0).Decode(got))
	if !reflect.DeepEqual(got, doc) {
		u.t.Errorf("Set after %s: %v, want %v", u.name, got, doc)
	}
	stepped = func() {}
}

// checkDoc writes a document and reads it again.
func (u *treeUser) checkDoc(doc *steppingDoc) {
	u.t.Helper()
	b, err := MarshalOptions{Deterministic: true}.Marshal(doc)
	u.must(err)
	got := new(steppingDoc)
	u.must(Unmarshal(b, got))
	if !reflect.DeepEqual(got, doc) {
		u.t.Errorf("after %s: %v, want %v", u.name, got, doc)
	}
}

// TestInterruptedByMethods has the methods of the caller's types panic.
func TestInterruptedByMethods(t *testing.T) {
	u := newTreeUser(t)
	doc := newSteppingDoc(u.data, newSteppingDoc("below", nil))
	wire, err := Marshal(doc)
	u.must(err)
	for name, call := range map[string]func(){
		"Marshal and Unmarshal": func() { u.checkDoc(doc) },
		"Unmarshal into what is there": func() {
			got := newSteppingDoc("old", newSteppingDoc("old", nil))
			u.must(Unmarshal(wire, got))
			if !reflect.DeepEqual(got, doc) {
				t.Errorf("%v, want %v", got, doc)
			}
		},
		"Decode": func() {
			d, err := Parse(wire)
			u.must(err)
			var got steppingDoc
			u.must(d.Decode(&got))
			if !reflect.DeepEqual(&got, doc) {
				t.Errorf("%v, want %v", got, doc)
			}
		},
		"New": func() {
			pb, err := New(doc)
			u.must(err)
			b, err := MarshalOptions{Deterministic: true}.Marshal(pb)
			u.must(err)
			var got steppingDoc
			u.must(Unmarshal(b, &got))
			if !reflect.DeepEqual(&got, doc) {
				t.Errorf("%v, want %v", got, doc)
			}
		},
		"Set": func() {
			b, err := Set([]byte(u.wire), doc, "list", 1)
			u.must(err)
			b, err = AppendSet([]byte("dst"), b, jsonData{u.data}, "object", "new")
			u.must(err)
			d, err := Parse(b[3:])
			u.must(err)
			var got steppingDoc
			u.must(d.Get("list", 1).Decode(&got))
			if !reflect.DeepEqual(&got, doc) || !reflect.DeepEqual(d.Get("object", "new").Interface(), u.data) {
				t.Errorf("%v, want %v", d.Interface(), doc)
			}
		},
	} {
		u.name = name
		n := interrupt.Steps(t, func(step func()) {
			stepped = step
			defer func() { stepped = func() {} }()
			call()
		}, u.use)
		if n < 5 {
			t.Errorf("%s: only %d interruptions", name, n)
		}
	}
}

// TestInterruptedByLoops has the bodies of loops over a document panic.
func TestInterruptedByLoops(t *testing.T) {
	u := newTreeUser(t)
	u.name = "a loop"
	d, err := Parse([]byte(u.wire))
	u.must(err)
	var walk func(d Doc, step func())
	walk = func(d Doc, step func()) {
		for _, e := range d.Fields() {
			step()
			walk(e, step)
		}
		for _, e := range d.Elements() {
			step()
			walk(e, step)
		}
	}
	n := interrupt.Steps(t, func(step func()) { walk(d, step) }, func() {
		u.use()
		if !reflect.DeepEqual(d.Interface(), u.data) {
			t.Fatalf("%v", d.Interface())
		}
	})
	if n != 12 {
		t.Errorf("%d interruptions", n)
	}
}
