package decode_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// TestMergeAliasesInputIfAsked looks at where strings and bytes lie: in the input with Alias, and else in memory of
// their own.
func TestMergeAliasesInputIfAsked(t *testing.T) {
	long := strings.Repeat("long ", 100)
	in := []byte(sub(1, "short") + sub(2, long) + sub(5, "element") + sub(5, long) + sub(6, "bytes") +
		sub(7, sub(1, "key")))
	within := func(p *byte) bool {
		at := uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(&in[0]))
		return at < uintptr(len(in))
	}
	for _, alias := range []bool{false, true} {
		m := new(benchpb.Strings)
		l, p := layout.Of(m)
		if _, err := decode.Merge(in, l, p, &decode.Options{Alias: alias, Depth: 10}); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{m.A, m.B, m.List[0], m.List[1], m.Labels[0].Key} {
			if within(unsafe.StringData(s)) != alias {
				t.Errorf("Alias %v: %.10q lies in the wrong place", alias, s)
			}
		}
		if within(unsafe.SliceData(m.Blobs[0])) != alias {
			t.Errorf("Alias %v: bytes lie in the wrong place", alias)
		}
		if cap(m.Blobs[0]) != len(m.Blobs[0]) {
			t.Errorf("Alias %v: to append to bytes overwrites what is behind them", alias)
		}
	}
}

// TestMergeKeepsNothingOfTheInput overwrites the input of random messages once it is read.
func TestMergeKeepsNothingOfTheInput(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType, empty func() proto.Message) {
		m := empty()
		testpb.Fill(m.ProtoReflect(), rand.New(rand.NewPCG(3, 4)), 20)
		in, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
		l, p := layout.Of(m.ProtoReflect().New().Interface())
		if err != nil || l.Ready() == layout.Official {
			return
		}
		want := bytes.Clone(in)
		if _, err := decode.Merge(in, l, p, &decode.Options{AllowPartial: true, Depth: 100}); err != nil {
			t.Fatal(err)
		}
		for i := range in {
			in[i] = 0xff
		}
		got := l.Interface(p)
		if !bytes.Equal(sorted(t, got), want) {
			t.Errorf("%v has changed", got)
		}
	})
}

// TestMergeIntoPoolAgainAndAgain reads messages of all types from one pool, which is reset after each: they are what
// they are without it.
func TestMergeIntoPoolAgainAndAgain(t *testing.T) {
	var pool arena.Pool
	eachType(t, func(t *testing.T, mt protoreflect.MessageType, empty func() proto.Message) {
		r := rand.New(rand.NewPCG(5, 6))
		reused := empty()
		l, _ := layout.Of(reused)
		if l.Ready() == layout.Official {
			return
		}
		for range race.Rounds(4) {
			m := empty()
			testpb.Fill(m.ProtoReflect(), r, 15)
			in, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
			if err != nil {
				return
			}
			pool.Enter()
			pool.ResetMessage(reused)
			err = merge(string(in), reused, decode.Options{AllowPartial: true, Pool: &pool})
			pool.Leave()
			want := empty()
			if err != nil || merge(string(in), want, decode.Options{AllowPartial: true}) != nil {
				t.Fatal(err)
			}
			if g, w := sorted(t, reused), sorted(t, want); !bytes.Equal(g, w) {
				t.Fatalf("%x is read as\n%x, without a pool as\n%x", in, g, w)
			}
			pool.Reset(false)
		}
	})
}

// TestMergeReadsWhatTheMaskHas reads an order by halves.
func TestMergeReadsWhatTheMaskHas(t *testing.T) {
	in := "\x08\x01" + sub(2, "customer") + sub(3, sub(2, "city"), sub(3, "zip")) + sub(5, sub(1, "sku"), "\x10\x02") +
		sub(5, sub(5, sub(1, "k"), sub(2, "v"))) + sub(9, sub(1, "a"), "\x10\x05") + sub(10, "card") + "\x98\x01\x01"
	whole := func(m *decode.Mask, numbers ...protoreflect.FieldNumber) *decode.Mask {
		for _, n := range numbers {
			m.Set(n, decode.Whole)
		}
		return m
	}
	for _, c := range []struct {
		name string
		mask func(m *decode.Mask)
		want *benchpb.Order
	}{
		{"nothing", func(m *decode.Mask) {}, &benchpb.Order{}},
		{"fields", func(m *decode.Mask) { whole(m, 1, 10) }, &benchpb.Order{Id: 1, Payment: &benchpb.Order_Card{Card: "card"}}},
		{"a whole message", func(m *decode.Mask) { whole(m, 3) }, &benchpb.Order{Shipping: &benchpb.Order_Address{City: "city", Zip: "zip"}}},
		{"a part of a message", func(m *decode.Mask) { whole(m.Add(3), 3) }, &benchpb.Order{Shipping: &benchpb.Order_Address{Zip: "zip"}}},
		{"a message without its fields", func(m *decode.Mask) { m.Add(3) }, &benchpb.Order{Shipping: &benchpb.Order_Address{}}},
		{"a part of each in a list", func(m *decode.Mask) { whole(m.Add(5), 2) }, &benchpb.Order{Lines: []*benchpb.Order_Line{{Quantity: 2}, {}}}},
		{"a map in a list, and one beside", func(m *decode.Mask) { whole(m.Add(5), 5); whole(m, 9) }, &benchpb.Order{
			Lines:    []*benchpb.Order_Line{{}, {Attributes: map[string]string{"k": "v"}}},
			Counters: map[string]int64{"a": 5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mask := new(decode.Mask)
			c.mask(mask)
			want := sorted(t, c.want)
			eachForm(t, c.want, func(t *testing.T, empty func() proto.Message) {
				got := empty()
				if err := merge(in, got, decode.Options{Mask: mask}); err != nil || !bytes.Equal(sorted(t, got), want) {
					t.Errorf("read: %v, %v", got, err)
				}
				pruned := emptyOfficial(got)
				if err := proto.Unmarshal([]byte(in), pruned); err != nil {
					t.Fatal(err)
				}
				if mask.Prune(pruned.ProtoReflect()); !bytes.Equal(sorted(t, pruned), want) {
					t.Errorf("pruned: %v", pruned)
				}
			})
		})
	}
}

// A resolverFunc finds extension fields by their numbers.
type resolverFunc func(protoreflect.FieldNumber) (protoreflect.ExtensionType, error)

func (f resolverFunc) FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error) {
	panic("the wire form has no names")
}

func (f resolverFunc) FindExtensionByNumber(
	_ protoreflect.FullName, n protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return f(n)
}

// TestMergeAsksTheResolver reads extension fields that the resolver knows, does not know, and fails on.
func TestMergeAsksTheResolver(t *testing.T) {
	in := sub(113, "text") + "\xb0\x06\x05" + sub(116, "\x08\x01") + sub(116, sub(2, "n")) + sub(1002, "\x01\x02") +
		"\xd0\x3e\x03"
	wantErr := errors.New("no connection")
	for _, c := range []struct {
		name    string
		resolve func(protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
		known   []protoreflect.ExtensionType
		err     error
	}{
		{"global", nil, []protoreflect.ExtensionType{legacypb.E_ExtString, legacypb.E_ExtInt32, legacypb.E_ExtLeaf, legacypb.E_ExtPackedInt32}, nil},
		{"nothing", func(protoreflect.FieldNumber) (protoreflect.ExtensionType, error) { return nil, protoregistry.NotFound }, nil, nil},
		{"one field", func(n protoreflect.FieldNumber) (protoreflect.ExtensionType, error) {
			if n == 113 {
				return legacypb.E_ExtString, nil
			}
			return nil, protoregistry.NotFound
		}, []protoreflect.ExtensionType{legacypb.E_ExtString}, nil},
		{"an error", func(protoreflect.FieldNumber) (protoreflect.ExtensionType, error) { return nil, wantErr }, nil, wantErr},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range forms(&legacypb.Extendable{})[:2] { // the others have extension fields of their own
				o := decode.Options{}
				if c.resolve != nil {
					o.Resolver = resolverFunc(c.resolve)
				}
				m, err := check(t, in, f.new, o)
				if !errors.Is(err, c.err) {
					t.Fatalf("%s: %v", f.name, err)
				}
				if c.err != nil {
					continue
				}
				for _, xt := range c.known {
					if !m.ProtoReflect().Has(xt.TypeDescriptor()) {
						t.Errorf("%s: %s is not set", f.name, xt.TypeDescriptor().FullName())
					}
				}
				if unknown := m.ProtoReflect().GetUnknown(); (len(unknown) == 0) != (c.name == "global") {
					t.Errorf("%s: unknown fields %x", f.name, unknown)
				}
			}
		})
	}
}
