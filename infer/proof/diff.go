package proof

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/protean-pb/protean/infer/profile"
)

// A difference between a sample and what comes back.
type difference struct {
	path   string
	what   string
	detail string
	level  Level
}

// A differ lists what differs between two texts. Its memory is used again.
type differ struct {
	found     []difference
	want, got tape
	root      *place
	steps     []step // to the values that are being compared
}

// A step leads to a value: a key of an object on a tape, or an element of an array, where there is no tape.
type step struct {
	tape        *tape
	object, key int
}

// text returns the string with a key of the object, if there is one.
func (s step) text(key string) (text string, ok bool) {
	s.tape.members(s.object, func(k, v int) {
		if s.tape.all[v].kind == '"' && s.tape.string(k) == key {
			text, ok = s.tape.string(v), true
		}
	})
	return text, ok
}

// add notes a difference at the values that are being compared.
func (d *differ) add(what string, level Level) {
	at := d.root
	for _, s := range d.steps {
		if s.tape == nil {
			at = at.element()
		} else {
			at = at.key(s.tape.string(s.key), s.text)
		}
	}
	d.found = append(d.found, difference{path: at.path, what: what, level: level})
}

// compare lists the differences of what was wanted and what came back.
func (d *differ) compare(want, got []byte) {
	d.want.read(want)
	d.got.read(got)
	d.steps = d.steps[:0]
	d.values(0, 0)
}

// values compares an entry of want with one of got.
func (d *differ) values(a, b int) {
	want, got := &d.want.all[a], &d.got.all[b]
	switch {
	case want.kind == '{' && got.kind == '{':
		d.objects(a, b)
	case want.kind == '[' && got.kind == '[':
		d.arrays(a, b)
	case want.kind == got.kind && sameText(&d.want, a, &d.got, b):
	default:
		if what, level := scalars(d.want.scalarAt(a), d.got.scalarAt(b)); what != "" {
			d.add(what, level)
		}
	}
}

func (d *differ) arrays(a, b int) {
	if d.want.all[a].n != d.got.all[b].n {
		d.add("has another length", Lossy)
		return
	}
	d.steps = append(d.steps, step{})
	for i, j := a+1, b+1; i < d.want.all[a].next; i, j = d.want.all[i].next, d.got.all[j].next {
		d.values(i, j)
	}
	d.steps = d.steps[:len(d.steps)-1]
}

func (d *differ) objects(a, b int) {
	of := search{of: &d.got, object: b, next: b + 1}
	of.ordered = d.inOrder(a, b)
	d.want.members(a, func(key, value int) {
		d.steps = append(d.steps, step{&d.want, a, key})
		if j := of.find(&d.want, key); j >= 0 {
			d.values(value, j+1)
		} else {
			d.add(absent(d.want.scalarAt(value)))
		}
		d.steps = d.steps[:len(d.steps)-1]
	})
	if d.got.all[b].n <= d.want.all[a].n {
		return
	}
	of = search{of: &d.want, object: a, next: a + 1}
	d.got.members(b, func(key, _ int) {
		if of.find(&d.got, key) < 0 {
			d.steps = append(d.steps, step{&d.got, b, key})
			d.add("was not there", Lossy)
			d.steps = d.steps[:len(d.steps)-1]
		}
	})
}

// inOrder reports whether all keys of got are among those of want, in the same order.
func (d *differ) inOrder(a, b int) bool {
	next, end := b+1, d.got.all[b].next
	d.want.members(a, func(key, _ int) {
		if next < end && sameText(&d.want, key, &d.got, next) {
			next = d.got.all[next+1].next
		}
	})
	return next == end
}

// A search finds keys of an object, which mostly come in their order.
type search struct {
	of      *tape
	object  int
	next    int            // the entry of the key that is expected
	ordered bool           // a key that is not the next one is none of the object's
	at      map[string]int // all keys, if there are many, and one has come out of order
}

// maxTried is how many keys an object has that are tried one after the other.
const maxTried = 128

// find returns the entry of the key that an entry of a tape is, or -1.
func (s *search) find(t *tape, key int) int {
	start, end := s.object+1, s.of.all[s.object].next
	if s.next < end && sameText(t, key, s.of, s.next) {
		return s.take(s.next)
	}
	if s.ordered {
		return -1
	}
	if s.of.all[s.object].n > maxTried {
		return s.lookUp(t.string(key))
	}
	for i, n := s.next, s.of.all[s.object].n; n > 0; n-- {
		if i >= end {
			i = start
		}
		if sameText(t, key, s.of, i) {
			return s.take(i)
		}
		i = s.of.all[i+1].next
	}
	return -1
}

// take goes on after a key that was found.
func (s *search) take(key int) int {
	s.next = s.of.all[key+1].next
	return key
}

func (s *search) lookUp(key string) int {
	if s.at == nil {
		s.at = make(map[string]int, s.of.all[s.object].n)
		s.of.members(s.object, func(key, _ int) { s.at[s.of.string(key)] = key })
	}
	if i, ok := s.at[key]; ok {
		return s.take(i)
	}
	return -1
}

// A scalar is a value that has no counterpart or another one.
type scalar struct {
	kind byte // as that of an entry
	text string
	n    int // values in an object or array
}

func (t *tape) scalarAt(i int) scalar {
	e := &t.all[i]
	s := scalar{kind: e.kind, n: e.n}
	if e.kind == '"' || e.kind == 0 {
		s.text = t.string(i)
	}
	return s
}

// absent says what is lost if a value is not there any more.
func absent(n scalar) (string, Level) {
	switch {
	case n.kind == 'n':
		return "null becomes absent", SameValue
	case n.kind == '[' && n.n == 0:
		return "[] becomes absent", SameValue
	case n.kind == '{' && n.n == 0:
		return "{} becomes absent", SameValue
	case n.kind == 'f':
		return "false becomes absent", SameValue
	case n.kind == '"' && n.text == "":
		return `"" becomes absent`, SameValue
	case n.kind == 0 && (sameNumber(n.text, "0") || sameNumber(n.text, "-0")):
		return "0 becomes absent", SameValue
	}
	return "is lost", Lossy
}

// scalars says how two values differ that are not both objects or both arrays; empty if they do not.
func scalars(want, got scalar) (string, Level) {
	switch {
	case want.kind == 0 && got.kind == 0:
		if sameNumber(want.text, got.text) {
			return "", SameJSON
		}
		if sameNumber(strings.TrimPrefix(want.text, "-"), "0") && sameNumber(strings.TrimPrefix(got.text, "-"), "0") {
			return "-0 becomes 0", SameValue
		}
		return "loses digits", Lossy
	case want.kind == 0 && got.kind == '"' && isDecimal(got.text) && sameNumber(want.text, got.text):
		return "a number becomes a string", SameValue
	case want.kind == '"' && got.kind == '"':
		return texts(want.text, got.text)
	}
	return "is another value", Lossy
}

func isDecimal(s string) bool {
	return s != "" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == ""
}

func texts(want, got string) (string, Level) {
	a, err := time.Parse(time.RFC3339Nano, want)
	b, err2 := time.Parse(time.RFC3339Nano, got)
	if err == nil && err2 == nil && a.Equal(b) {
		return "a time is written otherwise", SameValue
	}
	x, err := base64.StdEncoding.DecodeString(want)
	y, err2 := base64.StdEncoding.DecodeString(got)
	if err == nil && err2 == nil && string(x) == string(y) {
		return "base64 is written otherwise", SameValue
	}
	return "is another string", Lossy
}

// sameNumber reports whether two numbers are the same.
func sameNumber(a, b string) bool { return profile.SameNumber([]byte(a), []byte(b)) }
