package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cachedProgram writes a folder of the cache that was used so long ago.
func cachedProgram(t *testing.T, dir, name string, size int, now time.Time, ago time.Duration) {
	t.Helper()
	path := filepath.Join(dir, name, "pb")
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "file"), make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, name), now, now.Add(-ago)); err != nil {
		t.Fatal(err)
	}
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name()[:1])
	}
	return strings.Join(names, " ")
}

// The cache loses what was not used for the longest time, but neither what was used lately
// nor what is not its own.
func TestTrim(t *testing.T) {
	name := func(letter string) string { return strings.Repeat(letter, 20) }
	for _, tt := range []struct {
		most int64
		want string
	}{
		{500, "a b c d e x"},
		{499, "a b c d x"},
		{300, "a b c x"},
		{250, "a b d x"},
		{0, "a b x"},
	} {
		dir, now := t.TempDir(), time.Now()
		cachedProgram(t, dir, name("a"), 100, now, 0)
		cachedProgram(t, dir, name("b"), 100, now, lately/2)
		cachedProgram(t, dir, name("c"), 100, now, 2*lately)
		cachedProgram(t, dir, name("d"), 50, now, 3*lately)
		cachedProgram(t, dir, name("e"), 150, now, 4*lately)
		cachedProgram(t, dir, "x of somebody else", 9000, now, 99*lately)
		if err := trim(dir, tt.most, now); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, dir); got != tt.want {
			t.Errorf("of at most %d bytes: %s, want %s", tt.most, got, tt.want)
		}
	}
	if err := trim(filepath.Join(t.TempDir(), "none"), 0, time.Now()); err != nil {
		t.Errorf("without a cache: %v", err)
	}
}

func TestClean(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PROTEAN_CACHE", dir)
	cachedProgram(t, dir, strings.Repeat("a", 20), 100, time.Now(), 0)
	cachedProgram(t, dir, "new-123", 20, time.Now(), 0)
	cachedProgram(t, dir, "x of somebody else", 9, time.Now(), 0)
	if got, programs, bytes, err := Clean(); got != dir || programs != 2 || bytes != 120 || err != nil {
		t.Errorf("%s: %d programs, %d bytes, %v", got, programs, bytes, err)
	}
	if got := namesIn(t, dir); got != "x" {
		t.Errorf("%s are left", got)
	}
}
