package layout

import (
	"runtime"
	"sync"
	"unsafe"
	"weak"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A schema holds what is computed once for all layouts of the types of one file: walking everything that is reachable
// for each type anew would take quadratic time. All of it is guarded by schemas.
type schema struct {
	file protoreflect.FileDescriptor // which its identity belongs to, as long as the schema lives; nil for no file

	needs   map[protoreflect.FullName]bool  // whether a message of the type needs the check for required fields
	enums   map[protoreflect.FullName]*Enum // those met so far
	imports map[*schema]struct{}            // those with types that are reachable from here: they live as long
}

// schemas finds the schema of a file. It keeps neither alive: layouts and enums do, which hold descriptors of the file
// anyway.
var schemas = struct {
	sync.Mutex
	byFile map[uintptr]weak.Pointer[schema] // by the identity of the file's descriptor
	walked int                              // how many messages and fields [schema.resolve] has looked at, for tests
}{byFile: map[uintptr]weak.Pointer[schema]{}}

// schemaOf returns the schema of the file that declares d. The caller holds the lock.
func schemaOf(d protoreflect.Descriptor) *schema {
	file := d.ParentFile()
	if file == nil { // a placeholder, for instance
		return newSchema(nil)
	}
	id := identity(file)
	// An identity may be that of a file that is gone, and so is its schema then.
	if s := schemas.byFile[id].Value(); s != nil {
		return s
	}
	s := newSchema(file)
	schemas.byFile[id] = weak.Make(s)
	runtime.AddCleanup(s, forgetSchema, id)
	return s
}

func newSchema(file protoreflect.FileDescriptor) *schema {
	return &schema{
		file: file, needs: map[protoreflect.FullName]bool{}, enums: map[protoreflect.FullName]*Enum{},
		imports: map[*schema]struct{}{},
	}
}

// identity returns a number that no other file has as long as this one is reachable: the address of the descriptor.
func identity(file protoreflect.FileDescriptor) uintptr {
	a := any(file)
	// Sound: a is an any, which is laid out as an eface; the pointer is only compared.
	return uintptr((*eface)(unsafe.Pointer(&a)).data)
}

// forgetSchema removes what is left of a schema that is gone.
func forgetSchema(id uintptr) {
	schemas.Lock()
	defer schemas.Unlock()
	if schemas.byFile[id].Value() == nil {
		delete(schemas.byFile, id)
	}
}

// needsCheck reports whether a message of the type, which may be nil, or anything below it may lack a required field:
// one that it declares, or one of an extension. The caller holds the lock.
func (s *schema) needsCheck(md protoreflect.MessageDescriptor) bool {
	if md == nil {
		return false
	}
	of := schemaOf(md)
	if _, known := of.needs[md.FullName()]; !known {
		s.resolve(md)
	}
	return of.needs[md.FullName()]
}

// A reach is a type that resolve has reached.
type reach struct {
	in    *schema
	name  protoreflect.FullName
	users []int // the types with a field of it
	needs bool
}

// resolve finds out whether the type, and those reachable from it, need the check. It looks at each type once, however
// many types are reachable from one another: first forward, from types to those of their fields, as far as nothing is
// known of them, and then back, from the types that need the check to those that use them.
func (s *schema) resolve(md protoreflect.MessageDescriptor) {
	var all []reach
	var types []protoreflect.MessageDescriptor // of all
	var need []int                             // those of all from which there is still to go back
	seen := map[protoreflect.FullName]int{}
	// use notes that a type uses another, and reports whether that is known to need the check.
	use := func(user int, md protoreflect.MessageDescriptor) bool {
		name := md.FullName()
		i, ok := seen[name]
		if !ok {
			in := schemaOf(md)
			if needs, known := in.needs[name]; known {
				s.imports[in] = struct{}{}
				return needs
			}
			i = len(all)
			seen[name] = i
			all, types = append(all, reach{in: in, name: name}), append(types, md)
		}
		if user >= 0 {
			all[i].users = append(all[i].users, user)
		}
		return all[i].needs
	}
	use(-1, md)
	for i := 0; i < len(all); i++ {
		md := types[i]
		schemas.walked++
		needs := md.RequiredNumbers().Len() > 0 || md.ExtensionRanges().Len() > 0
		fds := md.Fields()
		for j := 0; j < fds.Len() && !needs; j++ { // what is below a type that needs the check does not matter
			schemas.walked++
			if sub := below(fds.Get(j)); sub != nil {
				needs = use(i, sub)
			}
		}
		if needs {
			all[i].needs = true
			need = append(need, i)
		}
	}
	for len(need) > 0 {
		i := need[len(need)-1]
		need = need[:len(need)-1]
		for _, user := range all[i].users {
			if !all[user].needs {
				all[user].needs = true
				need = append(need, user)
			}
		}
	}
	for _, r := range all {
		r.in.needs[r.name] = r.needs
		s.imports[r.in] = struct{}{}
	}
}

// enumOf returns what ProtoJSON says of the enum.
func enumOf(ed protoreflect.EnumDescriptor) *Enum {
	schemas.Lock()
	defer schemas.Unlock()
	s := schemaOf(ed)
	e := s.enums[ed.FullName()]
	if e == nil {
		e = newEnum(ed)
		e.schema = s
		s.enums[ed.FullName()] = e
	}
	return e
}
