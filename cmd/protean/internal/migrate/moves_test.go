package migrate

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

var update = flag.Bool("update", false, "rewrite docs/moves.md, and fail")

// A move is one of testdata/moves.yaml.
type move struct {
	Move      string
	Reference bool
	Old, New  string
	Message   string // M if empty
	Data      string
	NewData   string `yaml:"new-data"`
	Bytes     string
	Samples   []string `yaml:",flow"`
	Edges     []string `yaml:",flow"`
	Buf       []string `yaml:",flow"`
}

func readMoves(t testing.TB) []move {
	t.Helper()
	b, err := os.ReadFile("testdata/moves.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var moves []move
	if err := yaml.Unmarshal(b, &moves); err != nil {
		t.Fatal(err)
	}
	return moves
}

// imports are what a file of a move begins with.
const imports = `syntax = "proto3";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
`

func source(text string) string {
	if strings.HasPrefix(text, "syntax") || strings.HasPrefix(text, "edition") {
		return text
	}
	return imports + text
}

func side(t testing.TB, text, message string) *Side {
	t.Helper()
	if message == "" {
		message = "M"
	}
	file := filepath.Join(t.TempDir(), "m.proto")
	if err := os.WriteFile(file, []byte(source(text)), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := suite.ParseSchema([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	md, err := s.Message(message)
	if err != nil {
		t.Fatal(err)
	}
	return &Side{Schema: s, Message: md}
}

func samples(t testing.TB, s *Side, text string) []Sample {
	t.Helper()
	if text == "" {
		return nil
	}
	found, err := suite.ReadSamples(s.Schema, s.Message, []string{"-"}, suite.JSON, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []Sample
	for _, x := range found {
		out = append(out, Sample{x.Source, x.Wire})
	}
	return out
}

func (m *move) prove(t testing.TB, o Options) *Result {
	t.Helper()
	before, after := side(t, m.Old, m.Message), side(t, m.New, m.Message)
	o.BytesHoldMessages = m.Bytes == "message"
	r, err := Prove(t.Context(), before, after,
		Samples{Old: samples(t, before, m.Data), New: samples(t, after, m.NewData)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// worst is the worst class of each direction and form.
func worst(r *Result) []string {
	var out []string
	for _, d := range []Direction{OldToNew, NewToOld} {
		for _, w := range []Wire{Binary, JSON} {
			out = append(out, r.WorstOf(d, w).String())
		}
	}
	return out
}

func TestMoves(t *testing.T) {
	for _, m := range readMoves(t) {
		t.Run(m.Move, func(t *testing.T) {
			alone, all := m.prove(t, Options{SamplesOnly: true}), m.prove(t, Options{})
			if got, want := strings.Join(worst(alone), " "), strings.Join(m.Samples, " "); got != want {
				t.Errorf("samples: %s, want %s", got, want)
				logFindings(t, alone)
			}
			if got, want := strings.Join(worst(all), " "), strings.Join(m.Edges, " "); got != want {
				t.Errorf("edges: %s, want %s", got, want)
				logFindings(t, all)
			}
			if all.Disagreements > 0 {
				t.Errorf("%d disagreements: %s", all.Disagreements, all.Disagreement)
			}
		})
	}
}

func logFindings(t *testing.T, r *Result) {
	for _, f := range r.Findings {
		t.Logf("%-12s %-10s %-6s %-7s %d/%d %s: %s → %s (%s)", f.Path, f.Direction, f.Wire, f.Class, f.Samples, f.Own,
			f.At, f.Wrote, f.Read, f.Why)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
