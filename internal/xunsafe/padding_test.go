package xunsafe

import (
	"strings"
	"testing"
	"unsafe"
)

// TestMember copies names of many lengths, and looks for them where they are.
func TestMember(t *testing.T) {
	for n := 1; n < 100; n++ {
		s := strings.Repeat("name", 25)[:n]
		m := NewMemberPrefix(s)
		if m.Len() != n || m.String() != s {
			t.Fatalf("%d, %q, want %q", m.Len(), m.String(), s)
		}
		var dst [200]byte
		m.CopyTo(unsafe.Pointer(&dst))
		if string(dst[:n+1]) != ","+s {
			t.Fatalf("%q, want %q", dst, s)
		}
		if !m.PrefixOf(unsafe.Pointer(&dst[1])) || m.PrefixOf(unsafe.Pointer(&dst)) {
			t.Fatalf("%q is not found where it is", s)
		}
		dst = [200]byte{}
		if m.CopyShort(unsafe.Pointer(&dst)); m.IsShort() != (n < 32) || m.IsShort() && string(dst[:n+1]) != ","+s {
			t.Fatalf("%q, want %q, short: %t", dst, s, m.IsShort())
		}
	}
}
