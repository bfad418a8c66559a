package suite

import (
	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// any walks a google.protobuf.Any. Its type may be named behind the fields that
// need it, so the members are looked through for it first.
func (w *walk) any(md protoreflect.MessageDescriptor, path string) {
	at := w.next()
	if w.dec.PeekKind() != '{' {
		if at == w.target {
			w.unexpected(path, expectedMessage(md))
			return
		}
		w.skip()
		return
	}
	url := w.findType(at)
	switch {
	case at == w.target && url.at == 0:
		w.stop(path, `expected "@type", the type of the message in this google.protobuf.Any`)
	case url.problem != "" && (url.at == w.target || at == w.target):
		w.stop(joinField(path, "@type"), "%s", url.problem)
	case url.md == nil:
		w.skip()
	case hasCustomJSON(url.md):
		w.custom(url.md, path)
	default:
		w.object(url.md, path, true)
	}
}

// A typeURL is what the member "@type" of an Any says.
type typeURL struct {
	at      int // where its value begins
	md      protoreflect.MessageDescriptor
	problem string
}

// findType looks through the members of the object at an offset.
func (w *walk) findType(at int) typeURL {
	var url typeURL
	sub := newWalk(w.types, w.doc[at:])
	for ok := sub.open('{'); ok && sub.more(); {
		name, nameAt := sub.name()
		if name != "@type" {
			sub.skip()
			continue
		}
		if url.at != 0 {
			return typeURL{at: at + nameAt, problem: "set twice"}
		}
		url.at = at + sub.next()
		raw, err := sub.dec.ReadValue()
		if err != nil {
			return url
		}
		w.resolve(&url, raw)
	}
	return url
}

// resolve finds the message type that a type URL names.
func (w *walk) resolve(url *typeURL, raw jsontext.Value) {
	name := unquoted(raw)
	mt, err := w.types.FindMessageByURL(name)
	switch {
	case raw.Kind() != '"' || name == "":
		url.problem = "expected the type URL of a message, found " + found(raw)
	case err != nil:
		url.problem = "type " + found(raw) + " is not in the schema"
	default:
		url.md = mt.Descriptor()
	}
}

// custom walks an Any that holds a message of special JSON form.
func (w *walk) custom(md protoreflect.MessageDescriptor, path string) {
	seen := false
	for ok := w.open('{'); ok && !w.lacksValue(md, path) && w.more(); {
		name, at := w.name()
		switch {
		case at == w.target && seen && name == "value":
			w.stop(joinField(path, name), "set twice")
		case at == w.target:
			w.stop(joinField(path, shownName(name)),
				`no such field in an Any of %s; its members are "@type" and "value"`, md.FullName())
		case name == "value":
			seen = true
			w.message(md, joinField(path, name))
		default:
			w.skip()
		}
	}
}

// lacksValue ends the walk if the decoder missed the value of an Any, which it
// notices at the closing brace.
func (w *walk) lacksValue(md protoreflect.MessageDescriptor, path string) bool {
	if w.done || w.next() != w.target || w.doc[w.target] != '}' {
		return false
	}
	w.stop(path, `expected a member "value" in this Any of %s`, md.FullName())
	return true
}
