package decode_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// varints are varints of all lengths, those that are longer than they must be and those that are too long.
func varints() (forms []string) {
	for n := range 11 {
		for _, last := range []string{"\x00", "\x01", "\x02", "\x7f"} {
			forms = append(forms, strings.Repeat("\x80", n)+last, strings.Repeat("\xff", n)+last)
		}
	}
	return forms
}

// TestMergeReadsVarintsOfAnyForm reads such varints where there is more behind them and where there is not.
func TestMergeReadsVarintsOfAnyForm(t *testing.T) {
	behind := sub(500, strings.Repeat("x", 20)) // which is no field
	all := slices.Concat(forms(new(benchpb.Wide)), forms(new(benchpb.Optional)), forms(new(legacypb.Required))[1:2],
		forms(new(editionpb.Presence))[1:2])
	for _, f := range all {
		fds := f.new().ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			switch fd.Kind() {
			case protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Int64Kind,
				protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind:
			default:
				continue
			}
			tag := string(protowire.AppendTag(nil, fd.Number(), protowire.VarintType))
			for _, form := range varints() {
				for _, wire := range []string{tag + form, tag + form + behind, behind + tag + form} {
					_, _ = check(t, wire, f.new, decode.Options{AllowPartial: true})
				}
			}
		}
	}
}

// TestMergeReadsPackedVarintsOfAnyForm reads such varints in packed lists, in front of others and behind them: of
// fields and of extension fields, which are or are not written that way.
func TestMergeReadsPackedVarintsOfAnyForm(t *testing.T) {
	lists := map[proto.Message][]protowire.Number{
		new(legacypb.Extendable): {122, 127, 132, 1002, 1003, 1006, 1012, 1020},
	}
	packed := new(benchpb.Packed)
	fds := packed.ProtoReflect().Descriptor().Fields()
	for i := range fds.Len() {
		if fd := fds.Get(i); fd.IsPacked() {
			lists[packed] = append(lists[packed], fd.Number())
		}
	}
	for m, numbers := range lists {
		empty := func() proto.Message { return m.ProtoReflect().New().Interface() }
		for _, number := range numbers {
			for _, form := range varints() {
				for before := range 10 {
					for _, after := range []string{"", "\x01", "\x81\x82\x03\x84\x05", "123456789abc",
						"\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
						wire := sub(number, "123456789"[:before], form, after)
						_, _ = check(t, wire+sub(number, after), empty, decode.Options{AllowPartial: true})
					}
				}
			}
		}
	}
}
