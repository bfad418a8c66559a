package layout

import (
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/swissmap"
)

// Keys returns the names of j's Fields as keys of maps: [JSONName] or [ProtoName]; nil if
// two of them are alike.
func (j *JSON) Keys(which int) *swissmap.Keys {
	if k := j.keys[which].Load(); k != nil {
		return k
	}
	return j.firstKeys(which)
}

//go:noinline
func (j *JSON) firstKeys(which int) *swissmap.Keys {
	var names []string
	seen := map[string]bool{}
	for i := range j.Fields {
		name := j.Fields[i].Name(which)
		if seen[name] {
			return nil
		}
		seen[name] = true
		names = append(names, name)
	}
	j.keys[which].CompareAndSwap(nil, swissmap.NewKeys(names))
	return j.keys[which].Load()
}

// Name returns one of the names of the field, without quotes.
func (f *JSONField) Name(which int) string {
	if which == ProtoName {
		return f.Desc.TextName()
	}
	return f.Desc.JSONName()
}

// ParseKey sets the key of a map at q, which is not a string, to what the name of a member
// stands for, if it is one.
func (f *JSONField) ParseKey(q unsafe.Pointer, name string) bool {
	bits := 64
	if f.KeyKind == JSONInt32 || f.KeyKind == JSONUint32 {
		bits = 32
	}
	// Sound: the caller says that there is a key of the map at q.
	switch f.KeyKind {
	case JSONBool:
		*(*bool)(q) = name == "true"
		return name == "true" || name == "false"
	case JSONInt32, JSONInt64:
		x, err := strconv.ParseInt(name, 10, bits)
		store(q, bits, uint64(x))
		return err == nil
	}
	x, err := strconv.ParseUint(name, 10, bits)
	store(q, bits, x)
	return err == nil
}

func store(q unsafe.Pointer, bits int, x uint64) {
	if bits == 32 {
		*(*uint32)(q) = uint32(x)
	} else {
		*(*uint64)(q) = x
	}
}
