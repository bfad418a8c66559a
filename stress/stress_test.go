package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	protean "github.com/protean-pb/protean/proto"
)

// TestParts runs each part for a moment.
func TestParts(t *testing.T) {
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) {
			if p.name == "changes" && race.Enabled {
				t.Skip("it has a data race on purpose")
			}
			var out bytes.Buffer
			args := []string{"-time", "200ms", "-workers", "2", "-parked", "10", "-ballast", "1000", "-seed", "1",
				"-parts", p.name}
			if code := run(args, &out, t.Output()); code != 0 || !strings.Contains(out.String(), " turns\n") {
				t.Errorf("exit code %d\n%s", code, &out)
			}
		})
	}
}

// TestFindsChangedContent changes what a message refers to.
func TestFindsChangedContent(t *testing.T) {
	in, err := protean.Marshal(&benchpb.Leaf{Name: "name"})
	if err != nil {
		t.Fatal(err)
	}
	m := new(benchpb.Leaf)
	if err := (protean.UnmarshalOptions{AliasInput: true}).Unmarshal(in, m); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := &stress{out: &out}
	k := &keepsake{"a leaf", func() string { return content(m) }, content(m)}
	if s.check(k); out.Len() > 0 {
		t.Fatal(&out)
	}
	in[len(in)-1] = 'x'
	if s.check(k); !strings.HasPrefix(out.String(), "MISMATCH a leaf: ") || s.mismatches.Load() != 1 {
		t.Errorf("%q", &out)
	}
}

// TestPieces takes all pieces out of messages: each is what the official library has there.
func TestPieces(t *testing.T) {
	n := 0
	for _, s := range makeSamples(1) {
		m := s.group.empty()
		if err := (protean.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(s.wire), m); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.pieces {
			if got := p.of(m.ProtoReflect())(); got != p.want {
				t.Fatalf("%s: %q, want %q", s.group.name, got, p.want)
			}
			n++
		}
	}
	if n < 1000 {
		t.Errorf("only %d pieces", n)
	}
}

// TestMismatchFails has a run find something: it says so, and fails.
func TestMismatchFails(t *testing.T) {
	defer func(all []part) { parts = all }(parts)
	for _, at := range []string{"a turn", "the end"} {
		parts = []part{{name: "wrong", start: func(s *stress, _ int, _ *rand.Rand) (worker, error) {
			return &wrongWorker{s, at}, nil
		}}}
		var out bytes.Buffer
		code := run([]string{"-time", "1ms", "-workers", "1", "-parked", "1"}, &out, t.Output())
		if code != 1 || !strings.Contains(out.String(), "\nMISMATCH at "+at+"\n") {
			t.Errorf("exit code %d: %s", code, &out)
		}
	}
}

// A wrongWorker finds something at a turn or at the end.
type wrongWorker struct {
	*stress
	at string
}

func (w *wrongWorker) turn() { w.find("a turn") }
func (w *wrongWorker) end()  { w.find("the end") }

func (w *wrongWorker) find(at string) {
	if w.at == at {
		w.mismatch("at %s", at)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-parts", "none"}, {"-nothing"}, {"argument"}, {"-workers", "0"}} {
		var errors bytes.Buffer
		if code := run(args, t.Output(), &errors); code != 2 || errors.Len() == 0 {
			t.Errorf("%q: exit code %d: %s", args, code, &errors)
		}
	}
}
