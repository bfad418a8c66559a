package tree

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/race"
)

var field, cat = corpus.Field, corpus.Cat

// befores are what a message holds before another one is merged with it.
func befores(form index.Form) [][]byte {
	entries := cat(
		field(1, cat(field(1, "a"), field(2, field(3, "old")))),
		field(1, cat(field(1, "k"), field(2, field(5, field(1, cat(field(1, "x"), field(2, field(4, 1)))))))),
		field(9, "unknown"))
	elements := cat(field(1, field(3, "old")), field(1, ""), field(9, 7))
	switch form {
	case index.Struct:
		return [][]byte{nil, entries, field(9, "unknown")}
	case index.List:
		return [][]byte{nil, elements, field(9, "unknown")}
	}
	return [][]byte{
		nil, field(1, 0), field(2, 2.5), field(3, "old"), field(4, 1), field(5, entries), field(6, elements),
		field(5, []byte{}), field(9, "unknown"),
		cat(field(6, elements), field(9, "unknown")),
	}
}

// bodies are the wire cases, in each form in which they are of interest.
func bodies(form index.Form) map[string][]byte {
	out := map[string][]byte{}
	for _, c := range corpus.WireCases(!race.Brief()) {
		out[c.Name] = c.Wire
		if form != index.Value {
			out[c.Name] = cat(field(1, c.Wire), c.Wire)
			if tag, n := protowire.ConsumeVarint(c.Wire); n == 1 && (tag == 5<<3|2 || tag == 6<<3|2) {
				if inside, m := protowire.ConsumeBytes(c.Wire[1:]); m == len(c.Wire)-1 {
					out[c.Name] = inside
				}
			}
		}
	}
	return out
}

func TestRead(t *testing.T) {
	for _, form := range []index.Form{index.Value, index.Struct, index.List} {
		legal := 0
		for name, body := range bodies(form) {
			t.Run(name, func(t *testing.T) {
				for i, before := range befores(form) {
					if i > 0 && len(body) > 10000 {
						break // thousands of levels, slow to compare
					}
					for _, o := range []ReadOptions{{}, {Alias: true}, {DiscardUnknown: true}} {
						o.Depth = limit
						if checkRead(t, form, before, body, o) {
							legal++
						}
					}
				}
			})
		}
		if legal < 100 {
			t.Errorf("only %d legal bodies", legal)
		}
	}
}

func TestReadShapes(t *testing.T) {
	for s := range corpus.Shapes(t) {
		t.Run(s.Name, func(t *testing.T) {
			for _, alias := range []bool{false, true} {
				if !checkRead(t, index.Value, nil, s.Wire, ReadOptions{Depth: limit, Alias: alias}) {
					t.Error("an error")
				}
			}
			for i := range min(len(s.Wire), 300) { // cut anywhere
				checkRead(t, index.Value, nil, s.Wire[:i], ReadOptions{Depth: limit})
			}
		})
	}
}

// TestReadDepth tries all limits of depth around that which a message needs.
func TestReadDepth(t *testing.T) {
	for _, c := range corpus.WireCases(false) {
		for depth := range 12 {
			for _, form := range []index.Form{index.Value, index.Struct, index.List} {
				checkRead(t, form, nil, c.Wire, ReadOptions{Depth: depth})
			}
		}
		if c.Name == "depth 30" {
			for depth := range 100 {
				checkRead(t, index.Value, nil, c.Wire, ReadOptions{Depth: depth})
			}
		}
	}
}

// TestReadLong has texts, lists and objects that exceed what lies in one slab.
func TestReadLong(t *testing.T) {
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	var list, object []byte
	for i := range 5000 {
		text := strings.Repeat("text ", i%50)
		if i%500 == 7 {
			text = strings.Repeat("long ", 10*i)
		}
		list = append(list, field(1, field(3, text))...)
		list = append(list, field(1, field(6, field(1, field(2, float64(i)))))...)
		object = append(object, entry(text+"key"+strings.Repeat("x", i%7), field(5, entry("k", field(4, i%2))))...)
	}
	body := field(5, cat(entry("list", field(6, list)), entry("object", field(5, object)),
		entry("list again", field(6, list))))
	for _, alias := range []bool{false, true} {
		if !checkRead(t, index.Value, nil, body, ReadOptions{Depth: limit, Alias: alias}) {
			t.Error("an error")
		}
	}
}

func TestReadErrors(t *testing.T) {
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	bad := field(3, "\xff")
	for _, c := range []struct {
		m    proto.Message
		body []byte
		want error
		text string
	}{
		{new(structpb.Value), bad, protoerr.ErrUTF8, "byte 2: invalid UTF-8"},
		{new(structpb.Value), field(5, entry("a", field(6, cat(field(1, field(4, 1)), field(1, bad))))), protoerr.ErrUTF8, `struct_value.fields["a"].list_value.values[1]: byte 19: invalid UTF-8`},
		{new(structpb.Struct), entry("a b", field(6, field(1, bad))), protoerr.ErrUTF8, `fields["a b"].list_value.values[0]: byte 15: invalid UTF-8`},
		{new(structpb.Struct), entry("\xff", field(4, 1)), protoerr.ErrUTF8, "byte 4: invalid UTF-8"},
		{new(structpb.ListValue), field(1, field(5, entry("k", bad))), protoerr.ErrUTF8, `values[0].struct_value.fields["k"]: byte 13: invalid UTF-8`},
		{structpb.NewStringValue("merged with"), []byte{0x1a, 5}, protoerr.ErrTruncated, "byte 0: the input ends in the middle of a field"},
		{new(structpb.Value), []byte{0}, protoerr.ErrMalformed, "byte 0: malformed wire format"},
	} {
		err := read(c.m, c.body, ReadOptions{Depth: limit})
		if !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("%x: %v, want %s", c.body, err, c.text)
		}
	}
	for depth := range 3 {
		if err := read(new(structpb.ListValue), field(1, field(6, "")), ReadOptions{Depth: depth}); !errors.Is(err,
			protoerr.ErrDepth) {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

// TestReadIsOrdinary changes each message of a tree and sees that no other changes.
func TestReadIsOrdinary(t *testing.T) {
	for s := range corpus.Shapes(t) {
		if len(s.Wire) > 1000 {
			continue
		}
		tree := new(structpb.Value)
		if err := readOne(tree, s.Wire, index.Value, ReadOptions{Depth: limit}); err != nil {
			t.Fatal(err)
		}
		var all []*structpb.Value
		eachValue(tree, func(v *structpb.Value) { all = append(all, v) })
		for i := len(all) - 1; i >= 0; i-- { // from the leaves on, so that what is above differs
			copies := make([]*structpb.Value, i+1)
			for j, v := range all[:i+1] {
				copies[j] = proto.CloneOf(v)
			}
			change(all[i])
			if proto.Equal(all[i], copies[i]) {
				t.Fatal("a change without effect")
			}
			for j, v := range all[:i] {
				if v.GetStructValue() == nil && v.GetListValue() == nil && !proto.Equal(v, copies[j]) {
					t.Fatalf("a change of %v changed %v", all[i], v)
				}
			}
			proto.Reset(all[i])
			proto.Merge(all[i], copies[i])
		}
		if d := different(tree, s.Tree); d != "" {
			t.Fatalf("the tree has changed%s", d)
		}
	}
}

func change(v *structpb.Value) {
	switch k := v.Kind.(type) {
	case *structpb.Value_NullValue:
		k.NullValue = -1
	case *structpb.Value_NumberValue:
		k.NumberValue = -k.NumberValue + 1
	case *structpb.Value_StringValue:
		k.StringValue += "!"
	case *structpb.Value_BoolValue:
		k.BoolValue = !k.BoolValue
	case *structpb.Value_ListValue:
		k.ListValue.Values = append(k.ListValue.Values, structpb.NewStringValue("more"))
	case *structpb.Value_StructValue:
		for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} { // beyond what a small map holds
			k.StructValue.Fields[key] = structpb.NewStringValue("more")
		}
	}
}

func eachValue(v *structpb.Value, f func(*structpb.Value)) {
	f(v)
	for _, c := range v.GetStructValue().GetFields() {
		eachValue(c, f)
	}
	for _, c := range v.GetListValue().GetValues() {
		eachValue(c, f)
	}
}

// TestReadIntoMap has a map stay the same one when entries are added.
func TestReadIntoMap(t *testing.T) {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	fields := s.Fields
	if err := readOne(s, field(1, cat(field(1, "k"), field(2, field(4, 1)))), index.Struct,
		ReadOptions{Depth: limit}); err != nil || len(fields) != 1 {
		t.Error(fields, err)
	}
}

func TestReadAllocations(t *testing.T) {
	allocs.NeedExact(t)
	want := map[string]float64{
		"small":  4, // the Value, its object with the map, the leaves, the text
		"medium": 7, // and the objects below, the list, its elements
		"large":  18,
	}
	part := 5.0              // of what the official library allocates
	if !swissmap.Enabled() { // maps take two allocations each, and share none
		want = map[string]float64{"small": 6, "medium": 13, "large": 616}
		part = 4
	}
	for s := range corpus.Shapes(t) {
		allocate := func(alias bool) float64 {
			// So often that what is allocated to know the keys, once, does not count.
			return testing.AllocsPerRun(200, func() {
				if err := readOne(new(structpb.Value), s.Wire, index.Value,
					ReadOptions{Depth: limit, Alias: alias}); err != nil {
					t.Error(err)
				}
			})
		}
		n := allocate(false)
		if w, ok := want[s.Name]; ok && n != w {
			t.Errorf("%s: %v allocations, want %v", s.Name, n, w)
		}
		official := testing.AllocsPerRun(5, func() { _ = proto.Unmarshal(s.Wire, new(structpb.Value)) })
		if n > official/part {
			t.Errorf("%s: %v allocations, the official library has %v", s.Name, n, official)
		}
		if a := allocate(true); a >= n && s.Name != "floats" { // which have no text
			t.Errorf("%s: %v allocations with alias, %v without", s.Name, a, n)
		}
	}
}

func TestConcurrency(t *testing.T) {
	all := make([]corpus.Shape, 0, 12)
	for s := range corpus.Shapes(t) {
		if len(s.Wire) < 10000 {
			all = append(all, s)
		}
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				for _, s := range all {
					v := new(structpb.Value)
					if err := readOne(v, s.Wire, index.Value, ReadOptions{Depth: limit}); err != nil {
						t.Error(err)
					}
					checkWrite(t, v)
				}
			}
		})
	}
	wait.Wait()
}
