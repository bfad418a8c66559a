package suite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// The data of some built-in suites is random, but always the same: it is written by
// this file from a seed.

// letters returns n random letters and digits.
func letters(r *rand.Rand, n int) string {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = all[r.IntN(len(all))]
	}
	return string(b)
}

func base64Letters(r *rand.Rand, n int) string {
	return base64.StdEncoding.EncodeToString([]byte(letters(r, n)))
}

// flatMessages are the payloads of protobuf-vs-json: the published numbers, and letters
// in place of the published texts, as many.
func flatMessages() map[string]string {
	r := rand.New(rand.NewPCG(2023, 6))
	person := func(name, desc int) string {
		return fmt.Sprintf("{\n  \"name\": %q,\n  \"age\": 20,\n  \"height\": 5.8,\n  \"weight\": 180.7,\n  "+
			"\"alive\": true,\n  \"desc\": %q",
			letters(r, name), base64Letters(r, desc))
	}
	return map[string]string{
		"small.json":  fmt.Sprintf("{\"action\": %q, \"key\": %q}\n", letters(r, 9), base64Letters(r, 15)),
		"medium.json": person(59, 200) + "\n}\n",
		"large.json": person(150, 37) +
			fmt.Sprintf(",\n  \"nickname\": %q,\n  \"num\": 2314,\n  \"flt\": 123451231.1234,\n  \"data\": %q\n}\n",
				letters(r, 24), base64Letters(r, 2782)),
	}
}

const corpusSize = 200

// A person is the message Go of the suite libraries as ProtoJSON.
type person struct {
	Name     string   `json:"name"`
	BirthDay string   `json:"birthDay"`
	Phone    string   `json:"phone"`
	Siblings int      `json:"siblings"`
	Spouse   bool     `json:"spouse"`
	Money    float64  `json:"money"`
	Type     string   `json:"type"`
	ValueS   *string  `json:"valueS,omitempty"`
	ValueI   *int32   `json:"valueI,omitempty"`
	ValueD   *float64 `json:"valueD,omitempty"`
}

// people are the corpus of libraries: random values in every field, each member of the
// oneof in its turn.
func people() string {
	r := rand.New(rand.NewPCG(2020, 3))
	var out bytes.Buffer
	for i := range corpusSize {
		p := person{
			Name:     letters(r, 114+r.IntN(255)),
			BirthDay: fmt.Sprint(r.Int64N(1 << 62)),
			Phone:    letters(r, 10+r.IntN(100)),
			Siblings: 1 + r.IntN(5), Spouse: r.IntN(2) == 1, Money: r.NormFloat64() * 1e4,
			Type: []string{"TYPE_UNSPECIFIED", "TYPE_R", "TYPE_S"}[r.IntN(3)],
		}
		text, integer, double := letters(r, 50+r.IntN(200)), r.Int32(), r.Float64()
		switch i % 3 {
		case 0:
			p.ValueS = &text
		case 1:
			p.ValueI = &integer
		default:
			p.ValueD = &double
		}
		line, err := json.Marshal(p)
		if err != nil {
			panic(err) // no such value is made
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}

// The files are what the seed makes of them; -update writes them.
func TestBuiltinData(t *testing.T) {
	files := map[string]string{"libraries/people.jsonl": people()}
	for name, text := range flatMessages() {
		files["protobuf-vs-json/"+name] = text
	}
	for name, want := range files {
		path := filepath.Join("builtin", filepath.FromSlash(name))
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the seed makes (%v): run make generate", path, err)
		}
	}
	if *update {
		t.Fatal("wrote the data of built-in suites")
	}
}

// The sizes are those of the published tables, to the byte.
func TestBuiltinFlatMessages(t *testing.T) {
	s := must(Builtin("protobuf-vs-json"))(t)
	for i, want := range []int{28, 282, 3029} {
		p := s.Payloads[i]
		if len(p.Samples) != 1 || len(p.Samples[0].Wire) != want {
			t.Errorf("%s: %d samples, the first %d bytes; want %d", p.Name, len(p.Samples), len(p.Samples[0].Wire),
				want)
		}
	}
}

// The corpus is as large as the published messages are on average, and has no message
// twice.
func TestBuiltinPeople(t *testing.T) {
	p := must(Builtin("libraries"))(t).Payloads[0]
	sum, seen := 0, map[string]bool{}
	for _, s := range p.Samples {
		sum += len(s.Wire)
		seen[string(s.Wire)] = true
	}
	if len(p.Samples) != corpusSize || len(seen) != corpusSize || sum/corpusSize != 383 {
		t.Errorf("%d samples, %d different, %d bytes; want %d of 383 bytes on average", len(p.Samples), len(seen), sum,
			corpusSize)
	}
}
