package value

import (
	"encoding"
	"reflect"
	"strconv"

	"github.com/protean-pb/protean/internal/structval/index"
)

// A structStore decodes into the structs of one type.
type structStore struct {
	*structType
	stores []fieldStore // one for each field
}

type fieldStore struct {
	name  string
	index []int
	store store
}

// A match is an entry of an object that belongs to a field of a struct.
type match struct{ entry, field int32 }

func newStructStore(t reflect.Type) store {
	s := &structStore{structType: structOf(t)}
	for _, f := range s.fields {
		fs := fieldStore{name: f.name, index: f.index, store: targetOf(f.typ).decode}
		if f.quoted {
			fs.store = quotedStore(f.typ)
		}
		s.stores = append(s.stores, fs)
	}
	return s.store
}

func (s *structStore) store(d *decoder, v reflect.Value, at int) bool {
	if d.nodes[at].Kind() != index.Object {
		return d.mismatch(v, at)
	}
	first := len(d.matches)
	if !s.match(d, at) {
		return false
	}
	// The slice may move while values are being decoded.
	for i := first; i < len(d.matches); i++ {
		m := d.matches[i]
		f := &s.stores[m.field]
		fv := v
		if len(f.index) == 1 {
			fv = v.Field(f.index[0])
		} else if fv = reach(v, f.index); !fv.IsValid() {
			return d.fail(int(m.entry), ErrType, "an embedded pointer on the way to "+f.name+" is nil and not exported")
		}
		if !f.store(d, fv, int(m.entry)) {
			return false
		}
	}
	d.matches = d.matches[:first]
	return true
}

// match puts the entries of an object that belong to fields on the stack, in the order of
// the wire.
func (s *structStore) match(d *decoder, at int) bool {
	first, twice := len(d.matches), false
	var seen [4]uint64 // a bit for each field; those beyond count as seen
	n, entry, next := index.Len(d.nodes, at), index.First(at), 0
	for range n {
		key := d.nodes[entry].KeyText(d.wire)
		field := next
		// Who writes structs writes their fields in order.
		if field >= len(s.stores) || s.stores[field].name != key {
			field = s.find(key)
		}
		if field >= 0 {
			word, bit := field/64, uint64(1)<<(field%64)
			if word >= len(seen) || seen[word]&bit != 0 {
				twice = true
			} else {
				seen[word] |= bit
			}
			d.matches = append(d.matches, match{int32(entry), int32(field)})
			next = field + 1
		} else if d.strict {
			return d.fail(entry, ErrAbsent, "no field has this name")
		}
		entry = index.Next(d.nodes, entry)
	}
	if twice {
		d.dropOverridden(at, first)
	}
	return true
}

// dropOverridden takes entries off the stack that others with the same key follow.
func (d *decoder) dropOverridden(object, first int) {
	last, kept := d.lastEntries(object), first
	for _, m := range d.matches[first:] {
		if last[d.nodes[m.entry].KeyText(d.wire)] == int(m.entry) {
			d.matches[kept] = m
			kept++
		}
	}
	d.matches = d.matches[:kept]
}

// lastEntries returns for each key of an object the last of its entries.
func (d *decoder) lastEntries(object int) map[string]int {
	last := map[string]int{}
	entry := index.First(object)
	for range index.Len(d.nodes, object) {
		last[d.nodes[entry].KeyText(d.wire)] = entry
		entry = index.Next(d.nodes, entry)
	}
	return last
}

// reach returns the field of an embedded struct, and allocates those on the way that are
// nil. The result is not valid if that is not possible.
func reach(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return reflect.Value{}
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// entries calls store for the entries of an object. One that fails does not matter if
// another one with the same key follows.
func (d *decoder) entries(object int, store func(key string, at int) bool) bool {
	var last map[string]int
	entry := index.First(object)
	for range index.Len(d.nodes, object) {
		key := d.nodes[entry].KeyText(d.wire)
		if (last == nil || last[key] == entry) && !store(key, entry) {
			if last == nil {
				last = d.lastEntries(object)
			}
			if last[key] == entry {
				return false
			}
		}
		entry = index.Next(d.nodes, entry)
	}
	return true
}

// newMapStore decodes into maps of one type: those that there are are extended.
func newMapStore(t reflect.Type) store {
	elem, setKey := targetOf(t.Elem()), keyStore(t.Key())
	return func(d *decoder, v reflect.Value, at int) bool {
		if done, ok := d.enter(v, at); done {
			return ok
		}
		if setKey == nil {
			return d.fail(at, ErrType, t.String())
		}
		if v.IsNil() {
			v.Set(reflect.MakeMapWithSize(t, index.Len(d.nodes, at)))
		}
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		return d.entries(at, func(name string, at int) bool {
			key.SetZero()
			value.SetZero()
			if !elem.decode(d, value, at) || !setKey(d, key, name, at) {
				return false
			}
			v.SetMapIndex(key, value)
			return true
		})
	}
}

// enter does for a map what need not look at its entries.
func (d *decoder) enter(v reflect.Value, at int) (done, ok bool) {
	switch {
	case d.nodes[at].Kind() == index.Object:
		return false, true
	case d.isNull(at):
		v.SetZero()
		return true, true
	}
	return true, d.mismatch(v, at)
}

// keyStore returns what turns a key into one of a map; nil if the type is none.
func keyStore(t reflect.Type) func(d *decoder, v reflect.Value, key string, at int) bool {
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return func(d *decoder, v reflect.Value, key string, at int) bool {
			if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(key)); err != nil {
				return d.fail(at, err, "UnmarshalText of "+t.String())
			}
			return true
		}
	}
	switch t.Kind() {
	case reflect.String:
		return func(d *decoder, v reflect.Value, key string, at int) bool {
			v.SetString(key)
			return true
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(d *decoder, v reflect.Value, key string, at int) bool {
			i, err := strconv.ParseInt(key, 10, t.Bits())
			v.SetInt(i)
			return err == nil || d.badKey(v, key, at)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(d *decoder, v reflect.Value, key string, at int) bool {
			u, err := strconv.ParseUint(key, 10, t.Bits())
			v.SetUint(u)
			return err == nil || d.badKey(v, key, at)
		}
	}
	return nil
}

func (d *decoder) badKey(v reflect.Value, key string, at int) bool {
	return d.fail(at, ErrNumber, "the key "+strconv.Quote(key)+" into Go type "+v.Type().String())
}

func storeAnyMap(d *decoder, v reflect.Value, at int) bool {
	if done, ok := d.enter(v, at); done {
		return ok
	}
	d.reserve(at)
	m := v.Addr().Interface().(*map[string]any)
	if *m == nil {
		*m = d.object(at)
	} else {
		d.fill(*m, at)
	}
	return true
}

func storeStringMap(d *decoder, v reflect.Value, at int) bool {
	if done, ok := d.enter(v, at); done {
		return ok
	}
	m := v.Addr().Interface().(*map[string]string)
	if *m == nil {
		*m = make(map[string]string, index.Len(d.nodes, at))
	}
	return d.entries(at, func(key string, at int) bool {
		n := &d.nodes[at]
		if n.Kind() == index.String {
			(*m)[key] = n.Text(d.wire)
			return true
		}
		if d.isNull(at) {
			(*m)[key] = ""
			return true
		}
		return d.fail(at, ErrKind, (Kind(n.Kind())+1).String()+" into Go type string")
	})
}

// elementsStore decodes lists into slices of one type. As with encoding/json, elements are
// decoded into those that are in the memory of the slice already.
func elementsStore(elem *target, t reflect.Type) store {
	return func(d *decoder, v reflect.Value, at int) bool {
		switch {
		case d.isNull(at):
			v.SetZero()
			return true
		case d.nodes[at].Kind() != index.Array:
			return d.mismatch(v, at)
		}
		n := index.Len(d.nodes, at)
		if n == 0 {
			v.Set(reflect.MakeSlice(t, 0, 0))
			return true
		}
		if n > v.Cap() {
			v.SetLen(v.Cap()) // so that what lies beyond the length is kept
			v.Grow(n - v.Cap())
		}
		v.SetLen(n)
		at = index.First(at)
		for i := range n {
			if !elem.decode(d, v.Index(i), at) {
				return false
			}
			at = index.Next(d.nodes, at)
		}
		return true
	}
}

// arrayStore decodes lists into arrays: what is too much is dropped, what is missing zero.
func arrayStore(elem *target) store {
	return func(d *decoder, v reflect.Value, at int) bool {
		if d.nodes[at].Kind() != index.Array {
			return d.mismatch(v, at)
		}
		n := min(index.Len(d.nodes, at), v.Len())
		at = index.First(at)
		for i := range n {
			if !elem.decode(d, v.Index(i), at) {
				return false
			}
			at = index.Next(d.nodes, at)
		}
		for i := n; i < v.Len(); i++ {
			v.Index(i).SetZero()
		}
		return true
	}
}
