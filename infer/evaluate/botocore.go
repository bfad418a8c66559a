package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/protean-pb/protean/infer/schema"
)

// A model is what botocore knows of a service.
type model struct {
	Operations map[string]struct{ Input, Output *struct{ Shape string } }
	Shapes     map[string]*shape
}

type shape struct {
	Type     string
	Document bool
	Members  map[string]struct{ Shape string }
	Required []string
	Enum     []string
	Member   struct{ Shape string }
	Value    struct{ Shape string }
}

type examples struct {
	Examples map[string][]struct{ Input, Output json.RawMessage }
}

// A tally counts paths by what they are and what was decided.
type tally map[[2]string]int

// botocore evaluates whether maps and messages are told apart.
func botocore(dir string) error {
	real, made := tally{}, tally{}
	services, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, s := range services {
		versions, err := os.ReadDir(filepath.Join(dir, s.Name()))
		if err != nil || len(versions) == 0 {
			continue // a file beside the services' folders
		}
		latest := filepath.Join(dir, s.Name(), versions[len(versions)-1].Name())
		var m model
		if err := load(filepath.Join(latest, "service-2.json"), &m); err != nil {
			return err
		}
		if err := fromExamples(latest, &m, real); err != nil {
			return err
		}
		if err := atRandom(r, &m, made); err != nil {
			return err
		}
	}
	fmt.Print("| documents | messages right | messages wrong | maps right | maps wrong | right |\n" +
		"|---|--:|--:|--:|--:|--:|\n")
	real.print("the services' examples")
	made.print("50 at random for each of two operations a service")
	fmt.Println()
	return nil
}

func (t tally) print(name string) {
	right, all := map[string]int{}, map[string]int{}
	for k, n := range t {
		all[k[0]] += n
		if k[0] == k[1] {
			right[k[0]] += n
		}
	}
	total := all["message"] + all["map"]
	fmt.Printf("| %s | %d | %d | %d | %d | %.1f %% |\n", name,
		right["message"], all["message"]-right["message"], right["map"], all["map"]-right["map"],
		100*float64(right["message"]+right["map"])/float64(max(total, 1)))
}

// load reads a JSON file, compressed or not. That it is not there is no error.
func load(path string, into any) error {
	f, err := os.Open(path + ".gz")
	var in io.Reader = f
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = os.Open(path); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		in = f
	} else if err == nil {
		if in, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewDecoder(in).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func fromExamples(dir string, m *model, t tally) error {
	var all examples
	if err := load(filepath.Join(dir, "examples-1.json"), &all); err != nil {
		return err
	}
	for name, list := range all.Examples {
		op := m.Operations[name]
		var in, out [][]byte
		for _, e := range list {
			in, out = appendObject(in, e.Input), appendObject(out, e.Output)
		}
		if op.Input != nil {
			if err := t.score(m, op.Input.Shape, in); err != nil {
				return err
			}
		}
		if op.Output != nil {
			if err := t.score(m, op.Output.Shape, out); err != nil {
				return err
			}
		}
	}
	return nil
}

func appendObject(all [][]byte, text json.RawMessage) [][]byte {
	if len(text) > 2 && text[0] == '{' {
		return append(all, text)
	}
	return all
}

// atRandom makes documents for two operations of a service.
func atRandom(r *rand.Rand, m *model, t tally) error {
	names := slices.Sorted(maps.Keys(m.Operations))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:min(2, len(names))] {
		of := m.Operations[name].Output
		if of == nil {
			of = m.Operations[name].Input
		}
		if of == nil {
			continue
		}
		var all [][]byte
		size := 0
		for range 50 {
			text, err := json.Marshal(m.random(r, of.Shape, 0))
			if err != nil {
				return err
			}
			if size += len(text); size > 4<<20 {
				break
			}
			all = appendObject(all, text)
		}
		if err := t.score(m, of.Shape, all); err != nil {
			return err
		}
	}
	return nil
}

// score compares what is inferred of documents with the shape of which they are.
func (t tally) score(m *model, name string, documents [][]byte) error {
	if len(documents) == 0 {
		return nil
	}
	truth := map[string]map[string]bool{}
	for _, d := range documents {
		var v any
		if err := json.Unmarshal(d, &v); err != nil {
			return err
		}
		m.truth(name, v, "$", truth)
	}
	f, err := schemaOf(documents)
	if err != nil {
		return err
	}
	got := map[string]string{}
	for _, msg := range f.Messages {
		for _, p := range msg.Paths {
			got[p] = "message"
			for _, field := range msg.Fields {
				if field.Type.Cardinality == schema.Map {
					got[p+"."+field.Key] = "map"
				}
			}
		}
	}
	for path, kinds := range truth {
		if len(kinds) == 1 {
			t[[2]string{slices.Collect(maps.Keys(kinds))[0], got[path]}]++
		}
	}
	return nil
}

// truth says of each path of a value whether it is a map or a message.
func (m *model) truth(name string, v any, path string, out map[string]map[string]bool) {
	s := m.Shapes[name]
	if s == nil || s.Document {
		return
	}
	tell := func(kind string) {
		if out[path] == nil {
			out[path] = map[string]bool{}
		}
		out[path][kind] = true
	}
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if s.Type == "map" {
				tell("map")
				m.truth(s.Value.Shape, x, path+"{}", out)
			} else if s.Type == "structure" {
				tell("message")
				m.truth(s.Members[key].Shape, x, path+"."+key, out)
			}
		}
	case []any:
		for _, x := range v {
			m.truth(s.Member.Shape, x, path+"[]", out)
		}
	}
}

// maxShapes is how deep values made at random go: shapes may hold themselves.
const maxShapes = 6

// random returns a value of a shape.
func (m *model) random(r *rand.Rand, name string, depth int) any {
	s := m.Shapes[name]
	if s == nil || depth > maxShapes {
		return nil
	}
	switch s.Type {
	case "structure":
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(s.Members)) {
			if slices.Contains(s.Required, key) || r.Float64() < 0.7 {
				if v := m.random(r, s.Members[key].Shape, depth+1); v != nil {
					out[key] = v
				}
			}
		}
		return out
	case "map":
		out := map[string]any{}
		for range 1 + r.IntN(6) {
			if v := m.random(r, s.Value.Shape, depth+1); v != nil {
				out[randomKey(r)] = v
			}
		}
		return out
	case "list":
		out := []any{}
		for range r.IntN(4) {
			if v := m.random(r, s.Member.Shape, depth+1); v != nil {
				out = append(out, v)
			}
		}
		return out
	}
	return randomScalar(r, s)
}

func randomScalar(r *rand.Rand, s *shape) any {
	switch s.Type {
	case "integer", "long":
		return r.IntN(1000)
	case "float", "double":
		return r.Float64()
	case "boolean":
		return r.IntN(2) == 0
	case "timestamp":
		return fmt.Sprintf("2026-01-%02dT00:00:00Z", 1+r.IntN(28))
	case "blob":
		return "aGVsbG8="
	}
	if len(s.Enum) > 0 {
		return s.Enum[r.IntN(len(s.Enum))]
	}
	b := make([]byte, 3+r.IntN(10))
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// words are what keys of maps are made of.
var words = []string{"alpha", "beta", "gamma", "delta", "name", "value", "region", "prod", "dev", "team", "owner",
	"cost",
	"project", "env",
	"app", "tier", "zone", "user", "host", "node", "item", "key", "color", "size"}

func randomKey(r *rand.Rand) string {
	word := words[r.IntN(len(words))]
	switch p := r.Float64(); {
	case p < 0.35:
		return word
	case p < 0.55:
		return word + "_" + words[r.IntN(len(words))]
	case p < 0.7:
		return fmt.Sprintf("%s-%d", word, r.IntN(1000))
	case p < 0.8:
		return fmt.Sprintf("arn:aws:x:%d:%s", r.Uint64N(1e12), word)
	case p < 0.9:
		return fmt.Sprintf("%08x-%04x", r.Uint32(), r.Uint32()>>16)
	}
	return fmt.Sprint(r.IntN(1e6))
}
