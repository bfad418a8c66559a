package protojson

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/json/jsonencode"
	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
)

// MarshalOptions are those of the official package, and mean the same; UseInt64Numbers and
// Canonical are added.
type MarshalOptions struct {
	_ struct{}

	// Multiline writes every field and element on a line of its own, indented by Indent.
	Multiline bool
	// Indent is what a line begins with for each level: spaces and tabs. If it is not
	// empty, Multiline is taken as true; if it is, Multiline indents by two spaces.
	Indent string
	// AllowPartial lets messages be written that lack required fields.
	AllowPartial bool
	// UseProtoNames names fields as the schema does instead of in lowerCamelCase.
	UseProtoNames bool
	// UseEnumNumbers writes the numbers of enum values instead of their names.
	UseEnumNumbers bool
	// EmitUnpopulated writes fields that are not set, too, but for members of oneofs and
	// extension fields: false, 0, "", [] and {}, and null for those with presence.
	EmitUnpopulated bool
	// EmitDefaultValues is EmitUnpopulated without the fields that have presence.
	EmitDefaultValues bool
	// UseInt64Numbers writes 64-bit integers as JSON numbers instead of strings. Readers
	// that take all numbers for doubles, as JavaScript does, lose digits beyond 2^53.
	UseInt64Numbers bool
	// Canonical writes the text of RFC 8785: members of all objects sorted by their names
	// as UTF-16, numbers as in JavaScript (so that -0 becomes 0), no white space. Equal messages give
	// equal text, in every version of this package. 64-bit integers beyond 2^53 remain
	// strings whatever UseInt64Numbers says; Multiline and Indent have no effect.
	Canonical bool
	// Resolver finds the types of messages in google.protobuf.Any; nil means
	// protoregistry.GlobalTypes.
	Resolver interface {
		protoregistry.ExtensionTypeResolver
		protoregistry.MessageTypeResolver
	}
}

// Format returns m as text on several lines, for people to read; "<nil>" for a message that
// is nil. Errors are ignored.
func Format(m proto.Message) string { return MarshalOptions{Multiline: true}.Format(m) }

// Marshal returns m in ProtoJSON, in one allocation of its size: compact text, without white
// space and always the same for equal messages. The error is an [*Error].
func Marshal(m proto.Message) ([]byte, error) {
	if m == nil {
		return []byte("{}"), nil
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return new(MarshalOptions).append(nil, m, "")
	}
	// As append does, less what options take.
	out, missing, err := jsonencode.Append(nil, l, p, &defaults)
	if err != nil {
		return nil, public(err)
	}
	if missing {
		err = checkRequired(m)
	}
	return out, err
}

var defaults jsonencode.Options

// Format is the function [Format] with the options o.
func (o MarshalOptions) Format(m proto.Message) string {
	if m == nil || !m.ProtoReflect().IsValid() {
		return "<nil>"
	}
	o.AllowPartial = true
	b, _ := o.Marshal(m)
	return string(b)
}

// Marshal is the function [Marshal] with the options o.
func (o MarshalOptions) Marshal(m proto.Message) ([]byte, error) { return o.append(nil, m, "") }

// MarshalAppend appends m in ProtoJSON to b and returns that. A nil m is an empty message.
// With an error it returns nil, but for [ErrRequired], which is found when all is written.
func (o MarshalOptions) MarshalAppend(b []byte, m proto.Message) ([]byte, error) {
	return o.append(b, m, "")
}

// append appends m or, with a type_url, an Any that holds m. Options are handed on by pointer,
// since they are many for a small message.
func (o *MarshalOptions) append(b []byte, m proto.Message, url string) ([]byte, error) {
	if o.Indent != "" && strings.Trim(o.Indent, " \t") != "" {
		return nil, errIndent
	}
	if m == nil {
		return append(b, "{}"...), nil
	}
	compact := b
	form := o.Canonical || o.Multiline || o.Indent != ""
	if form {
		compact = nil
	}
	out, missing, err := o.appendCompact(compact, m, url)
	switch {
	case err != nil:
		return nil, public(err)
	case o.Canonical:
		out = jsontext.AppendCanonical(b, out)
	case form:
		out = jsontext.AppendIndented(b, out, cmp.Or(o.Indent, "  "))
	}
	if missing && !o.AllowPartial {
		err = checkRequired(m)
	}
	return out, err
}

var errIndent = fmt.Errorf("%w: an indent is made of spaces and tabs", proto.Error)

// appendCompact is append without white space. A required field may be missing in it.
func (o *MarshalOptions) appendCompact(b []byte, m proto.Message, url string) (out []byte, missing bool, err error) {
	l, p := layout.Of(m)
	own := o.own()
	switch {
	case l.Ready() != layout.Official && url == "":
		return jsonencode.Append(b, l, p, &own)
	case l.Ready() != layout.Official:
		return jsonencode.AppendAny(b, url, l, p, &own)
	case url != "":
		if m, err = officiallyPacked(m, url); err != nil {
			return nil, false, err
		}
	}
	if out, err = o.compactOfficial().Marshal(m); err != nil {
		return nil, false, foreign(m, err)
	}
	return jsontext.AppendCompact(b, out), true, nil
}

// MarshalWrite writes m in ProtoJSON to w, in one call of its Write, whose error it returns. Nothing is written of a
// message that cannot be.
func MarshalWrite(w io.Writer, m proto.Message) error { return MarshalOptions{}.MarshalWrite(w, m) }

// MarshalWrite is the function [MarshalWrite] with the options o.
func (o MarshalOptions) MarshalWrite(w io.Writer, m proto.Message) error {
	b, err := o.Marshal(m)
	if err != nil {
		return err
	}
	return write(w, b)
}

func (o *MarshalOptions) own() jsonencode.Options {
	return jsonencode.Options{
		UseProtoNames: o.UseProtoNames, UseEnumNumbers: o.UseEnumNumbers,
		EmitUnpopulated: o.EmitUnpopulated, EmitDefaultValues: o.EmitDefaultValues, Resolver: o.Resolver,
		UseInt64Numbers: o.UseInt64Numbers, OnlyExact: o.Canonical,
	}
}

// compactOfficial has the options for types that are left to the official library, of which only
// the text on one line is of use.
func (o *MarshalOptions) compactOfficial() protojson.MarshalOptions {
	out := o.Official()
	out.Multiline, out.Indent, out.AllowPartial = false, "", true
	return out
}
