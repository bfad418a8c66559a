package tree

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
)

// randomObject returns the wire form of a Struct of which keys come again and again: in other
// objects, within each other, and twice in one.
func randomObject(r *rand.Rand, vocabulary []string, depth int) []byte {
	var b []byte
	for range r.IntN(swissmap.SmallEntries + 3) {
		key := vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64())]
		value := field(4, r.IntN(2))
		if depth > 0 && r.IntN(4) == 0 {
			value = field(5, randomObject(r, vocabulary, depth-1))
		}
		b = append(b, field(1, cat(field(1, key), field(2, value)))...)
	}
	return b
}

// TestKnownKeys reads objects of which many keys are known, and some are forgotten.
func TestKnownKeys(t *testing.T) {
	vocabulary := []string{"", "id", "Id", "ip", "name", "naïve", strings.Repeat("x", maxKey),
		strings.Repeat("x", maxKey-1) + "y", strings.Repeat("x", maxKey+1)}
	for i := range 600 {
		vocabulary = append(vocabulary, fmt.Sprint("key", i), fmt.Sprint("the beginning of key ", i))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		body := randomObject(r, vocabulary[:10+i/3], 3)
		checkRead(t, index.Struct, nil, body, ReadOptions{Depth: limit, Alias: i%3 == 0})
	}
}

// TestKnownKeysAreText has a key come again and again that is not UTF-8: nobody looks at one
// that is known.
func TestKnownKeysAreText(t *testing.T) {
	var k keys
	for range 10 {
		k.start()
		if k.find([]byte("k\xff")) != 0 {
			t.Fatal("it is known")
		}
	}
}

// TestFind has keys found from the message after the one that has them for the second time,
// and forgotten for others when they have not come for long.
func TestFind(t *testing.T) {
	var k keys
	read := func(names ...string) (found []uint8) {
		k.start()
		for _, name := range names {
			found = append(found, k.find([]byte(name)))
		}
		return found
	}
	long := strings.Repeat("x", maxKey)
	read("a", long)
	if found := read("a", "a", long, "b"); fmt.Sprint(found) != "[0 0 0 0]" {
		t.Errorf("numbers %v where objects may have the keys already", found)
	}
	found := read("a", long, "b", "a", "", long+"x")
	if found[0] == 0 || found[1] == 0 || found[0] == found[1] || found[2] != 0 || found[3] != found[0] ||
		found[4] != 0 || found[5] != 0 {
		t.Fatalf("numbers %v", found)
	}
	if a, b := k.known.Name(int(found[0])), k.known.Name(int(found[1])); a != "a" || b != long {
		t.Fatalf("names %q, %q", a, b)
	}
	others := func(from int) (n int) {
		var names []string
		for i := range 10 * knownKeys {
			names = append(names, fmt.Sprint(from+i))
		}
		read(names...)
		for i := range names { // one after the other, so that each is the last that was looked for
			k.find([]byte(names[i]))
			k.find([]byte(names[i]))
		}
		for _, number := range read(names...) {
			if number != 0 {
				n++
			}
		}
		return n
	}
	if n := others(0); n < knownKeys/2 || n >= knownKeys {
		t.Errorf("%d keys are known", n)
	}
	if n := others(100_000); n > knownKeys/2 {
		t.Errorf("%d new keys are known at once", n)
	}
	for range fresh + 1 {
		read("a")
	}
	if n := others(200_000); n < knownKeys/2 {
		t.Errorf("%d keys are known where the others were not read for long", n)
	}
	if again := read("a"); again[0] != found[0] {
		t.Error("a key that is in use was forgotten")
	}
}

// TestKnownKeysAllocations reads objects whose keys come again, and such whose keys never do.
func TestKnownKeysAllocations(t *testing.T) {
	var k keys
	next := 0
	if n := testing.AllocsPerRun(1000, func() {
		k.start()
		next++
		k.find(protowire.AppendVarint(nil, uint64(next*1_000_003)))
	}); n > 1 {
		t.Errorf("%v allocations for a key that never comes again", n)
	}
}
