package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

func render(t *testing.T, r *Report, f Format, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile is a report with names and reasons that try to break out of the layout.
func hostile() *Report {
	r := full()
	for i := range r.Results {
		if c := &r.Results[i]; c.Variant == "Concrete (vtproto)" {
			c.Variant = "a|b *c* _d_ `e` <script> \x1b[31mred\nnext line and on and on and on"
		} else if c.Status == result.NotApplicable {
			c.Reason = "\x1b]0;title\x07" + strings.Repeat("unbreakable", 30)
		}
	}
	return r
}

func TestTableFitsTheWidth(t *testing.T) {
	for name, report := range map[string]func() *Report{"full": full, "minimal": minimal, "interrupted": interrupted,
		"hostile": hostile} {
		for width := 40; width <= 140; width++ {
			for i, line := range strings.Split(render(t, report(), Table, Options{All: true, Width: width}), "\n") {
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("%s at width %d: line %d has %d columns: %q", name, width, i+1, n, line)
				}
			}
		}
	}
}

// TestTableIsWholeAt80: at 80 columns nothing is cut off or left out.
func TestTableIsWholeAt80(t *testing.T) {
	text := render(t, full(), Table, Options{All: true})
	if strings.Contains(text, "…") {
		t.Error("a name is cut short")
	}
	for _, want := range []string{" variant ", " time ", " ± ", " ratio ", " B/op ", " allocs\n", "gzip  zstd\n",
		" of JSON ", "order mem\n", "│████", "google.protobuf.Value (JSONProto) !"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if text != render(t, full(), Table, Options{All: true, Width: 80}) {
		t.Error("width 0 is not 80")
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColor(t *testing.T) {
	for name, report := range map[string]func() *Report{"full": full, "hostile": hostile} {
		bare, colored := render(t, report(), Table, Options{All: true}),
			render(t, report(), Table, Options{All: true, Color: true})
		if strings.ContainsRune(bare, '\x1b') {
			t.Errorf("%s: an escape without Color", name)
		}
		if !strings.ContainsRune(colored, '\x1b') {
			t.Errorf("%s: no escape with Color", name)
		}
		if got := escapes.ReplaceAllString(colored, ""); got != bare {
			t.Errorf("%s: colour changes more than colour", name)
		}
	}
}

func TestNarrowTable(t *testing.T) {
	text := render(t, full(), Table, Options{All: true, Width: 50})
	if !strings.Contains(text, "google.protobuf.V") || !strings.Contains(text, "… !") {
		t.Errorf("names should be cut but keep their mark:\n%s", text)
	}
}

// TestTimeMeasured: where nothing was timed, the head does not say how long.
func TestTimeMeasured(t *testing.T) {
	for _, f := range []Format{Table, Markdown} {
		for seconds, want := range map[float64]bool{60: true, 0.5: true, 0: false} {
			r := only("small", "size", concreteName)
			r.Env.Time, r.Warnings = seconds, nil
			if got := strings.Contains(render(t, r, f, Options{All: true}), " s measured"); got != want {
				t.Errorf("%s of %v s: the time measured is told: %v, want %v", f, seconds, got, want)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text        string
		first, rest int
		want        string
	}{
		{"", 10, 10, ""},
		{"a bc def", 10, 10, "a bc def"},
		{"a bc def", 4, 3, "a bc|def"},
		{"abcdefghij k", 4, 3, "abcd|efg|hij|k"},
		{"x abcdefgh", 4, 3, "x|abc|def|gh"},
		{"it is ±2 %. Next", 9, 9, "it is|±2 %.|Next"},
		{"took 41.8 µs, yes", 10, 10, "took|41.8 µs,|yes"},
	} {
		if got := strings.Join(wrap(c.text, c.first, c.rest), "|"); got != c.want {
			t.Errorf("wrap(%q, %d, %d) = %q, want %q", c.text, c.first, c.rest, got, c.want)
		}
	}
}

func TestRatioBar(t *testing.T) {
	s := scale{-2, 4}
	for _, c := range []struct {
		doublings float64
		want      string
	}{
		{0, "  │    "},
		{4, "  │████"},
		{1.5, "  │█▌  "},
		{0.001, "  │▏   "},
		{-2, "██│    "},
		{-0.5, " ▐│    "},
		{-0.001, " ▕│    "},
	} {
		if got := (ratioBar{s, c.doublings}).draw(7); got != c.want {
			t.Errorf("%v: %q, want %q", c.doublings, got, c.want)
		}
	}
	// Whatever the range, a bar fills its width and shows the baseline once.
	for _, s := range []scale{{}, {-0.01, 0}, {0, 0.01}, {-9, 0.1}, {-0.1, 9}, {-5, 5}} {
		for w := 2; w < 15; w++ {
			for _, d := range []float64{s.low, s.low / 3, 0, s.high / 3, s.high} {
				got := ratioBar{s, d}.draw(w)
				if width(got) != w || strings.Count(got, axis) != 1 {
					t.Errorf("%v of %v at width %d: %q", d, s, w, got)
				}
				if blank := strings.Trim(got, " ") == axis; w > 2 && blank != (d == 0) {
					t.Errorf("%v of %v at width %d: %q", d, s, w, got)
				}
			}
		}
	}
}

func TestSizeBar(t *testing.T) {
	for _, c := range []struct {
		bar  sizeBar
		want string
	}{
		{sizeBar{1, 0.5}, "████████"},
		{sizeBar{0.25, 0.5}, "██ ▕    "},
		{sizeBar{0.25, 0}, "██      "},
		{sizeBar{0, 1}, "       ▕"},
	} {
		if got := c.bar.draw(8); got != c.want {
			t.Errorf("%v: %q, want %q", c.bar, got, c.want)
		}
	}
}
