package value

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/wire"
)

// Set returns the wire form of a google.protobuf.Value in which v is what the path leads
// to, given that of one in which something else is or nothing. Only the lengths of the
// objects and lists on the way are written anew, all else is copied as it is; wire is not
// changed.
//
// A path is that of [Doc.Get]: strings for keys, ints for indexes. v is anything that
// [Marshal] accepts, a [Doc] too.
//
//   - A key that is not there is added at the end of its object. If it is not the last step,
//     the objects that the rest of the path needs are created; so they are where a Value
//     is [Unset].
//   - Of several entries with the key, the last one, which counts, is replaced; if it is the
//     last step, the earlier ones are removed.
//   - An index that is the length of the list appends to it.
//   - Without a path, all is replaced.
//
// The error is an [*Error], with the path as far as it leads: [ErrAbsent] for an index
// out of range, and for one into what is not there; [ErrKind] for a key of what is no
// object or an index of what is no list; [ErrType] for a step of another type; [ErrUTF8]
// for a key; [ErrDepth] and [ErrSize] where the result would be beyond what this package
// reads; and what [Parse] says of wire and Marshal of v, whose path starts at v.
//
// All of wire is validated as by Parse; if it is legal, but not as libraries write it, the
// result is. The result is the caller's and the only allocation for data that is one value.
func Set(wire []byte, v any, path ...any) ([]byte, error) {
	return set(nil, wire, index.Value, v, path)
}

// SetStruct changes one value in a google.protobuf.Struct, with the rules of [Set], in which the first step is a key.
func SetStruct(wire []byte, v any, path ...any) ([]byte, error) {
	return set(nil, wire, index.Struct, v, path)
}

// SetList changes one value in a google.protobuf.ListValue, with the rules of [Set], in which the first step is
// an index.
func SetList(wire []byte, v any, path ...any) ([]byte, error) {
	return set(nil, wire, index.List, v, path)
}

// AppendSet is [Set] with the result appended to dst, which must not overlap wire. On error
// the result is dst as it was.
func AppendSet(dst, wire []byte, v any, path ...any) ([]byte, error) {
	return set(dst, wire, index.Value, v, path)
}

// Delete returns the wire form of a google.protobuf.Value without what the path leads to:
// all entries with that key of an object, or that element of a list, so that later ones
// move up. Where the path leads nowhere, as in [Doc.Get], the result is a copy, as delete
// does nothing to a map without the key.
//
// The error is an [*Error]: what [Parse] says of wire, and [ErrType] for a step that is
// neither string nor int, or no path at all: the outermost Value cannot be deleted.
// Otherwise it is like [Set].
func Delete(wire []byte, path ...any) ([]byte, error) {
	return remove(nil, wire, index.Value, path)
}

// DeleteStruct removes one value from a google.protobuf.Struct, with the rules of [Delete], in which the first
// step is a key.
func DeleteStruct(wire []byte, path ...any) ([]byte, error) {
	return remove(nil, wire, index.Struct, path)
}

// DeleteList removes one value from a google.protobuf.ListValue, with the rules of [Delete], in which the first
// step is an
// index.
func DeleteList(wire []byte, path ...any) ([]byte, error) {
	return remove(nil, wire, index.List, path)
}

// AppendDelete is [Delete] with the result appended to dst, which must not overlap wire.
// On error the result is dst as it was.
func AppendDelete(dst, wire []byte, path ...any) ([]byte, error) {
	return remove(dst, wire, index.Value, path)
}

func set(dst, wire []byte, form index.Form, v any, path []any) ([]byte, error) {
	e := editors.Get().(*editor)
	defer e.release()
	as := index.Value
	if len(path) == 0 {
		as = form
	}
	var err error
	if e.content, err = (MarshalOptions{}).append(e.content[:0], v, as); err != nil {
		return dst, err
	}
	err = indexed(wire, form, ParseOptions{}, func(nodes []index.Node, wire []byte) error {
		e.nodes, e.wire, e.form = nodes, wire, form
		rest, err := e.find(path)
		if err != nil {
			return err
		}
		value := e.nest(rest)
		size := e.measure(len(value))
		if size > maxSize {
			return e.fail(ErrSize, path, "")
		}
		dst = e.append(slices.Grow(dst, size), value)
		return nil
	})
	return dst, err
}

func remove(dst, wire []byte, form index.Form, path []any) ([]byte, error) {
	if len(path) == 0 {
		return dst, &Error{Err: ErrType, Offset: -1, Path: "$", Detail: "Delete without a path"}
	}
	e := editors.Get().(*editor)
	defer e.release()
	err := indexed(wire, form, ParseOptions{}, func(nodes []index.Node, wire []byte) error {
		e.nodes, e.wire, e.form = nodes, wire, form
		found, err := e.findAll(path)
		switch {
		case err != nil:
			return err
		case !found:
			dst = append(dst, wire...)
		default:
			dst = e.append(slices.Grow(dst, e.measure(deleted)), nil)
		}
		return nil
	})
	return dst, err
}

// An editor rewrites the objects and lists along a path, and copies the rest.
type editor struct {
	nodes   []index.Node
	wire    []byte
	form    index.Form
	levels  []level             // of the path, from the root
	doubles []fieldAt           // earlier entries with the key of the last level
	content []byte              // of what is set
	nested  wire.BackwardBuffer // that, inside new objects
}

// A level is an object or a list on the path, and the child in it that the path leads to.
type level struct {
	object     bool
	key        string
	start, end int     // its content
	child      fieldAt // empty, at the end, if the child is not there yet
	node       int     // of the child; 0 if it is not there
	size       int     // of the content afterwards
	value      int     // size of the child's Value afterwards, or deleted
}

// A fieldAt is where a field lies.
type fieldAt struct{ start, end int }

// deleted stands for the size of a child that is to go.
const deleted = -1

var editors = sync.Pool{New: func() any { return new(editor) }}

func (e *editor) release() {
	clear(e.levels) // lets go of the keys
	e.nodes, e.wire, e.levels, e.doubles = nil, nil, e.levels[:0], e.doubles[:0]
	if cap(e.content) <= maxKept && e.nested.Cap() <= maxKept && cap(e.doubles) <= maxScratch {
		editors.Put(e)
	}
}

// fail is an error at the end of a path that has been found to exist.
func (e *editor) fail(err error, path []any, detail string) error {
	steps := make([]protoerr.Step, len(path))
	for i, s := range path {
		switch s := s.(type) {
		case string:
			steps[i] = protoerr.Step{Key: s, Index: -1}
		case int:
			steps[i].Index = s
		}
	}
	return &Error{Err: err, Offset: -1, Path: protoerr.FormatValuePath(steps), Detail: detail}
}

// find finds the levels of a path where something is to be set. It returns the keys of the
// objects that are to be created.
func (e *editor) find(path []any) (rest []any, err error) {
	at, depth := 0, 0
	if e.form != index.Value {
		depth-- // what would be the Value is not there
	}
	for i, s := range path {
		rest = path[i:]
		if _, ok := s.(string); ok && e.nodes[at].Kind() == index.Unset {
			break
		}
		l, err := e.level(at, path, i)
		if err != nil {
			return nil, err
		}
		e.levels = append(e.levels, l)
		rest = path[i+1:]
		if depth += perList; l.object {
			depth += perObject - perList
		}
		if at = l.node; at == 0 {
			if !utf8.ValidString(l.key) {
				return nil, e.fail(ErrUTF8, path[:i], "the key")
			}
			break
		}
	}
	for i, s := range rest {
		done := path[:len(path)-len(rest)+i]
		key, ok := s.(string)
		switch {
		case ok && !utf8.ValidString(key):
			return nil, e.fail(ErrUTF8, done, "the key")
		case !ok && !isStep(s):
			return nil, e.wrongStep(s, done)
		case !ok:
			return nil, e.fail(ErrAbsent, done, "")
		}
	}
	return rest, e.checkDepth(depth+perObject*len(rest), path)
}

// checkDepth checks that what is set is not nested too deeply inside so many messages.
func (e *editor) checkDepth(above int, path []any) error {
	limit := DefaultMaxDepth - above
	if len(path) == 0 || len(e.content) < limit {
		return nil // Marshal has checked it, or: every message takes a byte, save the first
	}
	if limit > 0 {
		if _, _, err := (ParseOptions{MaxDepth: limit}).parse(nil, e.content, index.Value, false); err == nil {
			return nil
		}
	}
	return e.fail(ErrDepth, path, "")
}

// findAll finds the levels of a path to what is to be deleted, and reports whether it is
// there.
func (e *editor) findAll(path []any) (found bool, err error) {
	for i, s := range path {
		if !isStep(s) {
			return false, e.wrongStep(s, path[:i])
		}
	}
	at := 0
	for i := range path {
		l, err := e.level(at, path, i)
		if err != nil || l.node == 0 {
			return false, nil
		}
		e.levels = append(e.levels, l)
		at = l.node
	}
	return true, nil
}

// level finds the child of a node that step i of the path leads to.
func (e *editor) level(at int, path []any, i int) (l level, err error) {
	n := &e.nodes[at]
	l.start, l.end = n.Bounds()
	l.child = fieldAt{l.end, l.end}
	e.doubles = e.doubles[:0]
	switch step := path[i].(type) {
	case string:
		if n.Kind() != index.Object {
			return l, e.wrongKind(n, Object, path[:i])
		}
		l.object, l.key = true, step
		e.entry(&l, at)
	case int:
		if n.Kind() != index.Array {
			return l, e.wrongKind(n, List, path[:i])
		}
		count := index.Len(e.nodes, at)
		if step < 0 || step > count {
			return l, e.fail(ErrAbsent, path[:i], fmt.Sprintf("index %d in a list of %d", step, count))
		}
		e.element(&l, at, step)
	default:
		return l, e.wrongStep(step, path[:i])
	}
	return l, nil
}

// entry finds the last entry with the key, and the others.
func (e *editor) entry(l *level, at int) {
	pos, child := l.start, index.First(at)
	for range index.Len(e.nodes, at) {
		n := &e.nodes[child]
		_, end := n.Bounds()
		if string(n.Key(e.wire)) == l.key {
			if l.node != 0 {
				e.doubles = append(e.doubles, l.child)
			}
			l.node, l.child = child, fieldAt{pos, end}
		}
		pos, child = end, index.Next(e.nodes, child)
	}
}

// element finds the element of an index, unless that is the length of the list.
func (e *editor) element(l *level, at, i int) {
	if i == index.Len(e.nodes, at) {
		return
	}
	pos, child := l.start, index.First(at)
	for range i {
		n := &e.nodes[child]
		_, pos = n.Bounds()
		child = index.Next(e.nodes, child)
	}
	_, end := e.nodes[child].Bounds()
	l.node, l.child = child, fieldAt{pos, end}
}

func (e *editor) wrongKind(n *index.Node, want Kind, path []any) error {
	return e.fail(ErrKind, path, (Kind(n.Kind())+1).String()+" instead of "+want.String())
}

// isStep reports whether s can be a step of a path.
func isStep(s any) bool {
	switch s.(type) {
	case string, int:
		return true
	}
	return false
}

func (e *editor) wrongStep(step any, path []any) error {
	return e.fail(ErrType, path, fmt.Sprintf("a step of type %T, not string or int", step))
}

// nest returns the Value that is set, inside objects with the given keys.
func (e *editor) nest(keys []any) []byte {
	if len(keys) == 0 {
		return e.content
	}
	b := &e.nested
	b.Reset()
	b.Bytes(e.content)
	for _, key := range slices.Backward(keys) {
		b.Delimit(index.TagValue, 0)
		before := b.Len()
		b.String(key.(string))
		b.Delimit(index.TagKey, before)
		b.Delimit(index.TagElement, 0)
		b.Delimit(index.TagStruct, 0)
	}
	return b.Written()
}

// measure works out the sizes of all levels, given that of the innermost Value, or that it
// is deleted. It returns that of the whole.
func (e *editor) measure(value int) int {
	for i := len(e.levels) - 1; i >= 0; i-- {
		l := &e.levels[i]
		l.value = value
		l.size = l.end - l.start - (l.child.end - l.child.start)
		if i == len(e.levels)-1 {
			for _, d := range e.doubles {
				l.size -= d.end - d.start
			}
		}
		if value != deleted {
			l.size += fieldSize(l.field())
		}
		if value = l.size; e.wrapped(i) {
			value = fieldSize(l.size)
		}
	}
	return value
}

// wrapped reports whether the level is in a Value, as all are but the root of a message
// that is a Struct or a ListValue itself.
func (e *editor) wrapped(i int) bool { return i > 0 || e.form == index.Value }

// field returns the size of the content of the child's field.
func (l *level) field() int {
	if l.object {
		return fieldSize(len(l.key)) + fieldSize(l.value)
	}
	return l.value
}

// fieldSize returns the size of a field with n bytes of content.
func fieldSize(n int) int { return 1 + wire.SizeVarint(uint64(n)) + n }

// append appends the edited message, in which value is set.
func (e *editor) append(dst, value []byte) []byte {
	for i := range e.levels {
		l := &e.levels[i]
		if e.wrapped(i) {
			tag := byte(index.TagList)
			if l.object {
				tag = index.TagStruct
			}
			dst = appendHeader(dst, tag, l.size)
		}
		pos := l.start
		if i == len(e.levels)-1 {
			for _, d := range e.doubles {
				dst = append(dst, e.wire[pos:d.start]...)
				pos = d.end
			}
		}
		dst = append(dst, e.wire[pos:l.child.start]...)
		if l.value == deleted {
			continue
		}
		dst = appendHeader(dst, index.TagElement, l.field())
		if l.object {
			dst = append(appendHeader(dst, index.TagKey, len(l.key)), l.key...)
			dst = appendHeader(dst, index.TagValue, l.value)
		}
	}
	dst = append(dst, value...)
	for i := len(e.levels) - 1; i >= 0; i-- {
		l := &e.levels[i]
		dst = append(dst, e.wire[l.child.end:l.end]...)
	}
	return dst
}

func appendHeader(dst []byte, tag byte, size int) []byte {
	return protowire.AppendVarint(append(dst, tag), uint64(size))
}
