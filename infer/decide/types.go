package decide

import (
	"fmt"
	"math"
	"strings"

	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// A verdict is the type of a field, what its comment says, and what was decided against.
type verdict struct {
	schema.Type
	notes   []string
	against []string
}

func (v *verdict) note(format string, args ...any) {
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

func (v *verdict) reject(format string, args ...any) {
	v.against = append(v.against, fmt.Sprintf(format, args...))
}

// named is the verdict of a type without more to say.
func named(name string) *verdict { return &verdict{Type: schema.Type{Name: name}} }

// singular returns the type of one value: that of a field that is neither list nor map.
func (d *decider) singular(s *slot) *verdict {
	n := &s.stats
	if v := d.hinted(s.shape()); v != nil {
		return v
	}
	switch kindOf(n) {
	case "null":
		v := named(schema.Value)
		v.note("No evidence for a type: always null.")
		return v
	case "mixed":
		v := named(schema.Value)
		v.note("Of several kinds: %s.", strings.Join(kinds(n), ", "))
		return v
	case "bool":
		return named("bool")
	case "number":
		return d.number(n)
	case "string":
		if !d.json && enumLike(s) {
			return d.enum(s.shape())
		}
		return d.text(n)
	case "array":
		return named(schema.ListValue)
	}
	return d.object(s)
}

// hinted returns the type that a hint asks for, if it is one of a scalar or of google.protobuf.
func (d *decider) hinted(s *shape) *verdict {
	switch s.forced {
	case "", "map", "message", "oneof", "union":
		return nil
	case "enum":
		v := d.enum(s)
		for _, path := range s.paths {
			if v == nil && d.Hints[path] == "enum" {
				d.err = fmt.Errorf("hint %s=enum: there are other values than a few strings", path)
			}
		}
		return v
	case "value":
		return named(schema.Value)
	case "struct":
		return named(schema.Struct)
	case "timestamp":
		return named(schema.Timestamp)
	}
	return named(s.forced)
}

// field returns the type of a field.
func (d *decider) field(s *slot) *verdict {
	switch s.shape().forced {
	case "value", "struct":
		return d.singular(s)
	}
	switch n := &s.stats; {
	case n.Cut && n.Objects > 0 && kindOf(n) == "object":
		v := named(schema.Struct)
		v.note("Nested too deeply to tell its parts apart.")
		return v
	case n.Cut && kindOf(n) == "array":
		v := named(schema.ListValue)
		v.note("Nested too deeply to tell its parts apart.")
		return v
	case s.arraysOnly():
		return d.list(s)
	case s.objectsOnly() && s.shape().isMap():
		return d.mapOf(s)
	}
	return d.singular(s)
}

// list returns the type of arrays: repeated if all elements are of one type that elements can have.
func (d *decider) list(s *slot) *verdict {
	v := named(schema.Value)
	if e := s.shape().elem; e != nil {
		v = d.element(e)
	} else {
		v.note("No evidence for a type of elements: always empty.")
	}
	if v.Name == schema.Value && s.stats.Nulls > 0 {
		v.Name = schema.ListValue // ProtoJSON takes null for no list of values
		return v
	}
	v.Cardinality = schema.Repeated
	if s.stats.EmptyArrays > 0 && d.json {
		v.note("Empty in %s, which ProtoJSON leaves out.", share(s.stats.EmptyArrays, s.stats.Arrays))
	}
	return v
}

// mapOf returns the type of objects whose keys are data.
func (d *decider) mapOf(s *slot) *verdict {
	v := d.element(s.shape().wild)
	v.Cardinality = schema.Map
	if keys := examples(&s.shape().stats.Keys, 3); len(keys) > 0 {
		v.note("Keys are data, such as %s.", quoteAll(keys))
	}
	if s.stats.EmptyObjects > 0 && d.json {
		v.note("Empty in %s, which ProtoJSON leaves out.", share(s.stats.EmptyObjects, s.stats.Objects))
	}
	v.reject("message: %s", s.shape().why)
	return v
}

// element returns the type of elements and of values of maps, which can be no lists and no maps themselves, and never
// null but as Value.
func (d *decider) element(s *slot) *verdict {
	n := &s.stats
	switch {
	case s.shape().forced == "value":
		return named(schema.Value)
	case n.Nulls > 0 && n.Nulls < n.Count():
		v := named(schema.Value)
		v.note("%s are null, which only Value holds.", share(n.Nulls, n.Count()))
		return v
	case s.arraysOnly() && d.wrapped(s, s.shape().elem):
		return d.wrap(s, "values", d.list)
	case s.objectsOnly() && s.shape().isMap() && d.wrapped(s, s.shape().wild):
		return d.wrap(s, "entries", d.mapOf)
	case s.arraysOnly() || n.Cut && kindOf(n) == "array":
		return named(schema.ListValue)
	case n.Cut && kindOf(n) == "object":
		return named(schema.Struct)
	case s.objectsOnly() && s.shape().isMap():
		return named(schema.Struct)
	}
	return d.singular(s)
}

// object returns the type of objects that are no map.
func (d *decider) object(at *slot) *verdict {
	s := at.shape()
	if len(s.fields) == 0 || at.stats.Cut {
		v := named(schema.Struct)
		if !at.stats.Cut {
			v.note("No evidence for fields: always empty.")
		}
		return v
	}
	v := &verdict{Type: schema.Type{Message: d.message(s)}}
	if s.why != "" {
		v.reject("map: %s", s.why)
	}
	if against := v.Message.Against; against != "" {
		v.reject("oneof: %s", against)
	}
	return v
}

// The bounds of numbers, with room to grow: from a quarter of a type's range on, the next one is taken.
const (
	maxInt32  = 1 << 30
	maxUint32 = math.MaxUint32
)

// number returns the type of numbers.
func (d *decider) number(n *profile.Node) *verdict {
	v := named("double")
	switch {
	case n.Huge > 0:
		v.note("%s have more than 64 bits: the nearest double is kept.", share(n.Huge, n.Ints))
		return v
	case n.Floats > 0:
		if n.Inexact > 0 {
			v.note("%s have more digits than a double.", share(n.Inexact, n.Floats))
		}
		if n.Unsafe > 0 {
			v.note("%s are integers beyond 2^53, of which a double loses digits.", share(n.Unsafe, n.Ints))
		}
		if n.Ints > 0 {
			v.reject("integer: %s have a fraction or exponent", share(n.Floats, n.Ints+n.Floats))
		}
		return v
	case n.Unsigned > 0 && n.IntMin < 0:
		v.note("Integers from below 0 to beyond 2^63: the nearest double is kept.")
		return v
	case n.Unsigned > 0:
		v = named("uint64")
	case n.Unsafe > 0:
		v = named("int64")
	}
	if n.Unsafe > 0 {
		if d.json {
			v.note("%s are beyond 2^53: ProtoJSON writes 64-bit integers as strings.", share(n.Unsafe, n.Ints))
		}
		v.reject("double: %s are beyond 2^53", share(n.Unsafe, n.Ints))
		return v
	}
	v.Name = d.integer(n)
	if v.Name == "double" {
		v.note("Integers from %d to %d.", n.IntMin, n.IntMax)
		v.reject("int64: ProtoJSON writes 64-bit integers as strings, and these are numbers")
		v.reject("int32: from %d to %d", n.IntMin, n.IntMax)
	}
	return v
}

// integer returns the type of integers within 2^53.
func (d *decider) integer(n *profile.Node) string {
	switch {
	case n.IntMin < 0 && n.IntMin >= -maxInt32 && n.IntMax < maxInt32:
		// int32 takes ten bytes for each negative number, sint32 one bit more for all: -1 is often an exception.
		if n.IntMin < -1 && -n.IntMin >= n.IntMax/8 {
			return "sint32"
		}
		return "int32"
	case n.IntMin >= 0 && n.IntMax < maxInt32:
		return "int32"
	case !d.json:
		return "int64"
	case n.IntMin >= 0 && n.IntMax <= maxUint32:
		return "uint32"
	case n.IntMin >= math.MinInt32 && n.IntMax <= math.MaxInt32:
		return "int32"
	}
	return "double"
}

// The evidence for bytes.
const (
	minBytes      = 24 // characters of each string
	longBytes     = 64 // where lengths differ
	distinctBytes = 5
)

// text returns the type of strings.
func (d *decider) text(n *profile.Node) *verdict {
	v := named("string")
	switch {
	case n.Has(profile.ExactTime):
		return named(schema.Timestamp)
	case n.Has(profile.Time) && !d.json:
		return named(schema.Timestamp)
	case n.Has(profile.Time):
		v.note("Times, of which some would be printed otherwise by Timestamp.")
		v.reject("google.protobuf.Timestamp: some are not printed as they are")
	case n.Has(profile.Base64):
		fixed := n.LenMin == n.LenMax && n.LenMin >= minBytes && n.Has(profile.Padded)
		long := n.LenMin >= longBytes
		if (fixed || long) && n.Has(profile.Mixed) && n.Lacks&profile.Hex != 0 && n.Values.Distinct() >= distinctBytes {
			return named("bytes")
		}
		v.reject("bytes: base64, but short, without padding, or not of one length")
	case n.Has(profile.Integer) && !d.json && n.LenMax >= 5 && n.Values.Distinct() >= 10:
		v = named("int64")
		v.note("Integers written as strings, as ProtoJSON does.")
	case n.Has(profile.Integer):
		v.reject("int64: integers written as strings, of which another sample may not be one")
	}
	if values := fewValues(n); values != "" {
		v.note("One of %s so far.", values)
		v.reject("enum: a new value is an error for old readers of JSON; --hint PATH=enum asks for it")
	}
	return v
}
