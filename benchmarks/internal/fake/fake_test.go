package fake

import (
	"testing"
	"unicode/utf8"
)

// everything calls each method once.
func everything(s *Source) []any {
	return []any{
		s.Chance(0.5), s.Between(1, 9), s.Pick("a", "b", "c"), string(s.Bytes(9)), s.Hex(7), s.UUID(),
		s.Word(), s.Name(), s.Text(100, 200), s.IP(), s.Host(), s.Path(), s.Email(), s.Nanos(), s.Unix(),
		s.Time().String(), s.Millis().String(),
	}
}

func TestSameSeedMakesSameData(t *testing.T) {
	a, b, other := everything(New(1)), everything(New(1)), everything(New(2))
	differ := 0
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("value %d is %v, and %v of another source of the same seed", i, a[i], b[i])
		}
		if a[i] != other[i] {
			differ++
		}
	}
	if differ < len(a)/2 {
		t.Errorf("another seed makes %d of %d values anew, want most", differ, len(a))
	}
}

func TestShapes(t *testing.T) {
	s := New(3)
	for range 1000 {
		if n := s.Between(4, 6); n < 4 || n > 6 {
			t.Fatalf("Between(4, 6) is %d", n)
		}
	}
	if h := s.Hex(7); len(h) != 7 {
		t.Errorf("Hex(7) is %q", h)
	}
	if u := s.UUID(); len(u) != 36 || u[14] != '4' {
		t.Errorf("UUID is %q", u)
	}
	if text := s.Sentence(1000); !utf8.ValidString(text) || utf8.RuneCountInString(text) == len(text) {
		t.Error("a long sentence is not UTF-8, or all ASCII")
	}
}
