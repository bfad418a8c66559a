package usererr

import (
	"strings"
	"testing"
)

func TestInputError(t *testing.T) {
	for _, tt := range []struct {
		err  InputError
		want string
	}{
		{InputError{"a.json", 3, 17, "bad"}, "a.json:3:17: bad"},
		{InputError{"a.json", 3, 0, "bad"}, "a.json:3: bad"},
		{InputError{"a.json", 0, 5, "bad"}, "a.json: bad"},
		{InputError{"", 0, 0, "bad"}, "bad"},
		{InputError{"a.json", 1, 1, "two\nlines,\r\n\ta tab and a\u00a0space"},
			"a.json:1:1: two lines, a tab and a space"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestPosition(t *testing.T) {
	text := []byte("ab\ncédé\r\n\nx")
	for _, tt := range []struct{ offset, line, column int }{
		{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {6, 2, 3}, {strings.IndexByte(string(text), '\r'), 2, 5},
		{len(text) - 2, 3, 1}, {len(text) - 1, 4, 1}, {len(text), 4, 2}, {len(text) + 9, 4, 2}, {-1, 1, 1},
	} {
		line, column := position(text, tt.offset)
		if line != tt.line || column != tt.column {
			t.Errorf("offset %d: got %d:%d, want %d:%d", tt.offset, line, column, tt.line, tt.column)
		}
	}
}

func TestNear(t *testing.T) {
	candidates := []string{"shop.v1.Order", "shop.v1.OrderLine", "shop.v1.Address", "age", "user_age", "STATUS_PAID",
		"STATUS_PLACED", "STATUS_PACKED"}
	for _, tt := range []struct{ name, want string }{
		{"shop.v1.Ordre", "shop.v1.Order"},
		{"order", "shop.v1.Order"},
		{"agge", "age"},
		{"aeg", "age"},
		{"STATUS_PACKD", "STATUS_PACKED STATUS_PAID STATUS_PLACED"},
		{"zebra", ""},
		{"", ""},
		{strings.Repeat("a", 1<<20), ""},
	} {
		if got := strings.Join(near(tt.name, candidates), " "); got != tt.want {
			t.Errorf("%.20q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Names that are equally near come in alphabetical order, whatever that of the schema is.
func TestNearTies(t *testing.T) {
	candidates := []string{"b.Item", "c.Item", "a.Item", "d.Item"}
	if got, want := strings.Join(near("Item", candidates), " "), "a.Item b.Item c.Item"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
