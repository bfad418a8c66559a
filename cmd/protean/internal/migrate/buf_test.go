package migrate

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var buf = flag.String("buf", "", "path of buf, to hold what testdata/moves.yaml says of buf breaking against it")

// TestBuf runs buf breaking on every move. It needs buf, so it runs only where -buf says which.
func TestBuf(t *testing.T) {
	if *buf == "" {
		t.Skip("no -buf")
	}
	for _, m := range readMoves(t) {
		t.Run(m.Move, func(t *testing.T) {
			dir := t.TempDir()
			for side, text := range map[string]string{"old": m.Old, "new": m.New} {
				if err := os.MkdirAll(filepath.Join(dir, side), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, side, "m.proto"), []byte(source(text)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := []string{breaking(t, dir, "WIRE"), breaking(t, dir, "WIRE_JSON")}
			if strings.Join(got, " ") != strings.Join(m.Buf, " ") {
				t.Errorf("buf: [%s], want %v", strings.Join(got, ", "), m.Buf)
			}
		})
	}
}

// breaking runs buf breaking with one category of rules.
func breaking(t *testing.T, dir, rules string) string {
	t.Helper()
	cmd := exec.Command(*buf, "breaking", ".", "--against", "../old", "--config", `{"version":"v2","breaking":{"use":["`+rules+`"]}}`)
	cmd.Dir = filepath.Join(dir, "new")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &exit) && exit.ExitCode() == 100:
		return "flagged"
	}
	t.Fatalf("%v: %s", err, out)
	return ""
}
