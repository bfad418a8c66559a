package layout

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// InitDynamic makes l, which must be new, the layout of messages of the descriptor, with
// memory of its own. sub returns the layouts of other descriptors; done is called as soon
// as l is compiled, before anybody uses it, and forget if it cannot be.
func (l *Layout) InitDynamic(
	md protoreflect.MessageDescriptor, sub func(protoreflect.MessageDescriptor) *Layout, done, forget func(),
) {
	l.Desc, l.Dynamic, l.forget = md, true, forget
	l.compile = func(l *Layout) Class {
		c := compileDynamic(l, sub)
		done()
		return c
	}
}

// InitOfficial makes l, which must be new, the layout of those dynamic messages of the
// descriptor that only the official library may touch, by reflection.
func (l *Layout) InitOfficial(md protoreflect.MessageDescriptor) {
	l.Desc, l.Dynamic = md, true
	l.compile = func(*Layout) Class { return Official }
}

// A region is the part of a block that has words of one type.
type region struct {
	used  int // in elements
	size  int // of an element, in bytes
	start int // in the block, in bytes
}

func (r *region) take(n int) int {
	r.used += n
	return r.used - n
}

// A block is the memory of a dynamic message: a Storage, then strings, slices, pointers
// and numbers, each with their like, so that there are few types of blocks.
type block struct{ strings, slices, pointers, numbers region }

func (b *block) regions() []*region {
	return []*region{&b.strings, &b.slices, &b.pointers, &b.numbers}
}

// A spot is a place in a block that is still to be laid out.
type spot struct {
	in *region
	at int
}

func (s spot) offset() uint32 { return uint32(s.in.start + s.at*s.in.size) }

// number returns room for a number of 1, 4 or 8 bytes.
func (b *block) number(size uintptr) spot {
	for b.numbers.used%int(size) != 0 {
		b.numbers.used++
	}
	return spot{&b.numbers, b.numbers.take(int(size))}
}

// value returns room for a value of the kind.
func (b *block) value(k Kind) spot {
	switch k {
	case String, Text:
		return spot{&b.strings, b.strings.take(1)}
	case Bytes:
		return spot{&b.slices, b.slices.take(1)}
	case Message, Group:
		return spot{&b.pointers, b.pointers.take(1)}
	}
	return b.number(k.Size())
}

// A choice is the memory of a oneof: the word that says which member is set, and one
// place for each of the four types of words, since only one member uses it.
type choice struct {
	which spot
	spots [4]spot
}

// value returns the members' common place for values of the kind.
func (c *choice) value(b *block, k Kind) spot {
	i := 0
	switch k {
	case String, Text:
		i = 1
	case Bytes:
		i = 2
	case Message, Group:
		i = 3
	default:
		k = Varint64
	}
	if c.spots[i].in == nil {
		c.spots[i] = b.value(k)
	}
	return c.spots[i]
}

func compileDynamic(l *Layout, sub func(protoreflect.MessageDescriptor) *Layout) Class {
	var b block
	b.strings.size, b.slices.size, b.pointers.size, b.numbers.size = int(String.Size()), int(Bytes.Size()),
		int(Message.Size()), 1
	unknown := b.value(Bytes)
	if l.Desc == nil { // as dynamicpb, the package takes that for a message without fields
		l.Block = b.layOut()
		l.Unknown = unknown.offset()
		return Official
	}
	fds := l.Desc.Fields()
	var extensions spot
	if l.Desc.ExtensionRanges().Len() > 0 {
		extensions = b.value(Message)
	}
	fields := make([]Field, fds.Len())
	spots := make([]spot, fds.Len())
	bits := make([]spot, fds.Len())
	choices := map[protoreflect.Name]*choice{}
	var word spot
	present := 0
	for i := range fields {
		fd := fds.Get(i)
		f := fieldOf(fd, dynamicShape(fd))
		switch f.Op.Storage() {
		case Map:
			f.Entry = entryOf(fd)
			if f.Entry.Value == Message {
				f.Entry.Sub = sub(fd.MapValue().Message())
			}
			spots[i] = b.value(Message)
		case Repeated, Packed:
			spots[i] = b.value(Bytes)
		case Explicit:
			if present%32 == 0 {
				word = b.number(4)
			}
			bits[i] = word
			f.Mask = 1 << (present % 32)
			present++
			spots[i] = b.value(f.Op.Kind())
		case Case:
			name := fd.ContainingOneof().Name()
			if choices[name] == nil {
				choices[name] = &choice{which: b.number(4)}
			}
			bits[i] = choices[name].which
			spots[i] = choices[name].value(&b, f.Op.Kind())
			f.Mask = uint32(fd.Number())
		default:
			spots[i] = b.value(f.Op.Kind())
		}
		if f.Entry == nil && fd.Message() != nil {
			f.Sub = sub(fd.Message())
		}
		fields[i] = f
	}
	l.Block = b.layOut()
	for i := range fields {
		fields[i].Offset = spots[i].offset()
		if bits[i].in != nil {
			fields[i].Bits = bits[i].offset()
		}
	}
	l.Unknown = unknown.offset()
	if extensions.in != nil {
		l.Extensions = extensions.offset()
	}
	l.assemble(fields, func(od protoreflect.OneofDescriptor) Field {
		return Field{Op: OpOf(CaseSwitch, 0), Addressing: ByOneof, Bits: choices[od.Name()].which.offset()}
	})
	if isMessageSet(l.Desc) {
		return Official // which refuses it, unless it is built to support message sets
	}
	return Fast
}

// dynamicShape returns how a field of a dynamic message lies in its block.
func dynamicShape(fd protoreflect.FieldDescriptor) Storage {
	switch {
	case fd.IsMap():
		return Map
	case fd.IsList():
		return Repeated
	case inOneof(fd) != nil:
		return Case
	case fd.Message() == nil && fd.HasPresence():
		return Explicit
	}
	return Implicit
}

// layOut gives every region its place and returns the block's type.
func (b *block) layOut() Block {
	b.numbers.used = (b.numbers.used + 7) / 8
	types := []reflect.Type{reflect.TypeFor[string](), bytesType, reflect.TypeFor[unsafe.Pointer](),
		reflect.TypeFor[uint64]()}
	fields := []reflect.StructField{{Name: "Storage", Type: reflect.TypeFor[DynamicStorage]()}}
	at := int(unsafe.Sizeof(DynamicStorage{}))
	for i, r := range b.regions() {
		n := roundUp(r.used)
		r.start = at
		if n > 0 {
			fields = append(fields, reflect.StructField{Name: string(rune('A' + i)),
				Type: reflect.ArrayOf(n, types[i])})
		}
		at += n * int(types[i].Size())
	}
	return BlockOf(reflect.StructOf(fields))
}
