package decode

import "unsafe"

// MaxWindow is how many bytes of the input are copied at a time, for strings and bytes to
// refer to: what a string that is kept keeps with it, unless it is longer itself.
const MaxWindow = 64 << 10

// A window is a copy of a part of the input.
type window struct {
	base       unsafe.Pointer // to its first byte
	start, end int            // of the part
}

// set makes b, which is the input from start on, the window.
func (w *window) set(b []byte, start int) {
	w.base, w.start, w.end = unsafe.Pointer(unsafe.SliceData(b)), start, start+len(b)
}

// take returns the bytes from start to end of in, copied. Their capacity ends with them,
// so that an append to them does not reach what follows.
func (w *window) take(in []byte, start, end int) []byte {
	if start < w.start || end > w.end {
		size := min(MaxWindow, len(in)-start)
		if end-start > MaxWindow {
			size = end - start
		}
		b := make([]byte, size)
		copy(b, in[start:])
		if end-start > MaxWindow {
			return b
		}
		w.set(b, start)
	}
	// Sound: the window has these bytes.
	return unsafe.Slice((*byte)(unsafe.Add(w.base, start-w.start)), end-start)
}
