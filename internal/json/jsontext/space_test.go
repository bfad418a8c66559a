package jsontext

import "testing"

func TestSkipSpace(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
	}{
		{"", 0, 0}, {"x", 0, 0}, {" x", 0, 1}, {"a \t\r\n b", 1, 6}, {"  ", 0, 2}, {" ", 5, 5}, {"\vx", 0, 0}, {"\x00", 0, 0},
	} {
		if got := SkipSpace([]byte(c.text), c.from); got != c.to {
			t.Errorf("%q from %d: %d, want %d", c.text, c.from, got, c.to)
		}
	}
}
