package goany

import (
	"maps"
	"slices"
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
)

// entries reads an object into the map at q, which is empty.
func (r *reader) entries(f *layout.JSONField, q unsafe.Pointer, v any, depth int) bool {
	m, ok := v.(map[string]any)
	if !ok {
		r.wrong(v, "an object")
		return r.inField(f, "")
	}
	if f.KeyKind == layout.JSONString && len(m) > 0 {
		// Sound: the map's own values have the size and the pointers of these, and that is all
		// by which the runtime tells one map from another.
		switch f.ValueKind {
		case layout.JSONString:
			*(*map[string]string)(q) = swissmap.Make[string](len(m))
		case layout.JSONMessage:
			*(*map[string]unsafe.Pointer)(q) = swissmap.Make[unsafe.Pointer](len(m))
		}
	}
	if f.KeyKind != layout.JSONString && f.Enum != nil && r.DiscardUnknown {
		return r.sorted(f, q, m, depth)
	}
	for name, v := range swissmap.All(m) {
		if _, ok := r.entry(f, q, name, v, len(m), depth); !ok {
			return r.inEntry(f, name)
		}
	}
	return true
}

func (r *reader) inEntry(f *layout.JSONField, name string) bool {
	return r.inField(f, "["+strconv.Quote(protoerr.Clip(name))+"]")
}

// sorted reads entries of which some may not be set, and whose keys may have several names, so
// that it matters which comes first: in text they are sorted.
func (r *reader) sorted(f *layout.JSONField, q unsafe.Pointer, m map[string]any, depth int) bool {
	set := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		var key arena.Cell
		k := key.At(f.Entry.Key)
		if f.ParseKey(k, name) && set[layout.FormatKey(f.Entry, k)] {
			r.fail(protoerr.ErrDuplicate, "a key")
			return r.inEntry(f, name)
		}
		known, ok := r.entry(f, q, name, m[name], len(m), depth)
		if !ok {
			return r.inEntry(f, name)
		}
		if known {
			set[layout.FormatKey(f.Entry, k)] = true
		}
	}
	return true
}

// entry reads an entry of a map that is going to have so many. It may be one that is not to
// be set.
func (r *reader) entry(f *layout.JSONField, q unsafe.Pointer, name string, v any, size, depth int) (known, ok bool) {
	t := f.Entry
	var key, value arena.Cell
	if f.KeyKind != layout.JSONString {
		if !f.ParseKey(key.At(t.Key), name) {
			return false, r.fail(protoerr.ErrValue, "it is no key of the map")
		}
	} else if key.Text = name; !r.valid(name) {
		return false, false
	}
	if known, ok = r.element(f, value.At(t.Value), v, depth); !known || !ok {
		return known, ok
	}
	// Sound: all maps keep the number of their entries in the same place, and nothing else is
	// read.
	before := len(*(*map[int32]struct{})(q))
	if r.PutEntry(t, q, key.At(t.Key), value.At(t.Value), size); len(*(*map[int32]struct{})(q)) == before {
		return true, r.fail(protoerr.ErrDuplicate, "a key")
	}
	return true, true
}
