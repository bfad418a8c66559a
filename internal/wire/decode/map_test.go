package decode_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// parts returns fields with that number as entries of maps may have them: of the wire type that k has and of others,
// short and long, empty, not UTF-8, and varints that end too late.
func parts(number protowire.Number, k protoreflect.Kind) (own, others []string) {
	tag := func(t protowire.Type) string { return string(protowire.AppendTag(nil, number, t)) }
	varint, text, four, eight := tag(protowire.VarintType), tag(protowire.BytesType), tag(protowire.Fixed32Type),
		tag(protowire.Fixed64Type)
	varints := []string{varint + "\x00", varint + "\x7f", varint + "\xac\x02",
		varint + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", varint + strings.Repeat("\xff", 11), varint + "\x80\x00"}
	texts := []string{text + "\x00", text + "\x01a", text + "\x05\x08\x01\x12\x01b", text + "\x14" + strings.Repeat("c",
		20), text + "\x81\x01" + strings.Repeat("d", 129), text + "\x02\xc3\xa9", text + "\x02\xff\xfe"}
	fours, eights := []string{four + "\x01\x02\x03\x04"}, []string{eight + "\x01\x02\x03\x04\x05\x06\x07\x08"}
	others = []string{varints[1], texts[1], fours[0], eights[0]}
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return texts, others
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return fours, others
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return eights, others
	}
	return varints, others
}

// TestMergeReadsMapEntriesOfAnyForm reads entries of maps of all kinds that have their parts in any order, several
// times, in other wire types, with unknown fields, and cut off.
func TestMergeReadsMapEntriesOfAnyForm(t *testing.T) {
	for _, m := range []proto.Message{new(benchpb.KeyMaps), new(benchpb.ValueMaps)} {
		kinds := forms(m)[:2] // dynamic, and one that is generated
		fds := m.ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			keys, otherKeys := parts(1, fd.MapKey().Kind())
			values, otherValues := parts(2, fd.MapValue().Kind())
			read := func(entry ...string) {
				one := sub(fd.Number(), entry...)
				for n, b := range []string{one, sub(fd.Number(), keys[1%len(keys)], values[0]) + one + one} {
					for _, f := range kinds {
						_, _ = check(t, b, f.new, decode.Options{Alias: n > 0})
					}
				}
				if len(entry) == 2 {
					for end := range one {
						_, _ = check(t, one[:end], kinds[1].new, decode.Options{})
					}
				}
			}
			read()
			for _, k := range keys {
				read(k)
				for _, v := range values {
					read(k, v)
					read(v, k)
				}
			}
			k, v, unknown := keys[0], values[0], sub(3, "unknown")
			for _, v2 := range values {
				read(v2)
				read(k, v, v2)
				read(k, v2, unknown)
				read(k, "\x92\x00"+v2[1:]) // a tag of two bytes that says the same as one of one
			}
			for _, k2 := range append(keys, otherKeys...) {
				read(k, k2, v)
				read(k, v, k2)
				read(unknown, k2, v)
			}
			for _, v2 := range otherValues {
				read(k, v2)
				read(k, v2, v)
			}
			for _, k2 := range keys { // the entry ends, and its part does not
				for end := range k2 {
					read(k2[:end])
				}
			}
			for _, v2 := range values {
				for end := range v2 {
					read(k, v2[:end])
				}
			}
		}
	}
}
