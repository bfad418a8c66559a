package suite

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A fileSystem is where schemas and data are read from: the user's disk or the
// files linked into the binary. Paths are slash-separated.
type fileSystem struct {
	read func(name string) ([]byte, error)
	open func(name string) (io.ReadCloser, error)
	// abs returns a path that two spellings of one file have in common.
	abs func(name string) string
}

// diskFiles are the files of the machine, relative to the working directory.
var diskFiles = fileSystem{
	read: os.ReadFile,
	open: func(name string) (io.ReadCloser, error) { return os.Open(name) },
	abs: func(name string) string {
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		return filepath.ToSlash(filepath.Clean(name))
	},
}

// linkedFiles are the files of an fs.FS, relative to its root.
func linkedFiles(fsys fs.FS) fileSystem {
	return fileSystem{
		read: func(name string) ([]byte, error) { return fs.ReadFile(fsys, path.Clean(name)) },
		open: func(name string) (io.ReadCloser, error) { return fsys.Open(path.Clean(name)) },
		abs:  func(name string) string { return path.Join("/", name) },
	}
}

// exists reports whether a file can be read.
func (f fileSystem) exists(name string) bool {
	_, err := f.read(name)
	return err == nil
}

// within returns the path of file relative to the folder root, if it is below it.
func (f fileSystem) within(root, file string) (string, bool) {
	root = f.abs(root)
	if !strings.HasSuffix(root, "/") {
		root += "/"
	}
	return strings.CutPrefix(f.abs(file), root)
}
