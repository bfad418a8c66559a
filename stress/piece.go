package main

import (
	"math/rand/v2"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A piece is a part of a message: a string, bytes, a message, a list, or a key of a map.
type piece struct {
	path []step
	key  bool   // the key of the last step, not its value
	want string // what it holds
}

// A step leads to a field, and to an element or entry of it unless the piece is the list.
type step struct {
	field protoreflect.FieldDescriptor
	index int // -1 for the list itself
	key   protoreflect.MapKey
}

// maxPieces is how many pieces of a message are looked for.
const maxPieces = 24

// piecesOf returns some pieces of m.
func piecesOf(m protoreflect.Message, r *rand.Rand) []piece {
	var all []piece
	collectPieces(m, nil, &all)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), maxPieces)]
}

func collectPieces(m protoreflect.Message, path []step, all *[]piece) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		to := func(s step) []step { return append(path[:len(path):len(path)], s) }
		add := func(v protoreflect.Value, path []step) {
			if text, ok := contentOf(v); ok {
				*all = append(*all, piece{path: path, want: text})
			}
			if sub, ok := v.Interface().(protoreflect.Message); ok {
				collectPieces(sub, path, all)
			}
		}
		switch {
		case fd.IsList():
			add(v, to(step{field: fd, index: -1}))
			for i := range v.List().Len() {
				add(v.List().Get(i), to(step{field: fd, index: i}))
			}
		case fd.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				path := to(step{field: fd, key: k})
				if s, ok := k.Interface().(string); ok {
					*all = append(*all, piece{path: path, key: true, want: s})
				}
				add(v, path)
				return true
			})
		default:
			add(v, to(step{field: fd}))
		}
		return true
	})
}

// contentOf returns what a value holds that lies in memory; false for a number, which does not.
func contentOf(v protoreflect.Value) (string, bool) {
	switch v := v.Interface().(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	case protoreflect.Message:
		return content(v.Interface()), true
	case protoreflect.List:
		var b strings.Builder
		for i := range v.Len() {
			text, ok := contentOf(v.Get(i))
			if !ok {
				text = v.Get(i).String()
			}
			b.WriteString(text)
			b.WriteByte('\n')
		}
		return b.String(), true
	}
	return "", false
}

// of takes the piece out of m, and returns what says what it holds then. That keeps nothing else of m.
func (p piece) of(m protoreflect.Message) func() string {
	v := protoreflect.ValueOfMessage(m)
	for i, s := range p.path {
		v = v.Message().Get(s.field)
		switch {
		case s.field.IsList() && s.index >= 0:
			v = v.List().Get(s.index)
		case s.field.IsMap() && p.key && i == len(p.path)-1:
			v = ownKey(v.Map(), s.key)
		case s.field.IsMap():
			v = v.Map().Get(s.key)
		}
	}
	return func() string {
		text, _ := contentOf(v)
		return text
	}
}

// ownKey returns the key of the map that equals k.
func ownKey(m protoreflect.Map, k protoreflect.MapKey) (own protoreflect.Value) {
	m.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		if key.Interface() != k.Interface() {
			return true
		}
		own = key.Value()
		return false
	})
	return own
}
