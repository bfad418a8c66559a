package profile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// events are documents whose member "payload" has keys by their type, before or after it; some reach each bound.
func events(n int) []string {
	var out []string
	for i := range n {
		member := fmt.Sprintf(`"payload":{"all":1,"k%d":2,"by":{"v%d":1}}`, i%7, i%5)
		kind := fmt.Sprintf(`"type":"T%d"`, i%7)
		if i%3 == 0 {
			member, kind = kind, member
		}
		rest := fmt.Sprintf(`"many":{"id%d":1},"k\u0069nd":"\u0041%d","wide":{"event":"e","x":{"w%d":1}}`,
			i%2100, i%70, i%200)
		out = append(out, fmt.Sprintf(`{%s,"long":{"a":%d},%s,%s}`, member, i, kind, rest))
		if i%1000 == 999 {
			out = append(out, `{"event":"`+strings.Repeat("x", 100)+`","long":{}}`, `{"action":"","long":{}}`, `{"payload":{}}`,
				`{"type":1,"payload":{"n":1}}`)
		}
	}
	return out
}

// What is counted by the strings beside objects adds up, to the byte, in any order and division.
func TestTaggedMerge(t *testing.T) {
	all := events(5000)
	addsUp(t, all, 1, 2, 7, 500)
	p := build(t, 0, all...)
	tagged := p.Root.Fields["payload"].Tagged
	if len(tagged) != 2 || tagged[0].Tag != "kind" || !tagged[0].Beyond || tagged[1].Tag != "type" || tagged[1].Beyond {
		t.Fatalf("tags %+v", tagged)
	}
	v := tagged[1].Values["T3"]
	if got := fmt.Sprint(v.Keys.ByKey()); v.Objects != 714 || got != "map[all:714 by:714 k3:714]" {
		t.Errorf("%d objects beside T3, keys %s", v.Objects, got)
	}
	for _, key := range []string{"long", "many"} {
		if tagged := p.Root.Fields[key].Tagged; len(tagged) == 0 || !tagged[0].Beyond || tagged[0].Values != nil {
			t.Errorf("%s: %+v", key, tagged[0])
		}
	}
	if x := p.Root.Fields["wide"].Fields["x"].Tagged; len(x) != 1 || len(x[0].Values["e"].Keys.ByKey()) != 200 {
		t.Errorf("wide.x: %+v", x)
	}
}

// Counts of strings that never repeat are within memory.
func TestTaggedMemory(t *testing.T) {
	const memory = 4 << 20
	b := NewBuilder(memory)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		d := fmt.Sprintf(`{"a%d":{"type":"t%d","b%d":{"k%d":1}}}`, r.IntN(1000), r.IntN(60), r.IntN(100), r.IntN(200))
		if _, err := b.Add([]byte(d)); err != nil {
			t.Fatal(err)
		}
	}
	p := b.Profile()
	if size := measure(p.Root); size > memory || p.Reduced == 0 || p.size < size*9/10 {
		t.Errorf("%d bytes, taken for %d, reduced %d times", size, p.size, p.Reduced)
	}
}

// What an edit by hand has broken is told.
func TestTaggedBroken(t *testing.T) {
	saved := text(t, build(t, 0, `{"type":"a","x":{"b":1}}`))
	for _, tt := range []struct{ old, new, want string }{
		{`"keys":{"b":1}`, `"keys":{"c":1}`, "a tag counts a key that there is not"},
		{`"values":{"a":{"objects":1,"keys":{"b":1}}}`, `"values":{"a":null}`, "a tag has no counts"},
		{`"tagged":[`, `"tagged":[null,`, "tags are not in order"},
	} {
		broken := strings.Replace(saved, tt.old, tt.new, 1)
		if _, err := Unmarshal([]byte(broken)); err == nil || err.Error() != "not a profile: "+tt.want {
			t.Errorf("%s: %v, want %s", tt.new, err, tt.want)
		}
	}
}
