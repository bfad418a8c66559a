package dynamic_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	protean "github.com/protean-pb/protean/proto"
)

// The fields of allTypes that hold a message of its type NestedMessage or of its own, in every way there is.
const (
	nestedField = protoreflect.Name("optional_nested_message")
	listField   = protoreflect.Name("repeated_nested_message")
	mapField    = protoreflect.Name("map_string_nested_message")
	oneofField  = protoreflect.Name("oneof_nested_message")
)

// marshals and unmarshals are the functions of both libraries.
var (
	marshals   = map[string]func(proto.Message) ([]byte, error){"official": proto.Marshal, "protean": protean.Marshal}
	unmarshals = map[string]func([]byte, proto.Message) error{"official": proto.Unmarshal, "protean": protean.Unmarshal}
)

// TestUnmarshalIntoCopy makes zero messages what others are, as users of connect-go do where a request comes in,
// and reads into them, among neighbours of all sizes that nobody else may write to.
func TestUnmarshalIntoCopy(t *testing.T) {
	type neighbours struct {
		before  []byte
		message *dynamic.Message
		after   []*int
	}
	eachType(t, func(t *testing.T, mt protoreflect.MessageType) {
		md := mt.Descriptor()
		_, theirs := filled(t, md, 2, 12)
		wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(theirs)
		if err != nil {
			t.Skip(err)
		}
		official := proto.UnmarshalOptions{AllowPartial: true}
		own := protean.UnmarshalOptions{AllowPartial: true}
		var all []neighbours
		for i := range race.Rounds(24) {
			before := bytes.Repeat([]byte{0xa5}, 8<<(i%6))
			n := neighbours{before, new(dynamic.Message), []*int{new(int), new(int), nil, new(int)}}
			*n.after[1] = i
			*n.message = *dynamic.NewMessage(md)
			if i == 8 {
				runtime.GC()
			}
			read := official.Unmarshal
			if i%2 == 0 {
				read = own.Unmarshal
			}
			if err := read(wire, n.message); err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
		for i, n := range all {
			if !proto.Equal(n.message, theirs) {
				t.Fatalf("copy %d is %v, want %v", i, n.message, theirs)
			}
			a := n.after
			if len(bytes.Trim(n.before, "\xa5")) > 0 || *a[0] != 0 || *a[1] != i || a[2] != nil || *a[3] != 0 {
				t.Fatalf("what lies around copy %d was written to: %x, %v", i, n.before, a)
			}
		}
	})
}

// TestCopyByValue checks that copies share what dynamicpb's share, and nothing else.
func TestCopyByValue(t *testing.T) {
	md := descriptor(t, allTypes)
	number, text := md.Fields().ByName("optional_int32"), md.Fields().ByName("oneof_string")
	list, mapped := md.Fields().ByName("repeated_int32"), md.Fields().ByName("map_string_nested_message")
	nested, oneof := md.Fields().ByName(nestedField), md.Fields().ByName(oneofField)
	key := protoreflect.ValueOfString("k").MapKey()
	changes := []struct {
		what   string
		f      func(m protoreflect.Message)
		resets bool
	}{
		{"nothing", func(protoreflect.Message) {}, false},
		{"Set of a number", func(m protoreflect.Message) { m.Set(number, protoreflect.ValueOfInt32(9)) }, false},
		{"Clear of a number", func(m protoreflect.Message) { m.Clear(number) }, false},
		{"Set in a oneof", func(m protoreflect.Message) { m.Set(text, protoreflect.ValueOfString("other")) }, false},
		{"Clear of a oneof", func(m protoreflect.Message) { m.Clear(oneof) }, false},
		{"Append", func(m protoreflect.Message) {
			for i := range 100 {
				m.Mutable(list).List().Append(protoreflect.ValueOfInt32(int32(i)))
			}
		}, false},
		{"Truncate", func(m protoreflect.Message) { m.Mutable(list).List().Truncate(0) }, false},
		{"map Mutable", func(m protoreflect.Message) { m.Mutable(mapped).Map().Mutable(key) }, false},
		{"Mutable of a message", func(m protoreflect.Message) {
			sub := m.Mutable(nested).Message()
			sub.Set(sub.Descriptor().Fields().ByName("a"), protoreflect.ValueOfInt32(7))
		}, false},
		{"Reset", func(m protoreflect.Message) { proto.Reset(m.Interface()) }, true},
		{"Unmarshal", func(m protoreflect.Message) { _ = proto.Unmarshal([]byte{8, 1}, m.Interface()) }, true},
		{"our Unmarshal", func(m protoreflect.Message) { _ = protean.Unmarshal([]byte{8, 1}, m.Interface()) }, true},
		{"merging Unmarshal", func(m protoreflect.Message) {
			_ = protean.UnmarshalOptions{Merge: true}.Unmarshal([]byte{8, 1}, m.Interface())
		}, false},
		{"a failing Unmarshal", func(m protoreflect.Message) {
			_ = protean.Unmarshal([]byte{8, 1, 8}, m.Interface())
		}, true},
		{"Merge", func(m protoreflect.Message) { proto.Merge(m.Interface(), proto.Clone(m.Interface())) }, false},
	}
	for _, change := range changes {
		runtime.GC()
		for _, changed := range []int{0, 1, 2} {
			for _, full := range []bool{true, false} {
				ours, theirs := [3]dynamic.Message{}, [3]dynamicpb.Message{}
				a, b := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
				if full {
					a, b = filled(t, md, 4, 40)
				}
				if !full && changed == 0 && change.resets {
					continue // see TestFirstReset
				}
				ours[0], theirs[0] = *a, *b
				ours[1], theirs[1] = ours[0], theirs[0]
				ours[2], theirs[2] = ours[1], theirs[1]
				change.f([]protoreflect.Message{a, &ours[1], &ours[2]}[changed])
				change.f([]protoreflect.Message{b, &theirs[1], &theirs[2]}[changed])
				for i := range ours {
					if !proto.Equal(&ours[i], &theirs[i]) {
						t.Errorf("%s of message %d: copy %d is %v\ndynamicpb: %v",
							change.what, changed, i, &ours[i], &theirs[i])
					}
				}
				if !proto.Equal(a, b) {
					t.Errorf("%s of message %d: the original is %v\ndynamicpb: %v", change.what, changed, a, b)
				}
			}
		}
	}
}

// TestCopyKeepsWhatItHas reads again and again into one message, of which copies are kept, empty ones too.
func TestCopyKeepsWhatItHas(t *testing.T) {
	md := descriptor(t, allTypes)
	for name, unmarshal := range unmarshals {
		m := dynamic.NewMessage(md)
		var copies []*dynamic.Message
		var want []proto.Message
		for seed := range uint64(12) {
			theirs := dynamicpb.NewMessage(md)
			if seed%3 != 0 {
				testpb.Fill(theirs, rand.New(rand.NewPCG(seed, 3)), 20)
			}
			wire, err := proto.Marshal(theirs)
			if err != nil {
				t.Fatal(err)
			}
			if err := unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
			c := *m
			copies, want = append(copies, &c), append(want, theirs)
		}
		for i := range copies {
			if !proto.Equal(copies[i], want[i]) {
				t.Errorf("%s: copy %d became %v\nfrom %v", name, i, copies[i], want[i])
			}
		}
	}
}

// TestCopiesOfTemplate has goroutines read into copies of one message.
func TestCopiesOfTemplate(t *testing.T) {
	md := descriptor(t, allTypes)
	template := dynamic.NewMessage(md)
	_, theirs := filled(t, md, 1, 40)
	wire, err := proto.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range race.Rounds(200) {
				m := *template
				unmarshal := unmarshals["official"]
				if i%2 == 0 {
					unmarshal = unmarshals["protean"]
				}
				if err := unmarshal(wire, &m); err != nil || !proto.Equal(&m, theirs) {
					t.Errorf("%v: %v", err, &m)
					return
				}
			}
		})
	}
	all.Wait()
	if proto.Size(template) != 0 {
		t.Errorf("the template is %v", template)
	}
}

// TestFirstReset checks what the documentation says of a message that is reset before it has held anything: it
// keeps its storage, so that Unmarshal of a new message allocates it once, and with it what copies share that were
// made before.
func TestFirstReset(t *testing.T) {
	md := descriptor(t, allTypes)
	m, wire := dynamic.NewMessage(md), []byte{8, 1}
	c := *m
	if err := protean.Unmarshal(wire, m); err != nil || !proto.Equal(m, &c) {
		t.Errorf("%v, %v: %v", err, m, &c)
	}
	n := testing.AllocsPerRun(100, func() { _ = protean.Unmarshal(wire, dynamic.NewMessage(md)) })
	if n != 1 && !race.Enabled {
		t.Errorf("%v allocations", n)
	}
	proto.Reset(m)
	if proto.Equal(m, &c) {
		t.Error("the second Reset empties a copy, too")
	}
	if m = dynamic.NewMessage(md); m.GetUnknown() != nil {
		t.Errorf("unknown fields: %v", m.GetUnknown())
	}
	if proto.Reset(m); m.GetUnknown() != nil {
		t.Errorf("unknown fields after Reset: %v", m.GetUnknown())
	}
}

// TestCopyOver copies all kinds of messages over one that is part of another, in all places where it can be, and
// then over that again: of the same type, of another, read-only and zero ones. The message around has them then,
// as dynamicpb's has.
func TestCopyOver(t *testing.T) {
	md := descriptor(t, allTypes)
	nested := md.Fields().ByName(nestedField).Message()
	key := protoreflect.ValueOfString("k").MapKey()
	places := map[string]func(m protoreflect.Message) protoreflect.Message{
		"a field": func(m protoreflect.Message) protoreflect.Message {
			return m.Mutable(md.Fields().ByName(nestedField)).Message()
		},
		"a list": func(m protoreflect.Message) protoreflect.Message {
			l := m.Mutable(md.Fields().ByName(listField)).List()
			l.AppendMutable()
			sub := l.AppendMutable().Message()
			l.AppendMutable()
			return sub
		},
		"a list that was read": func(m protoreflect.Message) protoreflect.Message {
			_ = protean.Unmarshal([]byte("\x82\x03\x02\x08\x01\x82\x03\x02\x08\x02\x82\x03\x02\x08\x03"), m.Interface())
			return m.Mutable(md.Fields().ByName(listField)).List().Get(1).Message()
		},
		"a map": func(m protoreflect.Message) protoreflect.Message {
			return m.Mutable(md.Fields().ByName(mapField)).Map().Mutable(key).Message()
		},
		"a oneof": func(m protoreflect.Message) protoreflect.Message {
			return m.Mutable(md.Fields().ByName(oneofField)).Message()
		},
	}
	type source struct {
		ours   *dynamic.Message
		theirs *dynamicpb.Message
	}
	of := func(md protoreflect.MessageDescriptor, size int) func() source {
		return func() source {
			ours, theirs := filled(t, md, 5, size)
			return source{ours, theirs}
		}
	}
	sources := map[string]func() source{
		"one of the type":       of(nested, 10),
		"an empty one":          of(nested, 0),
		"a large one":           of(md, 60),
		"an empty large one":    of(md, 0),
		"a small one":           of(descriptor(t, "protean.test.bench.Leaf"), 5),
		"one with extensions":   of(descriptor(t, "protean.test.legacy.Extendable"), 20),
		"a well-known one":      of(descriptor(t, "google.protobuf.Value"), 5),
		"one with requirements": of(descriptor(t, "protean.test.legacy.RequiredBelow"), 30),
		"a zero message":        func() source { return source{new(dynamic.Message), new(dynamicpb.Message)} },
		"a read-only one": func() source {
			ours, theirs := dynamic.NewMessageType(nested).Zero(), dynamicpb.NewMessageType(nested).Zero()
			return source{ours.(*dynamic.Message), theirs.(*dynamicpb.Message)}
		},
		"one that was reset without a type": func() source {
			s := source{new(dynamic.Message), new(dynamicpb.Message)}
			s.ours.Reset()
			s.theirs.Reset()
			return s
		},
	}
	for where, place := range places {
		for what, from := range sources {
			t.Run(what+" over one in "+where, func(t *testing.T) {
				ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
				to, toTheirs := place(ours).(*dynamic.Message), place(theirs).(*dynamicpb.Message)
				src := from()
				*to, *toTheirs = *src.ours, *src.theirs
				runtime.GC()
				clonesAgree(t, ours, theirs)
				codecsAgree(t, ours, theirs)

				to, toTheirs = place(ours).(*dynamic.Message), place(theirs).(*dynamicpb.Message)
				again := sources["one of the type"]()
				*to, *toTheirs = *again.ours, *again.theirs
				codecsAgree(t, ours, theirs)
			})
		}
	}
}

// TestCopyOverAncestor makes a message a part of itself: to write it fails, and does not end the process.
func TestCopyOverAncestor(t *testing.T) {
	md := descriptor(t, allTypes)
	m := dynamic.NewMessage(md)
	*m.Mutable(md.Fields().ByName("recursive_message")).Message().(*dynamic.Message) = *m
	_, err := protean.Marshal(m)
	_, official := proto.Marshal(m)
	for _, err := range []error{err, official} {
		if e, ok := err.(*protean.FieldError); !ok || !errors.Is(e, protean.ErrDepth) {
			t.Errorf("%T %.200v", err, err)
		}
	}
}

// TestCopyWhileInUse copies other messages over one while it is ranged over, and while a handle to a part of it is
// held.
func TestCopyWhileInUse(t *testing.T) {
	md := descriptor(t, allTypes)
	other := descriptor(t, "protean.test.bench.Leaf")
	m, want := filled(t, md, 7, 60)
	seen := 0
	list := m.Mutable(md.Fields().ByName("repeated_string")).List()
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		*m = *dynamic.NewMessage(other)
		seen++
		return true
	})
	n := 0
	want.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { n++; return true })
	if seen != n || m.Descriptor() != other {
		t.Errorf("%d fields of %d, and then %v", seen, n, m.Descriptor().FullName())
	}
	for i := range 100 {
		list.Append(protoreflect.ValueOfString(fmt.Sprint(i)))
	}
	if proto.Size(m) != 0 {
		t.Errorf("a handle to what was there before writes to %v", m)
	}
}

// TestReusedMessages checks that a message that is used again and again keeps no more than what it holds, and what
// it held first.
func TestReusedMessages(t *testing.T) {
	md := descriptor(t, allTypes)
	_, theirs := filled(t, md, 3, 60)
	wire, err := proto.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	m := dynamic.NewMessage(md)
	read := func() {
		if err := protean.Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
	}
	read()
	read()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 200 {
		read()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int(after.HeapAlloc) - int(before.HeapAlloc); more > 100*len(wire) {
		t.Errorf("%d bytes more are in use, %d are read each time", more, len(wire))
	}
}
