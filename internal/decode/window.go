package decode

import "bytes"

// MaxWindow is how many bytes of the input are copied at a time, for strings and bytes to
// refer to: what a string that is kept keeps with it, unless it is longer itself.
const MaxWindow = 64 << 10

// A window is a copy of a part of the input.
type window struct {
	bytes      []byte
	start, end int // of the part
}

// take returns the bytes from start to end of in, copied. Their capacity ends with them,
// so that an append to them does not reach what follows.
func (w *window) take(in []byte, start, end int) []byte {
	if start < w.start || end > w.end {
		if end-start > MaxWindow {
			return bytes.Clone(in[start:end])[: end-start : end-start]
		}
		w.start, w.end = start, min(start+MaxWindow, len(in))
		w.bytes = make([]byte, w.end-w.start)
		copy(w.bytes, in[w.start:])
	}
	return w.bytes[start-w.start : end-w.start : end-w.start]
}
