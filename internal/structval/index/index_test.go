package index

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// checkValid holds valid against the standard library, for a text at any place of a
// wire.
func checkValid(t *testing.T, text []byte, before, after int) {
	t.Helper()
	wire := make([]byte, before, before+len(text)+after)
	wire = append(wire, text...)
	for range after {
		wire = append(wire, 0xff) // what follows must not matter
	}
	if got, want := valid(wire, uint32(before), uint32(before+len(text))), utf8.Valid(text); got != want {
		t.Fatalf("%q with %d bytes before and %d after: %v, want %v", text, before, after, got, want)
	}
}

func TestValid(t *testing.T) {
	letters := []string{"a", "é", "ж", "漢", "𝄞", "\xff", "\xc0\x80", "\xed\xa0\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80",
		"\xf4\x90\x80\x80", "\xf5", "\x80", "\xe6\xbc", "\xf0\x9d\x84"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var text []byte
		for range r.IntN(12) {
			letter := letters[r.IntN(len(letters))]
			if r.IntN(3) > 0 {
				letter = letters[r.IntN(5)]
			}
			text = append(text, letter...)
		}
		checkValid(t, text, r.IntN(3), r.IntN(10))
	}
	// Every pair of bytes, as the start of a letter of any length.
	for c := range 256 {
		for d := range 256 {
			for _, rest := range []string{"", "\x80", "\x80\x80", "a"} {
				checkValid(t, append([]byte{byte(c), byte(d)}, rest...), 0, 0)
			}
		}
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("naïve 漢字"), 1, 1)
	f.Fuzz(func(t *testing.T, text []byte, before, after int) { checkValid(t, text, before&15, after&15) })
}

// TestTable fills tables of many sizes and finds every key, the last of equal ones.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range uint32(300) {
		var wire []byte
		nodes := []Node{{nodeKind: uint32(Object)}, {extraCount: n}}
		last := map[string]int{}
		for i := range n {
			key := make([]byte, r.IntN(12))
			for j := range key {
				key[j] = byte('a' + r.IntN(3))
			}
			wire = append(append(wire, key...), TagValue, 0) // and an unset Value
			end := uint32(len(wire))
			nodes = append(nodes, Node{end, end, uint32(len(key)) << keyShift})
			last[string(key)] = First(int(i))
		}
		if n > 0 {
			nodes = appendTable(nodes, wire, 0, n)
		}
		nodes[1][extraNext] = uint32(len(nodes))
		for key, want := range last {
			if got := Find(nodes, wire, 0, key); got != want {
				t.Fatalf("%d keys: %q is at %d, want %d (with a table: %v)", n, key, got, want,
					nodes[0][nodeKind]&tableBit != 0)
			}
		}
		if got := Find(nodes, wire, 0, "no such key"); got != 0 {
			t.Fatalf("%d keys: found one that is not there at %d", n, got)
		}
	}
}
