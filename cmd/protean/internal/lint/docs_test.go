package lint

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/marker"
	"github.com/protean-pb/protean/lint/schema"
	"github.com/protean-pb/protean/lint/vet"
)

var update = flag.Bool("update", false, "rewrite the tables in docs/lint.md, and fail")

const page = "../../../../docs/lint.md"

// TestTables holds the tables of docs/lint.md against the rules' and analyzers' own texts.
func TestTables(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	now := string(text)
	for name, table := range map[string]string{"schema": ruleTable(), "calls": callTable()} {
		before, rest, ok := strings.Cut(now, "<!-- begin "+name+": written by make generate -->\n")
		_, after, closed := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !closed {
			t.Fatalf("%s has no place for the table %s", page, name)
		}
		now = before + "<!-- begin " + name + ": written by make generate -->\n" + table + "<!-- end -->\n" + after
	}
	if now == string(text) {
		return
	}
	t.Errorf("the tables of %s are not those of the rules: make generate", page)
	if *update {
		if err := marker.Write(page, []byte(now)); err != nil {
			t.Error(err)
		}
	}
}

func ruleTable() string {
	var b strings.Builder
	b.WriteString("| rule | what it checks | what it costs | safe instead |\n|---|---|---|---|\n")
	for _, r := range schema.Rules() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, strings.TrimSuffix(r.Purpose, "."), r.Cost, r.WayOut)
	}
	return b.String()
}

func callTable() string {
	var b strings.Builder
	b.WriteString("| analyzer | what it does |\n|---|---|\n")
	for _, a := range vet.Analyzers() {
		summary, detail, _ := strings.Cut(a.Doc, "\n\n")
		summary, detail = strings.ToUpper(summary[:1])+summary[1:], strings.Join(strings.Fields(detail), " ")
		fmt.Fprintf(&b, "| `%s` | %s. %s |\n", a.Name, summary, detail)
	}
	return b.String()
}
