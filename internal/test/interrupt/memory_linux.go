package interrupt

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
)

// A Memory is followed by pages that cannot be read, as is a mapping of a file that has been truncated.
type Memory struct {
	all  []byte
	size int // of the part that can be read
}

// NewMemory returns a Memory in which size bytes can be read, or a few more. It lives until Free is called.
func NewMemory(size int) (*Memory, error) {
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	m := &Memory{all, size}
	if err := syscall.Mprotect(all[size:], syscall.PROT_NONE); err != nil {
		_ = m.Free() // the error of Mprotect says more
		return nil, err
	}
	return m, nil
}

// Free unmaps the memory.
func (m *Memory) Free() error { return syscall.Munmap(m.all) }

// Put returns a slice of the length of b that begins with the first bytes of b, as many as are to be readable; the
// rest of it cannot be read. It is valid until the next call.
func (m *Memory) Put(b []byte, readable int) []byte {
	start := m.size - readable
	copy(m.all[start:m.size], b)
	return m.all[start : start+len(b) : start+len(b)]
}

// Faults runs f and reports whether it ended with a panic because it touched memory that it may not. Other panics
// go on.
func Faults(f func()) (faulted bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		// The runtime adds the address to the error if it was memory that did not come from nil.
		if _, faulted = p.(interface {
			runtime.Error
			Addr() uintptr
		}); p != nil && !faulted {
			panic(p)
		}
	}()
	f()
	return false
}

// Reads runs call on copies of b of which ever more can be read, from nothing to all of it, in so many runs at most.
// After each run check is called, with whether that has ended with a fault; the last one must not.
func Reads(t testing.TB, b []byte, runs int, call func(in []byte), check func(faulted bool)) {
	t.Helper()
	m, err := NewMemory(max(len(b), 1))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	by := max(1, (len(b)+runs-1)/max(runs, 1))
	for readable := len(b) % by; readable <= len(b); readable += by {
		in := m.Put(b, readable)
		faulted := Faults(func() { call(in) })
		check(faulted)
		if faulted && readable == len(b) {
			t.Fatalf("%d bytes are not enough: what is behind the input is read", len(b))
		}
	}
}
