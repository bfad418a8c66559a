package structpbtype

import (
	"encoding/json"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
)

type (
	id     string
	level  int
	object map[string]any
	person struct{ Name string }
	stated int
)

func (stated) String() string { return "" }

func refused(tags []string, at time.Time, i id, n level, p *person, s stated, given map[string]any) {
	_, _ = structpb.NewStruct(map[string]any{
		"tags":   tags,                             // want `structpb.NewStruct refuses a \[\]string at run time`
		"list":   []string{"a", "b"},               // want `refuses a \[\]string`
		"labels": map[string]string{"a": "b"},      // want `refuses a map\[string\]string`
		"at":     at,                               // want `refuses a time.Time`
		"id":     i,                                // want `refuses a id`
		"level":  n,                                // want `refuses a level`
		"person": p,                                // want `refuses a \*person`
		"stated": s,                                // want `refuses a stated`
		"span":   time.Second,                      // want `refuses a time.Duration`
		"object": object{},                         // want `refuses a object`
		"value":  structpb.NewBoolValue(true),      // want `refuses a \*google.golang.org/protobuf/types/known/structpb.Value`
		"floats": []float64{1, 2},                  // want `refuses a \[\]float64`
		"nested": map[string]any{"x": []any{1, i}}, // want `refuses a id`
		"maps":   []map[string]any{{"a": 1}},       // want `refuses a \[\]map\[string\]interface\{\}|refuses a \[\]map\[string\]any`
	})
	_, _ = structpb.NewValue(tags)         // want `structpb.NewValue refuses a \[\]string`
	_, _ = structpb.NewList([]any{"a", p}) // want `structpb.NewList refuses a \*person`

	m := map[string]any{}
	m["tags"] = tags // want `refuses a \[\]string`
	if at.IsZero() {
		m["at"] = at // want `refuses a time.Time`
	}
	_, _ = structpb.NewStruct(m)
	m["person"] = p

	given["tags"] = tags
	_, _ = structpb.NewStruct(given)
}

func overwritten(tags []string, others []any, normalize func(map[string]any), key string, yes bool) {
	m := map[string]any{"tags": tags, "kept": tags} // want `refuses a \[\]string`
	m["tags"] = others
	_, _ = structpb.NewStruct(m)

	m = map[string]any{"tags": tags} // want `refuses a \[\]string`
	if yes {
		m["tags"] = others
	}
	_, _ = structpb.NewStruct(m)

	m = map[string]any{"tags": tags}
	normalize(m)
	_, _ = structpb.NewStruct(m)

	m = map[string]any{"tags": tags}
	m[key] = others
	_, _ = structpb.NewStruct(m)
}

func fine[T any](given map[string]any, x any, t T, o object, r json.RawMessage) {
	_, _ = structpb.NewStruct(map[string]any{
		"a": 1, "b": 2.5, "c": "s", "d": true, "e": nil, "f": []byte("x"), "g": json.Number("1"),
		"h": map[string]any{"i": []any{}}, "j": x, "k": t, "l": int8(1), "m": uint32(1), "n": 'x', "o": float32(1),
		"p": map[string]interface{}{}, "q": given,
	})
	_, _ = structpb.NewStruct(given)
	_, _ = structpb.NewStruct(o)
	_, _ = structpb.NewValue(x)
	m := map[string]any{}
	if x == nil {
		m["r"] = r
		return
	}
	_, _ = structpb.NewStruct(m)
}
