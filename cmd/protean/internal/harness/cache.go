package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

const (
	// maxCache bounds the size of the cache folder in bytes. Programs that were used lately are kept beyond it: they
	// may be running, and each round starts a process of its own.
	maxCache = 1 << 30
	lately   = time.Hour
)

// cacheDir returns the folder of all programs: $PROTEAN_CACHE, or protean in the
// user's cache folder.
func cacheDir() (string, error) {
	if dir := os.Getenv("PROTEAN_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder for the benchmark program: %w; set PROTEAN_CACHE", err)
	}
	return filepath.Join(dir, "protean"), nil
}

// ownName matches the folders of programs, and of programs that are being written. Other files in the cache folder are
// left alone.
var ownName = regexp.MustCompile(`^([0-9a-f]{20}|new-\d+)$`)

// A cached is the folder of a program.
type cached struct {
	path string
	size int64
	used time.Time
}

// programsIn returns the folders of programs in the cache folder, the one used last first.
func programsIn(dir string) ([]cached, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	var all []cached
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !ownName.MatchString(e.Name()) {
			continue // it may be gone
		}
		path := filepath.Join(dir, e.Name())
		all = append(all, cached{path, sizeBelow(path), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b cached) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.path, b.path)) })
	return all, nil
}

// sizeBelow returns the total size of the files below a folder, in bytes. Files that cannot be read, which another
// process may have removed, are not counted.
func sizeBelow(dir string) int64 {
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// use sets the time of last use of a program in the cache folder.
func use(dir string) {
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // if it fails, the program is removed sooner and built again
}

// trim removes programs, the least recently used first, until the rest fits into most bytes. It keeps those that were
// used lately.
func trim(dir string, most int64, now time.Time) error {
	all, err := programsIn(dir)
	if err != nil {
		return err
	}
	var size int64
	for _, c := range all {
		if size += c.size; size <= most || now.Sub(c.used) < lately {
			continue
		}
		if err := os.RemoveAll(c.path); err != nil {
			return err
		}
		size -= c.size
	}
	return nil
}

// Clean removes all programs from the cache folder, and says how many there were, and how
// many bytes.
func Clean() (dir string, programs int, bytes int64, err error) {
	if dir, err = cacheDir(); err != nil {
		return "", 0, 0, err
	}
	all, err := programsIn(dir)
	if err != nil {
		return dir, 0, 0, err
	}
	for _, c := range all {
		if err := os.RemoveAll(c.path); err != nil {
			return dir, programs, bytes, err
		}
		programs, bytes = programs+1, bytes+c.size
	}
	return dir, programs, bytes, nil
}
