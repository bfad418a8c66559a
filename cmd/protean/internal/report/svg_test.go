package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// svgTexts parses a picture and returns its texts in order; what is not of the elements that it is
// drawn with, or would ask for a file, is an error.
func svgTexts(t *testing.T, picture []byte) []string {
	t.Helper()
	var out []string
	in := ""
	for d := xml.NewDecoder(bytes.NewReader(picture)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, picture)
		}
		switch x := token.(type) {
		case xml.StartElement:
			in = x.Name.Local
			if !slices.Contains([]string{"svg", "title", "desc", "style", "g", "rect", "path", "text"}, in) {
				t.Errorf("element %s", in)
			}
			for _, a := range x.Attr {
				if a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("attribute %s of %s", a.Name.Local, in)
				}
			}
		case xml.CharData:
			if in == "text" {
				out = append(out, string(x))
			}
			if in == "style" && strings.Contains(string(x), "url(") {
				t.Error("the style asks for a file")
			}
		case xml.EndElement:
			in = ""
		}
	}
}

func draw(t *testing.T, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSVG(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The picture has every time, ratio and count of the tables, as they have them.
func TestPictureHasTheFiguresOfTheTables(t *testing.T) {
	for name, r := range map[string]*Report{"full": full(), "usual": usual()} {
		texts := svgTexts(t, draw(t, r))
		times := 0
		for _, g := range groups(r) {
			if g.op != "marshal" && g.op != "unmarshal" {
				continue
			}
			s := timings(r, g, scale{})
			for i, c := range s.of {
				if c.Apart != "" {
					continue
				}
				figures := []cell{s.rows[i][2], s.rows[i][5]}
				if g.op == "unmarshal" {
					figures = append(figures, s.rows[i][9])
				}
				for _, f := range figures {
					times++
					if want := strings.TrimSpace(either(f.full, f.text)); !slices.Contains(texts, want) {
						t.Errorf("%s: %s of %s: no %q in the picture", name, g.op, c.Variant, want)
					}
				}
			}
		}
		if times == 0 {
			t.Errorf("%s: no figures were compared", name)
		}
	}
}

// Rows and columns come from the results: what they lack is not in the picture.
func TestPictureFollowsTheResults(t *testing.T) {
	r := usual()
	all := svgTexts(t, draw(t, r))
	for _, want := range []string{"marshal", "unmarshal", "generated code", "mutable", "loses", "gojapb",
		"protoc-gen-go-vtproto"} {
		if !slices.Contains(all, want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	r.Results = slices.DeleteFunc(r.Results, func(c result.Result) bool {
		return c.Op == "marshal" || c.Variant == "gojapb"
	})
	for i := range r.Variants {
		r.Variants[i].Generator = ""
	}
	for i := range r.Results {
		r.Results[i].Properties.Mutable = ""
	}
	less := svgTexts(t, draw(t, r))
	for _, gone := range []string{"marshal", "generated code", "mutable", "gojapb"} {
		if slices.Contains(less, gone) {
			t.Errorf("%q is in the picture", gone)
		}
	}
	if HasOverview(counted()) {
		t.Error("a run without times has an overview")
	}
}

// What a name or a reason holds is text, whatever it looks like.
func TestPictureEscapes(t *testing.T) {
	r := usual()
	const odd = "<script>alert(1)</script>&\x01"
	for i := range r.Results {
		if r.Results[i].Variant == "gojapb" {
			r.Results[i].Variant = odd
		}
	}
	if texts := svgTexts(t, draw(t, r)); !slices.Contains(texts, "<script>alert(1)</script>&") {
		t.Errorf("the name is not among %q", texts)
	}
}

// All that is drawn is within the picture, and columns do not lie over each other.
func TestPictureColumns(t *testing.T) {
	for name, r := range map[string]*Report{"full": full(), "usual": usual()} {
		for _, s := range overviews(r) {
			end := 0.0
			for i, c := range svgColumns(&s) {
				if c.width == 0 {
					continue
				}
				if c.x < end {
					t.Errorf("%s: column %d begins at %v, and the one before ends at %v", name, i, c.x, end)
				}
				end = c.x + c.width
			}
			if end > svgWidth-svgMargin+0.01 {
				t.Errorf("%s: the last column ends at %v", name, end)
			}
		}
	}
}

// Where columns need more than there is, they come closer, down to a quarter of the gap, before they go
// beyond the edge.
func TestPictureWithLongWords(t *testing.T) {
	r := usual()
	for i := range r.Variants {
		r.Variants[i].Generator = strings.Repeat("g", 28)
	}
	s := overviews(r)[0]
	columns := svgColumns(&s)
	last := columns[len(columns)-1]
	if end := last.x + last.width; end > svgWidth-svgMargin+0.01 {
		t.Errorf("the last column ends at %v", end)
	}
}

// In a browser nothing lies over anything else or beyond the edges, on screens of both kinds and in
// both colours, and nothing is asked for.
func TestPictureInBrowser(t *testing.T) {
	b := startBrowser(t)
	const misplaced = `(() => {
		const right = document.documentElement.viewBox.baseVal.width;
		const over = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
		const shown = [...document.querySelectorAll('text')].filter(e => getComputedStyle(e).display !== 'none');
		const texts = shown.map(e => ({text: e.textContent, box: e.getBBox()}));
		const bad = texts.length < 5 ? ['too few texts: ' + texts.length] : [];
		texts.forEach(({text, box}, i) => {
			if (box.x < 0 || box.x + box.width > right) bad.push('beyond the edge: ' + text);
			for (const o of texts.slice(i + 1))
				if (over(box, o.box)) bad.push('over each other: ' + text + ' and ' + o.text);
		});
		return bad.join('\n');
	})()`
	for name, r := range map[string]*Report{"full": full(), "usual": usual()} {
		path := filepath.Join(t.TempDir(), name+".svg")
		if err := os.WriteFile(path, draw(t, r), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{390, 900} {
			for _, scheme := range []string{"light", "dark"} {
				b.screen(width, 500, scheme)
				b.open("file://" + path)
				if bad := b.eval(misplaced); bad != "" {
					t.Errorf("%s, %d wide:\n%s", name, width, bad)
				}
				for _, c := range b.complaints() {
					t.Errorf("%s: %s", name, c)
				}
				b.picture(fmt.Sprintf("overview-%s-%d-%s", name, width, scheme))
			}
		}
	}
}
