package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

// A treeWorker turns data without a schema into Go values in many ways, changes the maps among them, and keeps them.
type treeWorker struct {
	*stress
	*rand.Rand
	kept [64]keptTree
}

type keptTree struct {
	name      string
	got, want any
}

func startTrees(s *stress, _ int, r *rand.Rand) (worker, error) {
	return &treeWorker{stress: s, Rand: r}, nil
}

// A treeWay makes a Go value of a google.protobuf.Value, which it is given as it is on the wire and as a Go value.
type treeWay struct {
	name string
	make func(wire []byte, data any) (any, error)
}

var treeWays = []treeWay{
	{"value.Unmarshal", func(wire []byte, _ any) (v any, err error) {
		err = value.Unmarshal(wire, &v)
		return v, err
	}},
	{"value.Unmarshal, aliased", func(wire []byte, _ any) (v any, err error) {
		err = value.UnmarshalOptions{AliasInput: true}.Unmarshal([]byte(string(wire)), &v)
		return v, err
	}},
	{"value.Unmarshal of value.Marshal", func(_ []byte, data any) (v any, err error) {
		b, err := value.Marshal(data)
		if err == nil {
			err = value.Unmarshal(b, &v)
		}
		return v, err
	}},
	{"value.Doc", func(wire []byte, _ any) (any, error) {
		d, err := value.Parse([]byte(string(wire)))
		return d.Interface(), err
	}},
	{"value.Doc, node by node", func(wire []byte, _ any) (any, error) {
		d, err := value.Parse([]byte(string(wire)))
		if err != nil {
			return nil, err
		}
		return fromDoc(d)
	}},
	{"value.AppendFromJSON of value.AppendJSON", func(wire []byte, _ any) (v any, err error) {
		text, err := value.AppendJSON(nil, wire)
		if err != nil {
			return nil, err
		}
		if wire, err = value.AppendFromJSON(nil, text); err != nil {
			return nil, err
		}
		err = value.Unmarshal(wire, &v)
		return v, err
	}},
	{"value.Interface", func(wire []byte, _ any) (any, error) {
		m := new(structpb.Value)
		err := protean.Unmarshal(wire, m)
		return value.Interface(m), err
	}},
	{"value.New", func(_ []byte, data any) (any, error) {
		m, err := value.New(data)
		return m.AsInterface(), err
	}},
	{"protojson.ToAny", func(wire []byte, _ any) (any, error) {
		m := new(structpb.Value)
		if err := protean.Unmarshal(wire, m); err != nil {
			return nil, err
		}
		return protojson.ToAny(m)
	}},
	{"protojson.FromAny", func(_ []byte, data any) (any, error) {
		m := new(structpb.Value)
		err := protojson.FromAny(data, m)
		return m.AsInterface(), err
	}},
	{"protojson.Unmarshal", func(wire []byte, _ any) (any, error) {
		text, err := value.AppendJSON(nil, wire)
		if err != nil {
			return nil, err
		}
		m := new(structpb.Value)
		err = protojson.Unmarshal(text, m)
		return m.AsInterface(), err
	}},
}

// fromDoc makes a Go value of a document, one node after the other.
func fromDoc(d value.Doc) (any, error) {
	switch d.Kind() {
	case value.Object:
		m := map[string]any{}
		for k, e := range d.Fields() {
			v, err := fromDoc(e)
			if err != nil {
				return nil, err
			}
			m[k] = v
		}
		return m, d.Err()
	case value.List:
		l := make([]any, 0, d.Len())
		for _, e := range d.Elements() {
			v, err := fromDoc(e)
			if err != nil {
				return nil, err
			}
			l = append(l, v)
		}
		return l, d.Err()
	}
	return d.Interface(), d.Err()
}

func (w *treeWorker) turn() {
	want := w.data(4)
	m, err := structpb.NewValue(want)
	if err != nil {
		w.mismatch("structpb.NewValue: %v", err)
		return
	}
	wire := []byte(content(m))
	way := treeWays[w.IntN(len(treeWays))]
	var got any
	onStacks(w.Rand, func() { got, err = way.make(wire, want) })
	if err != nil {
		w.mismatch("%s: %v", way.name, err)
		return
	}
	w.same(way.name, got, want)
	if g, ok := got.(map[string]any); ok {
		w.change(way.name, g, want.(map[string]any))
	}
	w.changeMessage(wire)
	place := &w.kept[w.IntN(len(w.kept))]
	w.same(place.name, place.got, place.want)
	*place = keptTree{way.name + ", kept", got, want}
}

// data returns a random value as package structpb makes them.
func (w *treeWorker) data(depth int) any {
	switch k := w.IntN(8); {
	case k < 3 && depth > 0:
		n := w.IntN(12)
		if w.IntN(16) == 0 {
			n, depth = w.IntN(300), 1
		}
		m := map[string]any{}
		for range n {
			m[w.key()] = w.data(depth - 1)
		}
		return m
	case k == 3 && depth > 0:
		l := make([]any, w.IntN(10))
		for i := range l {
			l[i] = w.data(depth - 1)
		}
		return l
	case k == 4:
		return w.NormFloat64()
	case k == 5:
		return w.IntN(2) == 0
	case k == 6:
		return nil
	}
	return strings.Repeat(string(rune('a'+w.IntN(26))), w.IntN(40))
}

func (w *treeWorker) key() string { return fmt.Sprint("key", w.IntN(1000)) }

// same compares two values in the ways in which Go looks at maps.
func (w *treeWorker) same(name string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		w.mismatch("%s: %.300v, want %.300v", name, got, want)
		return
	}
	if w.IntN(8) > 0 {
		return
	}
	a, err := json.Marshal(got)
	b, wantErr := json.Marshal(want)
	if err != nil || wantErr != nil || string(a) != string(b) || fmt.Sprint(got) != fmt.Sprint(want) {
		w.mismatch("%s: %.300s, %v, want %.300s", name, a, err, b)
	}
}

// change does to a map what programs do to maps, and the same to one that Go has made.
func (w *treeWorker) change(name string, got, want map[string]any) {
	for range w.IntN(6) {
		mapChanges[w.IntN(len(mapChanges))](w, got, want)
		if len(got) != len(want) {
			w.mismatch("%s: %d entries, want %d", name, len(got), len(want))
		}
		w.same(name+", changed", got, want)
	}
}

var mapChanges = []func(w *treeWorker, got, want map[string]any){
	func(w *treeWorker, got, want map[string]any) { // grow
		for i := range w.IntN(80) {
			k := w.key()
			got[k], want[k] = i, i
		}
	},
	func(w *treeWorker, got, want map[string]any) { // shrink
		for k := range want {
			if w.IntN(2) == 0 {
				delete(got, k)
				delete(want, k)
			}
		}
	},
	func(w *treeWorker, got, want map[string]any) { // empty
		if w.IntN(4) == 0 {
			clear(got)
			clear(want)
		}
	},
	changeWhileRanging,
	func(w *treeWorker, got, want map[string]any) { // copy, and change the copy alone
		c := maps.Clone(got)
		w.same("a clone", c, want)
		for i := range 40 {
			c[fmt.Sprint("more", i)] = i
		}
		for k := range want {
			delete(c, k)
		}
	},
	func(w *treeWorker, got, want map[string]any) { // read at the same time
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for k, v := range got {
					if x, ok := want[k]; !ok || !reflect.DeepEqual(v, x) {
						w.mismatch("read concurrently: entry %q is %.100v, want %.100v", k, v, x)
					}
				}
			})
		}
		all.Wait()
	},
	func(w *treeWorker, got, want map[string]any) { // by reflection
		v, n := reflect.ValueOf(got), 0
		for i := v.MapRange(); i.Next(); n++ {
			if x, ok := want[i.Key().String()]; !ok || !reflect.DeepEqual(i.Value().Interface(), x) {
				w.mismatch("read by reflection: entry %q is %.100v, want %.100v", i.Key(), i.Value(), x)
			}
		}
		if n != len(want) {
			w.mismatch("read by reflection: %d entries, want %d", n, len(want))
		}
		k := w.key()
		v.SetMapIndex(reflect.ValueOf(k), reflect.ValueOf(n))
		want[k] = n
	},
}

// changeWhileRanging deletes, sets and adds entries while a map is ranged over, which may come to each key once.
func changeWhileRanging(w *treeWorker, got, want map[string]any) {
	seen := map[string]bool{}
	for k := range got {
		if seen[k] {
			w.mismatch("a range over a map comes to %q twice", k)
		}
		seen[k] = true
		if len(seen) > 50 {
			continue
		}
		if w.IntN(2) == 0 {
			delete(got, k)
			delete(want, k)
		}
		for i := range w.IntN(4) {
			// An entry that is made again after it was deleted is another one, to which a range may come, too.
			if added := w.key(); !seen[added] {
				got[added], want[added] = i, i
			}
		}
	}
}

// changeMessage changes the map of a structpb.Struct and reads into it again.
func (w *treeWorker) changeMessage(wire []byte) {
	m := new(structpb.Value)
	if err := protean.Unmarshal(wire, m); err != nil {
		w.mismatch("proto.Unmarshal: %v", err)
		return
	}
	fields := m.GetStructValue().GetFields()
	if fields == nil {
		return
	}
	clone := proto.Clone(m)
	want := maps.Clone(fields)
	for range w.IntN(40) {
		k := w.key()
		if w.IntN(3) == 0 {
			delete(fields, k)
			delete(want, k)
		} else {
			fields[k] = structpb.NewStringValue(k)
			want[k] = fields[k]
		}
	}
	if !maps.Equal(fields, want) {
		w.mismatch("structpb: %d entries, want %d", len(fields), len(want))
	}
	if content(clone) != string(wire) {
		w.mismatch("structpb: a clone has changed with the message")
	}
}

func (w *treeWorker) end() {
	for _, k := range w.kept {
		w.same(k.name, k.got, k.want)
	}
}
