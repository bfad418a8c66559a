package value

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestCheck(t *testing.T) {
	type found struct {
		kind   IssueKind
		path   string
		offset int
	}
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	lists := func(n int) []byte {
		b := field(3, "x")
		for range n {
			b = field(6, field(1, b))
		}
		return b
	}
	for _, c := range []struct {
		name   string
		wire   []byte
		limits Limits
		want   []found
	}{
		{"nothing wrong", field(5, cat(entry("a", field(3, "x")), entry("b", field(2, 1.5)), entry("c", field(6, field(1, field(4, 1)))), entry("d", field(1, 0)))), Limits{}, nil},
		{"unset", nil, Limits{}, []found{{NoKind, "$", 0}}},
		{"2^53", field(2, 1.0*(1<<53)), Limits{}, nil},
		{"2^53+2", field(2, 1.0*(1<<53+2)), Limits{}, []found{{TooLarge, "$", 0}}},
		{"-2^53-2", field(6, field(1, field(2, -1.0*(1<<53+2)))), Limits{}, []found{{TooLarge, "$[0]", 4}}},
		{"1e300", field(2, 1e300), Limits{}, []found{{TooLarge, "$", 0}}},
		{"1e300 allowed", field(2, 1e300), Limits{MaxInteger: math.MaxFloat64}, nil},
		{"int32", field(2, 1.0*(1<<31)), Limits{MaxInteger: 1<<31 - 1}, []found{{TooLarge, "$", 0}}},
		{"fraction", field(2, 1e9+0.5), Limits{MaxInteger: 1 << 20}, nil},
		{"NaN", field(5, entry("two words", field(2, math.NaN()))), Limits{}, []found{{NotFinite, `$["two words"]`, 17}}},
		{"infinite", field(2, math.Inf(-1)), Limits{}, []found{{NotFinite, "$", 0}}},
		{"duplicate key", field(5, cat(entry("a", field(4, 1)), entry("b", field(4, 1)), entry("a", field(4, 0)))), Limits{}, []found{{DuplicateKey, "$.a", 22}}},
		{"duplicate key in merged objects", cat(field(5, entry("a", field(4, 1))), field(5, entry("a", field(4, 0)))), Limits{}, []found{{Irregular, "$", 11}, {DuplicateKey, "$.a", 15}}},
		{"same key in two objects", field(6, cat(field(1, field(5, entry("a", field(4, 1)))), field(1, field(5, entry("a", field(4, 1)))))), Limits{}, nil},
		{"text", field(3, "abc\xff"), Limits{}, []found{{InvalidUTF8, "$", 5}}},
		{"replacement character", field(3, "\ufffd"), Limits{}, nil},
		{"key", field(5, entry("\xffk", field(4, 1))), Limits{}, []found{{InvalidUTF8, "$", 6}}},
		{"null 5", field(1, 5), Limits{}, []found{{NullNumber, "$", 0}}},
		{"bool 2", field(4, 2), Limits{}, []found{{Irregular, "$", 0}}},
		{"unknown", cat(field(7, 1), field(4, 1)), Limits{}, []found{{UnknownField, "$", 0}}},
		{"known number, unknown type", cat(field(4, 1), field(3, 1)), Limits{}, []found{{UnknownField, "$", 2}}},
		{"number that looks like a kind", cat(field(4, 1), field(32+3, "x")), Limits{}, []found{{UnknownField, "$", 2}}},
		{"entry of another wire type", field(5, field(1, 1)), Limits{MaxDepth: 2}, []found{{UnknownField, "$", 2}}},
		{"unknown in object", field(5, field(2, 1)), Limits{}, []found{{UnknownField, "$", 2}}},
		{"unknown in entry", field(5, field(1, cat(field(1, "k"), field(2, field(4, 1)), field(3, 1)))), Limits{}, []found{{UnknownField, "$", 11}}},
		{"several scalars", cat(field(4, 1), field(3, "x"), field(2, 1.0)), Limits{}, []found{{Irregular, "$", 2}}},
		{"replaced", cat(field(6, field(1, field(2, math.NaN()))), field(4, 1)), Limits{}, []found{{Irregular, "$", 13}}},
		{"replaced text", cat(field(3, "\xff"), field(4, 1)), Limits{}, []found{{Irregular, "$", 3}, {InvalidUTF8, "$", 2}}},
		{"entry without key", field(5, field(1, field(2, field(4, 1)))), Limits{}, []found{{Irregular, `$[""]`, 4}}},
		{"entry without value", field(5, field(1, field(1, "k"))), Limits{}, []found{{Irregular, "$.k", 4}, {NoKind, "$.k", 7}}},
		{"value first", field(5, field(1, cat(field(2, field(4, 1)), field(1, "k")))), Limits{}, []found{{Irregular, "$.k", 4}}},
		{"two keys", field(5, field(1, cat(field(1, "k"), field(1, "l"), field(2, field(4, 1))))), Limits{}, []found{{Irregular, "$.l", 4}}},
		{"overlong tag", []byte{0xa0, 0x00, 0x01}, Limits{}, []found{{Irregular, "$", 0}}},
		{"overlong length", []byte{0x1a, 0x81, 0x00, 'x'}, Limits{}, []found{{Irregular, "$", 0}}},
		{"49 lists", lists(49), Limits{}, nil},
		{"50 lists", lists(50), Limits{}, []found{{TooDeep, "$" + strings.Repeat("[0]", 50), len(lists(50)) - 3}}},
		{"80 lists", lists(80), Limits{}, []found{{TooDeep, "$" + strings.Repeat("[0]", 50), len(lists(80)) - len(lists(30))}}},
		{"49 lists inside a message", lists(49), Limits{Outer: 2}, []found{{TooDeep, "$" + strings.Repeat("[0]", 49), len(lists(49)) - 3}}},
		{"three of depth 3", field(6, cat(field(1, nil2()), field(1, lists(1)), field(1, nil2()), field(1, lists(2)))), Limits{MaxDepth: 4}, []found{{TooDeep, "$[1][0]", 12}, {TooDeep, "$[3][0]", 25}}},
		{"elements too deep", field(6, cat(field(1, field(4, 1)), field(1, field(4, 1)))), Limits{MaxDepth: 2}, []found{{TooDeep, "$[0]", 4}}},
		{"at most two", field(6, cat(field(1, ""), field(1, ""), field(1, ""))), Limits{MaxIssues: 2}, []found{{NoKind, "$[0]", 4}, {NoKind, "$[1]", 6}}},
	} {
		got, err := Check(c.wire, c.limits)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var all []found
		for _, i := range got {
			all = append(all, found{i.Kind, i.Path, i.Offset})
		}
		if !slices.Equal(all, c.want) {
			t.Errorf("%s (% x):\ngot  %v\nwant %v", c.name, c.wire, got, c.want)
		}
	}
}

// nil2 is a small Value without issues.
func nil2() []byte { return field(1, 0) }

func TestCheckForms(t *testing.T) {
	if got, err := CheckStruct(field(1, cat(field(1, "k"), field(2, nil2()))), Limits{MaxDepth: 3}); err != nil ||
		len(got) != 0 {
		t.Error(got, err)
	}
	if got, err := CheckStruct(field(1, cat(field(1, "k"), field(2, nil2()))), Limits{MaxDepth: 2}); err != nil ||
		len(got) != 1 || got[0].Kind != TooDeep {
		t.Error(got, err)
	}
	if got, err := CheckList(field(1, field(2, math.NaN())), Limits{}); err != nil || len(got) != 1 ||
		got[0].String() != "$[0]: byte 2: not a finite number: NaN" {
		t.Error(got, err)
	}
	if got, err := CheckList(cat(field(1, nil2()), []byte{0x0a}), Limits{}); len(got) != 0 ||
		!errors.Is(err, ErrTruncated) {
		t.Error(got, err)
	}
	if got := IssueKind(200).String(); got != "unknown issue" {
		t.Error(got)
	}
}

// checkCheck compares Check with what the official library and protojson do.
func checkCheck(t *testing.T, in []byte, maxDepth int) {
	t.Helper()
	got, err := Check(in, Limits{MaxDepth: maxDepth, MaxIssues: 1 << 20})
	has := func(kinds ...IssueKind) bool {
		return slices.ContainsFunc(got, func(i Issue) bool { return slices.Contains(kinds, i.Kind) })
	}
	tree := new(structpb.Value)
	official := proto.UnmarshalOptions{RecursionLimit: maxDepth}.Unmarshal(in, tree)
	if official != nil && has(UnknownField) {
		// To Go's library a field of the right number but another wire type in a Struct
		// is as deep as an entry would be.
		official = proto.UnmarshalOptions{RecursionLimit: maxDepth + 1}.Unmarshal(in, tree)
		if err == nil && has(TooDeep) {
			return
		}
	}
	if refused := err != nil || has(TooDeep, InvalidUTF8); refused != (official != nil) {
		t.Fatalf("official library: %v; Check: %v, %v", official, got, err)
	}
	if official != nil {
		return
	}
	if _, err := protojson.Marshal(tree); (err != nil) != hasUnder(tree, isJSONless) {
		t.Fatalf("the test is wrong about protojson: %v", err)
	}
	regular, err := proto.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if !has(UnknownField, Irregular, DuplicateKey) {
		// Nothing replaces anything, so the tree has all that Check has seen.
		if len(regular) != len(in) && !has(NullNumber) {
			t.Fatalf("%v, but % x is written as % x", got, in, regular)
		}
		for _, c := range []struct {
			kind  IssueKind
			count func(*structpb.Value) bool
		}{{NotFinite, isNotFinite}, {TooLarge, isTooLarge}, {NoKind, isUnset}, {NullNumber, isOddNull}} {
			want, n := 0, 0
			eachValue(tree, func(v *structpb.Value) {
				if c.count(v) {
					want++
				}
			})
			for _, i := range got {
				if i.Kind == c.kind {
					n++
				}
			}
			if n != want {
				t.Fatalf("%d times %v instead of %d: %v", n, c.kind, want, got)
			}
		}
	} else if hasUnder(tree, isJSONless) && !has(NotFinite, NoKind) {
		t.Fatalf("JSON refuses it, but Check says %v", got)
	}
	if len(got) > 0 {
		return
	}
	again, err := AppendCanonical(nil, in)
	if err != nil || len(again) != len(in) {
		t.Fatalf("no issue, but canonical form differs: % x, % x, %v", in, again, err)
	}
}

func hasUnder(v *structpb.Value, is func(*structpb.Value) bool) (found bool) {
	eachValue(v, func(v *structpb.Value) { found = found || is(v) })
	return found
}

func isJSONless(v *structpb.Value) bool { return isNotFinite(v) || isUnset(v) }

func isNotFinite(v *structpb.Value) bool {
	return math.IsNaN(v.GetNumberValue()) || math.IsInf(v.GetNumberValue(), 0)
}

func isTooLarge(v *structpb.Value) bool {
	f := math.Abs(v.GetNumberValue())
	return f > 1<<53 && !math.IsInf(f, 0)
}

func isUnset(v *structpb.Value) bool { return v.GetKind() == nil }

func isOddNull(v *structpb.Value) bool { return v.GetNullValue() != 0 }

func TestCheckAgainstOfficial(t *testing.T) {
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			for _, depth := range []int{1, 2, 3, 4, 5, 6, 7, 91, 10000} {
				checkCheck(t, c.wire, depth)
			}
		})
	}
	checkCheck(t, field(5, field(1, 1)), 2)
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			for _, depth := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 91, 92, 93, 100} {
				checkCheck(t, s.wire, depth)
			}
		})
	}
}

func TestCheckBounded(t *testing.T) {
	// Long keys, repeated in the path of each issue, do not fill the memory.
	key := strings.Repeat("k", 1<<20)
	issues,
		err := Check(field(5, field(1, cat(field(1, key),
		field(2, field(6, cat(slices.Repeat([][]byte{field(1, "")}, 1000)...)))))), Limits{MaxIssues: 1000})
	if err != nil || len(issues) == 0 || len(issues) > 2 {
		t.Errorf("%d issues, %v", len(issues), err)
	}
	// Nor does a depth bomb overflow the stack.
	bomb := []byte{}
	for range 6000 {
		bomb = field(6, field(1, bomb))
	}
	if issues, err = Check(bomb, Limits{}); err != nil || len(issues) != 1 || issues[0].Kind != TooDeep {
		t.Errorf("%d issues, %v", len(issues), err)
	}
}
