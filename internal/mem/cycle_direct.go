//go:build amd64 && go1.26 && !go1.27 && !race && !msan && !asan && !purego

package mem

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// writeBarrier says whether the collector marks. The runtime keeps it for packages outside of it (see runtime/mgc.go).
//
//go:linkname writeBarrier runtime.writeBarrier
var writeBarrier struct {
	enabled bool
	_       [3]byte
	_       uint64
}

// cycles tells the collector's cycles apart: while the program is stopped for a cycle to begin, before anything is
// marked, a pool loses the array that its values are in (see clearpools in runtime/mgc.go), and what is then put into it
// gets another.
var cycles sync.Pool

// local is where cycles has that array; nil if it is not known where that is.
var local = func() *unsafe.Pointer {
	f, ok := reflect.TypeFor[sync.Pool]().FieldByName("local")
	if !ok || f.Type.Kind() != reflect.UnsafePointer {
		return nil
	}
	// Sound: there is such a field. It is only read.
	return (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&cycles), f.Offset))
}()

// Cycle returns what [Marked] is to be asked with: nil if the collector does not mark now.
func Cycle() unsafe.Pointer {
	if !writeBarrier.enabled {
		return nil
	}
	return cycle()
}

// cycle is Cycle while the collector marks. As long as the array is kept no other is where it is.
//
//go:noinline
func cycle() unsafe.Pointer {
	if local == nil {
		return nil
	}
	p := atomic.LoadPointer(local)
	if p == nil {
		cycles.Put(&cycles)
		p = atomic.LoadPointer(local)
	}
	return p
}

// Marked reports whether the collector need not be told of what has been allocated since Cycle returned that: it does not
// mark; or it still marks in the same cycle, so it has marked ever since, and then what is allocated is marked at once.
func Marked(cycle unsafe.Pointer) bool {
	return !writeBarrier.enabled || cycle != nil && cycle == atomic.LoadPointer(local)
}
