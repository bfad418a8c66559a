package lock

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Rename takes over the names that fields, messages and enums have in the .proto file, where somebody has renamed
// them by hand: md is what the first message of the lock is there. Fields are found by their numbers.
func (l *Lock) Rename(md protoreflect.MessageDescriptor) {
	r := &renamer{lock: l, to: map[string]string{}}
	r.message(l.Messages[0], md)
	for _, m := range l.Messages {
		m.Name = r.name(m.Name)
		for _, f := range append(append([]*Field{}, m.Fields...), m.Reserved...) {
			f.Type = r.typeName(f.Type)
		}
	}
	for _, e := range l.Enums {
		e.Name = r.name(e.Name)
	}
}

type renamer struct {
	lock *Lock
	to   map[string]string // names by those in the lock
}

func (r *renamer) name(old string) string {
	if name := r.to[old]; name != "" {
		return name
	}
	return old
}

// message goes through the fields of a message, and those of what they hold.
func (r *renamer) message(m *Message, md protoreflect.MessageDescriptor) {
	if r.to[m.Name] != "" {
		return
	}
	r.to[m.Name] = string(md.Name())
	if m.Oneof != "" && md.Oneofs().Len() == 1 {
		m.Oneof = string(md.Oneofs().Get(0).Name())
	}
	for _, f := range m.Fields {
		fd := md.Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		if fd == nil {
			continue
		}
		f.Name = string(fd.Name())
		if o := fd.ContainingOneof(); o != nil && f.Union != nil {
			f.Union.Oneof = string(o.Name())
		}
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		old := element(f.Type)
		if inner := fd.Message(); inner != nil && inner.ParentFile() == md.ParentFile() {
			if next := r.lock.message(old); next != nil {
				r.message(next, inner)
			}
		} else if e := fd.Enum(); e != nil {
			r.enum(old, e)
		}
	}
}

func (r *renamer) enum(old string, ed protoreflect.EnumDescriptor) {
	r.to[old] = string(ed.Name())
	for _, e := range r.lock.Enums {
		if e.Name != old {
			continue
		}
		for i := range e.Values {
			if v := ed.Values().ByNumber(protoreflect.EnumNumber(e.Values[i].Number)); v != nil {
				e.Values[i].Name = string(v.Name())
			}
		}
	}
}

func (l *Lock) message(name string) *Message {
	for _, m := range l.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// element returns the type of one value.
func element(t string) string {
	t = strings.TrimPrefix(t, "repeated ")
	if value, ok := strings.CutPrefix(t, "map<string, "); ok {
		return strings.TrimSuffix(value, ">")
	}
	return t
}

func (r *renamer) typeName(t string) string {
	old := element(t)
	at := strings.LastIndex(t, old)
	return t[:at] + r.name(old) + t[at+len(old):]
}

// Keep adds the messages of an older lock that l has not any more, so that their numbers are known should they come
// again.
func (l *Lock) Keep(older *Lock) {
	for _, m := range older.Messages {
		if l.message(m.Name) == nil {
			gone := *m
			gone.Gone = true
			l.Messages = append(l.Messages, &gone)
		}
	}
}
