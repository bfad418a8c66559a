package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/protean-pb/protean/infer/schema"
)

const eventProto = `syntax = "proto3";
package acme.v1;
import "google/protobuf/struct.proto";
message Event {
  string id = 1;
  repeated Item items = 2;
  map<string, Item> by_name = 3;
  google.protobuf.Value any = 4;
  Event parent = 5;
}
message Item { optional int32 n = 1; bytes data = 2; int64 big = 3; }
`

func prover(t testing.TB, text string) *Prover {
	t.Helper()
	md, err := Compile([]byte(text), "acme.v1.Event")
	if err != nil {
		t.Fatal(err)
	}
	return New(&schema.File{}, md)
}

// listed are differences as lines.
func listed(found []difference) []string {
	var out []string
	for _, d := range found {
		out = append(out, fmt.Sprintf("%s %s (%v)", d.path, d.what, d.level))
	}
	return out
}

func TestProve(t *testing.T) {
	p := prover(t, eventProto)
	for range 2 { // memory and places are used again
		for _, tt := range []struct {
			text string
			want []string
		}{
			{`{"id":"a","items":[{"n":0}]}`, nil},
			{`{"items":[{"n":1}],"id":"a"}`, []string{"  (same JSON)"}},
			{`{"id":"\u0061\/"}`, []string{"  (same JSON)"}},
			{`{"id":"","items":[],"parent":{"id":""}}`, []string{`$.id "" becomes absent (same value)`,
				"$.items [] becomes absent (same value)", `$.parent.id "" becomes absent (same value)`}},
			{`{"items":[{"n":1},{"n":null}],"byName":{"x":{"big":1},"y":{"data":"_-8="}}}`, []string{
				"$.items[].n null becomes absent (same value)", "$.byName{}.big a number becomes a string (same value)",
				"$.byName{}.data is another string (lossy)"}},
			{`{"any":{"id":[1.50,0.1234567890123456789]},"parent":{"parent":{"id":""}}}`, []string{
				"$.any{}[] loses digits (lossy)", `$.parent.parent.id "" becomes absent (same value)`}},
			{`{"more":1}`, []string{"$ is not read: unknown field (lossy)"}},
			{`{"items":[{},{"n":"x"}]}`, []string{"$.items[].n is not read: invalid value (lossy)"}},
		} {
			got := listed(p.prove([]byte(tt.text)))
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
			}
		}
	}
}

// The differences are those that a comparison of decoded values finds, whatever the order of members, the number of
// them, and how strings are spelled.
func TestDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := differ{root: rootPlace(nil, nil)}
	for round := range 500 {
		want := randomValue(r, 0)
		got := changed(r, want)
		a, b := randomText(r, want), randomText(r, got)
		var expected []string
		naive("$", want, got, &expected)
		d.found = d.found[:0]
		d.compare(a, b)
		found := listed(d.found)
		slices.Sort(found)
		slices.Sort(expected)
		if !slices.Equal(found, expected) {
			t.Fatalf("round %d:\n%s\n%s\n%q, want\n%q", round, a, b, found, expected)
		}
	}
}

func randomValue(r *rand.Rand, depth int) any {
	if depth > 3 {
		return "leaf"
	}
	switch r.IntN(4) {
	case 0:
		return []any{nil, true, false, 0.0, 1.0, "", "é\"\\\n", "text"}[r.IntN(8)]
	case 1:
		out := []any{}
		for range r.IntN(4) {
			out = append(out, randomValue(r, depth+1))
		}
		return out
	}
	out := map[string]any{}
	n := r.IntN(6)
	if depth == 3 && r.IntN(4) == 0 {
		n = 2 * maxTried
	}
	for i := range n {
		out[fmt.Sprintf("k\n%d", i)] = randomValue(r, depth+1)
	}
	return out
}

// changed is a copy with a few members less, more and other ones.
func changed(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if r.IntN(8) > 0 {
				out[k] = changed(r, v[k])
			}
		}
		for i := range r.IntN(8) {
			out[fmt.Sprintf("new%d", i)] = "x"
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, changed(r, x))
		}
		if r.IntN(10) == 0 {
			out = append(out, "x")
		}
		return out
	}
	if r.IntN(10) == 0 {
		return "other"
	}
	return v
}

// randomText is a JSON text of a value, with members in any order and with white space.
func randomText(r *rand.Rand, v any) []byte {
	space := func() string { return []string{"", "", " ", "\n\t"}[r.IntN(4)] }
	var out bytes.Buffer
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if r.IntN(2) == 0 {
			r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		}
		for i, k := range keys {
			out.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
			fmt.Fprintf(&out, "%s%s%s:%s%s%s", space(), randomString(r, k), space(), space(), randomText(r, v[k]), space())
		}
		if len(keys) == 0 {
			out.WriteString("{" + space())
		}
		out.WriteString("}")
	case []any:
		out.WriteString("[" + space())
		for i, x := range v {
			out.WriteString(map[bool]string{true: "", false: ","}[i == 0])
			out.Write(randomText(r, x))
		}
		out.WriteString("]")
	case string:
		out.WriteString(randomString(r, v))
	default:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		out.Write(text)
	}
	return out.Bytes()
}

func randomString(r *rand.Rand, s string) string {
	if r.IntN(2) == 0 {
		text, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	out := `"`
	for _, c := range s {
		out += fmt.Sprintf(`\u%04x`, c)
	}
	return out + `"`
}

// naive compares decoded values, as the differ compares texts.
func naive(path string, want, got any, out *[]string) {
	add := func(path, what string, level Level) {
		*out = append(*out, fmt.Sprintf("%s %s (%v)", path, what, level))
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			add(path, "is another value", Lossy)
			return
		}
		for k, x := range w {
			if y, ok := g[k]; ok {
				naive(path+"{}", x, y, out)
				continue
			}
			text, err := json.Marshal(x)
			if err != nil {
				panic(err)
			}
			if slices.Contains([]string{"null", "[]", "{}", "false", `""`, "0"}, string(text)) {
				add(path+"{}", string(text)+" becomes absent", SameValue)
			} else {
				add(path+"{}", "is lost", Lossy)
			}
		}
		for k := range g {
			if _, ok := w[k]; !ok && len(g) > len(w) {
				add(path+"{}", "was not there", Lossy)
			}
		}
		return
	case []any:
		g, ok := got.([]any)
		switch {
		case !ok:
			add(path, "is another value", Lossy)
		case len(w) != len(g):
			add(path, "has another length", Lossy)
		default:
			for i := range w {
				naive(path+"[]", w[i], g[i], out)
			}
		}
		return
	}
	if want == got {
		return
	}
	_, a := want.(string)
	_, b := got.(string)
	if a && b {
		add(path, "is another string", Lossy)
	} else {
		add(path, "is another value", Lossy)
	}
}
