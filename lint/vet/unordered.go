package vet

import (
	"fmt"
	"go/types"
)

// unordered says why the bytes of a message of a static type may differ: which map is in it, or
// that any may be. It is "" for a message without maps.
func (f *finder) unordered(t types.Type) string {
	if t == nil {
		return ""
	}
	if types.IsInterface(t) {
		return "it may have maps"
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return ""
	}
	s := &search{seen: make(map[types.Type]bool)}
	s.visit(p.Elem())
	return s.found
}

// A search looks for a map in what the Go struct of a message holds.
type search struct {
	seen  map[types.Type]bool
	found string
}

func (s *search) visit(t types.Type) {
	if s.found != "" || s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		s.visit(t.Elem())
	case *types.Slice:
		s.visit(t.Elem())
	case *types.Named:
		if i, ok := t.Underlying().(*types.Interface); ok {
			s.members(t, i)
		} else if isMessage(t) {
			s.fields(t)
		}
	}
}

// isMessage reports whether t is the struct of a message or of a member of a oneof, and none that
// the library keeps its state in.
func isMessage(t *types.Named) bool {
	_, ok := t.Underlying().(*types.Struct)
	if !ok || t.Obj().Pkg() == nil {
		return false
	}
	switch t.Obj().Pkg().Path() {
	case "google.golang.org/protobuf/internal/impl", "google.golang.org/protobuf/runtime/protoimpl",
		"google.golang.org/protobuf/internal/pragma", "sync", "sync/atomic":
		return false
	}
	return true
}

// fields looks at the fields of a message's struct, but not at its state.
func (s *search) fields(t *types.Named) {
	st := t.Underlying().(*types.Struct)
	for field := range st.Fields() {
		switch field.Name() {
		case "state", "sizeCache", "unknownFields", "extensionFields", "weakFields":
			continue
		}
		if _, ok := field.Type().Underlying().(*types.Map); ok {
			s.found = fmt.Sprintf("%s has maps", t.Obj().Name())
			return
		}
		s.visit(field.Type())
	}
}

// members looks at the members of a oneof: the types of its package that implement its interface.
func (s *search) members(t *types.Named, i *types.Interface) {
	if t.Obj().Pkg() == nil || i.NumMethods() == 0 || t.Obj().Exported() {
		return
	}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if types.Implements(types.NewPointer(tn.Type()), i) {
			s.visit(tn.Type())
		}
	}
}
