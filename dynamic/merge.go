package dynamic

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// merge adds a deep copy of what the message at from holds to that at to. Both are of the type.
func (t *Type) merge(to, from layout.Address) {
	l := &t.layout
	for i := range t.fields {
		f := &t.fields[i]
		q := l.Locate(f.at, from)
		if q == nil {
			continue
		}
		switch f.shape {
		case repeated:
			f.vector.Concat(block.Field(f.at, to), q, f.value.clone)
		case mapped:
			f.table.Merge(block.Field(f.at, to), q, f.value.clone)
		default:
			f.value.merge(block.SetPresence(l, f.at, to), q)
		}
	}
	if u := *block.Unknown(l, from); len(u) > 0 {
		all := block.Unknown(l, to)
		*all = append(*all, u...)
	}
	if l.Extensions != 0 {
		for _, x := range *block.Extensions(l, from) {
			t.mergeExtension(to, x)
		}
	}
}

// merge merges the value at src into that at dst.
func (e *element) merge(dst, src layout.Address) {
	if e.sub == nil {
		block.Copy(e.mem, dst, src)
		return
	}
	e.mutable(dst)
	e.mergeMessage(*block.Pointer(dst), *block.Pointer(src))
}

// clone returns a deep copy of the message that p refers to: one of e's type, whatever that is.
func (e *element) clone(p layout.Address) layout.Address {
	to := layout.AddressOf(e.sub.New())
	e.mergeMessage(to, p)
	return to
}

// mergeMessage adds a deep copy of what the message holds that src refers to, to that of dst.
func (e *element) mergeMessage(dst, src layout.Address) {
	l := &e.sub.layout
	if to, from := l.FieldsOf(dst), l.FieldsOf(src); to != nil && from != nil {
		e.sub.merge(to, from)
		return
	}
	adopt(layout.MessageAt(dst), layout.MessageAt(src))
}

// mergeExtension adds a deep copy of an extension field to the message at p.
func (t *Type) mergeExtension(p layout.Address, x extension) {
	switch {
	case !isSet(x):
	case x.Desc.IsList():
		dst, src := t.mutableExtension(p, x.Desc).List(), x.Value.List()
		for i := range src.Len() {
			dst.Append(cloned(src.Get(i), dst.NewElement))
		}
	case x.Desc.Message() != nil:
		adopt(t.mutableExtension(p, x.Desc).Message(), x.Value.Message())
	default:
		t.putExtension(p, extension{Desc: x.Desc, Value: cloned(x.Value, nil)})
	}
}

// cloned returns a deep copy of a single value; into returns an empty message to copy to.
func cloned(v protoreflect.Value, into func() protoreflect.Value) protoreflect.Value {
	switch x := v.Interface().(type) {
	case []byte:
		return protoreflect.ValueOfBytes(append([]byte{}, x...))
	case protoreflect.Message:
		to := into()
		adopt(to.Message(), x)
		return to
	}
	return v
}
