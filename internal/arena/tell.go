package arena

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
)

// Who stores a pointer while the collector marks must tell it, so that it does not free what a message that it has looked
// at already has come to point to. The compiler's code does so for each pointer. The assembly of package decode does not:
// it has many to the same few allocations, which the Arena has, and then it sets Untold. That is right if the collector is
// told of those allocations, in case it still marks, before the Arena lets go of them:
//
//   - Until then they are in the Arena, which is on a stack. The collector looks through each stack before it has
//     marked everything, and marks what is in the Arena then. What is allocated while it marks is marked at once.
//   - If it has not looked at this stack when the Arena lets go of an allocation, it still marks, and is told, unless it
//     has marked since before the Arena had any: so cycle says.
//
// Who stores a pointer where there is another must also tell of that, which the assembly avoids.
// For how Go marks see runtime/mbarrier.go.

// Tell tells the collector of what the Arena has memory of, for messages of the layout and in them, and of the input in
// case there are texts in that.
func (a *Arena) Tell(l *layout.Layout, in []byte) {
	var to unsafe.Pointer
	if a.NoText {
		tell(&to, unsafe.Pointer(unsafe.SliceData(in)))
	}
	if l.Dynamic { // its messages point to layouts that it has
		tell(&to, unsafe.Pointer(l))
	}
	if !mem.Marked(a.cycle) {
		a.tellAll()
	}
}

// tellAll is Tell for the Arena's memory.
func (a *Arena) tellAll() {
	var to unsafe.Pointer
	tell(&to, a.Base)
	tell(&to, a.slabs.strings.next)
	blocks, kit := a.blocks(), false // whether there is a kit, and it has been told of
	for i := range blocks {
		s := &blocks[i]
		if s.next == nil || kit && s.last == 0 {
			continue
		}
		tell(&to, s.next)
		kit = kit || s.last == 0
	}
}

// letGo tells the collector of an allocation that the Arena is about to let go of.
func (a *Arena) letGo(p unsafe.Pointer) {
	if a.Untold && !mem.Marked(a.cycle) {
		tell(new(unsafe.Pointer), p)
	}
}

// tell tells the collector of what p points to, if that marks: the compiler's code for an assignment that may be to
// anywhere does so.
//
//go:noinline
func tell(to *unsafe.Pointer, p unsafe.Pointer) { *to = p }
