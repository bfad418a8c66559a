package layout

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// KindOf returns the kind of the field's values.
func KindOf(fd protoreflect.FieldDescriptor) Kind {
	k := kinds[fd.Kind()].kind
	if k == String && !enforcesUTF8(fd) {
		return Text
	}
	return k
}

// enforcesUTF8 reports whether the official library refuses invalid UTF-8 in the field.
func enforcesUTF8(fd protoreflect.FieldDescriptor) bool {
	if protoLegacy || fd.Syntax() == protoreflect.Editions {
		if f, ok := fd.(interface{ EnforceUTF8() bool }); ok {
			return f.EnforceUTF8()
		}
	}
	return fd.Syntax() == protoreflect.Proto3
}

// isMessageSet reports whether md has the wire form of the messages before extensions.
func isMessageSet(md protoreflect.MessageDescriptor) bool {
	m, ok := md.(interface{ IsMessageSet() bool })
	return ok && m.IsMessageSet()
}

// inOneof returns the oneof that fd is a member of, other members possible; else nil.
func inOneof(fd protoreflect.FieldDescriptor) protoreflect.OneofDescriptor {
	if od := fd.ContainingOneof(); od != nil && !od.IsSynthetic() {
		return od
	}
	return nil
}

// fieldOf returns a Field with all that the wire form says, stored in that way.
func fieldOf(fd protoreflect.FieldDescriptor, s Storage) Field {
	k := KindOf(fd)
	f := Field{Required: fd.Cardinality() == protoreflect.Required, Index: int32(fd.Index())}
	wt := k.WireType()
	switch {
	case fd.IsMap():
		wt = protowire.BytesType
	case fd.IsList() && wt != protowire.BytesType && k != Group:
		packed := uint32(fd.Number())<<3 | uint32(protowire.BytesType)
		if fd.IsPacked() {
			f.AltTag = uint32(fd.Number())<<3 | uint32(wt)
			wt, s = protowire.BytesType, Packed
		} else {
			f.AltTag = packed
		}
	}
	f.Op = OpOf(s, k)
	f.Opcode, f.Addressing, f.Sparse = opcodeOf(f.Op), addressingOf(f.Op), s == Implicit
	f.Tag = uint32(fd.Number())<<3 | uint32(wt)
	var b [8]byte
	f.TagSize = uint8(binary.PutUvarint(b[:], uint64(f.Tag)))
	f.TagBytes = binary.LittleEndian.Uint64(b[:])
	f.TagEnd = f.TagBytes << (64 - 8*f.TagSize)
	return f
}

// entryOf describes the entries of a map, all but Sub.
func entryOf(fd protoreflect.FieldDescriptor) *Entry {
	k, v := fd.MapKey(), fd.MapValue()
	e := &Entry{Key: KindOf(k), Value: KindOf(v)}
	e.KeyTag, e.ValTag = 1<<3|byte(e.Key.WireType()), 2<<3|byte(e.Value.WireType())
	switch k.Kind() {
	case protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind,
		protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		e.Signed = true
	}
	if v.Kind() == protoreflect.EnumKind {
		e.Default = uint64(uint32(v.Default().Enum()))
	}
	return e
}

// assemble takes the fields in the order of the descriptor and brings them into that of
// l.Fields, with an entry for each oneof, which oneof returns for its descriptor.
func (l *Layout) assemble(fields []Field, oneof func(protoreflect.OneofDescriptor) Field) {
	fds := l.Desc.Fields()
	var alone, members []int
	for i := range fields {
		if inOneof(fds.Get(i)) == nil {
			alone = append(alone, i)
		} else {
			members = append(members, i)
		}
	}
	sort.Slice(alone, func(i, j int) bool { return fields[alone[i]].Tag < fields[alone[j]].Tag })
	add := func(f Field, fd protoreflect.FieldDescriptor) {
		l.Fields, l.Descs = append(l.Fields, f), append(l.Descs, fd)
	}
	for _, i := range alone {
		add(fields[i], fds.Get(i))
	}
	place := map[protoreflect.Name]int{}
	for i := range l.Desc.Oneofs().Len() {
		if od := l.Desc.Oneofs().Get(i); !od.IsSynthetic() {
			place[od.Name()] = len(l.Fields)
			add(oneof(od), nil)
		}
	}
	l.Encoded = len(l.Fields)
	for _, i := range members {
		add(fields[i], fds.Get(i))
	}
	for i := l.Encoded; i < len(l.Fields); i++ {
		if f := &l.Fields[i]; f.Wrap != nil {
			of := &l.Fields[place[inOneof(l.Descs[i]).Name()]]
			of.Members = append(of.Members, OneofMember{f.Wrap.Word, f})
		}
	}
	l.number()
	l.check()
	l.pointees()
	l.compileInstrs()
	l.Flat = l.Extensions == 0 && !slices.ContainsFunc(l.Fields, func(f Field) bool {
		return f.Sub != nil || f.Wrap != nil || f.Entry != nil && f.Entry.Sub != nil
	})
	l.ManyTypes = !l.Flat && l.types(0, l.Desc, map[protoreflect.FullName]bool{}) > Slots
}

// types adds to n how many types of messages and wrappers of oneofs may be in a message, without those seen. It looks
// at no more once there are more than Slots.
func (l *Layout) types(n int, md protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) int {
	for i := 0; i < md.Fields().Len() && n <= Slots; i++ {
		fd := md.Fields().Get(i)
		if !l.Dynamic && inOneof(fd) != nil {
			n++
		}
		if sub := below(fd); sub != nil && !seen[sub.FullName()] {
			seen[sub.FullName()] = true
			n++
			// A placeholder has no file, and no fields. Those of struct.proto are read otherwise.
			if file := sub.ParentFile(); file != nil && file.Path() != "google/protobuf/struct.proto" {
				n = l.types(n, sub, seen)
			}
		}
	}
	return n
}

// pointees finds out, for every field that is a pointer to a number or string, how much memory
// those take that follow it.
func (l *Layout) pointees() {
	var numbers, strings int
	for i := l.Encoded - 1; i >= 0; i-- {
		f := &l.Fields[i]
		if f.Addressing != ByPointer && f.Addressing != BitAndPointer {
			continue
		}
		of, size := &numbers, max(f.Op.Kind().Size(), 4) // bools lie among the numbers of 4 bytes
		f.Value = uint8(size)
		switch f.Op.Kind() {
		case String, Text:
			of = &strings
			f.Value = 0 // whatever its size is: the collector must see what it points to
		case Bool:
			f.Value = 0 // which not all memory of numbers is for
		}
		*of = min(*of+int(size), math.MaxUint16)
		f.PointeeBytes = uint16(*of)
	}
}

// number makes the tables for At. Numbers are looked up in the dense one as long as a
// quarter of it is in use, or it is short.
func (l *Layout) number() {
	var all []int
	for i, fd := range l.Descs {
		if fd != nil {
			all = append(all, i)
		}
	}
	sort.Slice(all, func(i, j int) bool { return l.Fields[all[i]].Tag < l.Fields[all[j]].Tag })
	for n, i := range all {
		f := &l.Fields[i]
		number := f.Number()
		if l.sparse != nil || number > uint32(4*n+64) {
			l.sparse = append(l.sparse, f)
			continue
		}
		for uint32(len(l.dense)) <= number {
			l.dense = append(l.dense, &absent)
		}
		l.dense[number] = f
	}
}

// check finds out what lacks required fields.
func (l *Layout) check() {
	schemas.Lock()
	defer schemas.Unlock()
	l.schema = schemaOf(l.Desc)
	needs := l.schema.needsCheck(l.Desc)
	l.NeedsRequiredCheck = needs || l.Extensions != 0
	for i, fd := range l.Descs {
		if fd == nil {
			continue
		}
		if l.Fields[i].Required {
			l.requireField(&l.Fields[i])
		}
		if needs && (l.Fields[i].Required || l.schema.needsCheck(below(fd))) {
			l.Checked = append(l.Checked, i)
		}
	}
}

// requireField gives a required field its bit. The last bit belongs to no field.
func (l *Layout) requireField(f *Field) {
	next := l.RequiredBits + 1
	if next < 1<<63 {
		f.RequiredBit = next
	}
	l.RequiredBits |= next
}

// below returns the type of the messages that the field holds; nil if there are none.
func below(fd protoreflect.FieldDescriptor) protoreflect.MessageDescriptor {
	if fd.IsMap() {
		return fd.MapValue().Message()
	}
	return fd.Message()
}

// FieldOf returns what the wire form says of a field, without a place in memory.
func FieldOf(fd protoreflect.FieldDescriptor) Field { return fieldOf(fd, Implicit) }
