// Command agreement sets two files of results in Go's benchmark format side by
// side, benchmark by benchmark: of the lab the median, which is what it reports, of
// go test the fastest tenth and the fastest fiftieth, which are what it measures where a
// run of several milliseconds happened to be left alone by the machine's other users:
// the fewer are, the less does a tenth suffice.
//
//	agreement LAB.txt GOTEST.txt
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/protean-pb/protean/tools/internal/gotest"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: agreement LAB.txt GOTEST.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "agreement:", err)
		os.Exit(1)
	}
}

func run(lab, other string) error {
	a, err := gotest.Read(lab)
	if err != nil {
		return err
	}
	b, err := gotest.Read(other)
	if err != nil {
		return err
	}
	fmt.Printf("%10s %12s %8s %12s %8s  (ns/op)\n", "lab", "go test 10 %", "lab/go", "go test 2 %", "lab/go")
	for _, l := range a {
		at := slices.IndexFunc(b, func(g *gotest.Benchmark) bool { return g.Name == l.Name })
		if at < 0 {
			return fmt.Errorf("%s has no %s", other, l.Name)
		}
		x, y, z := l.Quantile(0.5), b[at].Quantile(0.1), b[at].Quantile(0.02)
		fmt.Printf("%10.1f %12.1f %8.2f %12.1f %8.2f  %s (%d and %d samples)\n", x, y, x/y, z, x/z, l.Name, len(l.NS),
			len(b[at].NS))
	}
	return nil
}
