package testpb

import (
	"flag"

	"github.com/protean-pb/protean/internal/test/race"
)

// Seed reports whether the i-th of many like values is worth being a seed of a fuzz target. All are in an ordinary
// test. While fuzzing, whose engine first measures the coverage of each, under the race detector and with -short, a
// thirteenth has to do.
func Seed(i int) bool {
	f := flag.Lookup("test.fuzz")
	fuzzing := f != nil && f.Value.String() != ""
	return i%13 == 0 || !fuzzing && !race.Brief()
}
