// Package allocs says which tests may count allocations. Only tests import it.
package allocs

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// NeedExact skips a test that counts allocations, or the memory that they take, unless they are those of a program as
// it is usually built, for a processor of 64 bits: the race detector allocates for itself, with other settings of the
// compiler (no inlining, checkptr) more escapes to the heap, where pointers are smaller, more fits into one allocation,
// and without knowledge of Go's inside (purego, another release) arrays take one more.
func NeedExact(t testing.TB) {
	t.Helper()
	switch {
	case race.Enabled:
		t.Skip("the race detector allocates")
	case unsafe.Sizeof(uintptr(0)) != 8:
		t.Skip("allocations are those of 64 bits")
	case xunsafe.ByReflection:
		t.Skip("memory is allocated by package reflect")
	case compilerFlags() != "":
		t.Skip("compiled with -gcflags=" + compilerFlags())
	}
}

// compilerFlags returns what go test was given as -gcflags.
func compilerFlags() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-gcflags" {
				return s.Value
			}
		}
	}
	return ""
}
