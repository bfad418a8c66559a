package result

import (
	"slices"
	"strings"
)

// Properties are a variant's traits on one payload's message type, found by
// probing. An empty string means that the schema gives no way to tell.
type Properties struct {
	UTF8          string `json:"utf8,omitempty"`          // invalid UTF-8 in a string: "refused", "replaced", "passed"
	Input         string `json:"input,omitempty"`         // after unmarshal: "copied" or "aliased"
	Deterministic string `json:"deterministic,omitempty"` // equal messages give equal bytes: "yes", "no"
	Int64         string `json:"int64,omitempty"`         // integers above 2^53: "kept", "altered", "refused"
	NaN           string `json:"nan,omitempty"`           // "kept", "altered", "refused"
	// present but empty against absent: "kept", "altered", "refused"
	Empty   string `json:"empty,omitempty"`
	Unknown string `json:"unknown,omitempty"` // unknown fields: "kept", "dropped", "refused"
	Order   string `json:"order,omitempty"`   // order of fields as received: "kept", "dropped"
	Memory  string `json:"memory,omitempty"`  // results after the next call: "fresh" or "reused"
	Mutable string `json:"mutable,omitempty"` // what unmarshal returns can be changed: "yes", "no"
}

// An Apart says why cells are ranked by themselves.
type Apart string

// The reasons.
const (
	Indexed Apart = "index" // fields are decoded when they are read, which is not in the time
	Aliased Apart = "alias" // the input may not change as long as what was read from it is in use
	Reused  Apart = "reuse" // a result holds until the next call
)

// Aparts lists the reasons in the order in which reports show them.
var Aparts = []Apart{Indexed, Aliased, Reused}

// Held names what the samples of a payload hold, of that which variants are known to lose,
// separated by spaces: "int64" an integer beyond ±2^53, "nan" a number that is not finite,
// "empty" a field that is present and has the value of its absence.
type Held string

// NewHeld returns what samples hold.
func NewHeld(int64, nan, empty bool) Held {
	var out []string
	for _, h := range []struct {
		held bool
		name string
	}{{int64, "int64"}, {nan, "nan"}, {empty, "empty"}} {
		if h.held {
			out = append(out, h.name)
		}
	}
	return Held(strings.Join(out, " "))
}

func (h Held) has(name string) bool { return slices.Contains(strings.Fields(string(h)), name) }

// Lossy reports whether the variant silently alters data of a kind that the samples hold.
func (c *Result) Lossy() bool { return len(c.Losses()) > 0 }

// Losses names in words what the variant silently alters of what the samples hold, such as
// "integers beyond 2^53", in a fixed order.
func (c *Result) Losses() []string { return c.losses(true) }

// Risks names likewise what the variant alters and the samples do not hold, but others of
// the same schema may.
func (c *Result) Risks() []string { return c.losses(false) }

func (c *Result) losses(held bool) []string {
	var out []string
	for _, l := range []struct{ found, name, what string }{
		{c.Properties.Int64, "int64", "integers beyond 2^53"},
		{c.Properties.NaN, "nan", "NaN and infinity"},
		{c.Properties.Empty, "empty", "empty against absent"},
	} {
		if l.found == "altered" && c.Held.has(l.name) == held {
			out = append(out, l.what)
		}
	}
	return out
}
