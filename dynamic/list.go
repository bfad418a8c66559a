package dynamic

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// A list is a handle to a list: it knows where the slice is, so that all handles to a
// field see each other's changes.
type list struct {
	field    *field
	at       layout.Address // of the slice: in a message, or if detached elsewhere; nil for a read-only list
	detached bool
}

var _ protoreflect.List = (*list)(nil)

func (x *list) mustBeValid() {
	if x.at == nil {
		panic(fmt.Errorf("proto: %v: modification of read-only list", x.field.fd.FullName()))
	}
}

func (x *list) IsValid() bool { return x.at != nil }

func (x *list) Len() int {
	if x.at == nil {
		return 0
	}
	return block.Len(x.at)
}

// element returns where element i is.
func (x *list) element(i int) layout.Address {
	if x.at == nil {
		panic(fmt.Errorf("proto: %v: index %d of an empty list", x.field.fd.FullName(), i))
	}
	return block.Element(x.field.value.mem, x.at, i)
}

func (x *list) Get(i int) protoreflect.Value {
	return block.Load(x.field.value.kind, x.element(i))
}

func (x *list) Set(i int, v protoreflect.Value) {
	x.mustBeValid()
	x.field.value.mustAccept(v)
	block.Store(x.field.value.kind, x.element(i), v)
}

func (x *list) Append(v protoreflect.Value) {
	x.mustBeValid()
	x.field.value.mustAccept(v)
	block.Store(x.field.value.kind, x.field.vector.Extend(x.at), v)
}

// Grow makes room for n more elements. It is not part of [protoreflect.List], but callers that know how many will come
// may ask for it.
func (x *list) Grow(n int) {
	x.mustBeValid()
	x.field.vector.Grow(x.at, n)
}

// Strings returns where the elements are if they are strings, else nil. It is not part of [protoreflect.List] either: a
// caller that asks for it reads and changes the list without a [protoreflect.Value] for each element.
func (x *list) Strings() *[]string {
	if x.at == nil || x.field.value.kind != protoreflect.StringKind {
		return nil
	}
	return block.Strings(x.at)
}

func (x *list) AppendMutable() protoreflect.Value {
	x.mustBeValid()
	if x.field.value.sub == nil {
		panic(fmt.Errorf("proto: %v: invalid AppendMutable on list with non-message type", x.field.fd.FullName()))
	}
	m := x.field.value.sub.New()
	*block.Pointer(x.field.vector.Extend(x.at)) = layout.AddressOf(m)
	return protoreflect.ValueOfMessage(m)
}

func (x *list) Truncate(n int) {
	x.mustBeValid()
	x.field.vector.Truncate(x.at, n)
}

func (x *list) NewElement() protoreflect.Value { return x.field.value.new() }

// setList makes the slice at q the contents of src. If src is detached, it becomes a
// handle to q, so that nothing is lost that is written to it later.
func (f *field) setList(q layout.Address, src protoreflect.List) {
	x, ours := src.(*list)
	if !src.IsValid() || ours && x.field.fd != f.fd {
		panic(fmt.Errorf("proto: %v: assigning invalid list %T", f.fd.FullName(), src))
	}
	if !ours || x.field != f {
		x = f.copyList(src)
	}
	switch {
	case x.at == q:
	case x.detached:
		block.ShareSlice(q, x.at)
		x.at, x.detached = q, false
	default:
		elements := block.NewSlice()
		f.vector.Concat(elements, x.at, nil)
		block.ShareSlice(q, elements)
	}
}

// copyList returns a new list with what is in a list of another implementation.
func (f *field) copyList(src protoreflect.List) *list {
	x := &list{field: f, at: block.NewSlice(), detached: true}
	for i := range src.Len() {
		x.Append(src.Get(i))
	}
	return x
}
