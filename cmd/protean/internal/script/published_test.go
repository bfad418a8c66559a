package script

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// published are sources of the kind that the published benchmark of a bridge for goja runs as
// text, again and again in one engine.
var published = []struct {
	name, source string
	redeclares   bool // it declares a constant at top level
}{
	{"create", `new M()`, false},
	{"set+get", `msg.set("name", "test"); msg.get("name")`, false},
	{"marshal+unmarshal", `const wire = pb.encode(msg); pb.decode(M, wire)`, true},
	{"to+from-json", `const plain = pb.toJSON(msg); pb.fromJSON(M, plain)`, true},
}

// engineWithMessage returns an engine in which M is the type, and msg a message of it.
func engineWithMessage(t *testing.T) *goja.Runtime {
	t.Helper()
	typ, m := builtin(t)
	c := open(t, typ, "gojapb (goja)", m).(*codec)
	if err := c.around(1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pb", "M"} {
		c.rt.Set(name, c.env.Get(name))
	}
	c.rt.Set("msg", c.env.Get("messages").ToObject(c.rt).Get("0"))
	return c.rt
}

// TestPublishedLoopsDoNothing shows that a source that declares a constant at top level does
// its work once: from the second time on it is a SyntaxError before anything runs.
func TestPublishedLoopsDoNothing(t *testing.T) {
	for _, p := range published {
		rt := engineWithMessage(t)
		if _, err := rt.RunString(p.source); err != nil {
			t.Errorf("%s, the first time: %v", p.name, err)
		}
		for range 3 {
			_, err := rt.RunString(p.source)
			t.Logf("%s, again: %v", p.name, err)
			if p.redeclares != (err != nil && strings.Contains(err.Error(), "SyntaxError: Identifier")) {
				t.Errorf("%s, again: %v; want a SyntaxError: %v", p.name, err, p.redeclares)
			}
		}
	}
}

// TestPublishedLoopsTimeTheParser counts what running a source as text allocates beyond
// running it compiled: as much as published figures consist of, and whatever the source does.
func TestPublishedLoopsTimeTheParser(t *testing.T) {
	for _, p := range published {
		rt := engineWithMessage(t)
		text := testing.AllocsPerRun(100, func() { _, _ = rt.RunString(p.source) })
		program, err := goja.Compile("", p.source, false)
		if err != nil {
			t.Fatal(err)
		}
		compiled := testing.AllocsPerRun(100, func() { _, _ = rt.RunProgram(program) })
		t.Logf("%s: %v allocations as text, of which the parser's are %v", p.name, text, text-compiled)
		if text-compiled < 0.75*text {
			t.Errorf("%s: %v of %v allocations are the parser's, want most", p.name, text-compiled, text)
		}
	}
}
