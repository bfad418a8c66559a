package value

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/wire"
)

// defaultJSONDepth is how many values protojson lets be nested.
const defaultJSONDepth = 10000

// fromJSON does the work of FromJSON for the three forms.
func (o JSONOptions) fromJSON(dst, text []byte, form index.Form) ([]byte, error) {
	limit := maxSize
	if o.MaxSize > 0 {
		limit = min(limit, o.MaxSize)
	}
	if len(text) > limit {
		return dst, &Error{Err: ErrSize, Offset: limit, Path: "$"}
	}
	r := jsonReaders.Get().(*jsonReader)
	defer r.release()
	r.reset(text, form, cmp.Or(o.MaxDepth, defaultJSONDepth))
	if fault := r.read(); fault != nil {
		return dst, fault.error(text)
	}
	if len(r.out)+r.extra > maxSize {
		return dst, &Error{Err: ErrSize, Offset: -1, Path: "$"}
	}
	return r.finish(dst), nil
}

// A jsonReader writes the wire form of a JSON text in one pass over it.
//
// A container's length is not known when its turn comes, so one byte is left for it. Where
// one byte turns out not to suffice, a patch remembers the length, and finish makes room for
// all of them at once. Until then offsets are those without that room.
type jsonReader struct {
	text    []byte
	max     int // how many values may be nested
	form    index.Form
	out     []byte
	frames  []textFrame
	object  bool // whether the innermost frame is an object
	patches []patch
	extra   int // how many bytes the patches need besides those that are left
	entry   int // where the length of the entry lies that is being read
	keys    keySet
}

// A textFrame is an object or array that is being read.
type textFrame struct {
	start uint32 // where its content starts in the output
	extra uint32 // extra at that time
	patch int32  // its patch; -1 for the root that is a Struct or ListValue
	close byte
	keys  objectKeys
}

// A patch is a container whose length takes more than one byte, or one that is open.
type patch struct {
	at     uint32 // where its length lies in the output
	length uint32
	key    int32 // how many bytes lie between the length of its entry and the tag of the value
}

// What the key of a patch is where the container is not in an entry.
const (
	inList = 0
	atRoot = -1
)

var jsonReaders = sync.Pool{New: func() any { return new(jsonReader) }}

func (r *jsonReader) release() {
	r.text = nil
	if cap(r.out) > maxPooled {
		r.out = nil
	}
	if cap(r.frames) > maxPooled/64 {
		r.frames = nil
	}
	if cap(r.patches) > maxPooled/16 {
		r.patches = nil
	}
	r.keys.release()
	jsonReaders.Put(r)
}

func (r *jsonReader) reset(text []byte, form index.Form, max int) {
	r.text, r.form, r.max = text, form, max
	r.out = slices.Grow(r.out[:0], len(text)+64)
	r.frames, r.object, r.patches, r.extra = r.frames[:0], false, r.patches[:0], 0
	r.keys.reset()
}

// read reads the text. This is the hot loop; each round of it reads a value, after its key
// in an object.
func (r *jsonReader) read() (fault *textFault) {
	text := r.text
	i := jsontext.SkipSpace(text, 0)
	switch {
	case r.form == index.Struct && r.byte(i) != '{':
		return r.unexpected(i, "'{'")
	case r.form == index.List && r.byte(i) != '[':
		return r.unexpected(i, "'['")
	}
	for {
		if r.object {
			if i, fault = r.key(i); fault != nil {
				return fault
			}
		}
		if len(r.frames) >= r.max {
			return &textFault{err: ErrDepth, at: i}
		}
		if len(r.out) > maxSize {
			return &textFault{err: ErrSize, at: i}
		}
		switch c := r.byte(i); c {
		case '"':
			if i, fault = r.string(i); fault != nil {
				return fault
			}
		case '{', '[':
			r.open(c)
			if i = jsontext.SkipSpace(text, i+1); r.byte(i) != c+2 { // the closing bracket
				continue
			}
			r.close()
			i++
		case 'n', 't', 'f':
			if i, fault = r.word(i); fault != nil {
				return fault
			}
		default:
			f, next, err := jsontext.Number(text, i)
			if err != nil {
				return r.badNumber(i, next, err)
			}
			i = next
			r.header(9)
			r.out = binary.LittleEndian.AppendUint64(append(r.out, index.TagNumber), math.Float64bits(f))
		}
		// What ends after the value, up to the next one.
		for {
			i = jsontext.SkipSpace(text, i)
			n := len(r.frames)
			if n == 0 {
				if i < len(text) {
					return r.unexpected(i, "the end")
				}
				return nil
			}
			c := r.byte(i)
			if c == ',' {
				i = jsontext.SkipSpace(text, i+1)
				break
			}
			if c != r.frames[n-1].close {
				return r.unexpected(i, "',' or '"+string(r.frames[n-1].close)+"'")
			}
			r.close()
			i++
		}
	}
}

// byte returns the byte at i; 0, which is legal nowhere, at the end.
func (r *jsonReader) byte(i int) byte {
	if i < len(r.text) {
		return r.text[i]
	}
	return 0
}

// word reads one of the three literal names, which is a Value of two bytes.
func (r *jsonReader) word(i int) (next int, fault *textFault) {
	var word string
	tag, content := byte(index.TagBool), byte(0)
	switch r.text[i] {
	case 'n':
		word, tag = "null", index.TagNull
	case 't':
		word, content = "true", 1
	default:
		word = "false"
	}
	next = i + len(word)
	if next > len(r.text) || string(r.text[i:next]) != word {
		return i, r.unexpected(i, "a value")
	}
	r.header(2)
	r.out = append(r.out, tag, content)
	return next, nil
}

// key reads the key of an entry, and what follows up to the value.
func (r *jsonReader) key(i int) (next int, fault *textFault) {
	if r.byte(i) != '"' {
		return i, r.unexpected(i, "a key")
	}
	r.entry = len(r.out) + 1
	start := r.entry + 3
	out, next, err := jsontext.Unquote(append(r.out, index.TagElement, 0, index.TagKey, 0), r.text, i)
	if err != nil {
		return i, r.badString(next, err)
	}
	r.out = out
	if next = jsontext.SkipSpace(r.text, next); r.byte(next) != ':' {
		return i, r.unexpected(next, "':'")
	}
	if size := len(out) - start; size < 0x80 {
		out[start-1] = byte(size)
	} else {
		start += r.widen(start-1, size)
	}
	if !r.keys.add(&r.frames[len(r.frames)-1].keys, r.out, start) {
		return i, &textFault{err: ErrDuplicate, at: i, node: next}
	}
	return jsontext.SkipSpace(r.text, next+1), nil
}

// string reads a value that is a string. Its length and those around it are filled in
// when they are known, as if they were short.
func (r *jsonReader) string(i int) (next int, fault *textFault) {
	at := len(r.out) + 1 // where the length of the Value lies
	switch {
	case len(r.frames) == 0:
		at--
		r.out = append(r.out, index.TagString, 0)
	case r.object:
		r.out = append(r.out, index.TagValue, 0, index.TagString, 0)
	default:
		r.out = append(r.out, index.TagElement, 0, index.TagString, 0)
	}
	start := len(r.out)
	out, next, err := jsontext.Unquote(r.out, r.text, i)
	if err != nil {
		return i, r.badString(next, err)
	}
	r.out = out
	size := len(out) - start
	switch {
	case len(r.frames) == 0:
		r.setLength(start-1, size)
	case size >= 0x70 || r.object && len(out)-r.entry > 0x80:
		r.widen(start-1, size)
		r.setLength(at, len(r.out)-at-1)
		if r.object {
			r.setEntry(len(r.out) - r.entry - 1)
		}
	default:
		out[start-1], out[at] = byte(size), byte(size+2)
		if r.object {
			out[r.entry] = byte(len(out) - r.entry - 1)
		}
	}
	return next, nil
}

// header writes what comes before a scalar Value of so few bytes: the element's header in
// a list, and in an object the rest of the entry's.
func (r *jsonReader) header(size int) {
	switch {
	case len(r.frames) == 0:
	case !r.object:
		r.out = append(r.out, index.TagElement, byte(size))
	default:
		r.setEntry(len(r.out) - r.entry - 1 + 2 + size)
		r.out = append(r.out, index.TagValue, byte(size))
	}
}

// setLength fills in a length, to which one byte is left.
func (r *jsonReader) setLength(at, length int) {
	if length < 0x80 {
		r.out[at] = byte(length)
		return
	}
	r.widen(at, length)
}

// setEntry sets the length of the entry that is being read, whose key may move.
func (r *jsonReader) setEntry(length int) {
	if length < 0x80 {
		r.out[r.entry] = byte(length)
		return
	}
	r.keys.moveLast(r.widen(r.entry, length))
}

// widen fills in a length that may need more than the byte that is left, and moves what
// comes after it, which it returns how far. As that is part of one entry, or one string,
// nothing is moved more often than three times.
func (r *jsonReader) widen(at, length int) int {
	var b [4]byte
	v := protowire.AppendVarint(b[:0], uint64(length))
	r.out = slices.Replace(r.out, at, at+1, v...)
	return len(v) - 1
}

// open writes the start of an object or array. The lengths remain to be filled in.
func (r *jsonReader) open(bracket byte) {
	tag := byte(index.TagList)
	if bracket == '{' {
		tag = index.TagStruct
	}
	f := textFrame{patch: int32(len(r.patches)), extra: uint32(r.extra), close: bracket + 2, keys: r.keys.open()}
	p := patch{key: inList}
	switch {
	case len(r.frames) == 0:
		p.key = atRoot
		if r.form == index.Value {
			r.out = append(r.out, tag, 0)
		} else {
			f.patch = -1
		}
	case r.object:
		p.key = int32(len(r.out) - r.entry - 1)
		r.out = append(r.out, index.TagValue, 0, tag, 0)
	default:
		r.out = append(r.out, index.TagElement, 0, tag, 0)
	}
	f.start = uint32(len(r.out))
	if f.patch >= 0 {
		p.at = f.start - 1
		r.patches = append(r.patches, p)
	}
	r.frames, r.object = append(r.frames, f), bracket == '{'
}

// lengths are those before a container: of the entry, if any, of the Value, if it is not the
// root, and of the container.
func (p *patch) lengths() (entry, value, inside int) {
	inside = int(p.length)
	if p.key == atRoot {
		return 0, 0, inside
	}
	value = 1 + wire.SizeVarint(uint64(inside)) + inside
	if p.key == inList {
		return 0, value, inside
	}
	return int(p.key) + 1 + wire.SizeVarint(uint64(value)) + value, value, inside
}

// close fills in the lengths of the innermost object or array, or leaves that to finish.
func (r *jsonReader) close() {
	n := len(r.frames) - 1
	f := &r.frames[n]
	r.keys.close(&f.keys)
	r.frames, r.object = r.frames[:n], n > 0 && r.frames[n-1].close == '}'
	if f.patch < 0 {
		return
	}
	p := &r.patches[f.patch]
	p.length = uint32(len(r.out)+r.extra) - f.start - f.extra
	entry, value, inside := p.lengths()
	if entry|value|inside >= 0x80 {
		for _, n := range [...]int{entry, value, inside} {
			r.extra += wire.SizeVarint(uint64(n)) - 1
		}
		return
	}
	// What lies inside is shorter and has no patch either, so this is the last one.
	r.patches = r.patches[:f.patch]
	r.out[p.at] = byte(inside)
	if p.key != atRoot {
		r.out[p.at-2] = byte(value)
	}
	if p.key > 0 {
		r.out[p.entryAt()] = byte(entry)
	}
}

// entryAt returns where the length of the entry lies: before the key and two tags with one
// length.
func (p *patch) entryAt() int { return int(p.at) - 4 - int(p.key) }

// finish appends the output to dst, with the lengths that are missing.
func (r *jsonReader) finish(dst []byte) []byte {
	dst = slices.Grow(dst, len(r.out)+r.extra)
	from := 0
	for i := range r.patches {
		p := &r.patches[i]
		entry, value, inside := p.lengths()
		if p.key > 0 {
			at := p.entryAt()
			dst = append(dst, r.out[from:at]...)
			dst = protowire.AppendVarint(dst, uint64(entry))
			from = at + 1
		}
		if p.key != atRoot {
			at := int(p.at) - 2
			dst = append(dst, r.out[from:at]...)
			dst = protowire.AppendVarint(dst, uint64(value))
			from = at + 1
		}
		dst = append(dst, r.out[from:p.at]...)
		dst = protowire.AppendVarint(dst, uint64(inside))
		from = int(p.at) + 1
	}
	return append(dst, r.out[from:]...)
}
