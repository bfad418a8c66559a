package job

import (
	"errors"
	"slices"
	"testing"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/messages"
	"github.com/protean-pb/protean/proto"
)

// TestJobs does each job on each message, in both ways, and has each library read what the other writes.
func TestJobs(t *testing.T) {
	applied := map[string]int{}
	for _, m := range messages.All() {
		if testing.Short() && m.Size == "large" {
			continue
		}
		t.Run(m.Name(), func(t *testing.T) {
			s, err := NewSubject(m.New())
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range All {
				p, ok := j.Bind(s)
				if !ok {
					continue
				}
				applied[j.Name]++
				if err := p.Check(); err != nil {
					t.Errorf("%s: %v", j.Name, err)
				}
				// What was learned from the first message is used for the next.
				if err := p.Protean.Check(); err != nil {
					t.Errorf("%s, the second time: %v", j.Name, err)
				}
			}
			b, err := proto.MarshalOptions{Deterministic: true}.Marshal(s.Message)
			if err != nil || !slices.Equal(b, s.Wire) {
				t.Errorf("deterministic bytes are not those of the official library (error %v)", err)
			}
		})
	}
	for _, j := range All {
		if applied[j.Name] == 0 {
			t.Errorf("%s applies to no message", j.Name)
		}
	}
}

// TestWrongResultsAreFound changes results, and looks whether each kind of check sees it.
func TestWrongResultsAreFound(t *testing.T) {
	all := messages.All()
	i := slices.IndexFunc(all, func(m messages.Message) bool { return m.Name() == "log-entry/typical" })
	s, err := NewSubject(all[i].New())
	if err != nil {
		t.Fatal(err)
	}
	other := official.Clone(s.Message)
	other.ProtoReflect().Clear(other.ProtoReflect().Descriptor().Fields().ByName("labels"))
	o, err := NewSubject(other)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"wire":       checkWire(s, o.Wire),
		"message":    checkMessage(s, other),
		"dynamic":    checkDynamic(s, other),
		"text":       checkText(s, o.Text),
		"tree":       checkTree(s, o.Tree),
		"value wire": checkValueWire(s, o.ValueWire),
		"value":      checkValue(s, o.Value),
		"no bytes":   checkWire(s, s.Wire[:len(s.Wire)-1]),
	} {
		if err == nil {
			t.Errorf("%s: a wrong result passes", name)
		}
	}
}

func TestLoopStopsAtAnError(t *testing.T) {
	calls, failure := 0, errors.New("failure")
	l := side(nil, func() (int, error) {
		if calls++; calls == 3 {
			return 0, failure
		}
		return calls, nil
	}, func(*Subject, int) error { return nil })
	if err := l.Loop(5); !errors.Is(err, failure) || calls != 3 {
		t.Errorf("Loop returns %v after %d calls, want the error of the third", err, calls)
	}
}
