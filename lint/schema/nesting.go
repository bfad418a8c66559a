package schema

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// nesting reports messages that nest too deeply, or without end. The messages are the nodes of a
// graph and their fields its edges; a strongly connected component is a set of messages that
// contain each other.
func (c *checker) nesting() {
	g := &graph{
		index:     make(map[protoreflect.FullName]int),
		low:       make(map[protoreflect.FullName]int),
		component: make(map[protoreflect.FullName]int),
		depth:     make(map[int]int),
		crosses:   make(map[int]bool),
	}
	for _, md := range c.declared {
		if g.index[md.FullName()] == 0 {
			g.visit(md)
		}
	}
	reported := make(map[int]bool)
	for _, md := range c.declared {
		n := g.component[md.FullName()]
		if !reported[n] && c.recursive(g, md) {
			reported[n] = true
		}
		c.deep(g, md)
	}
}

// recursive reports the first field by which a message contains itself; false if there is none.
func (c *checker) recursive(g *graph, md protoreflect.MessageDescriptor) bool {
	for fd := range messageFields(md) {
		if !g.together(md, valueType(fd)) {
			continue
		}
		cycle := g.path(valueType(fd), md)
		c.report(Recursive, fd, cycleText(md, append([]protoreflect.FieldDescriptor{fd}, cycle...)))
		return true
	}
	return false
}

// maxShown bounds the fields of a cycle that are named.
const maxShown = 4

// cycleText says by which fields a message contains itself, and how often it may.
func cycleText(md protoreflect.MessageDescriptor, cycle []protoreflect.FieldDescriptor) string {
	messages := 0
	var names []string
	for _, step := range cycle {
		messages++
		if step.IsMap() {
			messages++ // the entry
		}
		names = append(names, string(step.ContainingMessage().Name())+"."+string(step.Name()))
	}
	if more := len(names) - maxShown; more > 0 {
		names = append(names[:maxShown], fmt.Sprintf("%d more fields", more))
	}
	return fmt.Sprintf("message %s can contain itself, by %s: %d levels of it are nested within %d",
		md.FullName(), strings.Join(names, " and "), DepthLimit/messages, DepthLimit)
}

// deep reports a message with which the limit is crossed, and not those around it.
func (c *checker) deep(g *graph, md protoreflect.MessageDescriptor) {
	if n := g.component[md.FullName()]; g.crosses[n] {
		c.report(Depth, md, fmt.Sprintf("message %s has %d levels of messages, itself included", md.FullName(),
			g.depth[n]))
	}
}

// A graph finds strongly connected components by Tarjan's algorithm.
type graph struct {
	index, low map[protoreflect.FullName]int // from 1 in the order of visits
	stack      []protoreflect.MessageDescriptor
	component  map[protoreflect.FullName]int // from 1, once it is known
	components int
	// depth is how many messages the members of a component can nest, itself included; members of
	// a component that contain each other count once.
	depth map[int]int
	// crosses says which components go beyond the limit while nothing inside them does.
	crosses map[int]bool
}

func (g *graph) visit(md protoreflect.MessageDescriptor) {
	name := md.FullName()
	g.index[name] = len(g.index) + 1
	g.low[name] = g.index[name]
	g.stack = append(g.stack, md)
	for fd := range messageFields(md) {
		inner := valueType(fd)
		switch {
		case g.index[inner.FullName()] == 0:
			g.visit(inner)
			g.low[name] = min(g.low[name], g.low[inner.FullName()])
		case g.component[inner.FullName()] == 0:
			g.low[name] = min(g.low[name], g.index[inner.FullName()])
		}
	}
	if g.low[name] == g.index[name] {
		g.close(md)
	}
}

// close takes a component, of which md was visited first, from the stack.
func (g *graph) close(md protoreflect.MessageDescriptor) {
	g.components++
	first := len(g.stack) - 1
	for g.stack[first].FullName() != md.FullName() {
		first--
	}
	members := g.stack[first:]
	g.stack = g.stack[:first]
	for _, m := range members {
		g.component[m.FullName()] = g.components
	}
	depth, inside := 1, 0
	for _, m := range members {
		for fd := range messageFields(m) {
			if n := g.component[valueType(fd).FullName()]; n != g.components {
				levels := 1 + g.depth[n]
				if fd.IsMap() {
					levels++ // the entry
				}
				depth, inside = max(depth, levels), max(inside, g.depth[n])
			}
		}
	}
	g.depth[g.components] = depth
	g.crosses[g.components] = depth > DepthLimit && inside <= DepthLimit
}

// together reports whether two messages contain each other.
func (g *graph) together(a, b protoreflect.MessageDescriptor) bool {
	return g.component[a.FullName()] == g.component[b.FullName()]
}

// path returns the fewest fields that lead from one message of a component to another.
func (g *graph) path(from, to protoreflect.MessageDescriptor) []protoreflect.FieldDescriptor {
	came := map[protoreflect.FullName]protoreflect.FieldDescriptor{from.FullName(): nil}
	for queue := []protoreflect.MessageDescriptor{from}; len(queue) > 0; queue = queue[1:] {
		md := queue[0]
		if md.FullName() == to.FullName() {
			break
		}
		for fd := range messageFields(md) {
			inner := valueType(fd)
			if _, ok := came[inner.FullName()]; !ok && g.together(md, inner) {
				came[inner.FullName()] = fd
				queue = append(queue, inner)
			}
		}
	}
	var steps []protoreflect.FieldDescriptor
	for name := to.FullName(); name != from.FullName(); {
		fd := came[name]
		steps = append(steps, fd)
		name = fd.ContainingMessage().FullName()
	}
	slices.Reverse(steps)
	return steps
}

// messageFields are the fields of a message that hold messages, maps among them.
func messageFields(md protoreflect.MessageDescriptor) func(yield func(protoreflect.FieldDescriptor) bool) {
	return func(yield func(protoreflect.FieldDescriptor) bool) {
		for i := range md.Fields().Len() {
			if fd := md.Fields().Get(i); valueType(fd) != nil && !yield(fd) {
				return
			}
		}
	}
}
