package migrate

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// page is docs/moves.md.
const page = "../../../../docs/moves.md"

// cell is what the page says of one direction in one form: the worst of own values, and of the
// samples where they fare better.
func (m *move) cell(i int) string {
	sampled := m.Data != "" && i < 2 || m.NewData != "" && i >= 2
	if sampled && m.Samples[i] != m.Edges[i] {
		return fmt.Sprintf("%s; samples: %s", pageClass(m.Edges[i]), pageClass(m.Samples[i]))
	}
	return pageClass(m.Edges[i])
}

// pageClass has what is silent in bold.
func pageClass(name string) string {
	switch name {
	case "lost", "altered":
		return "**" + name + "**"
	}
	return name
}

// harm reports whether data suffers in a form, in either direction.
func (m *move) harm(w Wire) bool {
	bad := func(name string) bool { return name == "error" || name == "lost" || name == "altered" }
	return bad(m.Edges[w]) || bad(m.Edges[w+2])
}

const pageHead = `# Which changes of a schema are safe

%d changes, each proven by [` + "`protean migrate`" + `](migrate.md): old and new schemas write messages, the other side
reads them, and the values are compared. The table is made by a test (` + "`make generate`" + `) from [the schemas and
samples](../cmd/protean/internal/migrate/testdata/moves.yaml), and every word in it is tested. To see one yourself:

` + "```sh" + `
mkdir v1 v2
echo 'syntax = "proto3"; message M { int64 n = 1; }' > v1/m.proto
echo 'syntax = "proto3"; message M { int32 n = 1; }' > v2/m.proto
echo '{"n": "4294967301"}' > samples.jsonl
protean migrate --old v1 --new v2 --data samples.jsonl || test $? = 1
` + "```" + `

- **same**: the reader sees the value that was written. **form**: the same content in another type, or with another
  presence.
- **error**: the reader refuses the message, or cannot write what it has read.
- **lost**, **altered**: the reader sees nothing, or something else, without an error.

A cell is the worst of the samples and of values at the edges of the field: 2^31, 2^53, NaN, empty, absent, unknown
enum values, long text and so on. Where the samples fare otherwise, it says so. A field that is new is no loss for an
old reader; a strict reader of JSON, as Go's, refuses its name all the same. Readers are Go's. The last two columns are
what ` + "`buf breaking`" + ` 1.75.0 says by its rules WIRE and WIRE_JSON.

| change | old → new, binary | old → new, JSON | new → old, binary | new → old, JSON | WIRE | WIRE_JSON |
| --- | --- | --- | --- | --- | --- | --- |
`

func renderPage(moves []move) string {
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, len(moves))
	for _, m := range moves {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", m.Move, m.cell(0), m.cell(1), m.cell(2), m.cell(3),
			m.Buf[0], m.Buf[1])
	}
	list := func(title string, has func(*move) bool) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, m := range moves {
			if has(&m) {
				fmt.Fprintf(&b, "- %s\n", m.Move)
			}
		}
	}
	list("Passed by WIRE, and not safe in binary form",
		func(m *move) bool { return m.Buf[0] == "ok" && m.harm(Binary) })
	list("Passed by WIRE_JSON, and not safe in both forms",
		func(m *move) bool { return m.Buf[1] == "ok" && (m.harm(Binary) || m.harm(JSON)) })
	list("Flagged by WIRE, and safe in binary form",
		func(m *move) bool { return m.Buf[0] == "flagged" && !m.harm(Binary) })
	list("Flagged by WIRE_JSON, and safe in both forms",
		func(m *move) bool { return m.Buf[1] == "flagged" && !m.harm(Binary) && !m.harm(JSON) })
	return b.String()
}

// TestPage holds docs/moves.md against the moves.
func TestPage(t *testing.T) {
	want := renderPage(readMoves(t))
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatal("docs/moves.md rewritten; read the difference, then run without -update")
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/moves.md is not what testdata/moves.yaml says: run with -update")
	}
}

// The lists of the page are what the tool is for: each has moves.
func TestPageLists(t *testing.T) {
	counts := map[string]int{}
	for _, m := range readMoves(t) {
		if len(m.Samples) != 4 || len(m.Edges) != 4 || len(m.Buf) != 2 {
			t.Errorf("%s: samples, edges or buf is not complete", m.Move)
			continue
		}
		if m.Reference {
			counts["reference"]++
		} else {
			counts["own"]++
		}
		if m.Buf[0] == "ok" && m.harm(Binary) {
			counts["passed and harmful"]++
		}
		if m.Buf[0] == "flagged" && !m.harm(Binary) {
			counts["flagged and safe"]++
		}
	}
	for name, least := range map[string]int{"reference": 17, "own": 20, "passed and harmful": 5,
		"flagged and safe": 3} {
		if counts[name] < least {
			t.Errorf("%d moves are %s, want %d at least", counts[name], name, least)
		}
	}
}
