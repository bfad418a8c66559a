package records

import "io"

// A window is what has been read of a stream and not yet taken. Its memory grows with what there
// is, whatever lengths in the data say.
type window struct {
	r        io.Reader
	mem      []byte
	from, to int
	offset   int64 // of mem[from] in the stream
	err      error // of r, after what is in mem
}

const windowSize = 256 << 10

// need returns what is there, at least n bytes of it, or fewer and why there are no more.
func (w *window) need(n int) ([]byte, error) {
	for w.to-w.from < n {
		if w.err != nil {
			return w.mem[w.from:w.to], w.err
		}
		w.fill()
	}
	return w.mem[w.from:w.to], nil
}

func (w *window) fill() {
	if w.from > 0 {
		w.to = copy(w.mem, w.mem[w.from:w.to])
		w.from = 0
	}
	if w.to == len(w.mem) {
		grown := make([]byte, max(2*len(w.mem), windowSize))
		copy(grown, w.mem)
		w.mem = grown
	}
	n, err := w.r.Read(w.mem[w.to:])
	w.to += n
	w.err = err
}

// take passes by n bytes that are there.
func (w *window) take(n int) {
	w.from += n
	w.offset += int64(n)
}

// skip passes by n bytes, fewer at the end of the stream; it returns how many.
func (w *window) skip(n int64) (skipped int64, err error) {
	for skipped < n {
		have, err := w.need(1)
		if len(have) == 0 {
			return skipped, err
		}
		k := min(int64(len(have)), n-skipped)
		w.take(int(k))
		skipped += k
	}
	return skipped, nil
}

// Read passes by what it returns.
func (w *window) Read(b []byte) (int, error) {
	have, err := w.need(1)
	if len(have) == 0 {
		return 0, err
	}
	n := copy(b, have)
	w.take(n)
	return n, nil
}
