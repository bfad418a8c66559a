package jstypes

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A node is a TypeScript namespace: the part of a package's name, a message or an
// enum. A message that is not declared, but has one that is within, has neither
// descriptor.
type node struct {
	name     string // in TypeScript
	parent   *node  // nil for the root, which is the module
	children []*node
	// pkg is that of the types below; it is set on messages and enums.
	pkg     *node
	message protoreflect.MessageDescriptor
	enum    protoreflect.EnumDescriptor
}

// unnamedPackage is the namespace of files without a package, whose types would
// clash with those of the module.
const unnamedPackage = "$root"

// newTree returns the names of the types that are reached, those of a package in
// the order of their declaration.
func newTree(files []protoreflect.FileDescriptor, r *reach) *node {
	root := &node{}
	for _, fd := range files {
		pkg := root
		path := string(fd.Package())
		if path == "" {
			path = unnamedPackage
		}
		for _, part := range strings.Split(path, ".") {
			pkg = pkg.child(part)
		}
		pkg.add(fd, pkg, r)
	}
	root.prune()
	return root
}

// add adds what a file or a message declares.
func (n *node) add(s scope, pkg *node, r *reach) {
	for i := range s.Messages().Len() {
		md := s.Messages().Get(i)
		if md.IsMapEntry() {
			continue
		}
		c := n.child(string(md.Name()))
		c.pkg = pkg
		if r.types[md.FullName()] {
			c.message = md
		}
		c.add(md, pkg, r)
	}
	for i := range s.Enums().Len() {
		if ed := s.Enums().Get(i); r.types[ed.FullName()] {
			c := n.child(string(ed.Name()))
			c.pkg, c.enum = pkg, ed
		}
	}
}

// child returns the child of a name in the schema, made if there is none.
func (n *node) child(name string) *node {
	name = escaped(name)
	if c := n.find(name); c != nil {
		return c
	}
	c := &node{name: name, parent: n}
	n.children = append(n.children, c)
	return c
}

// find returns the child of a name in TypeScript, or nil.
func (n *node) find(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// prune removes what has nothing below it, and reports whether n is such.
func (n *node) prune() (empty bool) {
	n.children = slices.DeleteFunc(n.children, (*node).prune)
	return len(n.children) == 0 && n.message == nil && n.enum == nil
}

// isType reports whether n is a message or an enum, and not part of a package.
func (n *node) isType() bool { return n.pkg != nil }

// sorted returns the children in the order of their names.
func (n *node) sorted() []*node {
	return slices.SortedFunc(slices.Values(n.children), func(a, b *node) int { return strings.Compare(a.name, b.name) })
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.walk(visit)
	}
}

// path is the name of n in the module.
func (n *node) path() string { return n.pathFrom(nil) }

// pathFrom is the name of n in an enclosing namespace.
func (n *node) pathFrom(outer *node) string {
	var names []string
	for ; n != outer && n.parent != nil; n = n.parent {
		names = append(names, n.name)
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// lookup finds a type of the tree by its full name; nil if it is declared elsewhere.
func (n *node) lookup(d protoreflect.Descriptor) *node {
	path := string(d.FullName())
	if d.ParentFile().Package() == "" {
		path = unnamedPackage + "." + path
	}
	for _, part := range strings.Split(path, ".") {
		if n = n.find(escaped(part)); n == nil {
			return nil
		}
	}
	return n
}

// ref is the name by which the declarations of n refer to target, both in its
// namespace and beside it. Within a package it is the shortest that means target,
// else the full one.
func (n *node) ref(target *node) string {
	for outer := n.parent; target.pkg == n.pkg && outer.parent != nil; outer = outer.parent {
		if target != outer && target.below(outer) && n.sees(outer, target) {
			return target.pathFrom(outer)
		}
	}
	return n.absolute(target.path())
}

// absolute is the name by which the declarations of n refer to a path of the module.
func (n *node) absolute(path string) string {
	first, _, _ := strings.Cut(path, ".")
	for s := n; s.parent != nil; s = s.parent {
		if s.find(first) != nil {
			return `import("protobuf").` + path
		}
	}
	return path
}

// below reports whether n is outer or within it.
func (n *node) below(outer *node) bool {
	for n != nil && n != outer {
		n = n.parent
	}
	return n != nil
}

// sees reports whether, from within n, the path of target in outer is not shadowed
// by a namespace between.
func (n *node) sees(outer, target *node) bool {
	first, _, _ := strings.Cut(target.pathFrom(outer), ".")
	for s := n; s != outer; s = s.parent {
		if s.find(first) != nil {
			return false
		}
	}
	return true
}

// escaped makes a name of the schema one that TypeScript takes for a namespace and
// a type.
func escaped(name string) string {
	if slices.Contains(reserved, name) {
		return name + "$"
	}
	return name
}

// reserved are the words that TypeScript takes for no namespace, or no type, in strict
// mode.
var reserved = strings.Fields(`
	break case catch class const continue debugger default delete do else enum export extends false finally for function if
	import in instanceof new null return super switch this throw true try typeof var void while with
	implements interface let package private protected public static yield await
	any bigint boolean never number object string symbol undefined unknown
	infer intrinsic keyof readonly unique`)
