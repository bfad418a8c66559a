// Package resolve finds types by the names that ProtoJSON has: of the messages in
// google.protobuf.Any, and of extension fields. What is wrong is one of the errors of
// package protoerr, or the resolver's own, and in words what it is about.
package resolve

import (
	"fmt"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// A Resolver finds types. Where one may be nil that means [protoregistry.GlobalTypes].
type Resolver interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// OrGlobal returns r, or the global registry if it is nil.
func OrGlobal(r Resolver) Resolver {
	if r == nil {
		return protoregistry.GlobalTypes
	}
	return r
}

// Type returns the type that the URL in an Any names.
func Type(r Resolver, url string) (t protoreflect.MessageType, detail string, err error) {
	if t, err = OrGlobal(r).FindMessageByURL(url); err != nil {
		return nil, fmt.Sprintf("%q: %v", protoerr.Clip(url), err), protoerr.ErrType
	}
	return t, "", nil
}

// New returns an empty message of the type that the URL in an Any names.
func New(r Resolver, url string) (m proto.Message, detail string, err error) {
	t, detail, err := Type(r, url)
	if err != nil {
		return nil, detail, err
	}
	return t.New().Interface(), "", nil
}

// Open reads the value of an Any into the message at p, which [New] has returned. The
// layout must be Ready and not Official. With alias the message refers to the value.
func Open(r Resolver, value []byte, l *layout.Layout, p unsafe.Pointer, alias bool) (detail string, err error) {
	o := decode.Options{AllowPartial: true, Alias: alias, Depth: protowire.DefaultRecursionLimit, Resolver: OrGlobal(r)}
	if _, err := decode.Merge(value, l, p, &o); err != nil {
		return err.Error(), protoerr.ErrAny
	}
	return "", nil
}

// Extension returns the extension field of that name, which messages of the type may have;
// nil if the resolver does not know it.
func Extension(
	r Resolver, md protoreflect.MessageDescriptor, name string,
) (xt protoreflect.ExtensionType, detail string, err error) {
	xt, err = OrGlobal(r).FindExtensionByName(protoreflect.FullName(name))
	switch {
	case err == protoregistry.NotFound || err == nil && xt == nil: // not errors.Is: as the official library
		return nil, "", nil
	case err != nil:
		return nil, protoerr.Clip(name), err
	}
	xd := xt.TypeDescriptor()
	if !md.ExtensionRanges().Has(xd.Number()) || xd.ContainingMessage().FullName() != md.FullName() {
		return nil, fmt.Sprintf("%s does not extend %s", protoerr.Clip(name), md.FullName()), protoerr.ErrUnknown
	}
	return xt, "", nil
}
