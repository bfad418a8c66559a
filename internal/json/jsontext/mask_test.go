package jsontext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// checkMask takes s for the paths of a mask, and for its text.
func checkMask(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		return
	}
	paths := strings.Split(s, ",")
	want, wantOK := officialText(&fieldmaskpb.FieldMask{Paths: paths})
	got, bad := AppendMask([]byte("x"), paths)
	if (bad < 0) != wantOK || wantOK && string(got) != "x"+want {
		t.Fatalf("AppendMask(%q) = %s, %d; want %s, %t", paths, got, bad, want, wantOK)
	}
	if bad >= 0 {
		_, before := officialText(&fieldmaskpb.FieldMask{Paths: paths[:bad]})
		_, itself := officialText(&fieldmaskpb.FieldMask{Paths: paths[bad : bad+1]})
		if !before || itself {
			t.Fatalf("AppendMask(%q): the first bad path is not %d", paths, bad)
		}
	}
	m, wantOK := official(&fieldmaskpb.FieldMask{}, slowQuote(s))
	read, name, ok := ParseMask([]string{"x"}, []byte(s))
	if ok != wantOK || ok && !slices.Equal(read, append([]string{"x"}, m.Paths...)) {
		t.Fatalf("ParseMask(%q) = %q, %q, %t; want %q, %t", s, read, name, ok, m.Paths, wantOK)
	}
	if ok {
		return
	}
	names := strings.Split(strings.TrimSpace(s), ",")
	first := slices.IndexFunc(names, func(name string) bool {
		_, ok := official(&fieldmaskpb.FieldMask{}, slowQuote("a,"+name+",a"))
		return !ok
	})
	if len(read) != 1+first || string(name) != names[first] {
		t.Fatalf("ParseMask(%q): bad %q after %q", s, name, read)
	}
}

var masks = []string{
	"", " ", "\u2003", "a", "foo", "foo_bar", "fooBar", "foo.bar", "foo_bar.baz", "fooBar.bazQux", "_a", "A", "__a", "a_", "a__b", "a_1", "a1", "1a", "a.1", "a._b", "a.B", ".", "a.", ".a", "a..b", "a_.b",
	"a,b", "a,,b", ",a", "a,", " a", "a ", "a, b", "a ,b", " a,b ", "foo_bar,baz", "fooBar,baz", "aBC", "a_b_c", "ab_C", "é", "a-b", "a\"b", "a\nb", "*", "a.*", "HTTP", "a1B2", "a_b,c_d.e_f,g", "aB,cD.eF,g",
}

func TestMask(t *testing.T) {
	for _, s := range masks {
		checkMask(t, s)
		for _, u := range masks {
			checkMask(t, s+u)
			checkMask(t, s+","+u)
		}
	}
	for c := range rune(256) {
		for _, s := range []string{"%", "a%", "%a", "a%b", "a.%", "_%", "%_", "%.", "A%"} {
			checkMask(t, strings.ReplaceAll(s, "%", string(c)))
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range masks {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkMask(t, s) })
}
