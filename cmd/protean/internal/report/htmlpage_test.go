package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	pictures = flag.String("pictures", "", "write pictures of the page, and it on paper, to this `folder`")
	depict   = flag.String("depict", "", "make them of the results in this JSON `file`")
)

// openReport writes a page to a file and opens it in the browser.
func (b *browser) openReport(r *Report, address string) string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(renderPage(b.t, r)), 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.open("file://" + path + address)
	return "file://" + path
}

func (b *browser) quiet() {
	b.t.Helper()
	for _, c := range b.complaints() {
		b.t.Error(c)
	}
}

// expect compares what an expression gives.
func (b *browser) expect(expression, want string) {
	b.t.Helper()
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// await waits until an expression has a value, where the browser takes its time.
func (b *browser) await(expression, want string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end) && b.eval(expression) != want; {
		time.Sleep(10 * time.Millisecond)
	}
	b.expect(expression, want)
}

// texts is JavaScript for the texts of elements that are shown, joined by lines.
func texts(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join("\n")`, selector)
}

// howMany is JavaScript for how many elements are shown.
func howMany(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).length`, selector)
}

// TestPage opens the page in a browser and uses it as people do.
func TestPage(t *testing.T) {
	b := startBrowser(t)
	for _, tt := range []struct {
		name string
		test func(*browser)
	}{
		{"Opens", testOpens}, {"Filters", testFilters}, {"Apart", testApart}, {"Copies", testCopies},
		{"Costs", testCosts}, {"Keyboard", testKeyboard}, {"Colours", testColours},
		{"Phone", testPhone}, {"Paper", testPaper}, {"NoScript", testNoScript}, {"Policy", testPolicy},
		{"Escapes", testEscapes}, {"Reports", testReports}, {"Pictures", testPictures},
	} {
		t.Run(tt.name, func(t *testing.T) {
			outer := b.t
			b.t = t
			defer func() { b.t = outer }()
			b.screen(1280, 900, "light")
			tt.test(b)
		})
	}
}

// Every table of sizes or times has its chart, and every chart a text.
func testOpens(b *browser) {
	b.openReport(full(), "")
	b.expect(`document.title`, "hidden-cost – Protean")
	b.expect(howMany("[data-chart] svg[role=img]"), "7")
	b.expect(howMany("[data-tradeoff] svg[role=img]"), "4")
	b.expect(`[...document.querySelectorAll("svg")].every(s => s.getAttribute("aria-label").includes("variants"))`,
		"true")
	b.expect(`document.querySelector("[data-op=marshal] svg").getAttribute("aria-label")`,
		"Bar chart, time to marshal, small: 12 variants, from Concrete (vtproto) with 31.2 ns · 0.32x to gojapb with "+
			"5.03 µs · 51.3x. The table below has all figures.")
	b.expect(texts("[data-tradeoff]:first-child li"),
		"Concrete (vtproto) 25 B, 31.2 ns\nConcrete (vtproto) 16,500 B, 8.82 µs")
	b.expect(texts("[data-tradeoff] .about:last-child"), "Not in the chart, having no size of their own: gojapb.\n"+
		"Not in the chart, having no size of their own: gojapb.\n"+
		"Not in the chart, having no size of their own: hyperpb (proto, reuse).\n"+
		"Not in the chart, having no size of their own: hyperpb (proto, reuse).")
	b.expect(texts("#shown"), "all 14 variants, all 7 results")
	b.expect(texts("[data-headlines] strong"), "3.14×\n4.41×\n25 B")
	b.expect(texts("[data-headlines] small"), "small\nsmall\nsmall")
	b.expect(texts("details.notice summary"), "1 warning")
	b.expect(texts("#command"), full().Env.Command)
	// Tables are folded where there is a chart.
	b.expect(howMany("[data-op] table"), "0")
	b.expect(howMany("table"), "2") // of properties and of variants
	b.quiet()
}

// Costs have their chart, of money where there are prices.
func testCosts(b *browser) {
	r := priced()
	chart := `[...document.querySelectorAll("[data-chart] svg")].pop().getAttribute("aria-label")`
	b.openReport(r, "")
	b.expect(chart, "Bar chart, cost at 4,000,000/s in money a month, small: 5 variants, from Concrete (proto) with "+
		"5,208 to google.protobuf.Any (proto) with 15,358. The table below has all figures.")
	r.Reckon(Load{Rate: r.Load.Rate})
	b.openReport(r, "")
	b.expect(chart, "Bar chart, cost at 4,000,000/s in cores, small: 6 variants, from google.protobuf.Any (proto) "+
		"with 0.550 cores · 767 TB a month to gojapb with 46.8 cores. The table below has all figures.")
	b.quiet()
}

// What is chosen goes into the address, and comes back from it.
func testFilters(b *browser) {
	address := b.openReport(full(), "")
	for _, value := range []string{"small", "marshal", "size", "proto", "open"} {
		b.eval(fmt.Sprintf(`document.querySelector("button[data-value=%s]").click()`, value))
	}
	const want = "#payload=small&op=marshal&op=size&family=proto&tables=open"
	for range 2 {
		b.expect(`location.hash`, want)
		b.expect(howMany("[data-chart] svg"), "2")
		b.expect(howMany("[data-tradeoff] svg"), "1")
		b.expect(texts("[data-op=marshal] tbody th"),
			"Concrete (vtproto)\ngoogle.protobuf.Any (proto)\nConcrete (proto)\nProtobuf + "+
				"JSON\ngoogle.protobuf.Value (proto) lossy")
		b.expect(texts("[data-op=marshal] .missing li"), "")
		b.expect(texts("#shown"), "6 of 14 variants, 2 of 7 results")
		b.expect(texts(`button[aria-pressed=true]`), "small\nsize\nmarshal\nproto\nall tables")
		b.expect(texts(`.words p`), "") // folded
		b.eval(`document.getElementById("words").open = true`)
		b.expect(texts(`.words p`), "small: "+paragraphs(full(), Summary(full()))[0].Text)
		b.open(address + want) // again from the address
	}
	b.eval(`location.hash = "#payload=large"`)
	b.await(texts("[data-headlines] small"), "large\nlarge\nlarge")
	b.eval(`location.hash = "#lib=example.com/js&scale=linear"`)
	b.await(`document.getElementById("shown").textContent`, "1 of 14 variants, all 7 results")
	b.expect(howMany(".none"), "5")
	b.eval(`document.querySelector("[data-key=lossless]").click(); document.getElementById("reset").click()`)
	b.expect(`location.hash`, "")
	b.expect(howMany("[data-chart] svg"), "7")
	b.eval(`document.querySelector("[data-key=lossless]").click()`)
	b.expect(texts("#shown"), "8 of 14 variants, all 7 results")
	b.expect(texts("[data-v]:has(.lossy)"), "")
	// What is not in the report, or is an attack, is left alone.
	b.open(address + "#op=nothing&family=%3Cscript%3E&part-1")
	b.expect(texts("#shown"), "all 14 variants, all 7 results")
	b.quiet()
}

// Rows that are ranked apart have a heading, as long as one of them is shown.
func testApart(b *browser) {
	address := b.openReport(full(), "#tables=open&payload=large")
	b.expect(texts(".apart"), "apart, reusing: a result is valid only until the next call")
	b.expect(`document.querySelector(".apart").nextElementSibling.cells[1].textContent.trim().slice(0, 22)`,
		"hyperpb (proto, reuse)")
	b.expect(`document.querySelector(".apart th").colSpan === document.querySelector("[data-op=unmarshal] thead tr").cells.length`,
		"true")
	b.open(address + "#tables=open&family=js")
	b.expect(texts(".apart"), "")
	b.quiet()
}

// A table is copied as text that a spreadsheet takes, without what is filtered out;
// where the clipboard is out of reach, it is selected.
func testCopies(b *browser) {
	b.openReport(full(), "#tables=open&family=js")
	b.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text }`)
	click := `document.querySelector("[data-op=marshal] .copy").click()`
	b.eval(click)
	b.expect(`window.copied`, "#\tVariant\tTime/op\t±\tTime interval\tRatio\tRatio interval\tB/op\tAllocs/op\n"+
		"12\tgojapb\t5.03 µs\t0.4%\t5.010–5.050 µs\t51.3x\t50.86–51.68\t9,011\t83\n")
	b.expect(`document.querySelector("[data-op=marshal] .copy").textContent`, "Copied")
	b.eval(`document.querySelector("#command").parentElement.nextElementSibling.click()`)
	b.expect(`window.copied`, full().Env.Command)
	b.eval(`navigator.clipboard.writeText = async () => { throw 0 }; document.execCommand = () => false`)
	b.eval(click)
	b.expect(`getSelection().toString().includes("gojapb") + document.querySelector("[data-op=marshal] .copy").textContent`, "trueSelected: press Ctrl+C")
	b.quiet()
}

// The page can be used without a pointer, and says what is what.
func testKeyboard(b *browser) {
	b.openReport(full(), "")
	focused := `document.activeElement.textContent.trim() + " " + getComputedStyle(document.activeElement).outlineStyle`
	b.key("Tab", 9, "")
	b.expect(focused, "Skip to the results solid")
	b.key("Tab", 9, "")
	b.expect(focused, "Dark colours solid")
	b.key("Enter", 13, "\r")
	b.expect(`document.documentElement.dataset.theme`, "dark")
	for range 4 { // the words, the warnings, the filters, the first of them
		b.key("Tab", 9, "")
	}
	b.expect(focused, "small solid")
	b.key(" ", 32, " ")
	b.expect(`location.hash`, "#payload=small")
	b.expect(`document.activeElement.getAttribute("aria-pressed")`, "true")
	b.expect(`document.querySelector("#shown").getAttribute("role")`, "status")
	b.eval(`document.querySelector("nav a[data-op=unmarshal]").click()`)
	b.expect(`document.activeElement.querySelector("h3").textContent + location.hash`,
		"unmarshal hidden-cost · small#payload=small")
	b.expect(`[...document.querySelectorAll("button, a, summary")].filter(e => !e.textContent.trim() && e.checkVisibility()).length`, "0")
	b.expect(`[...document.querySelectorAll("table")].filter(e => !e.caption || e.querySelector("thead th:not([scope=col])")).length`, "0")
	b.quiet()
}

// Letters can be read in both colours, and the switch outlives the page.
func testColours(b *browser) {
	address := b.openReport(full(), "#tables=open")
	for _, scheme := range []string{"light", "dark"} {
		b.screen(1280, 900, scheme)
		b.eval(`localStorage.clear(); delete document.documentElement.dataset.theme`)
		b.expect(worstContrast, "[]")
	}
	b.open(address)
	background := `getComputedStyle(document.body).backgroundColor`
	dark := b.eval(background)
	b.eval(`document.getElementById("theme").click()`)
	if light := b.eval(background); light == dark {
		b.t.Errorf("the page stays %s", light)
	}
	b.open(address)
	b.expect(`document.documentElement.dataset.theme + " " + document.getElementById("theme").textContent`,
		"light Dark colours")
	b.eval(`localStorage.clear()`)
	b.quiet()
}

// worstContrast lists texts whose contrast to what is behind them is below 4.5 to 1
// (WCAG 2, AA).
const worstContrast = `(() => {
	const light = (c) => c.map((x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
		.reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
	const parse = (s) => s.match(/[\d.]+/g).map(Number);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3) return c; } };
	const bad = new Set();
	for (const e of document.querySelectorAll("p, th, td, .badge, button, h2, h3, small, dt, summary, figcaption, a, .key, footer, svg text")) {
		if (!e.checkVisibility()) continue;
		const style = getComputedStyle(e), at = e.closest("svg") ? e.closest(".card") : e;
		let a = light(parse(e.closest("svg") && style.fill !== "none" ? style.fill : style.color).slice(0, 3)), b = light(behind(at));
		if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) bad.add(e.tagName + "." + (e.className.baseVal ?? e.className) + " " + style.color);
	}
	return JSON.stringify([...bad]);
})()`

// On a phone nothing sticks out, and names stand above their bars.
func testPhone(b *browser) {
	b.screen(390, 844, "light")
	r := full()
	r.Variants[0].Library = "example.com/" + strings.Repeat("long", 20)
	b.openReport(r, "#tables=open")
	b.expect(`document.getElementById("filters").open`, "false")
	b.eval(`document.getElementById("filters").open = true`)
	b.expect(`document.documentElement.scrollWidth`, "390")
	b.expect(`[...document.querySelectorAll("svg")].every(s => s.getBoundingClientRect().right <= 390)`, "true")
	b.expect(`[...document.querySelectorAll("button")].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 32).length`, "0")
	for _, width := range []int{390, 1280} {
		for _, scale := range []string{"", "#scale=linear"} {
			b.screen(width, 844, "light")
			b.openReport(reused(), scale)
			b.expect(overlaps, "")
		}
	}
	b.quiet()
}

// reused is a report with a variant of every badge at once, next to others.
func reused() *Report {
	r := priced()
	for i := range r.Results {
		if c := &r.Results[i]; c.Variant == jsonName {
			c.Properties.Input, c.Properties.Memory = "aliased", "reused"
		}
	}
	return r
}

// overlaps is JavaScript for the texts of bar charts that lie on another text, a dot or a bar that begins elsewhere.
const overlaps = `[...document.querySelectorAll("[data-chart] svg")].flatMap(svg => {
	const inside = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
	const texts = [...svg.querySelectorAll("text")].filter(e => e.textContent).map(e => [e.textContent, e.getBoundingClientRect()]);
	const shapes = [...svg.querySelectorAll("circle, rect, g[aria-label=bar] path")].map(e => ["a shape", e.getBoundingClientRect()]);
	return texts.flatMap(([t, a], i) => [...texts.slice(i + 1), ...shapes].filter(([, b]) => inside(a, b)).map(([o]) => t + " on " + o));
}).join("; ")`

// On paper everything is there that the filters let through, and afterwards the page
// is as it was.
func testPaper(b *browser) {
	b.openReport(full(), "#payload=small")
	before := b.eval(`document.getElementById("results").innerHTML`)
	b.eval(`addEventListener("beforeprint", () => window.onPaper = [document.querySelectorAll("details:not([open])").length,
		document.querySelector("[data-chart] svg").getAttribute("width")].join())`)
	pdf := b.decoded("Page.printToPDF", nil)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20000 {
		b.t.Errorf("the paper has %d bytes", len(pdf))
	}
	b.expect(`window.onPaper`, "0,980")
	if after := b.eval(`document.getElementById("results").innerHTML`); chartIDs.ReplaceAllString(after,
		"") != chartIDs.ReplaceAllString(before, "") {
		b.t.Error("after printing, the page is not as it was")
	}
	b.keep("paper.pdf", pdf)
	b.quiet()
}

// chartIDs are what the library counts up for each chart.
var chartIDs = regexp.MustCompile(`plot-[a-z]+-\d+`)

// Without scripts, the tables are there, and no button that does nothing.
func testNoScript(b *browser) {
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	defer b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	b.openReport(full(), "")
	b.expect(howMany("[data-op] table"), "7")
	b.expect(howMany("button"), "0")
	b.expect(howMany("figure, [data-tradeoff]"), "0")
	b.expect(texts("noscript"), "Charts and filters need scripts, which are off here. The tables below have all "+
		"figures.")
}

// The page can ask for nothing, even if something got into it.
func testPolicy(b *browser) {
	b.openReport(minimal(), "")
	b.eval(`window.refused = []; addEventListener("securitypolicyviolation", (e) => refused.push(e.effectiveDirective))`)
	b.eval(`fetch("https://example.com/").catch(() => {})`)
	b.eval(`new Promise((done) => { const i = new Image(); i.onerror = done; i.src = "https://example.com/x.png"; })`)
	b.eval(`document.body.append(Object.assign(document.createElement("script"), {textContent: "window.got = 1"}))`)
	b.eval(`document.body.insertAdjacentHTML("beforeend", "<b onclick='window.got = 1'></b>"); document.querySelector("b[onclick]").click()`)
	b.await(`refused.sort().join()`, "connect-src,img-src,script-src-attr,script-src-elem")
	b.expect(`typeof window.got`, "undefined")
}

func testEscapes(b *browser) {
	attack := strings.Join(attacks, " ")
	b.openReport(forge(full(), attack), "#tables=open")
	b.expect(`document.title`, clean(attack)+" – Protean")
	b.expect(`document.scripts.length + " " + document.images.length`, "4 0")
	b.expect(`document.querySelector("[data-op] tbody th").firstChild.textContent.trim()`,
		clean("Concrete (proto)"+attack))
	b.expect(`document.querySelector("[data-chart] svg").textContent.includes("Concrete (proto)</script>")`, "true")
	b.quiet()
}

// Every sort of report opens.
func testReports(b *browser) {
	for name, r := range reports {
		b.openReport(r(), "#tables=open&scale=linear")
		b.expect(`document.documentElement.dataset.ready`, "")
		if b.quiet(); b.t.Failed() {
			b.t.Fatal(name)
		}
	}
	b.openReport(interrupted(), "")
	b.expect(texts(".notice.failed"), "This run was interrupted before it was done.")
	b.openReport(&Report{}, "")
	b.quiet()
}

// testPictures makes what -pictures asks for.
func testPictures(b *browser) {
	if *pictures == "" {
		return
	}
	r := full()
	if *depict != "" {
		text, err := os.ReadFile(*depict)
		if err != nil {
			b.t.Fatal(err)
		}
		if r, err = Read(text); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		for width, name := range map[int]string{1280: scheme, 390: scheme + "-phone"} {
			b.screen(width, 900, scheme)
			b.openReport(r, "")
			b.picture(name)
			b.openReport(r, "#tables=open&scale=linear")
			b.picture(name + "-tables")
		}
	}
}
