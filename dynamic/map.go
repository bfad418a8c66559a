package dynamic

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// A mapping is a handle to a map: it knows where the pointer to the Go map is, which is
// nil as long as there are no entries.
type mapping struct {
	field *field
	at    layout.Address // in a message, or elsewhere; nil for a read-only map
}

var _ protoreflect.Map = (*mapping)(nil)

func (x *mapping) mustBeValid() {
	if x.at == nil {
		panic(fmt.Errorf("proto: %v: modification of read-only map", x.field.fd.FullName()))
	}
}

func (x *mapping) IsValid() bool { return x.at != nil }

func (x *mapping) Len() int {
	if x.at == nil {
		return 0
	}
	return block.MapLen(x.at)
}

func (x *mapping) Get(k protoreflect.MapKey) protoreflect.Value {
	if x.at == nil {
		return protoreflect.Value{}
	}
	return x.field.table.Get(x.at, k)
}

func (x *mapping) Has(k protoreflect.MapKey) bool { return x.Get(k).IsValid() }

func (x *mapping) Set(k protoreflect.MapKey, v protoreflect.Value) {
	x.mustBeValid()
	x.field.key.mustAccept(k.Value())
	x.field.value.mustAccept(v)
	x.field.table.Set(x.at, k, v)
}

func (x *mapping) Clear(k protoreflect.MapKey) {
	if x.at != nil {
		x.field.table.Delete(x.at, k)
	}
}

func (x *mapping) Mutable(k protoreflect.MapKey) protoreflect.Value {
	if x.field.value.sub == nil {
		panic(fmt.Errorf("proto: %v: invalid Mutable on map with non-message value type", x.field.fd.FullName()))
	}
	v := x.Get(k)
	if !v.IsValid() {
		v = x.NewValue()
		x.Set(k, v)
	}
	return v
}

func (x *mapping) NewValue() protoreflect.Value {
	if x.field.value.sub != nil {
		return x.field.value.new()
	}
	return x.field.value.fd.Default()
}

func (x *mapping) Range(f func(protoreflect.MapKey, protoreflect.Value) bool) {
	if x.at != nil {
		x.field.table.Range(x.at, f)
	}
}

// Strings returns where the entries are if keys and values are strings, else nil; the Go map there is nil as long as
// there are none. It is not part of [protoreflect.Map]: a caller that asks for it reads and changes the map without a
// [protoreflect.Value] for each key and value.
func (x *mapping) Strings() *map[string]string {
	if x.at == nil || x.field.key.kind != protoreflect.StringKind || x.field.value.kind != protoreflect.StringKind {
		return nil
	}
	return block.StringMap(x.at)
}

// setMap makes the map at q the one of src, which it shares with src if that is a map of
// this package.
func (f *field) setMap(q layout.Address, src protoreflect.Map) {
	x, ours := src.(*mapping)
	if !src.IsValid() || ours && x.field.fd != f.fd {
		panic(fmt.Errorf("proto: %v: assigning invalid map %T", f.fd.FullName(), src))
	}
	if !ours || x.field != f {
		x = f.copyMap(src)
	}
	f.table.Make(x.at)
	*block.Pointer(q) = *block.Pointer(x.at)
}

// copyMap returns a new map with what is in a map of another implementation.
func (f *field) copyMap(src protoreflect.Map) *mapping {
	x := &mapping{field: f, at: block.NewMap()}
	src.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		x.Set(k, v)
		return true
	})
	return x
}
