package index

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire"
)

// An Error is an error in the wire form.
type Error struct {
	Err    error
	Offset int             // of the byte that is wrong
	Path   []protoerr.Step // to the Value that it belongs to, from the root
}

func (f *Error) Error() string { return fmt.Sprintf("byte %d: %v", f.Offset, f.Err) }

// Regularize returns a message that is legal but irregular in its regular form, as
// the official library would understand it: the last field set in a Value counts;
// a struct_value or list_value that follows another one is merged with it, and so
// is a value that comes twice in an entry; an entry without key has the empty key,
// one without value an unset Value; unknown fields are dropped, and null_value is 0.
// Entries with the same key stay, the last one counts.
//
// The limit of depth is exact. Memory is proportional to the input.
func Regularize(in []byte, form Form, maxDepth int) ([]byte, *Error) {
	if len(in) > MaxSize {
		return nil, &Error{Err: protoerr.ErrSize, Offset: MaxSize}
	}
	r := regularizer{in: in, max: maxDepth}
	r.items = append(r.items, item{})
	fault := r.message(form, r.push(span{0, uint32(len(in))}), 1)
	if fault != nil {
		for i, j := 0, len(fault.Path)-1; i < j; i, j = i+1, j-1 {
			fault.Path[i], fault.Path[j] = fault.Path[j], fault.Path[i]
		}
		return nil, fault
	}
	return r.write(form), nil
}

// message reads one of the three messages as the root.
func (r *regularizer) message(form Form, p pieces, depth int) *Error {
	switch form {
	case Struct:
		r.items[0].kind = Object
		return r.object(p, 0, depth)
	case List:
		r.items[0].kind = Array
		return r.array(p, 0, depth)
	default:
		return r.value(p, 0, depth)
	}
}

// A span is a part of the input.
type span struct{ start, end uint32 }

// pieces are spans of the input that make up one message, which is merged by reading
// one after the other. They are a part of the regularizer's stack of spans.
type pieces struct{ from, to int }

// A regularizer lists the nodes of an irregular message.
type regularizer struct {
	in    []byte
	items []item // in the order of Nodes
	spans []span // the stack
	max   int
}

// An item is one Value.
type item struct {
	key, content span // content is not set for Object and Array
	next         uint32
	kind         Kind
	entry        bool // it is a child of an object
}

// push puts one span on the stack, as pieces by itself.
func (r *regularizer) push(s span) pieces {
	r.spans = append(double(r.spans), s)
	return pieces{len(r.spans) - 1, len(r.spans)}
}

// since returns the pieces on top of the stack.
func (r *regularizer) since(from int) pieces { return pieces{from, len(r.spans)} }

// pop takes all from there on off the stack.
func (r *regularizer) pop(from int) { r.spans = r.spans[:from] }

func (r *regularizer) errorAt(err error, at uint32) *Error { return &Error{Err: err, Offset: int(at)} }

// A field is what field reads.
type field struct {
	num  protowire.Number
	typ  protowire.Type
	at   uint32 // where the field starts
	span        // the content, if delimited; else the value
}

// field reads the field at pos.
func (r *regularizer) field(pos, end uint32) (f field, next uint32, fault *Error) {
	tag, n := protowire.ConsumeVarint(r.in[pos:end])
	if n < 0 {
		return f, 0, r.errorAt(wireError(n), pos)
	}
	num, typ := protowire.DecodeTag(tag)
	if num < protowire.MinValidNumber || num > protowire.MaxValidNumber {
		return f, 0, r.errorAt(protoerr.ErrMalformed, pos)
	}
	f = field{num: num, typ: typ, at: pos, span: span{pos + uint32(n), 0}}
	n = protowire.ConsumeFieldValue(num, typ, r.in[f.start:end])
	if n < 0 {
		return f, 0, r.errorAt(wireError(n), pos)
	}
	f.end = f.start + uint32(n)
	next = f.end
	if typ == protowire.BytesType {
		_, n := protowire.ConsumeVarint(r.in[f.start:end])
		f.start += uint32(n)
	}
	return f, next, nil
}

func wireError(n int) error {
	if errors.Is(protowire.ParseError(n), protowire.ParseError(-1)) { // io.ErrUnexpectedEOF
		return protoerr.ErrTruncated
	}
	return protoerr.ErrMalformed
}

// text checks that a field is UTF-8.
func (r *regularizer) text(f field) *Error {
	b := r.in[f.start:f.end]
	if utf8.Valid(b) {
		return nil
	}
	at := f.start
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n == 1 {
			break
		}
		b, at = b[n:], at+uint32(n)
	}
	return r.errorAt(protoerr.ErrUTF8, at)
}

// value reads a Value into the item, and its children into those after it.
func (r *regularizer) value(in pieces, at, depth int) *Error {
	var (
		kind   Kind
		scalar span
		inside = len(r.spans) // from there on the pieces of an Object or Array
		first  = len(r.items)
	)
	if depth > r.max {
		return r.errorAt(protoerr.ErrDepth, r.spans[in.from].start)
	}
	for piece := in.from; piece < in.to; piece++ {
		p := r.spans[piece]
		for pos := p.start; pos < p.end; {
			f, next, fault := r.field(pos, p.end)
			if fault != nil {
				return fault
			}
			pos = next
			is := kindOf(f)
			switch is {
			case Unset:
				continue // an unknown field
			case String:
				if fault := r.text(f); fault != nil {
					return fault
				}
			}
			if kind >= Object && is != kind {
				// What is replaced must be valid all the same.
				if fault := r.children(kind, r.since(inside), at, depth+1); fault != nil {
					return fault
				}
				r.items = r.items[:first]
				r.pop(inside)
			}
			kind, scalar = is, f.span
			if kind >= Object {
				r.push(f.span)
			}
		}
	}
	n := &r.items[at]
	n.kind, n.content = kind, scalar
	if kind >= Object {
		fault := r.children(kind, r.since(inside), at, depth+1)
		r.pop(inside)
		return fault
	}
	n.next = uint32(len(r.items))
	return nil
}

// kindOf returns which kind of Value a field is; Unset for unknown fields.
func kindOf(f field) Kind {
	switch uint64(f.num)<<3 | uint64(f.typ) {
	case TagNull:
		return Null
	case TagNumber:
		return Number
	case TagString:
		return String
	case TagBool:
		return Bool
	case TagStruct:
		return Object
	case TagList:
		return Array
	}
	return Unset
}

func (r *regularizer) children(kind Kind, p pieces, at, depth int) *Error {
	if kind == Object {
		return r.object(p, at, depth)
	}
	return r.array(p, at, depth)
}

// elements calls yield for each element of a Struct or ListValue.
//
// A reserve is how many levels the official library takes for an element before it looks
// whether its wire type is right: one for the entries of a Struct.
func (r *regularizer) elements(in pieces, depth, reserve int, yield func(i int, element span) *Error) *Error {
	if depth > r.max {
		return r.errorAt(protoerr.ErrDepth, r.spans[in.from].start)
	}
	i := 0
	for piece := in.from; piece < in.to; piece++ {
		p := r.spans[piece]
		for pos := p.start; pos < p.end; {
			f, next, fault := r.field(pos, p.end)
			if fault != nil {
				return fault
			}
			if pos = next; f.num != 1 {
				continue
			}
			if depth+reserve > r.max {
				return r.errorAt(protoerr.ErrDepth, f.at)
			}
			if f.typ != protowire.BytesType {
				continue
			}
			if fault := yield(i, f.span); fault != nil {
				return fault
			}
			i++
		}
	}
	return nil
}

func (r *regularizer) object(in pieces, at, depth int) *Error {
	fault := r.elements(in, depth, 1, func(_ int, entry span) *Error {
		value := len(r.spans)
		key, fault := r.entry(entry)
		if fault != nil {
			return fault
		}
		child := len(r.items)
		r.items = append(double(r.items), item{key: key, entry: true, next: uint32(child) + 1})
		if len(r.spans) == value {
			return nil // unset
		}
		if fault := r.value(r.since(value), child, depth+2); fault != nil {
			fault.Path = append(fault.Path, protoerr.Step{Key: string(r.in[key.start:key.end]), Index: -1})
			return fault
		}
		r.pop(value)
		return nil
	})
	r.items[at].next = uint32(len(r.items))
	return fault
}

// entry reads the key of a Struct's entry and puts the pieces of its value on the stack.
func (r *regularizer) entry(e span) (key span, fault *Error) {
	for pos := e.start; pos < e.end; {
		f, next, fault := r.field(pos, e.end)
		if fault != nil {
			return key, fault
		}
		pos = next
		switch {
		case f.typ != protowire.BytesType:
		case f.num == 1:
			if fault := r.text(f); fault != nil {
				return key, fault
			}
			key = f.span
		case f.num == 2:
			r.push(f.span)
		}
	}
	return key, nil
}

func (r *regularizer) array(in pieces, at, depth int) *Error {
	fault := r.elements(in, depth, 0, func(i int, element span) *Error {
		child := len(r.items)
		r.items = append(double(r.items), item{})
		p := r.push(element)
		if fault := r.value(p, child, depth+1); fault != nil {
			fault.Path = append(fault.Path, protoerr.Step{Index: i})
			return fault
		}
		r.pop(p.from)
		return nil
	})
	r.items[at].next = uint32(len(r.items))
	return fault
}

// write writes the items, from the last to the first.
func (r *regularizer) write(form Form) []byte {
	var b wire.BackwardBuffer
	for i := len(r.items) - 1; i >= 0; i-- {
		n := &r.items[i]
		after := b.Len() // where what comes after the item, its children included, starts
		if last := int(n.next) - 1; last > i {
			after = int(r.items[last].next)
		}
		n.next = uint32(b.Len()) // for those above, whose last item this is
		if i == 0 && form != Value {
			break
		}
		content := r.in[n.content.start:n.content.end]
		switch n.kind {
		case Null:
			b.Byte2(TagNull, 0)
		case Bool:
			v, _ := protowire.ConsumeVarint(content)
			b.Byte2(TagBool, byte(protowire.EncodeBool(v != 0)))
		case Number:
			b.Bytes(content)
			b.Byte(TagNumber)
		case String:
			b.Bytes(content)
			b.Delimit(TagString, after)
		case Object:
			b.Delimit(TagStruct, after)
		case Array:
			b.Delimit(TagList, after)
		}
		if i == 0 {
			break
		}
		if n.entry {
			b.Delimit(TagValue, after)
			before := b.Len()
			b.Bytes(r.in[n.key.start:n.key.end])
			b.Delimit(TagKey, before)
		}
		b.Delimit(TagElement, after)
	}
	return b.Written()
}
