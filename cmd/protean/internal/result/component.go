package result

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Components are who allocates what an operation does: each part of a program by the code
// that asks for the memory.
type Components []Component

// A Component is one part of a program.
type Component struct {
	Name     string  `json:"name"` // one of ComponentNames
	AllocsOp float64 `json:"allocs_op"`
	BytesOp  float64 `json:"bytes_op"`
}

// The parts of a program that handles messages in scripts.
const (
	Engine  = "goja"    // the engine
	Bridge  = "bridge"  // gojapb, between the engine and the runtime
	Runtime = "runtime" // the libraries for Protobuf
	GoOwn   = "go"      // Go's standard library
	Other   = "other"   // all else: other libraries, and the lab where it stands for a host
)

// ComponentNames lists the parts in the order in which reports show them.
var ComponentNames = []string{Engine, Bridge, Runtime, GoOwn, Other}

// Of returns the part of a name; all zero if there is none.
func (c Components) Of(name string) Component {
	if i := slices.IndexFunc(c, func(x Component) bool { return x.Name == name }); i >= 0 {
		return c[i]
	}
	return Component{Name: name}
}

// String gives the allocations and bytes of the parts that have some, such as
// "goja=3/96 bridge=1/24".
func (c Components) String() string {
	var out []string
	for _, x := range c {
		out = append(out, fmt.Sprintf("%s=%s/%s", x.Name, amount(x.AllocsOp), amount(x.BytesOp)))
	}
	return strings.Join(out, " ")
}

// Parse replaces c by what String wrote; parts must be separated by white space.
func (c *Components) Parse(text string) error {
	*c = nil
	for _, part := range strings.Fields(text) {
		name, figures, _ := strings.Cut(part, "=")
		allocs, bytes, _ := strings.Cut(figures, "/")
		a, err := strconv.ParseFloat(allocs, 64)
		if err != nil {
			return err
		}
		b, err := strconv.ParseFloat(bytes, 64)
		if err != nil {
			return err
		}
		*c = append(*c, Component{name, a, b})
	}
	return nil
}

// amount writes a mean of counts with at most three decimals, and never an exponent.
func amount(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64) }
