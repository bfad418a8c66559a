package decide

import (
	"fmt"
	"strings"

	"github.com/protean-pb/protean/infer/profile"
)

// What is known of the keys and values of an object, for the decision between map and message.
type evidence struct {
	objects  float64 // that are not empty
	keys     float64 // distinct ones
	values   float64 // of all objects
	once     float64 // keys that occurred once
	data     float64 // share of keys that are data rather than names
	alike    float64 // share of values of the most frequent kind
	kind     string  // that kind
	common   int     // keys that most of the values have, if they are objects or lists of them
	like     float64 // how alike those are
	strings  int     // number of sorts of strings among the values
	nameSays bool    // the object's own name is that of a map
}

// The thresholds were set on the payloads of botocore's examples and the vega-datasets; see docs/infer.md.
const (
	mostlyData = 0.8 // keys that are data, for a map
	mostAlike  = 0.9 // values of one kind, for a map of that
	someNew    = 0.3 // values under a key that occurs once, for keys that keep coming
	mostThere  = 0.9 // keys of an object among all, for names
	sparse     = 0.1 // keys of an object among all, for keys of a large population
)

// mapLike decides whether an object is a map, and says why.
func (s *shape) mapLike(name string) (bool, string) {
	e := s.evidence(name)
	switch {
	case e.alike < mostAlike:
		if e.data >= mostlyData && e.keys >= 3 {
			return true, "keys are data, with values of several kinds"
		}
		return false, "values are of several kinds"
	case e.data >= mostlyData:
		return true, "keys are data, not names"
	case e.strings > 1 && e.once < e.values:
		return false, "strings are of several sorts"
	case e.nameSays && e.kind != "object" && e.kind != "array" && (!vagueName(name) || e.objects < 5 || !e.allThere()):
		return true, "the name is that of a map, and all values are alike"
	}
	return e.byNumbers()
}

// byNumbers decides where keys may be names, by how many there are and how often they come again.
func (e *evidence) byNumbers() (bool, string) {
	coverage, fresh := e.values/(e.objects*e.keys), e.once/e.values
	switch {
	case e.objects >= 3 && e.keys >= 10 && fresh >= someNew && coverage < 0.5:
		return true, fmt.Sprintf("keys keep coming: %.0f of %.0f occur once, and values are alike", e.once, e.keys)
	case e.objects >= 3 && e.keys >= 20 && coverage < sparse:
		return true, fmt.Sprintf("objects have few of %.0f keys, and values are alike", e.keys)
	case e.objects < 3 && e.kind == "object" && e.common >= 2 && e.keys >= 8:
		return true, fmt.Sprintf("%.0f values have the same shape", e.keys)
	case e.common >= 2 && e.keys >= 8 && coverage < 0.6 && e.like >= mostAlike:
		return true, fmt.Sprintf("objects have some of %.0f keys, whose values have the same shape", e.keys)
	case e.objects < 3 && e.keys >= 40:
		return true, fmt.Sprintf("%.0f values are alike", e.keys)
	case e.data > 0.5 && e.keys >= 3:
		return true, "most keys are data, not names"
	}
	return false, "the same keys come again"
}

func (s *shape) evidence(name string) *evidence {
	e := &evidence{keys: float64(len(s.fields)), nameSays: mapName(name)}
	e.objects = float64(s.stats.Objects - s.stats.EmptyObjects)
	kinds := map[string]float64{}
	sorts := map[string]bool{}
	known, odd := 0.0, 0.0
	for key, c := range s.fields {
		n := float64(c.stats.Count())
		e.values += n
		if n == 1 {
			e.once++
		}
		switch keyForm(key) {
		case dataKey:
			e.data += 1 / e.keys
		case oddKey:
			odd += 1 / e.keys
		}
		kind := kindOf(&c.stats)
		if kind == "null" {
			continue
		}
		if e := c.shape().elem; kind == "array" && e != nil {
			kind = "array of " + kindOf(&e.stats)
		}
		if kind == "string" {
			sorts[stringSort(&c.stats)] = true
		}
		known++
		kinds[kind]++
	}
	// Tables have columns with spaces in their names, which are in every row.
	if e.objects < 3 || !e.allThere() {
		e.data += odd
	}
	e.strings = len(sorts)
	for kind, n := range kinds {
		if share := n / known; share > e.alike || share == e.alike && kind < e.kind {
			e.alike, e.kind = share, kind
		}
	}
	if e.kind == "object" {
		e.like, e.common = s.likeness()
		e.alike = min(e.alike, e.like/0.6)
	} else if e.kind == "array of object" {
		e.like, e.common = s.likeness()
	}
	return e
}

// allThere reports whether objects have nearly all of the keys.
func (e *evidence) allThere() bool { return e.values >= mostThere*e.objects*e.keys }

// likeness says how alike the keys of values are that are objects or lists of them, from 0 to 1, and how many keys most
// have.
func (s *shape) likeness() (float64, int) {
	counts := map[string]int{}
	objects, maps := 0, 0
	for _, c := range s.fields {
		if c = c.object(); c.stats.Objects == c.stats.EmptyObjects {
			continue
		}
		objects++
		if c.shape().isMap() {
			maps++
		}
		for key := range c.shape().fields {
			counts[key]++
		}
	}
	if objects == 0 || maps == objects {
		return 1, 0
	}
	common := 0
	for _, n := range counts {
		if 2*n >= objects {
			common++
		}
	}
	sum := 0.0
	for _, c := range s.fields {
		if c = c.object(); c.stats.Objects == c.stats.EmptyObjects {
			continue
		}
		both := 0
		for key := range c.shape().fields {
			if 2*counts[key] >= objects {
				both++
			}
		}
		if all := common + len(c.shape().fields) - both; all > 0 {
			sum += float64(both) / float64(all)
		}
	}
	return sum / float64(objects), common
}

// object returns the slot of the elements of a list, and s itself otherwise.
func (s *slot) object() *slot {
	if e := s.shape().elem; e != nil && kindOf(&s.stats) == "array" {
		return e
	}
	return s
}

// kindOf names the kind of all values that are not null: "null" if there are none, "mixed" if there are several.
func kindOf(n *profile.Node) string {
	kind := "null"
	for _, k := range []struct {
		name  string
		count uint64
	}{{"bool", n.Bools}, {"number", n.Ints + n.Floats}, {"string", n.Strings}, {"array", n.Arrays},
		{"object", n.Objects}} {
		switch {
		case k.count == 0:
		case kind != "null":
			return "mixed"
		default:
			kind = k.name
		}
	}
	return kind
}

// stringSort names what strings have in common. A map has one sort of them as a rule.
func stringSort(n *profile.Node) string {
	switch {
	case n.Has(profile.Time):
		return "time"
	case n.Has(profile.Date):
		return "date"
	case n.Has(profile.UUID):
		return "uuid"
	}
	return "text"
}

// The forms of keys.
const (
	nameKey = iota
	oddKey  // words with characters that names do not have
	dataKey // a number, a date, an id
)

// keyForm tells what a key is by its form.
func keyForm(key string) int {
	if key == "" || len(key) > 64 {
		return dataKey
	}
	odd := false
	digits, letters, run, longest, vowels := 0, 0, 0, 0, 0
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
			run++
			longest = max(longest, run)
			continue
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters++
			if strings.IndexByte("aeiouyAEIOUY", c) >= 0 {
				vowels++
			}
		case c == '_' || c == '-' || (c == '$' || c == '@') && i == 0:
		default:
			odd = true
		}
		run = 0
	}
	switch {
	case letters == 0 && digits > 0, letters > 0 && key[0] >= '0' && key[0] <= '9', longest >= 4:
		return dataKey
	case len(key) >= 8 && digits >= 2 && (digits*4 >= len(key) || vowels == 0):
		return dataKey // hexadecimal and random ids
	case odd:
		return oddKey
	}
	return nameKey
}

// vagueName reports whether a name is one of messages as often as one of maps.
func vagueName(name string) bool {
	return strings.EqualFold(name, "metadata") || strings.EqualFold(name, "attributes")
}

// mapName reports whether things of a name are maps as a rule.
func mapName(name string) bool {
	lower := strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return r
	}, name))
	switch lower {
	case "labels", "annotations", "tags", "headers", "env", "environment", "variables", "environmentvariables",
		"dependencies", "devdependencies", "peerdependencies", "cookies", "translations", "extras",
		"querystringparameters",
		"attributes", "metadata":
		return true
	}
	return strings.HasSuffix(lower, "map") && len(lower) > 3 || strings.HasSuffix(lower, "headers") ||
		strings.HasSuffix(lower, "labels") || strings.HasSuffix(lower, "annotations") ||
		strings.HasSuffix(lower, "variables")
}
