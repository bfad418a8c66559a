package value

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A structType is what Marshal and Unmarshal know of a Go struct type. It does not
// change once built, and is built once per type.
type structType struct {
	fields []structField  // in the order in which the struct declares them
	byName map[string]int // exact name -> index in fields
}

// A structField is a field of a struct, or of one embedded in it, that has a name in
// JSON.
type structField struct {
	name      string
	index     []int // as for reflect.FieldByIndex, through embedded structs and pointers to them
	typ       reflect.Type
	omitEmpty bool
	omitZero  bool
	quoted    bool // the option "string", on a type that can have it
}

var structTypes sync.Map // reflect.Type -> *structType

// structOf returns what is known of the struct type t.
func structOf(t reflect.Type) *structType {
	if s, ok := structTypes.Load(t); ok {
		return s.(*structType)
	}
	s, _ := structTypes.LoadOrStore(t, newStructType(t))
	return s.(*structType)
}

// find returns the index of the field with the name, else of the first whose name
// differs only in case, as encoding/json matches names; -1 if there is none.
func (t *structType) find(name string) int {
	if i, ok := t.byName[name]; ok {
		return i
	}
	for i := range t.fields {
		if strings.EqualFold(t.fields[i].name, name) {
			return i
		}
	}
	return -1
}

// An embedding is a struct whose fields count as those of the one that embeds it.
type embedding struct {
	typ   reflect.Type
	index []int
	twice bool // the type is embedded several times at this depth
}

// A candidate is a field that may have its name to itself.
type candidate struct {
	structField
	tagged    bool // the name comes from a tag
	ambiguous bool // another field has the same right to the name
}

// newStructType lists the fields of t and of the structs embedded in it, level by
// level, as encoding/json and the language do: of fields with the same name, the one
// at the least depth counts, among those of the same depth the only one whose name
// comes from a tag, and if there are several, none.
func newStructType(t reflect.Type) *structType {
	byName := map[string]*candidate{}
	seen := map[reflect.Type]bool{}
	for level := []embedding{{typ: t}}; len(level) > 0; {
		var below []embedding
		for _, e := range level {
			if seen[e.typ] {
				continue
			}
			seen[e.typ] = true
			for i := range e.typ.NumField() {
				c, embedded := newCandidate(e.typ.Field(i), append(slices.Clip(e.index), i))
				switch {
				case embedded != nil:
					below = embed(below, embedding{typ: embedded, index: c.index})
				case c != nil:
					c.ambiguous = e.twice
					claim(byName, c)
				}
			}
		}
		level = below
	}
	return collect(byName)
}

// newCandidate looks at one field. If the field is a struct to be embedded, it returns
// the type of that and only the index counts; nil if the field has no name.
func newCandidate(f reflect.StructField, index []int) (c *candidate, embedded reflect.Type) {
	under := f.Type
	if under.Name() == "" && under.Kind() == reflect.Pointer {
		under = under.Elem()
	}
	isStruct := under.Kind() == reflect.Struct
	if !f.IsExported() && !(f.Anonymous && isStruct) {
		return nil, nil
	}
	tag := f.Tag.Get("json")
	if tag == "-" {
		return nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	c = &candidate{structField: structField{name: name, index: index, typ: f.Type}, tagged: true}
	if !isTagName(name) {
		c.name, c.tagged = f.Name, false
		if f.Anonymous && isStruct {
			return c, under
		}
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			c.omitEmpty = true
		case "omitzero":
			c.omitZero = true
		case "string":
			c.quoted = isQuotable(under.Kind())
		}
	}
	return c, nil
}

// isTagName reports whether a tag's name is one that encoding/json takes.
func isTagName(name string) bool {
	for _, c := range name {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) {
			return false
		}
	}
	return name != ""
}

// isQuotable reports whether the option "string" has a meaning.
func isQuotable(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

func embed(level []embedding, e embedding) []embedding {
	for i := range level {
		if level[i].typ == e.typ {
			level[i].twice = true
			return level
		}
	}
	return append(level, e)
}

// claim lets c have its name, unless another field has a better right to it.
func claim(byName map[string]*candidate, c *candidate) {
	other := byName[c.name]
	switch {
	case other == nil:
		byName[c.name] = c
	case len(other.index) < len(c.index):
		// Hidden, even if no field has the name in the end.
	case other.tagged == c.tagged:
		other.ambiguous = true
	case c.tagged:
		byName[c.name] = c
	}
}

func collect(byName map[string]*candidate) *structType {
	s := &structType{byName: make(map[string]int, len(byName))}
	for _, c := range byName {
		if !c.ambiguous {
			s.fields = append(s.fields, c.structField)
		}
	}
	slices.SortFunc(s.fields, func(a, b structField) int { return slices.Compare(a.index, b.index) })
	for i := range s.fields {
		s.byName[s.fields[i].name] = i
	}
	return s
}
