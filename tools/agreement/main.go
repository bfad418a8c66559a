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

	"golang.org/x/perf/benchfmt"
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

func run(lab, gotest string) error {
	a, order, err := times(lab)
	if err != nil {
		return err
	}
	b, _, err := times(gotest)
	if err != nil {
		return err
	}
	fmt.Printf("%10s %12s %8s %12s %8s  (ns/op)\n", "lab", "go test 10 %", "lab/go", "go test 2 %", "lab/go")
	for _, name := range order {
		x, y, z := quantile(a[name], 0.5), quantile(b[name], 0.1), quantile(b[name], 0.02)
		if y == 0 {
			return fmt.Errorf("%s has no %s", gotest, name)
		}
		fmt.Printf("%10.1f %12.1f %8.2f %12.1f %8.2f  %s (%d and %d samples)\n", x, y, x/y, z, x/z, name, len(a[name]), len(b[name]))
	}
	return nil
}

// times returns the times of each benchmark of a file, in nanoseconds, and their
// names in order.
func times(path string) (map[string][]float64, []string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	found := map[string][]float64{}
	var order []string
	for r := benchfmt.NewReader(f, path); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		if seconds, ok := res.Value("sec/op"); ok {
			name := res.Name.String()
			if found[name] == nil {
				order = append(order, name)
			}
			found[name] = append(found[name], seconds*1e9)
		}
	}
	if len(order) == 0 {
		return nil, nil, fmt.Errorf("%s has no times", path)
	}
	return found, order, nil
}

// quantile returns the value below which so large a share of xs lies; 0 for none.
func quantile(xs []float64, share float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[int(share*float64(len(xs)))]
}
