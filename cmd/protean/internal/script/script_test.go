package script

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
	"github.com/protean-pb/protean/dynamic"
)

// builtin returns the type and the only sample of the suite.
func builtin(t *testing.T) (*variant.Type, proto.Message) {
	t.Helper()
	s, err := suite.Builtin("script")
	if err != nil {
		t.Fatal(err)
	}
	p := s.Payloads[0]
	typ := typeOf(p.Message)
	m := typ.New()
	if err := proto.Unmarshal(p.Samples[0].Wire, m); err != nil {
		t.Fatal(err)
	}
	return typ, m
}

func typeOf(md protoreflect.MessageDescriptor) *variant.Type {
	return &variant.Type{New: func() proto.Message { return dynamicpb.NewMessage(md) }, OpenScript: Open}
}

// open opens a variant on samples; a library that is not there skips the test.
func open(t *testing.T, typ *variant.Type, name string, samples ...proto.Message) variant.Codec {
	t.Helper()
	c, err := variant.Find(name).Open(typ)
	if errors.Is(err, variant.ErrNotApplicable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Load(samples); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOperations runs every operation of every variant once, and round its loop, on two
// samples.
func TestOperations(t *testing.T) {
	typ, first := builtin(t)
	second := proto.Clone(first)
	second.ProtoReflect().Set(typ.Descriptor().Fields().ByName("name"), protoreflect.ValueOfString("Grace Hopper ☕"))
	samples := []proto.Message{first, second}
	for name := range engines {
		t.Run(name, func(t *testing.T) {
			c := open(t, typ, name, samples...)
			for _, op := range c.Ops() {
				if op.Unfit != nil {
					t.Errorf("%s: %v", op.Name, op.Unfit)
					continue
				}
				for i := range samples {
					if err := op.Run(i); err != nil {
						t.Fatalf("%s of sample %d: %v", op.Name, i, err)
					}
					compare(t, op, samples[i])
				}
				if err := op.Loop(130, 2); err != nil {
					t.Fatalf("%s in a loop: %v", op.Name, err)
				}
				compare(t, op, second)
				if err := op.Loop(3, 1); err != nil {
					t.Fatalf("%s in a loop: %v", op.Name, err)
				}
				compare(t, op, first)
			}
		})
	}
}

func compare(t *testing.T, op *variant.Op, want proto.Message) {
	t.Helper()
	got, err := op.Message(op.Result())
	if err != nil {
		t.Errorf("%s: %v", op.Name, err)
		return
	}
	if d := native.Difference(want.ProtoReflect(), got.ProtoReflect()); d != "" {
		t.Errorf("%s: %s", op.Name, d)
	}
}

// TestRounds counts how often a loop goes round.
func TestRounds(t *testing.T) {
	typ, m := builtin(t)
	for _, input := range []string{"bytes", ""} {
		for _, n := range []int{1, 3, stretch + 7} {
			for _, times := range []int{1, 2, stretch + 1} {
				samples := make([]proto.Message, n)
				for i := range samples {
					samples[i] = m
				}
				c := open(t, typ, "empty loop (goja)", samples...).(*codec)
				c.engine = &engine{ops: map[string]loop{"count": {input: input, body: "env.turns++; last = 1;"}}}
				c.env.Set("turns", 0)
				op, err := c.operation("count")
				if err != nil {
					t.Fatal(err)
				}
				if err := op.Loop(times, n); err != nil {
					t.Fatal(err)
				}
				if got := c.env.Get("turns").ToInteger(); got != int64(times*n) {
					t.Errorf("input %q: %d turns for %d samples %d times", input, got, n, times)
				}
			}
		}
	}
}

// TestErrorsEndTheRun has loops that throw, that read another value than was set, and that
// come to nothing.
func TestErrorsEndTheRun(t *testing.T) {
	typ, m := builtin(t)
	for _, tt := range []struct {
		body, want string
	}{
		{`if (k === 7) throw new TypeError("on strike");`, "on strike"},
		{`const v = 1, w = k < 9 ? 1 : 2; if (v !== w) wrong(); last = w;`, "what was read is not what was set"},
		{`let other = k;`, "the loop came to no result"},
	} {
		c := open(t, typ, "empty loop (goja)", m).(*codec)
		c.engine = &engine{ops: map[string]loop{"broken": {input: "bytes", body: tt.body, result: plainData}}}
		op, err := c.operation("broken")
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Loop(10, 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.body, err, tt.want)
		}
	}
}

// TestMessagesAreDynamic checks that scripts have messages of a descriptor that they have
// loaded, though the program has linked generated ones of the type.
func TestMessagesAreDynamic(t *testing.T) {
	typ := &variant.Type{New: func() proto.Message { return new(envelopepb.StringMap) }, OpenScript: Open}
	c := open(t, typ, "gojapb (goja)", new(envelopepb.StringMap)).(*codec)
	if err := c.around(1); err != nil {
		t.Fatal(err)
	}
	m, err := c.module.UnwrapMessage(c.env.Get("messages").ToObject(c.rt).Get("0"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.(*dynamic.Message); !ok {
		t.Errorf("the script has a %T", m)
	}
}

// TestProperties has names that libraries turn into properties each in its own way.
func TestProperties(t *testing.T) {
	s, err := suite.ParseSchema([]string{"testdata/names.proto"}, []string{"testdata"})
	if err != nil {
		t.Fatal(err)
	}
	md, err := s.Message("names.Awkward")
	if err != nil {
		t.Fatal(err)
	}
	typ := typeOf(md)
	m := typ.New()
	m.ProtoReflect().Set(md.Fields().ByNumber(1), protoreflect.ValueOfString("Ada"))
	for _, name := range []string{"gojapb (goja)", "protobufjs (goja)", "protobuf-es (goja)"} {
		t.Run(name, func(t *testing.T) {
			for _, op := range open(t, typ, name, m).Ops() {
				if op.Unfit != nil {
					t.Errorf("%s: %v", op.Name, op.Unfit)
					continue
				}
				if err := op.Run(0); err != nil {
					t.Errorf("%s: %v", op.Name, err)
					continue
				}
				compare(t, op, m)
			}
		})
	}
}

// TestPeerVersions holds the versions that reports name against those that npm fetches, and
// the lock file against addresses of downloads.
func TestPeerVersions(t *testing.T) {
	text, err := os.ReadFile("peers/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, v := range variant.All() {
		if v.Version != "" && manifest.Dependencies[v.Library] != v.Version {
			t.Errorf("%s is of %s %s, npm fetches %q", v.Name, v.Library, v.Version, manifest.Dependencies[v.Library])
		}
	}
	lock, err := os.ReadFile("peers/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(lock), `"resolved"`) {
		t.Error("package-lock.json has addresses of downloads: run npm with --omit-lockfile-registry-resolved")
	}
}
