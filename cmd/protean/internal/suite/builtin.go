package suite

import (
	"embed"
	"io/fs"
	"path"

	"github.com/go-json-experiment/json"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// builtinFiles holds a folder for each built-in suite, with a manifest called
// suite.json. A further suite is a further folder and nothing else.
//
//go:embed builtin
var builtinFiles embed.FS

const (
	builtinFolder = "builtin"
	manifestName  = "suite.json"
)

// Info describes a built-in suite.
type Info struct {
	Name, About string
	Payloads    []PayloadInfo
	Plan        Plan
}

// A Plan is what a suite measures and shows of all that there is. It holds for a
// user's own schema too, if the user asks for it by the suite's name.
type Plan struct {
	// Variants are the variants by name; if empty, all but those on request.
	Variants []string `json:"variants,omitzero"`
	// Ops are the operations by name; if empty, all.
	Ops []string `json:"ops,omitzero"`
	// Baseline is the variant that ratios are to; if empty, the command's choice.
	Baseline string `json:"baseline,omitzero"`
	// Columns are the columns that tables have besides the usual ones, by name.
	Columns []string `json:"columns,omitzero"`
	// Totals asks for marshal and unmarshal together, as one operation more.
	Totals bool `json:"totals,omitzero"`
}

// PayloadInfo describes a payload of a built-in suite.
type PayloadInfo struct {
	Name, About string
	// Message is the full name of the payload's type.
	Message string
}

// A manifest says what the files of a built-in suite are. File names are
// relative to its folder.
type manifest struct {
	Name     string            `json:"name"`
	About    string            `json:"about"`
	Protos   []string          `json:"protos"`
	Payloads []manifestPayload `json:"payloads"`
	Plan
}

type manifestPayload struct {
	Name    string     `json:"name"`
	About   string     `json:"about"`
	Message string     `json:"message"`
	Rows    string     `json:"rows,omitzero"`
	Data    []string   `json:"data"`
	Format  DataFormat `json:"format,omitzero"`
}

// Builtins describes the built-in suites, in the order of their names.
func Builtins() []Info {
	infos, err := builtins(builtinFiles)
	if err != nil {
		panic(err) // a mistake in the embedded files, which the tests read
	}
	return infos
}

// Builtin reads a built-in suite. An unknown name is an error that suggests
// others.
func Builtin(name string) (*Suite, error) {
	return builtin(builtinFiles, name)
}

func builtins(fsys fs.FS) ([]Info, error) {
	entries, err := fs.ReadDir(fsys, builtinFolder)
	if err != nil {
		return nil, err
	}
	var infos []Info
	for _, e := range entries {
		m, err := readManifest(fsys, e.Name())
		if err != nil {
			return nil, err
		}
		info := Info{Name: m.Name, About: m.About, Plan: m.Plan}
		for _, p := range m.Payloads {
			info.Payloads = append(info.Payloads, PayloadInfo{p.Name, p.About, p.Message})
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// PlanOf returns the plan of a built-in suite. An unknown name is an error that
// suggests others.
func PlanOf(name string) (Plan, error) {
	info, err := infoOf(builtinFiles, name)
	return info.Plan, err
}

func builtin(fsys fs.FS, name string) (*Suite, error) {
	if _, err := infoOf(fsys, name); err != nil {
		return nil, err
	}
	return loadBuiltin(fsys, name)
}

func infoOf(fsys fs.FS, name string) (Info, error) {
	infos, err := builtins(fsys)
	if err != nil {
		return Info{}, err
	}
	var names []string
	for _, info := range infos {
		if info.Name == name {
			return info, nil
		}
		names = append(names, info.Name)
	}
	hint := usererr.DidYouMean(name, names)
	if hint == "" {
		hint = "; there is " + listed(names)
	}
	return Info{}, usererr.Errorf("", "no suite %s%s", name, hint)
}

// loadBuiltin reads a suite as [Load] reads a user's files.
func loadBuiltin(fsys fs.FS, name string) (*Suite, error) {
	m, err := readManifest(fsys, name)
	if err != nil {
		return nil, err
	}
	folder := path.Join(builtinFolder, name)
	files := linkedFiles(fsys)
	s, err := parseSchema(files, inFolder(folder, m.Protos), []string{folder}, folder)
	if err != nil {
		return nil, err
	}
	suite := &Suite{Name: m.Name, Schema: s}
	for _, mp := range m.Payloads {
		md, err := s.Message(mp.Message)
		if err != nil {
			return nil, err
		}
		p, err := loadPayload(files, s, md, Source{Rows: mp.Rows, Data: inFolder(folder, mp.Data), Format: mp.Format})
		if err != nil {
			return nil, err
		}
		p.Name = mp.Name
		suite.Payloads = append(suite.Payloads, p)
	}
	return suite, nil
}

// readManifest reads the manifest of the suite in a folder.
func readManifest(fsys fs.FS, folder string) (*manifest, error) {
	file := path.Join(builtinFolder, folder, manifestName)
	b, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, usererr.FileError(file, err)
	}
	m := new(manifest)
	if err := json.Unmarshal(b, m, json.RejectUnknownMembers(true)); err != nil {
		return nil, usererr.Errorf(file, "%s", err)
	}
	switch {
	case m.Name != folder:
		return nil, usererr.Errorf(file, "the suite %s lies in the folder %s", m.Name, folder)
	case len(m.Payloads) == 0:
		return nil, usererr.Errorf(file, "the suite has no payloads")
	}
	return m, nil
}

func inFolder(folder string, files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = path.Join(folder, f)
	}
	return out
}
