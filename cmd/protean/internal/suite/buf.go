package suite

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A bufFile is what buf.yaml and buf.work.yaml say of where sources are, in all their
// versions.
type bufFile struct {
	Version string `yaml:"version"`
	// Modules are those of a workspace, as folders.
	Modules []struct {
		Path string `yaml:"path"`
	} `yaml:"modules"`
	// Directories are the modules in buf.work.yaml.
	Directories []string `yaml:"directories"`
	// Build has the roots of a module of version v1beta1.
	Build struct {
		Roots []string `yaml:"roots"`
	} `yaml:"build"`
	// Deps are modules of a registry.
	Deps []string `yaml:"deps"`
}

// A bufWorkspace is what buf files say of a user's sources.
type bufWorkspace struct {
	roots []string // import paths
	deps  []string // modules of a registry, which are not among them
}

// bufWorkspaceOf returns the modules of buf that .proto files lie in, and the other modules
// of their workspaces; nothing where there are none. (https://buf.build/docs/configuration)
func bufWorkspaceOf(fsys fileSystem, protos []string) (*bufWorkspace, error) {
	w := new(bufWorkspace)
	seen := make(map[string]bool)
	for _, file := range protos {
		for dir := path.Dir(file); !seen[fsys.abs(dir)]; dir = path.Join(dir, "..") {
			seen[fsys.abs(dir)] = true
			for _, name := range []string{"buf.yaml", "buf.work.yaml"} {
				if err := w.add(fsys, dir, name); err != nil {
					return nil, err
				}
			}
		}
	}
	return w, nil
}

// add takes over a file of buf in a folder, if there is one.
func (w *bufWorkspace) add(fsys fileSystem, dir, name string) error {
	text, err := fsys.read(path.Join(dir, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usererr.FileError(path.Join(dir, name), err)
	}
	var f bufFile
	if err := yaml.Unmarshal(text, &f); err != nil {
		return usererr.Errorf(path.Join(dir, name), "%s", err)
	}
	folders := slices.Concat(f.Directories, f.Build.Roots)
	for _, m := range f.Modules {
		folders = append(folders, m.Path) // "" is the folder itself
	}
	if len(folders) == 0 && name == "buf.yaml" {
		folders = []string{"."}
	}
	for _, folder := range folders {
		if root := path.Join(dir, folder); !slices.Contains(w.roots, root) {
			w.roots = append(w.roots, root)
		}
	}
	w.deps = append(w.deps, f.Deps...)
	return nil
}
