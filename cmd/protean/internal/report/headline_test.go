package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A page begins with three numbers, of variants that keep all data, from the figures of the tables.
func TestHeadlines(t *testing.T) {
	text := func(r *Report) string {
		var out []string
		for _, set := range headlineSets(r) {
			for _, n := range set.Numbers {
				out = append(out, fmt.Sprintf("%s: %s %s", set.Payload, n.Number,
					strings.ReplaceAll(n.Text, "\u00a0", " ")))
			}
		}
		return strings.Join(out, "\n")
	}
	for _, tt := range []struct {
		name string
		r    *Report
		want string
	}{
		{"all", only("small", "", concreteName, "Concrete (vtproto)", jsonName),
			"small: 3.14× as fast to marshal as Concrete (proto): Concrete (vtproto), 31.2 ns\n" +
				"small: 4.41× as fast to unmarshal as Concrete (proto): Concrete (vtproto), 32.0 ns\nsmall: 25 B is " +
				"the smallest on the wire: Concrete (proto), 45.5 % of Concrete (JSON)"},
		{"the baseline is the fastest", only("small", "marshal", concreteName, "Protobuf + JSON"),
			"small: 98.1 ns is the least to marshal: Concrete (proto)"},
		{"what loses data or reuses memory does not count",
			only("large", "unmarshal", concreteName, "hyperpb (proto, reuse)", jsonName),
			"large: 67.4 µs is the least to unmarshal: Concrete (proto)"},
		{"nothing", &Report{}, ""},
	} {
		if got := text(tt.r); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestShortLibraries(t *testing.T) {
	var variants []htmlVariant
	want := map[string]string{
		"encoding/json": "encoding/json", "github.com/go-json-experiment/json": "go-json-experiment/json",
		"github.com/goccy/go-json":         "go-json",
		"google.golang.org/protobuf/proto": "protobuf/proto", "github.com/protean-pb/protean/proto": "protean/proto",
		"buf.build/go/hyperpb":              "hyperpb",
		"github.com/vmihailenco/msgpack/v5": "msgpack", "protobufjs": "protobufjs", "": "",
		"example.com/v2": "example.com/v2",
	}
	for library := range want {
		variants = append(variants, htmlVariant{Variant: result.Variant{Library: library}})
	}
	got := shortLibraries(variants)
	for library, short := range want {
		if got[library] != short {
			t.Errorf("%s is %q in filters, want %q", library, got[library], short)
		}
	}
}
