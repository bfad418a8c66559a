package main

import (
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	protean "github.com/protean-pb/protean/proto"
)

// roots are messages that the collector marks before it looks through stacks. What is stored there later without a
// write barrier it never sees.
var roots [32][64]benchpb.Tree

// variants is how many different messages are read into them.
const variants = 32

// A rootWorker reads trees into the roots that are its own.
type rootWorker struct {
	*stress
	*rand.Rand
	roots *[64]benchpb.Tree
	holds [64]int // which variant, and one more; 0 for nothing
	texts [variants]string
	wires [variants][]byte
}

func startRoots(s *stress, id int, r *rand.Rand) (worker, error) {
	w := &rootWorker{stress: s, Rand: r, roots: &roots[id%len(roots)]}
	for v := range variants {
		w.texts[v] = fmt.Sprintf("variant %d of worker %d", v, id)
		m := &benchpb.Tree{Name: w.texts[v], Left: namedTree(w.texts[v], v%6)}
		for range childrenOf(v) {
			m.Children = append(m.Children, namedTree(w.texts[v], v%3))
		}
		var err error
		if w.wires[v], err = proto.Marshal(m); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// childrenOf returns how many children the root of a variant has: mostly few.
func childrenOf(variant int) int {
	if variant%8 == 7 {
		return 150
	}
	return variant
}

func namedTree(name string, depth int) *benchpb.Tree {
	if depth == 0 {
		return nil
	}
	return &benchpb.Tree{Name: name, Left: namedTree(name, depth-1), Right: namedTree(name, depth-1)}
}

// isNamed reports whether m is what namedTree makes.
func isNamed(m *benchpb.Tree, name string, depth int) bool {
	if depth == 0 || m == nil {
		return depth == 0 && m == nil
	}
	return m.Name == name && isNamed(m.Left, name, depth-1) && isNamed(m.Right, name, depth-1)
}

func (w *rootWorker) turn() {
	i := w.IntN(len(w.roots))
	w.check(i)
	m := &w.roots[i]
	m.Name, m.Left, m.Children = "", nil, nil // the message itself stays, and is not reset
	v := w.IntN(variants)
	w.holds[i] = v + 1
	o := protean.UnmarshalOptions{Merge: true, AliasInput: w.IntN(3) == 0}
	in := w.wires[v]
	if o.AliasInput {
		in = append([]byte(nil), in...)
	}
	if err := o.Unmarshal(in, m); err != nil {
		w.mismatch("variant %d: %v", v, err)
	}
}

// check checks what a root holds.
func (w *rootWorker) check(i int) {
	v := w.holds[i] - 1
	if v < 0 {
		return
	}
	m, text := &w.roots[i], w.texts[v]
	ok := m.Name == text && isNamed(m.Left, text, v%6) && len(m.Children) == childrenOf(v)
	for _, c := range m.Children {
		ok = ok && (isNamed(c, text, v%3) || v%3 == 0 && c.Name == "")
	}
	if !ok {
		w.mismatch("a root that held %s: %.300v", text, m)
	}
}

func (w *rootWorker) end() {
	for i := range w.roots {
		w.check(i)
		w.roots[i].Reset()
	}
}
