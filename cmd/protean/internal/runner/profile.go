package runner

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

const (
	// profiledOps is how many operations are looked into, at least.
	profiledOps = 200
	// profiledSamples is on how many samples that is done at most.
	profiledSamples = 64
)

// profile finds out who makes the allocations of the cells of a payload, which have passed
// verification.
func (r *run) profile(l *load) error {
	// Nothing is recorded but while operations run: each profile would have the stacks of
	// all that variants do to get ready.
	runtime.MemProfileRate = 0
	ms, err := l.messages(firstOf(min(len(l.samples), profiledSamples)))
	if err != nil {
		return err
	}
	for _, c := range l.Cells {
		key := r.begin(l.Name, c.Variant, c.Op)
		err := guard(func() error {
			codec, err := r.find(c.Variant).Open(l.typ)
			if err != nil {
				return err
			}
			if err := codec.Load(ms); err != nil {
				return err
			}
			found, err := components(op(codec, c.Op), len(ms))
			if err != nil {
				return err
			}
			return r.emit(Event{Profiled: &Profiled{key, found}})
		})
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.Variant, c.Op, err)
		}
	}
	return nil
}

func firstOf(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// components runs an operation on n samples and returns who allocates. What the way into
// a loop allocates is in both a long and a short walk.
func components(op *variant.Op, n int) (result.Components, error) {
	more := max(1, profiledOps/n)
	if err := walk(op, 1, n); err != nil { // fills pools and caches
		return nil, err
	}
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = 0 }()
	var marks [3]*profile.Profile
	for i, times := range []int{0, 1, 1 + more} {
		err := walk(op, times, n)
		if err == nil {
			marks[i], err = heapProfile()
		}
		if err != nil {
			return nil, err
		}
	}
	short, long := map[string]*result.Component{}, map[string]*result.Component{}
	for _, d := range []struct {
		sum      map[string]*result.Component
		from, to *profile.Profile
	}{{short, marks[0], marks[1]}, {long, marks[1], marks[2]}} {
		addAllocations(d.sum, d.from, -1)
		addAllocations(d.sum, d.to, 1)
	}
	var out result.Components
	for _, name := range result.ComponentNames {
		a, b := short[name], long[name]
		if b == nil {
			continue
		}
		if a == nil {
			a = new(result.Component)
		}
		ops := float64(more * n)
		x := result.Component{Name: name, AllocsOp: (b.AllocsOp - a.AllocsOp) / ops,
			BytesOp: (b.BytesOp - a.BytesOp) / ops}
		if x.AllocsOp > 0.02 { // not what the Go runtime allocated for itself
			out = append(out, x)
		}
	}
	return out, nil
}

// heapProfile returns all allocations up to now.
func heapProfile() (*profile.Profile, error) {
	// A profile is as of the last collection that has been swept.
	runtime.GC()
	runtime.GC()
	var b bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&b, 0); err != nil {
		return nil, err
	}
	return profile.Parse(&b)
}

// addAllocations adds the allocations of a profile, so many times, to sums by component.
func addAllocations(sums map[string]*result.Component, p *profile.Profile, times float64) {
	for _, s := range p.Sample {
		if !within(s, walkName) {
			continue // the profiles themselves, and what the Go runtime does beside
		}
		name := componentOf(allocator(s))
		if sums[name] == nil {
			sums[name] = &result.Component{Name: name}
		}
		sums[name].AllocsOp += times * float64(s.Value[0])
		sums[name].BytesOp += times * float64(s.Value[1])
	}
}

// walkName is the function under which operations run.
const walkName = "github.com/protean-pb/protean/cmd/protean/internal/runner.walk"

// within reports whether a function is on the stack of a sample.
func within(s *profile.Sample, function string) bool {
	return slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
		return slices.ContainsFunc(l.Line, func(l profile.Line) bool { return l.Function.Name == function })
	})
}

// allocator returns the package of the function that asked for the memory: the innermost
// one but for those of the Go runtime, which profiles leave out.
func allocator(s *profile.Sample) string {
	if len(s.Location) == 0 || len(s.Location[0].Line) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(s.Location[0].Line[0].Function.Name, "[") // without type arguments
	folder := strings.LastIndexByte(name, '/') + 1
	pkg, _, _ := strings.Cut(name[folder:], ".")
	return name[:folder] + pkg
}

// modules are the modules of components, by their paths. The longest path that fits counts.
var modules = []struct{ path, component string }{
	{"github.com/protean-pb/protean/cmd/protean", result.Other},
	{"github.com/protean-pb/protean/gojapb", result.Bridge},
	{"github.com/protean-pb/protean", result.Runtime},
	{"google.golang.org/protobuf", result.Runtime},
	{"github.com/dop251", result.Engine},
	{"github.com/dlclark/regexp2", result.Engine},
}

// componentOf returns the component that a package belongs to.
func componentOf(pkg string) string {
	for _, m := range modules {
		if pkg == m.path || strings.HasPrefix(pkg, m.path+"/") {
			return m.component
		}
	}
	first, _, _ := strings.Cut(pkg, "/")
	if pkg != "" && !strings.Contains(first, ".") {
		return result.GoOwn
	}
	return result.Other
}
