package dynamic

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// schema returns a new descriptor of a message with n fields of all kinds, some of which
// hold messages of the same file.
func schema(t testing.TB, n int) protoreflect.MessageDescriptor {
	t.Helper()
	fields := func(n int) (all []*descriptorpb.FieldDescriptorProto) {
		for i := range n {
			f := &descriptorpb.FieldDescriptorProto{
				Name: proto.String(fmt.Sprint("f", i)), Number: proto.Int32(int32(i + 1)),
				Type:  descriptorpb.FieldDescriptorProto_Type(1 + i%18).Enum(),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			}
			switch *f.Type {
			case descriptorpb.FieldDescriptorProto_TYPE_GROUP, descriptorpb.FieldDescriptorProto_TYPE_ENUM:
				f.Type = descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum()
			case descriptorpb.FieldDescriptorProto_TYPE_MESSAGE:
				f.TypeName = proto.String([]string{".p.M", ".p.Sub"}[i/18%2])
			}
			if i%3 == 2 {
				f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			}
			all = append(all, f)
		}
		return all
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("p.proto"), Package: proto.String("p"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("M"), Field: fields(n)}, {Name: proto.String("Sub"), Field: fields(n / 2)},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file.Messages().Get(0)
}

// use compiles the types of md and of what is below, and uses a message.
func use(t testing.TB, md protoreflect.MessageDescriptor) {
	t.Helper()
	m := NewMessage(md)
	for i := range md.Fields().Len() {
		switch fd := md.Fields().Get(i); {
		case fd.IsList():
		case fd.Message() != nil:
			m.Mutable(fd)
			m.Get(fd).Message().Get(fd.Message().Fields().Get(0))
		default:
			m.Set(fd, m.Get(fd))
		}
	}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(b, NewMessage(md)); err != nil {
		t.Fatal(err)
	}
}

func heap() uint64 {
	for range 4 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond) // for the cleanups
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// known returns how many types are known.
func known() int {
	types.mu.Lock()
	defer types.mu.Unlock()
	return len(types.all)
}

// TestUnusedTypesAreCollected compiles many types and checks that those are gone that nobody uses.
func TestUnusedTypesAreCollected(t *testing.T) {
	grow := func(n int) {
		for i := range n {
			use(t, schema(t, 10+i%60))
		}
	}
	kept := schema(t, 20)
	typ := NewType(kept)
	grow(300)
	before := heap()
	grow(2000)
	// One of the 2,000 takes some 70 KB with its descriptor.
	const mostLeft, mostGrown = 3*sets*ways + 1, 8 << 20
	after, left := heap(), known()
	for range 100 { // on a busy machine the cleanups may come late
		if left <= mostLeft && after <= before+mostGrown {
			break
		}
		after, left = heap(), known()
	}
	if left > mostLeft {
		t.Errorf("%d types are left, more than %d", left, mostLeft)
	}
	if after > before+mostGrown {
		t.Errorf("the heap grew from %d to %d KB", before>>10, after>>10)
	}
	if NewType(kept) != typ {
		t.Error("a type that is in use was forgotten")
	}
}

// TestDescriptorHasOneType checks that a descriptor has one type while that is in use.
func TestDescriptorHasOneType(t *testing.T) {
	md := schema(t, 30)
	m := NewMessage(md)
	for range 3 * sets * ways {
		NewMessage(schema(t, 3)) // which displace md's type among the recent ones
	}
	heap()
	if m.Type() != NewMessageType(md) || m.New().Type() != m.Type() {
		t.Error("a second type for a descriptor")
	}
	sub := md.Fields().ByName("f10")
	if got := m.Get(sub).Message().Type(); got != NewMessageType(md) ||
		got.(protoreflect.MessageFieldTypes).Message(10) != got {
		t.Error("a second type for the descriptor of a field")
	}
}

// TestTypesAreCompiledConcurrently has many goroutines compile and use the same new types.
func TestTypesAreCompiledConcurrently(t *testing.T) {
	for range 20 {
		md := schema(t, 50)
		start := make(chan struct{})
		var done sync.WaitGroup
		for range 16 {
			done.Go(func() {
				<-start
				use(t, md)
				if !NewMessageType(md).Zero().Get(
					md.Fields().ByName("f10")).Message().Type().Zero().Interface().(*Message).typ().layout.Dynamic {
					t.Error("no zero message")
				}
			})
		}
		close(start)
		done.Wait()
	}
}

// A brittle descriptor panics when it is asked for its oneofs, which is in the midst of compiling its type.
type brittle struct {
	protoreflect.MessageDescriptor
	broken bool
}

func (d *brittle) Oneofs() protoreflect.OneofDescriptors {
	if d.broken {
		panic("brittle")
	}
	return d.MessageDescriptor.Oneofs()
}

// TestFailedTypes checks that a type whose compilation has panicked is neither used nor kept.
func TestFailedTypes(t *testing.T) {
	d := &brittle{schema(t, 40), true}
	typ := NewType(d)
	for what, f := range map[string]func(){
		"New":        func() { typ.New() },
		"NewMessage": func() { NewMessage(d) },
		"Zero":       func() { NewMessageType(d).Zero() },
		"Unmarshal":  func() { _ = proto.Unmarshal([]byte("\x0a\x01a"), typ.New()) },
	} {
		for range 3 {
			if p := panicOf(f); p == nil {
				t.Errorf("%s does not panic", what)
			}
		}
	}
	if NewType(d) == typ {
		t.Error("the type is kept")
	}
	d.broken = false
	if panicOf(func() { typ.New() }) == nil {
		t.Error("a type is used that could not be compiled")
	}
	m := NewMessage(d)
	if m.Descriptor() != d || m.Type() == typ.MessageType() {
		t.Errorf("%v", m.Descriptor())
	}
	err := proto.Unmarshal([]byte("\x09\x00\x00\x00\x00\x00\x00\xf0\x3f"), m)
	if err != nil || m.Get(m.Descriptor().Fields().Get(0)).Float() != 1 {
		t.Errorf("%v, %v", m, err)
	}
}

func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}
