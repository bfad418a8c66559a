package layout

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// graph returns the messages of a file in which message i has a field of the type of each of the messages in uses[i],
// and a required field where required says so.
func graph(t *testing.T, uses [][]int, required func(i int) bool) protoreflect.MessageDescriptors {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("graph.proto"), Package: proto.String("graph"),
		Syntax: proto.String("proto2")}
	for i, uses := range uses {
		m := &descriptorpb.DescriptorProto{Name: proto.String(fmt.Sprint("M", i))}
		add := func(label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
			n := len(m.Field) + 1
			f := &descriptorpb.FieldDescriptorProto{
				Name: proto.String(fmt.Sprint("f", n)), Number: proto.Int32(int32(n)), Label: label.Enum(),
				Type: descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum(),
			}
			m.Field = append(m.Field, f)
			return f
		}
		for _, to := range uses {
			f := add(descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL)
			f.Type, f.TypeName = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
				proto.String(fmt.Sprint(".graph.M", to))
		}
		if required(i) {
			add(descriptorpb.FieldDescriptorProto_LABEL_REQUIRED)
		}
		file.MessageType = append(file.MessageType, m)
	}
	f, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f.Messages()
}

func never(int) bool { return false }

// compiler returns a function that returns the compiled layout of a descriptor, the same for the same one.
func compiler() func(protoreflect.MessageDescriptor) *Layout {
	known := map[protoreflect.MessageDescriptor]*Layout{}
	var of func(protoreflect.MessageDescriptor) *Layout
	of = func(md protoreflect.MessageDescriptor) *Layout {
		if known[md] == nil {
			known[md] = new(Layout)
			known[md].InitDynamic(md, of, func() {}, func() {})
		}
		return known[md]
	}
	return func(md protoreflect.MessageDescriptor) *Layout {
		l := of(md)
		l.Ready()
		return l
	}
}

// TestFirstUseIsLinear compiles all types of schemas in which much is reachable from everywhere, in different orders,
// and counts the steps of the search for required fields: some for each message and field, however many there are.
func TestFirstUseIsLinear(t *testing.T) {
	dense := make([][]int, 1000)
	for i := range dense {
		for j := range 10 {
			dense[i] = append(dense[i], (7*i+13*j+1)%len(dense))
		}
	}
	chain := make([][]int, 5000)
	for i := range len(chain) - 1 {
		chain[i] = []int{i + 1}
	}
	last := func(i int) bool { return i == len(chain)-1 }
	for _, c := range []struct {
		name     string
		uses     [][]int
		required func(int) bool
	}{
		{"all of all", dense, never},
		{"all of all, some required", dense, func(i int) bool { return i%100 == 7 }},
		{"of itself", [][]int{make([]int, 20_000)}, never},
		{"of itself, required", [][]int{make([]int, 20_000)}, func(int) bool { return true }},
		{"chain", chain, never},
		{"chain, last required", chain, last},
	} {
		size := 0
		for _, fields := range c.uses {
			size += 1 + len(fields)
		}
		for name, order := range map[string]func(n int) []int{
			"forward":  func(n int) []int { return indexes(n, func(i int) int { return i }) },
			"backward": func(n int) []int { return indexes(n, func(i int) int { return n - 1 - i }) },
			"shuffled": rand.New(rand.NewPCG(1, 2)).Perm,
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				mds := graph(t, c.uses, c.required)
				compiled := compiler()
				schemas.walked = 0
				for _, i := range order(mds.Len()) {
					compiled(mds.Get(i))
				}
				if schemas.walked > 2*size {
					t.Errorf("%d steps for %d messages and fields", schemas.walked, size)
				}
			})
		}
	}
}

func indexes(n int, f func(int) int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}

// TestNeedsCheck compares what is found out about required fields with a search from each type, in random schemas of
// which the types are compiled in random order.
func TestNeedsCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + r.IntN(12)
		uses := make([][]int, n)
		for i := range uses {
			for range r.IntN(3) {
				uses[i] = append(uses[i], r.IntN(n))
			}
		}
		rarely := r.IntN(8)
		must := make([]bool, n)
		for i := range must {
			must[i] = rarely > 0 && r.IntN(2*rarely) == 0
		}
		mds := graph(t, uses, func(i int) bool { return must[i] })
		var search func(i int, seen map[int]bool) bool
		search = func(i int, seen map[int]bool) bool {
			if seen[i] {
				return false
			}
			seen[i] = true
			for _, to := range uses[i] {
				if search(to, seen) {
					return true
				}
			}
			return must[i]
		}
		compiled := compiler()
		for _, i := range r.Perm(n) {
			l := compiled(mds.Get(i))
			if want := search(i, map[int]bool{}); l.NeedsRequiredCheck != want {
				t.Fatalf("type %d of %v, required %v: needs the check: %v, want %v", i, uses, must,
					l.NeedsRequiredCheck, want)
			}
			checked := 0
			for _, to := range uses[i] {
				if search(to, map[int]bool{}) {
					checked++
				}
			}
			if must[i] {
				checked++
			}
			if len(l.Checked) != checked {
				t.Fatalf("type %d of %v, required %v: %d fields are checked, want %d", i, uses, must, len(l.Checked),
					checked)
			}
		}
	}
}

// TestEnumIsShared makes the ProtoJSON form of many types with one enum: what is known of the enum is made once.
func TestEnumIsShared(t *testing.T) {
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("enum.proto"), Package: proto.String("enums"), Syntax: proto.String("proto3"),
		EnumType: []*descriptorpb.EnumDescriptorProto{{
			Name:  proto.String("E"),
			Value: []*descriptorpb.EnumValueDescriptorProto{{Name: proto.String("ZERO"), Number: proto.Int32(0)}},
		}},
	}
	for i := range 3 {
		file.MessageType = append(file.MessageType, &descriptorpb.DescriptorProto{
			Name: proto.String(fmt.Sprint("M", i)),
			Field: []*descriptorpb.FieldDescriptorProto{{
				Name: proto.String("e"), Number: proto.Int32(1),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
				Type:  descriptorpb.FieldDescriptorProto_TYPE_ENUM.Enum(), TypeName: proto.String(".enums.E"),
			}},
		})
	}
	f, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	compiled := compiler()
	first := compiled(f.Messages().Get(0)).JSON().Fields[0].Enum
	for i := range f.Messages().Len() {
		if e := compiled(f.Messages().Get(i)).JSON().Fields[0].Enum; e != first {
			t.Errorf("message %d has an Enum of its own", i)
		}
	}
}

// TestSchemasAreCollected compiles types and lets go of them: nothing is kept of their files.
func TestSchemasAreCollected(t *testing.T) {
	count := func() int {
		schemas.Lock()
		defer schemas.Unlock()
		return len(schemas.byFile)
	}
	before := count()
	for range 100 {
		compiler()(graph(t, [][]int{{0}}, never).Get(0))
	}
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond) // for the cleanups
		if count() <= before+1 {
			return
		}
	}
	t.Errorf("%d files are kept, there were %d", count(), before)
}
