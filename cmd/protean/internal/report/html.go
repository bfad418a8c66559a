package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"
)

// The parts of the page. The charts are drawn by Observable Plot, bundled by make
// charts: it is a quarter of the size of ECharts, an interval is a mark like any
// other, which it is not in Chart.js, and what it draws is SVG, which takes the
// colours of a style sheet, prints sharply and can be described to a screen reader.
// Vega makes functions from text, which the page's policy forbids.
var (
	//go:embed html/page.tmpl
	pageTemplate string
	//go:embed html/page.css
	pageStyle string
	//go:embed html/page.js
	pageScript string
	//go:embed html/charts.min.js
	chartLibrary string
)

// WriteHTML writes r as one HTML page that needs no other file and no network, and
// whose policy forbids it any. Without scripts it is still all tables.
func WriteHTML(w io.Writer, r *Report) error {
	return writeHTMLPage(w, r, assets{style: pageStyle, charts: chartLibrary, script: pageScript})
}

// assets are the parts of the page that do not depend on the report.
type assets struct{ style, charts, script string }

func writeHTMLPage(w io.Writer, r *Report, a assets) error {
	p := newHTMLPage(r)
	data, err := json.Marshal(p.data) // which escapes what could end the element
	if err != nil {
		return err
	}
	results, err := json.Marshal(newFile(r))
	if err != nil {
		return err
	}
	// Parsed here and not when the program starts: most that link this package, the
	// lab's own, never write a page.
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		*htmlPage
		Data, Results  template.JS
		Style          template.CSS
		Charts, Script template.JS
		Policy         string
	}{p, template.JS(data), template.JS(results), template.CSS(a.style), template.JS(a.charts), template.JS(a.script),
		policy(a.charts, a.script)})
}

// policy is a Content-Security-Policy that allows the page its own scripts, by their
// hashes, and no request at all. Styles may be inline, since charts have their own.
func policy(scripts ...string) string {
	var hashes []string
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return "default-src 'none'; script-src " + strings.Join(hashes, " ") +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

// readHTML reads the results that a page of [WriteHTML] holds, as [readJSON] does.
func readHTML(page []byte) (*Report, error) {
	before, rest, found := bytes.Cut(page, []byte(resultsTag))
	if !found {
		return nil, &ReadError{Message: "an HTML page without results of protean"}
	}
	results, _, _ := bytes.Cut(rest, []byte("</script>"))
	// Errors count the lines of the page.
	lines := bytes.Repeat([]byte("\n"), bytes.Count(before, []byte("\n")))
	return readJSON(append(lines, results...))
}

// resultsTag begins the element with the results; see the template.
const resultsTag = `<script type="application/json" id="results">`
