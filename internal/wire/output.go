package wire

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// An Output is the memory that a message is written into, from its last byte to its first. Writers hand on where the
// written bytes start, from call to call, as at: it stays in a register.
//
// A message is first written into memory that is used again, and copied when it is complete. If it gets longer than
// [Limit], its size is calculated, and it is written where it is to be in the end. The size is relied on for speed
// alone: a message that turns out to have another, because it is changed concurrently, does no harm.
type Output struct {
	Buf  []byte         // what is written to now
	Base unsafe.Pointer // to the first byte of Buf
	End  int            // from where to at have been written, whatever of that is in Buf
	*OutputState
}

// An OutputState is what an Output has besides, on the heap in part. It is apart so that the compiler sees that Buf may
// be on the stack: no pointer that is in an Output itself is stored behind another pointer, but those that come from a
// Store.
type OutputState struct {
	Message         // what is written
	Dst     []byte  // what it is appended to
	Pooled  *Buffer // memory that is used again; nil if there was no need of it

	buf []byte // the Buf, if it is on the heap
	end int    // the End then

	size      int  // of the message, for which there is room behind Dst, if placed
	placed    bool // whether the message is written where it is to be, but for what is in Buf if inFront
	inFront   bool // whether Buf is for the first bytes of the message
	front     int  // how many of those there are
	unlimited bool // whether Buf may get longer than Limit
}

// A Message is what the size can be calculated of.
type Message struct {
	Layout any // a *layout.Layout
	At     unsafe.Pointer
	URL    string                         // of an Any around it; empty if there is none
	Size   func(Message) (n int, ok bool) // not if there is no size: it cannot be written
}

// A Buffer is memory that is used again.
type Buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return &Buffer{make([]byte, firstSize)} }}

// firstSize is how many bytes a Buffer has at first.
const firstSize = 4 * 320

// Limit is how many bytes are written into memory that is used again. It is a variable for tests.
var Limit = 1 << 20

// longText is how many bytes are not copied twice if they are most of what is written.
const longText = 16 << 10

// Slack is how many bytes [Output.Room] leaves free: for a tag, a number or length, and a short text.
const Slack = xunsafe.MaxShort + 32

// Use makes buf what is written to, from its end.
func (o *Output) Use(buf []byte) {
	o.Buf, o.Base, o.End = buf, unsafe.Pointer(unsafe.SliceData(buf)), len(buf)
}

// UsePooled makes memory that is used again what is written to.
func (o *Output) UsePooled() { o.use(o.pooled(0), 0) }

// use makes buf, which is on the heap, what is written to, so many bytes before what has been written elsewhere.
func (o *Output) use(buf []byte, elsewhere int) {
	o.buf, o.end = buf, len(buf)+elsewhere
	o.Resume()
}

// Resume has o write on where the last Output of the same Store has been writing, which must be on the heap.
func (o *Output) Resume() {
	o.Buf, o.Base, o.End = o.buf, unsafe.Pointer(unsafe.SliceData(o.buf)), o.end
}

// Release lets others have the memory that is used again.
func (o *Output) Release() {
	if o.Pooled != nil {
		buffers.Put(o.Pooled)
	}
}

// Room returns where to write on so that n bytes and Slack are free before it.
func (o *Output) Room(n, at int) int {
	if at >= n+Slack {
		return at
	}
	return o.Grow(n, at)
}

// Grow is Room where there are fewer.
//
//go:noinline
func (o *Output) Grow(n, at int) int {
	used := o.End - at
	need := used + n + Slack
	if !o.placed && !o.unlimited && need > Limit {
		if at = o.placeResult(at); at >= n+Slack {
			return at
		}
	}
	switch {
	case o.placed && !o.inFront && n <= at:
		// There is room for what is left, and none before it. So that is written elsewhere, and copied in the
		// end.
		o.front, o.inFront = at, true
		o.use(o.pooled(at+n+Slack), used)
		return len(o.Buf)
	case o.placed || o.unlimited: // if placed, the size is wrong
		return o.move(n, at)
	}
	buf := o.pooled(max(need, min(4*len(o.Buf), Limit)))
	copy(buf[len(buf)-used:], o.Buf[at:])
	o.use(buf, 0)
	return len(buf) - used
}

// pooled returns memory that is used again, of that many bytes at least.
func (o *Output) pooled(size int) []byte {
	if o.Pooled == nil {
		o.Pooled = buffers.Get().(*Buffer)
	}
	if len(o.Pooled.bytes) < size {
		o.Pooled.bytes = make([]byte, size)
	}
	return o.Pooled.bytes
}

// placeResult calculates the size of the message and makes room for it behind Dst, where there may be room already, and
// returns where to write on.
func (o *Output) placeResult(at int) int {
	used := o.End - at
	size, ok := o.Size(o.Message)
	if !ok || size < used {
		o.unlimited = true
		return at
	}
	if len(o.Dst) == 0 && cap(o.Dst) < size {
		// Sound: that many bytes are there, at least one. All of them are written to before anybody reads them.
		o.Dst = unsafe.Slice((*byte)(xunsafe.AllocUncleared(size)), size)[:0]
	}
	o.Dst, o.size, o.placed = slices.Grow(o.Dst, size), size, true
	buf := o.message()
	copy(buf[size-used:], o.Buf[at:])
	o.use(buf, 0)
	return size - used
}

// message returns the room for the message.
func (o *Output) message() []byte { return o.Dst[len(o.Dst) : len(o.Dst)+o.size] }

// move is Grow to any size. The message is not where it is to be afterwards.
func (o *Output) move(n, at int) int {
	used := o.End - at
	buf := make([]byte, 2*used+n+Slack)
	to := len(buf) - used
	copied := copy(buf[to:], o.Buf[at:])
	if o.inFront {
		copy(buf[to+copied:], o.message()[o.front:])
	}
	o.placed, o.inFront, o.unlimited = false, false, true
	o.use(buf, 0)
	return to
}

// Raw writes s. Slack bytes are free before it.
func (o *Output) Raw(s string, at int) int {
	if at < len(s)+Slack {
		return o.longRaw(s, at)
	}
	at -= len(s)
	copy(o.Buf[at:], s)
	return at
}

// longRaw is Raw where there is not so much room. If there is some for s alone, as may be for the first field of a
// large message, s goes there.
//
//go:noinline
func (o *Output) longRaw(s string, at int) int {
	used := o.End - at
	if !o.placed && !o.unlimited && (used+len(s)+Slack > Limit || len(s) >= longText && len(s) >= used) {
		at = o.placeResult(at)
	}
	if at < len(s) || !o.placed {
		at = o.Room(len(s), at)
	}
	at -= len(s)
	copy(o.Buf[at:], s)
	return o.Room(0, at)
}

// Finish appends the message to Dst, the first byte of which is at at, and returns that, which is not nil.
func (o *Output) Finish(at int) []byte {
	if o.inFront && len(o.Buf)-at > o.front { // the size is wrong
		at = o.move(0, at)
	}
	written := o.Buf[at:]
	switch {
	case o.inFront:
		at = o.front - len(written)
		copy(o.message()[at:], written)
	case !o.placed && o.Dst != nil:
		return append(o.Dst, written...)
	case !o.placed:
		b := make([]byte, len(written))
		copy(b, written)
		return b
	}
	if at > 0 { // the size is wrong
		clear(o.message()[copy(o.message(), o.message()[at:]):])
	}
	return o.Dst[:len(o.Dst)+o.size-at]
}
