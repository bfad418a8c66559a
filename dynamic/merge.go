package dynamic

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// merge adds a deep copy of what src holds to m, which is of the same type.
func (m *Message) merge(src *Message) {
	l, from := src.parts()
	_, to := m.parts()
	fields := m.typ().fields
	for i := range fields {
		f := &fields[i]
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
			f.value.merge(block.Claim(l, f.at, to), q)
		}
	}
	if u := *block.Unknown(l, from); len(u) > 0 {
		all := block.Unknown(l, to)
		*all = append(*all, u...)
	}
	if l.Extensions != 0 {
		for _, x := range *block.Extensions(l, from) {
			m.mergeExtension(x)
		}
	}
}

// merge merges the value at src into that at dst.
func (e *element) merge(dst, src layout.Address) {
	if e.sub == nil {
		block.Copy(e.mem, dst, src)
		return
	}
	to := block.Pointer(dst)
	if *to == nil {
		*to = block.AddressOf(e.sub.New())
	}
	block.As[Message](*to).merge(block.As[Message](*block.Pointer(src)))
}

// clone returns a deep copy of the message at p.
func (e *element) clone(p layout.Address) layout.Address {
	m := e.sub.New()
	m.merge(block.As[Message](p))
	return block.AddressOf(m)
}

// mergeExtension adds a deep copy of an extension field to m.
func (m *Message) mergeExtension(x extension) {
	switch {
	case !isSet(x):
	case x.Desc.IsList():
		dst, src := m.mutableExtension(x.Desc).List(), x.Value.List()
		for i := range src.Len() {
			dst.Append(cloned(src.Get(i), dst.NewElement))
		}
	case x.Desc.Message() != nil:
		adopt(m.mutableExtension(x.Desc).Message().Interface(), x.Value.Message().Interface())
	default:
		m.putExtension(extension{Desc: x.Desc, Value: cloned(x.Value, nil)})
	}
}

// cloned returns a deep copy of a single value; into returns an empty message to copy to.
func cloned(v protoreflect.Value, into func() protoreflect.Value) protoreflect.Value {
	switch x := v.Interface().(type) {
	case []byte:
		return protoreflect.ValueOfBytes(append([]byte{}, x...))
	case protoreflect.Message:
		to := into()
		adopt(to.Message().Interface(), x.Interface())
		return to
	}
	return v
}
