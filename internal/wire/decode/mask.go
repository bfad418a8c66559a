package decode

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// A Mask says which fields of a message are read, by their numbers. It does not depend on layouts, so that one serves
// generated and dynamic messages.
type Mask struct {
	low  []*Mask // by number; nil for what is not read
	high map[uint32]*Mask
}

// Whole is the Mask of a field that is read with all that is in it.
var Whole = new(Mask)

// lowNumbers is how many numbers are looked up in a list.
const lowNumbers = 256

// Add has m read the field, with what is in it as the result says, unless that is Whole.
func (m *Mask) Add(number protoreflect.FieldNumber) *Mask {
	sub := m.at(uint32(number))
	if sub == nil {
		sub = new(Mask)
		m.Set(number, sub)
	}
	return sub
}

// Set has m read of the field what sub says.
func (m *Mask) Set(number protoreflect.FieldNumber, sub *Mask) {
	if number >= lowNumbers {
		if m.high == nil {
			m.high = map[uint32]*Mask{}
		}
		m.high[uint32(number)] = sub
		return
	}
	for len(m.low) <= int(number) {
		m.low = append(m.low, nil)
	}
	m.low[number] = sub
}

// at returns what of the field is read; nil for nothing.
func (m *Mask) at(number uint32) *Mask {
	if number < uint32(len(m.low)) {
		return m.low[number]
	}
	return m.high[number]
}

// decodeMasked reads the fields of a message that m has. The others are skipped, and not kept.
func (d *decoder) decodeMasked(m *Mask, l *layout.Layout, p unsafe.Pointer, pos, end, depth int, group uint32) int {
	switch l.Ready() {
	case layout.Fast:
	case layout.Official:
		return d.decodeMaskedOfficial(m, l.Interface(p), d.in[:end], pos, depth, group)
	default:
		l = l.Structural()
		l.Ready()
	}
	fields := l.FieldsOf(p)
	if fields == nil { // as in other
		of := layout.MessageAt(p).Interface()
		if l, p = layout.Of(of); l.Ready() == layout.Official || p == nil {
			return d.decodeMaskedOfficial(m, of, d.in[:end], pos, depth, group)
		}
		return d.decodeMasked(m, l, p, pos, end, depth, group)
	}
	if depth <= 0 {
		return d.fail(protoerr.ErrDepth, pos)
	}
	b := d.in[:end]
	run := pos // since where all fields are read as a whole
	for pos < end {
		start := pos
		tag := uint32(b[pos])
		if pos++; tag >= 0x80 {
			if tag, pos = d.longTag(b, start); pos < 0 {
				return failed
			}
		}
		number := tag >> 3
		f, sub := l.At(number), m.at(number)
		if sub == Whole && (tag == f.Tag || tag == f.AltTag) {
			if pos = d.skip(b, tag, start, pos); pos < 0 {
				return failed
			}
			continue
		}
		if run < start && d.decodeFields(l, p, run, start, depth, 0) < 0 {
			return failed
		}
		switch {
		case tag&7 == 4 && number == group && group != 0:
			return pos
		case tag&7 == 4 || number == 0:
			return d.fail(protoerr.ErrMalformed, start)
		case sub != nil && sub != Whole && f.Tag == tag:
			pos = d.decodeMaskedField(sub, l, f, fields, b, pos, depth-1)
		default:
			if f.Tag == tag && f.Addressing == layout.ByOneof && f.Op.Storage() != layout.Switch &&
				f.Op.Storage() != layout.CaseSwitch {
				clearOtherMembers(f, fields)
			}
			pos = d.skip(b, tag, start, pos)
		}
		if pos < 0 {
			return failed
		}
		run = pos
	}
	if run < pos && d.decodeFields(l, p, run, pos, depth, 0) < 0 {
		return failed
	}
	if group != 0 {
		return d.fail(protoerr.ErrTruncated, pos)
	}
	return pos
}

// skip returns where the value ends of a field with that tag, which starts at start and has its value at pos.
func (d *decoder) skip(b []byte, tag uint32, start, pos int) int {
	if tag&7 == 2 && pos < len(b) && int(b[pos]) < 0x80 && int(b[pos]) < len(b)-pos {
		return pos + 1 + int(b[pos])
	}
	n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), b[pos:])
	if n < 0 {
		return d.valueError(n, start, len(b))
	}
	return pos + n
}

// clearOtherMembers makes the oneof empty of which f is a member: what is skipped takes the place of what is there.
func clearOtherMembers(f *layout.Field, p unsafe.Pointer) {
	// Sound: the layout says what lies at which offset of the message at p.
	if f.Op.Storage() == layout.Case {
		*(*uint32)(unsafe.Add(p, f.Bits)) = 0
	} else {
		*(*[2]unsafe.Pointer)(unsafe.Add(p, f.Offset)) = [2]unsafe.Pointer{}
	}
}

// decodeMaskedField reads a field that has messages, of which m says what is read.
func (d *decoder) decodeMaskedField(
	m *Mask, l *layout.Layout, f *layout.Field, p unsafe.Pointer, b []byte, pos, depth int,
) int {
	q := unsafe.Add(p, f.Offset)
	step := ""
	var to unsafe.Pointer
	switch f.Op.Storage() {
	case layout.Map:
		outer := d.values
		d.values = m
		pos = d.decodeMapEntries(l, f, q, b, pos, depth)
		d.values = outer
		return pos
	case layout.Repeated, layout.Indirect:
		if f.Op.Storage() == layout.Indirect {
			q = d.SliceAt(q, f.Sub)
		}
		list := (*[]unsafe.Pointer)(q)
		if len(*list) == cap(*list) {
			n := minGroups
			if f.Op.Kind() == layout.Message {
				n = d.countRun(f, b, pos)
			}
			*list = arena.Room(&d.Arena, f, *list, n)
		}
		to = d.AllocMessage(f.Sub)
		step = protoerr.Index(len(*list))
		*list = append(*list, to)
	default:
		at := (*unsafe.Pointer)(d.SetPresence(f, p))
		if *at == nil {
			*at = d.AllocMessage(f.Sub)
		}
		to = *at
	}
	if f.Op.Kind() == layout.Group {
		pos = d.decodeMasked(m, f.Sub, to, pos, len(b), depth, f.Number())
	} else {
		start, end := d.lengthPrefix(b, pos)
		if pos = end; end >= 0 && d.decodeMasked(m, f.Sub, to, start, end, depth, 0) < 0 {
			pos = failed
		}
	}
	if pos < 0 {
		return d.inField(l, f, step)
	}
	return pos
}

// decodeMaskedOfficial has the official library read all of a message of its own, and clears what m does not have.
func (d *decoder) decodeMaskedOfficial(m *Mask, of proto.Message, b []byte, pos, depth int, group uint32) int {
	if group != 0 {
		pos = d.officialGroup(of, group, b, pos, depth)
	} else {
		pos = d.officialUnmarshal(of, b, pos, depth)
	}
	if pos >= 0 {
		m.Prune(of.ProtoReflect())
	}
	return pos
}

// Prune clears the fields of the message that m does not have, and unknown and extension fields.
func (m *Mask) Prune(of protoreflect.Message) {
	if m == Whole {
		return
	}
	of.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		sub := m.at(uint32(fd.Number()))
		switch {
		case sub == nil || fd.IsExtension():
			of.Clear(fd)
		case sub == Whole:
		case fd.IsMap():
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				sub.Prune(v.Message())
				return true
			})
		case fd.IsList():
			for i := range v.List().Len() {
				sub.Prune(v.List().Get(i).Message())
			}
		default:
			sub.Prune(v.Message())
		}
		return true
	})
	of.SetUnknown(nil)
}
