package value

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/protean-pb/protean/internal/structval/index"
)

// A decoder decodes nodes into Go values. Its methods report whether they succeeded; if
// not, fail has said why.
type decoder struct {
	tree
	doc     Doc     // the root
	exact   bool    // whether the wire form is the caller's input, or a copy of it
	strict  bool    // whether unknown fields are errors
	matches []match // of the structs that are being decoded, a stack
	text    []byte  // what a method of the caller's type is given
	hops    int     // through interfaces to what they point to
	hopping int     // the node for which they were made
	failure failure
}

// A failure is what an Error is made of, unless it will not be seen.
type failure struct {
	err    error
	detail string
	at     int // the node
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decode decodes d into what v points to. It says where on the wire an error lies if exact
// is set.
func decode(doc Doc, v any, o UnmarshalOptions, exact bool) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return &Error{Err: ErrType, Offset: -1, Path: doc.Path(), Detail: fmt.Sprintf("%T is not a pointer, or nil", v)}
	}
	d := decoders.Get().(*decoder)
	d.nodes, d.wire, d.doc, d.exact, d.strict = doc.nodes, doc.wire, doc, exact, o.DisallowUnknownFields
	var err error
	if !targetOf(p.Type().Elem()).decode(d, p.Elem(), doc.at()) {
		err = d.error()
	}
	d.release()
	return err
}

// release puts d back into the pool, without anything that belongs to a caller.
func (d *decoder) release() {
	text := d.text[:0]
	if cap(text) > maxPooled {
		text = nil
	}
	*d = decoder{matches: d.matches[:0], text: text}
	if cap(d.matches) <= maxScratch {
		decoders.Put(d)
	}
}

// fail notes what is wrong with a node, and returns false.
func (d *decoder) fail(at int, err error, detail string) bool {
	d.failure = failure{err, detail, at}
	return false
}

func (d *decoder) error() error {
	f := &d.failure
	e := &Error{Err: f.err, Offset: -1, Path: d.node(f.at).Path(), Detail: f.detail}
	if d.exact {
		e.Offset, _ = d.nodes[f.at].Bounds()
	}
	return e
}

// node returns a node as a Doc, which shares the index.
func (d *decoder) node(at int) Doc {
	if at == d.doc.at() {
		return d.doc
	}
	return d.doc.child(at)
}

// isNull reports whether a node is null for Go.
func (d *decoder) isNull(at int) bool { return d.nodes[at].Kind() <= index.Null }

// mismatch is the end of decoding a node into a type that has no use for its kind, unless
// it is null, which changes nothing.
func (d *decoder) mismatch(v reflect.Value, at int) bool {
	return d.isNull(at) || d.fail(at, ErrKind, (Kind(d.nodes[at].Kind())+1).String()+" into Go type "+v.Type().String())
}

// A store decodes a node into v, which is addressable.
type store func(d *decoder, v reflect.Value, at int) bool

// A target is how to decode into one Go type.
type target struct {
	typ   reflect.Type
	once  sync.Once
	store store
}

var targets sync.Map // reflect.Type -> *target

// targetOf returns the target of a type. What it does is found out when it is used first,
// so that a type may consist of itself.
func targetOf(t reflect.Type) *target {
	if x, ok := targets.Load(t); ok {
		return x.(*target)
	}
	x, _ := targets.LoadOrStore(t, &target{typ: t})
	return x.(*target)
}

// decode decodes a node into v, which is addressable.
func (t *target) decode(d *decoder, v reflect.Value, at int) bool {
	t.once.Do(func() { t.store = storeOf(t.typ) })
	return t.store(d, v, at)
}

// storeOf finds out how to decode into a type, in the order in which encoding/json looks
// at it: its methods, then its kind.
func storeOf(t reflect.Type) store {
	if f := knownStore(t); f != nil {
		return f
	}
	plain := storeOfKind(t)
	switch p := reflect.PointerTo(t); {
	case p.Implements(jsonUnmarshaler):
		return ifExported(storeByJSON, plain)
	case p.Implements(textUnmarshaler):
		return ifExported(storeByText(plain), plain)
	}
	return plain
}

// ifExported chooses what to do with a struct that is embedded by an unexported name and
// has a name in JSON: its methods must not be called.
func ifExported(yes, no store) store {
	return func(d *decoder, v reflect.Value, at int) bool {
		if v.CanInterface() {
			return yes(d, v, at)
		}
		return no(d, v, at)
	}
}

func storeOfKind(t reflect.Type) store {
	switch t.Kind() {
	case reflect.Bool:
		return storeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return storeInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return storeUint
	case reflect.Float32, reflect.Float64:
		return storeFloat
	case reflect.String:
		return storeString
	case reflect.Interface:
		return storeInterface
	case reflect.Pointer:
		if isCircle(t) {
			break
		}
		return storePointer(targetOf(t.Elem()))
	case reflect.Struct:
		return newStructStore(t)
	case reflect.Map:
		return newMapStore(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return bytesStore(t)
		}
		return elementsStore(targetOf(t.Elem()), t)
	case reflect.Array:
		return arrayStore(targetOf(t.Elem()))
	}
	return storeNothing
}

// isCircle reports whether a pointer type leads to nothing but pointers.
func isCircle(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	for ; t.Kind() == reflect.Pointer; t = t.Elem() {
		if seen[t] {
			return true
		}
		seen[t] = true
	}
	return false
}

// storeNothing is for types that can hold no value.
func storeNothing(d *decoder, v reflect.Value, at int) bool {
	return d.isNull(at) || d.fail(at, ErrType, v.Type().String())
}

func storePointer(elem *target) store {
	return func(d *decoder, v reflect.Value, at int) bool {
		switch {
		case !v.CanSet() && v.IsNil():
			return d.fail(at, ErrType, "the embedded pointer "+v.Type().String()+" is nil and not exported")
		case v.CanSet() && d.isNull(at):
			v.SetZero()
			return true
		case v.IsNil():
			v.Set(reflect.New(elem.typ))
		}
		return elem.decode(d, v.Elem(), at)
	}
}

// maxHops is how many interfaces in a row may lead to another one: more are a circle.
const maxHops = 1000

// storeInterface decodes into what an interface points to, else into the interface.
func storeInterface(d *decoder, v reflect.Value, at int) bool {
	null := d.isNull(at)
	if p := v.Elem(); p.Kind() == reflect.Pointer && !p.IsNil() && (!null || p.Elem().Kind() == reflect.Pointer) {
		if at != d.hopping {
			d.hopping, d.hops = at, 0
		}
		if d.hops++; d.hops > maxHops {
			return d.fail(at, ErrType, "a circle of pointers")
		}
		return targetOf(p.Type().Elem()).decode(d, p.Elem(), at)
	}
	switch {
	case null:
		v.SetZero()
	case v.NumMethod() > 0:
		return d.fail(at, ErrType, v.Type().String()+", which is nil")
	default:
		v.Set(reflect.ValueOf(d.any(at)))
	}
	return true
}

// any returns what a node stands for.
func (d *decoder) any(at int) any {
	switch n := &d.nodes[at]; n.Kind() {
	case index.String:
		return n.Text(d.wire)
	case index.Number:
		if f := n.Float(d.wire); f-f == 0 {
			return f
		}
	}
	d.reserve(at)
	return d.value(at)
}

// anysStore decodes into a []any. If that has memory already, it may hold pointers to
// decode into.
func anysStore() store {
	elements := elementsStore(targetOf(reflect.TypeFor[any]()), reflect.TypeFor[[]any]())
	return func(d *decoder, v reflect.Value, at int) bool {
		if d.nodes[at].Kind() != index.Array || v.Cap() > 0 {
			return elements(d, v, at)
		}
		d.reserve(at)
		*v.Addr().Interface().(*[]any) = d.value(at).([]any)
		return true
	}
}
