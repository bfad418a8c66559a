package protojson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// TestFromAnyDepth nests values as deeply as may be, and a level more or less.
func TestFromAnyDepth(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 8} {
		for _, n := range nests {
			for depth := max(0, limit-3); depth <= limit+2; depth++ {
				for _, m := range forms(t, n.m) {
					for _, discard := range []bool{false, true} {
						o := protojson.UnmarshalOptions{RecursionLimit: limit, DiscardUnknown: discard}
						checkFromText(t, []byte(n.text(depth)), m, o)
					}
				}
			}
		}
		for depth := range 40 {
			for _, discard := range []bool{false, true} {
				o := protojson.UnmarshalOptions{RecursionLimit: limit, DiscardUnknown: discard}
				checkFromText(t, []byte(anyFirst(depth)), new(anypb.Any), o)
			}
		}
	}
}

// TestToAnyDepth nests messages as deeply as encoding/json reads text, and more.
func TestToAnyDepth(t *testing.T) {
	skipIfBrief(t)
	for _, n := range nests {
		for _, m := range forms(t, n.m)[:2] {
			for _, depth := range []int{4_998, 4_999, 5_000, 9_998, 9_999, 10_000, 20_000} {
				o := protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: math.MaxInt}
				if o.Unmarshal([]byte(n.text(depth)), m) != nil {
					continue // it is not about messages
				}
				text, wantErr := protojson.Marshal(m)
				var want any
				if wantErr == nil {
					wantErr = json.Unmarshal(text, &want)
				}
				got, err := protojson.ToAny(m)
				if (err != nil) != (wantErr != nil) || !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %T, %d levels: %.200v, encoding/json: %v", n.name, m, depth, err, wantErr)
				}
			}
		}
	}
}

// TestToAnyCycle has messages that contain themselves.
func TestToAnyCycle(t *testing.T) {
	tree := &benchpb.Tree{Name: "cycle"}
	tree.Left, tree.Right = tree, tree
	children := &benchpb.Tree{}
	children.Children = []*benchpb.Tree{children, children}
	byName := &benchpb.Tree{}
	byName.ByName = map[string]*benchpb.Tree{"a": byName, "b": byName}
	extended := &legacypb.Extendable{}
	proto.SetExtension(extended, legacypb.E_ExtSelf, extended)
	list := &structpb.ListValue{}
	list.Values = []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}
	fields := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	fields.Fields["a"], fields.Fields["b"] = structpb.NewStructValue(fields), structpb.NewStructValue(fields)
	for _, m := range []proto.Message{tree, children, byName, extended, list, fields,
		&wellknownpb.Event{Payload: fields}} {
		for _, o := range []protojson.MarshalOptions{{}, {EmitUnpopulated: true, AllowPartial: true}} {
			if v, err := o.ToAny(m); !errors.Is(err, protojson.ErrDepth) || v != nil {
				t.Errorf("%T: %.200v", m, err)
			}
		}
	}
}

// TestFromAnyCycle has Go values that contain themselves.
func TestFromAnyCycle(t *testing.T) {
	object := map[string]any{}
	object["left"], object["right"], object["a"] = object, object, object
	list := []any{nil, nil}
	list[0], list[1] = list, list
	typed := map[string][]any{"children": {nil}}
	typed["children"][0] = typed
	entries := map[string]any{}
	entries["byName"] = map[string]any{"a": entries, "b": entries}
	packed := map[string]any{"@type": "google.protobuf.Any"}
	packed["value"] = packed
	var pointer any
	pointer = &pointer
	for _, v := range []any{object, list, typed, entries, packed, pointer, map[string]any{"left": object},
		map[string]any{"unknown": list}} {
		for _, m := range []proto.Message{new(benchpb.Tree), new(structpb.Value), new(structpb.Struct),
			new(structpb.ListValue), new(anypb.Any), new(legacypb.MessageSet)} {
			for _, k := range kinds {
				for _, limit := range []int{10, 0}[:race.Rounds(2)] {
					o := protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: limit}
					if err := o.FromAny(v, k.New(m.ProtoReflect().Type())); err == nil {
						t.Errorf("%T: no error", m)
					}
				}
			}
		}
	}
}

// TestFromAnyEndless has no limit to the depth but that of the stack.
func TestFromAnyEndless(t *testing.T) {
	skipIfBrief(t)
	object := map[string]any{}
	object["left"] = object
	for _, m := range []proto.Message{new(benchpb.Tree), new(structpb.Value)} {
		for _, k := range kinds {
			o := protojson.UnmarshalOptions{RecursionLimit: math.MaxInt}
			if err := o.FromAny(object, k.New(m.ProtoReflect().Type())); !errors.Is(err, protojson.ErrDepth) {
				t.Errorf("%.200v", err)
			}
		}
	}
}

// TestToAnyApart changes a message after it was made a Go value, and the reverse.
func TestToAnyApart(t *testing.T) {
	inside, err := proto.Marshal(&benchpb.Leaf{Name: "inside"})
	if err != nil {
		t.Fatal(err)
	}
	m := &wellknownpb.Event{Detail: &anypb.Any{TypeUrl: "a/protean.test.bench.Leaf", Value: inside},
		Arguments: []*structpb.Value{structpb.NewStringValue("argument")}}
	v, err := protojson.ToAny(m)
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(v)
	clear(inside)
	m.Arguments[0].Kind = nil
	if after := fmt.Sprint(v); after != before {
		t.Errorf("%s has become %s", before, after)
	}
	blob, read := []byte("blob"), new(benchpb.Strings)
	if err := protojson.FromAny(map[string]any{"blobs": []any{blob}}, read); err != nil {
		t.Fatal(err)
	}
	if clear(blob); string(read.Blobs[0]) != "blob" {
		t.Errorf("%q", read.Blobs)
	}
}

// grow changes all maps and lists in v in all ways, and checks that they are what maps and
// lists are.
func grow(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			grow(t, e)
		}
		same := maps.Clone(v)
		for i := range 40 {
			key := fmt.Sprint("key", i)
			v[key], same[key] = i, i
			if i%3 == 0 {
				delete(v, key)
				delete(same, key)
			}
			if len(v) != len(same) || v[key] != same[key] || i%8 == 0 && !reflect.DeepEqual(v, same) {
				t.Fatalf("%v instead of %v", v, same)
			}
		}
		for key := range same {
			if _, ok := v[key]; !ok {
				t.Fatalf("%q is lost", key)
			}
			delete(v, key)
		}
		if len(v) != 0 {
			t.Fatalf("%v is left", v)
		}
	case []any:
		for _, e := range v {
			grow(t, e)
		}
		_ = append(v, "beyond") // which must not reach into another list
	}
}

// TestToAnyMaps uses the maps and lists of a result: each is its own.
func TestToAnyMaps(t *testing.T) {
	for _, d := range documents(t) {
		m := d.ours()
		if err := protojson.Unmarshal([]byte(d.text), m); err != nil {
			t.Fatal(err)
		}
		v, err := protojson.ToAny(m)
		again, againErr := protojson.ToAny(m)
		if err != nil || againErr != nil {
			t.Fatal(err, againErr)
		}
		want := fmt.Sprint(again)
		if grow(t, v); fmt.Sprint(again) != want {
			t.Errorf("%s: another result has changed", d.name)
		}
	}
	wide := make([]string, 300)
	for i := range wide {
		wide[i] = strings.Repeat("x", i)
	}
	v, err := protojson.ToAny(&benchpb.Strings{List: wide})
	if err != nil {
		t.Fatal(err)
	}
	grow(t, v)
}

// TestGoAllocations counts the allocations in both directions.
func TestGoAllocations(t *testing.T) {
	allocs.NeedExact(t)
	want := map[string][2]float64{
		"shape=medium/kind=dynamic":  {5, 4},
		"shape=medium/kind=value":    {5, 7},
		"shape=order/kind=generated": {8, 17},
		"shape=order/kind=dynamic":   {8, 14},
		"shape=event/kind=generated": {9, 23},
		"shape=event/kind=dynamic":   {9, 25},
	}
	if !swissmap.Enabled() { // maps take two allocations each, and share none
		want = map[string][2]float64{
			"shape=medium/kind=dynamic":  {10, 4},
			"shape=medium/kind=value":    {10, 13},
			"shape=order/kind=generated": {25, 20},
			"shape=order/kind=dynamic":   {25, 17},
			"shape=event/kind=generated": {20, 28},
			"shape=event/kind=dynamic":   {20, 27},
		}
	}
	for _, d := range documents(t) {
		m := d.ours()
		if err := protojson.Unmarshal([]byte(d.text), m); err != nil {
			t.Fatal(err)
		}
		v, err := protojson.ToAny(m)
		if err != nil {
			t.Fatal(err)
		}
		to := allocations(t, func() error {
			_, err := protojson.ToAny(m)
			return err
		})
		from := allocations(t, func() error { return protojson.FromAny(v, d.ours()) })
		if got := [2]float64{to, from}; got != want[d.name] {
			t.Errorf("%s: %v, want %v", d.name, got, want[d.name])
		}
	}
}
