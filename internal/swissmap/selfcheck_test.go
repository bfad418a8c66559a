package swissmap

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// TestEnabled sees that maps are made by hand wherever their layout is known, unless that is switched off.
func TestEnabled(t *testing.T) {
	switch off := os.Getenv("PROTEAN_SWISSMAP") == "off"; {
	case Enabled() != (available && !off):
		t.Error(reason)
	case Enabled() != (reason == nil):
		t.Errorf("Enabled is %t, and the reason is %v", Enabled(), reason)
	}
}

// TestSwitch runs the tests again in a process with another environment.
func TestSwitch(t *testing.T) {
	if os.Getenv("PROTEAN_SWISSMAP") != "" {
		t.Skip("it is set already")
	}
	for value, want := range map[string]bool{"off": false, "on": available} {
		cmd := exec.Command(os.Args[0], "-test.run", "TestEnabled$|TestKeys$|TestPositions$|TestPrintEnabled$",
			"-test.v")
		cmd.Env = append(os.Environ(), "PROTEAN_SWISSMAP="+value)
		out, err := cmd.CombinedOutput()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("under an emulator, which the system does not know: ", err)
		}
		if want := fmt.Sprintf("enabled: %t\n", want); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("PROTEAN_SWISSMAP=%s: %v, without %q:\n%s", value, err, want, out)
		}
	}
}

func TestPrintEnabled(t *testing.T) { fmt.Printf("enabled: %t\n", Enabled()) }

func real() subject { return subject{ordinary, NewBuilder[any]} }

// alter returns the runtime's maps with their headers, and what these point to, replaced by what change makes of
// copies.
func alter(change func(h *header, tables []*table, groups func(*table) []byte)) subject {
	s := real()
	s.header = func(h *header, key, value uintptr) *header {
		align := unsafe.Sizeof(uintptr(0))
		if key < align && value < align {
			align = max(key, value)
		}
		slot := (key + max(value, 1) + align - 1) &^ (align - 1)
		size := 8 + SmallEntries*slot
		out := *h
		var all []*table
		switch {
		case h.directory == nil:
		case h.count == 0:
			out.directory = copied(h.directory, size)
		default:
			var directory []unsafe.Pointer
			for _, t := range unsafe.Slice((**table)(h.directory), h.count) {
				t := *t
				t.groups = copied(t.groups, size*uintptr(t.mask+1))
				all, directory = append(all, &t), append(directory, unsafe.Pointer(&t))
			}
			out.directory = unsafe.Pointer(&directory[0])
		}
		change(&out, all, func(t *table) []byte {
			if t != nil {
				return unsafe.Slice((*byte)(t.groups), size*uintptr(t.mask+1))
			}
			return unsafe.Slice((*byte)(out.directory), size)
		})
		return &out
	}
	return s
}

// copied returns n bytes like those at p. They refer to what the originals keep alive.
func copied(p unsafe.Pointer, n uintptr) unsafe.Pointer {
	words := make([]unsafe.Pointer, (n+7)/unsafe.Sizeof(p)+1)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n), unsafe.Slice((*byte)(p), n))
	return unsafe.Pointer(&words[0])
}

// TestSelfCheckFindsOtherLayouts shows the self-check maps whose layout differs from what it expects in one way each.
// It must find that out without making a map by hand that reaches the runtime.
func TestSelfCheckFindsOtherLayouts(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	type groupsOf = func(*table) []byte
	inTables := func(change func(*table)) func(*header, []*table, groupsOf) {
		return func(_ *header, tables []*table, _ groupsOf) {
			for _, t := range tables {
				change(t)
			}
		}
	}
	inGroups := func(change func([]byte)) func(*header, []*table, groupsOf) {
		return func(h *header, tables []*table, groups groupsOf) {
			for _, t := range tables {
				change(groups(t))
			}
			if h.count == 0 && h.directory != nil {
				change(groups(nil))
			}
		}
	}
	inHeader := func(change func(*header)) func(*header, []*table, groupsOf) {
		return func(h *header, _ []*table, _ groupsOf) { change(h) }
	}
	for name, change := range map[string]func(*header, []*table, groupsOf){
		"used elsewhere":              inHeader(func(h *header) { h.used, h.clears = h.clears, h.used }),
		"seed elsewhere":              inHeader(func(h *header) { h.seed++ }),
		"used and seed swapped":       inHeader(func(h *header) { h.seed, h.used = uintptr(h.used), uint64(h.seed) }),
		"directory and count swapped": inHeader(func(h *header) { h.count, h.directory = int(uintptr(h.directory)), nil }),
		"no group at first":           inHeader(func(h *header) { h.directory = nil }),
		"a number for a directory":    inHeader(func(h *header) { h.directory = unsafe.Pointer(h) }),
		"small maps with a table":     inHeader(func(h *header) { h.count = 1 }),
		"another depth":               inHeader(func(h *header) { h.depth++ }),
		"another shift":               inHeader(func(h *header) { h.shift-- }),
		"writing at first":            inHeader(func(h *header) { h.writing = 1 }),
		"tombstones at first":         inHeader(func(h *header) { h.removed = true }),
		"entries counted elsewhere":   inTables(func(t *table) { t.used = 0 }),
		"a capacity of half":          inTables(func(t *table) { t.capacity /= 2 }),
		"left counts slots":           inTables(func(t *table) { t.left = t.capacity - t.used }),
		"a table's depth elsewhere":   inTables(func(t *table) { t.depth++ }),
		"an index elsewhere":          inTables(func(t *table) { t.index++ }),
		"the number of groups":        inTables(func(t *table) { t.mask = t.mask*2 + 1 }),
		"no groups":                   inTables(func(t *table) { t.groups = nil }),
		"control words of bits": inGroups(func(g []byte) {
			for i := range g[:8] {
				g[i] ^= 0x80
			}
		}),
		"control words the other way round": inGroups(func(g []byte) {
			g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7] = g[7], g[6], g[5], g[4], g[3], g[2], g[1], g[0]
		}),
		"control words at the end": inGroups(func(g []byte) { copy(g, append(g[8:len(g):len(g)], g[:8]...)) }),
		"other bits of the hash": inGroups(func(g []byte) {
			for i := range g[:8] {
				if g[i] < 0x80 {
					g[i] ^= 1
				}
			}
		}),
		"the last slot first": inGroups(func(g []byte) {
			slots, n := g[8:], len(g[8:])/SmallEntries
			if len(g)%(8+SmallEntries*n) == 0 && n > 0 {
				for i := range n {
					slots[i], slots[n*7+i] = slots[n*7+i], slots[i]
				}
			}
		}),
		"tables in another order": func(h *header, tables []*table, _ groupsOf) {
			if len(tables) == 2 {
				*tables[0], *tables[1] = *tables[1], *tables[0]
				tables[0].index, tables[1].index = 0, 1
			}
		},
		// As under GOEXPERIMENT=mapsplitgroup, for keys that are strings.
		"keys before values": inGroups(func(g []byte) {
			const key = unsafe.Sizeof("")
			size := (uintptr(len(g)) - 8) / SmallEntries
			if size <= key {
				return
			}
			var keys, values []byte
			for i := range uintptr(SmallEntries) {
				slot := g[8+i*size:][:size]
				keys, values = append(keys, slot[:key]...), append(values, slot[key:]...)
			}
			copy(g[8:], append(keys, values...))
		}),
		"another order of probes": func(_ *header, tables []*table, groups groupsOf) {
			for _, t := range tables {
				if g := groups(t); t.mask == 3 {
					half := len(g) / 2
					copy(g, append(g[half:len(g):len(g)], g[:half]...))
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := alter(change)
			s.build = func(k *Keys, n int) Builder[any] {
				if k == nil {
					t.Fatal("a map that was made by hand is used")
				}
				return NewBuilder[any](k, n)
			}
			check := selfCheck
			if name == "tables in another order" {
				check = checkDirectory
			}
			if err := check(s); err == nil {
				t.Error("it is taken for the layout of this release")
			} else {
				t.Log(err)
			}
		})
	}
	same := alter(func(*header, []*table, groupsOf) {})
	if err := cmp.Or(selfCheck(same), checkDirectory(same)); err != nil {
		t.Errorf("the layout of this release is not recognized: %v", err)
	}
}

// TestSelfCheckFindsLargerHeaders looks at addresses as the allocator yields them for headers of other sizes.
func TestSelfCheckFindsLargerHeaders(t *testing.T) {
	const page = 5 << 13
	for _, size := range []uintptr{32, 48, 64, 80, 96} {
		at := []uintptr{page, page + size, page + 2*size, 9<<13 + 3, page + 3*size, page + 5*size}
		if got := areApart(at, 48); got != (size%48 == 0) {
			t.Errorf("%d bytes: %t", size, got)
		}
	}
}

// TestSelfCheckFindsWrongMaps shows the self-check maps that are not right in one way each.
func TestSelfCheckFindsWrongMaps(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	for name, build := range map[string]func(*Keys, int) Builder[any]{
		"another hash": func(k *Keys, n int) Builder[any] {
			b := NewBuilder[any](k, n)
			if k != nil {
				for i := range k.all {
					k.all[i].hash ^= 3
				}
			}
			return b
		},
		"groups are found otherwise": func(k *Keys, n int) Builder[any] {
			b := NewBuilder[any](k, n)
			if k != nil && b.table != nil {
				for i := range k.all {
					k.all[i].hash ^= 1 << hashBits
				}
			}
			return b
		},
		"one entry too many": func(k *Keys, n int) Builder[any] {
			b := NewBuilder[any](k, n)
			headerOf(b.m).used++
			return b
		},
		"another seed": func(k *Keys, n int) Builder[any] {
			b := NewBuilder[any](k, n)
			headerOf(b.m).seed++
			return b
		},
		"a table that grows too late": func(k *Keys, n int) Builder[any] {
			b := NewBuilder[any](k, n)
			if b.table != nil {
				b.table.left++
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := real()
			s.build = build
			if err := selfCheck(s); err == nil {
				t.Error("they are taken for maps")
			} else {
				t.Log(err)
			}
			// The second half must find what can be seen from outside by itself.
			var p pair
			names := checkNames()
			if _ = p.check(s, names[:2*groupLoad]); p.use(s, names) == nil && name != "a table that grows too late" {
				t.Error("they behave like maps")
			}
		})
	}
}

// TestSelfCheckAgain runs it often: what it finds must not depend on chance.
func TestSelfCheckAgain(t *testing.T) {
	if !Enabled() {
		t.Skip(reason)
	}
	var garbage [][]byte
	for i := range 2000 {
		if err := cmp.Or(selfCheck(real()), checkDirectory(real())); err != nil {
			t.Fatal(err)
		}
		if garbage = append(garbage, make([]byte, i%100)); i%200 == 0 {
			garbage = nil
		}
	}
	runtime.KeepAlive(garbage)
}

func BenchmarkSelfCheck(b *testing.B) {
	if !Enabled() {
		b.Skip(reason)
	}
	for b.Loop() {
		if err := selfCheck(real()); err != nil {
			b.Fatal(err)
		}
	}
}
