package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// chartsSum is that of what make charts writes with the versions in
// tools/charts/package-lock.json.
const chartsSum = "bd898e4a3e517ace511217fdc77af7f185a70a464c1926f7ece5b5cbd92d4d7d"

func TestChartLibrary(t *testing.T) {
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(chartLibrary))); got != chartsSum {
		t.Errorf("html/charts.min.js has SHA-256 %s, want %s: was it written by make charts?", got, chartsSum)
	}
	// What would end the element, or what the policy forbids.
	for _, bad := range []string{"</script", "<!--", "eval(", "new Function", "import("} {
		if strings.Contains(chartLibrary, bad) {
			t.Errorf("html/charts.min.js has %q in it", bad)
		}
	}
	head, _, _ := strings.Cut(chartLibrary, "*/")
	for _, want := range []string{"Observable, Inc.", "Mike Bostock", "Permission to use, copy, modify", "(ISC)",
		"@observablehq/plot " + pinned(t)} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in the licences at the head of html/charts.min.js", want)
		}
	}
}

// pinned returns the version of the library that make charts bundles.
func pinned(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../../../tools/charts/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	return p.Dependencies["@observablehq/plot"]
}

// renderPage writes a page with its real scripts.
func renderPage(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bare are assets that leave a page to what Go writes.
var bare = assets{style: "/* page.css */", charts: "/* charts.min.js */", script: "/* page.js */"}

// renderBare writes a page without scripts and styles.
func renderBare(t testing.TB, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTMLPage(&b, r, bare); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var scriptElement = regexp.MustCompile(`(?s)<script( type="application/json" id="data")?>(.*?)</script>`)

// The policy names the hash of each script, and nothing that would let others in.
func TestPagePolicy(t *testing.T) {
	page := renderPage(t, full())
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("no policy")
	}
	allowed := strings.ReplaceAll(strings.ReplaceAll(policy[1], "&#39;", "'"), "&#43;", "+")
	var want []string
	for _, m := range scriptElement.FindAllStringSubmatch(page, -1) {
		if m[1] == "" {
			sum := sha256.Sum256([]byte(m[2]))
			want = append(want, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
	}
	if len(want) != 2 || !strings.Contains(allowed, "; script-src "+strings.Join(want, " ")+"; ") {
		t.Errorf("policy %s, want the scripts %v", allowed, want)
	}
	if !strings.HasPrefix(allowed, "default-src 'none'; ") || strings.Contains(allowed, "http") ||
		strings.Contains(allowed, "*") {
		t.Errorf("policy %s", allowed)
	}
	if refers := regexp.MustCompile(`(?:src|href|action)="[^#d][^"]*"`).FindAllString(page, -1); len(refers) > 0 {
		t.Errorf("the page refers to %q", refers)
	}
}

// forge makes every text of a report try to be markup.
func forge(r *Report, text string) *Report {
	r.Suite, r.Baseline = text, text+"b"
	r.Env.Command, r.Env.CPU, r.Env.Protean = text, text, text
	r.Warnings = []string{text}
	for i := range r.Variants {
		v := &r.Variants[i]
		v.Name, v.Library, v.Version, v.About = v.Name+text, text, text, text
	}
	r.Variants[0].Family = text
	for i := range r.Results {
		c := &r.Results[i]
		c.Suite, c.Payload, c.Variant = text, c.Payload+text, c.Variant+text
		if c.Op != result.SizeOp {
			c.Op += text
		}
		if c.Status != result.OK {
			c.Reason = text
		}
	}
	return r
}

var attacks = []string{
	`</script><script>document.title="broken out"</script>`,
	`"><img src=x onerror="document.title='broken out'">`,
	`'-document.title='broken out'-'`,
	`<!--<script>`, `]]>`, `</style><style>`, "a\u2028b", `\u003c/script\u003e`, `{{.Title}}`,
	`javascript:document.title=1`,
}

// small is a report with a table, a chart and something that failed, to be quick.
func small() *Report {
	r := minimal()
	r.Results = append(r.Results, missing(newCell("small", "marshal", kinds[11])))
	return r
}

var element = regexp.MustCompile(`<[!/a-zA-Z][a-zA-Z0-9-]*`)

// elements counts the elements of a page of which markup in texts could make more.
func elements(page []byte) [8]int {
	var out [8]int
	for _, tag := range element.FindAll(page, -1) {
		if i := slices.Index([]string{"<script", "</script", "<style", "</style", "<img", "<!--", "</body", "<td"},
			string(tag)); i >= 0 {
			out[i]++
		}
	}
	return out
}

// checkEscaped compares a page's elements with those of one with harmless texts.
func checkEscaped(t *testing.T, text string) {
	t.Helper()
	page := renderBare(t, forge(small(), text))
	if got, want := elements(page), elements(renderBare(t, forge(small(), "harmless"))); got != want {
		t.Errorf("%q: %v, want %v elements", text, got, want)
	}
	var data htmlData
	m := scriptElement.FindSubmatch(page)
	if err := json.Unmarshal(m[2], &data); err != nil {
		t.Fatalf("%q: the data are not JSON: %v", text, err)
	}
	if name := data.Variants[0].Name; name != clean("Concrete (proto)"+text) {
		t.Errorf("%q: the data name a variant %q", text, name)
	}
}

func TestPageEscapes(t *testing.T) {
	for _, text := range attacks {
		checkEscaped(t, text)
	}
}

func FuzzPageEscapes(f *testing.F) {
	for _, text := range attacks {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.ContainsAny(text, `<>&"'`) || strings.ToValidUTF8(text, "") != text || clean(text) == "" {
			return
		}
		checkEscaped(t, text)
	})
}
