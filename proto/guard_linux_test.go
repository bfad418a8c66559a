package proto_test

import (
	"syscall"
	"testing"

	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// TestReadNoFurther has an input end where memory does that may be read.
func TestReadNoFurther(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := syscall.Mprotect(memory[page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	read := func(wire []byte, m proto.Message) {
		in := memory[page-len(wire) : page : page]
		copy(in, wire)
		for _, alias := range []bool{false, true} {
			got, want := m.ProtoReflect().New().Interface(), emptyOfficial(m)
			err := (proto.UnmarshalOptions{AliasInput: alias}).Unmarshal(in, got)
			if wantErr := official.Unmarshal(in, want); (err != nil) != (wantErr != nil) || err == nil && !official.Equal(got, want) {
				t.Fatalf("Unmarshal %x: %v %v, official: %v %v", wire, err, got, wantErr, want)
			}
		}
	}
	for _, m := range []proto.Message{new(benchpb.Packed), new(benchpb.Expanded), new(benchpb.Wide), new(benchpb.Optional), new(benchpb.Strings)} {
		fds := m.ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			for n := 1; n < 40; n += 1 + n/20*5 {
				r := m.ProtoReflect().New()
				setPlain(r, fds.Get(i), n)
				wire, err := official.Marshal(r.Interface())
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // there is a chunk once it is known how much there is
					for end := max(len(wire)-40, 1); end <= len(wire); end++ {
						read(wire[:end], m)
					}
				}
			}
		}
	}
}
