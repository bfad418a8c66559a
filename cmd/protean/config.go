package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// configName is the file that holds what a team would otherwise repeat on command lines.
const configName = "protean.yaml"

// noConfig is the value of --config for no file at all.
const noConfig = "none"

// A config is such a file, all of whose keys are known and whose values fit.
type config struct {
	file string // as errors name it
	// benchmarks are the flags of protean bench under the names of benchmarks, in the order
	// of the file; compare those of protean compare, or nil.
	benchmarks []section
	compare    *yaml.Node
}

// A section is a value in a file with its key.
type section struct{ key, value *yaml.Node }

func configFlag(fs *pflag.FlagSet, path *string) {
	fs.StringVar(path, "config", "",
		"configuration `FILE`, or "+noConfig+" (default "+configName+
			" here, or in a folder above in the same Git repository)")
}

// readConfig reads the file that --config names, or the one that is found. It is nil if there is
// none.
func readConfig(path string) (*config, error) {
	if path == "" {
		path = findConfig()
	}
	if path == "" || path == noConfig {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usererr.FileError(path, err)
	}
	c := &config{file: path}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, c.syntaxError(err)
	}
	if len(document.Content) == 0 {
		return nil, &usererr.InputError{File: path, Message: "is empty: expected version: v1"}
	}
	return c, c.read(document.Content[0])
}

// findConfig returns the path of the nearest file from the working directory up to the root of
// its Git repository, or "". Outside of a repository only the working directory counts: what
// others left in a folder above, such as /tmp, must not change what is measured.
func findConfig() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	nearest := ""
	for above := "."; ; above = filepath.Join(above, "..") {
		if path := filepath.Join(above, configName); nearest == "" && exists(path) {
			nearest = path
		}
		if exists(filepath.Join(above, ".git")) {
			return nearest
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if nearest == configName {
		return nearest
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// yamlPosition is how the YAML library begins its errors.
var yamlPosition = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (c *config) syntaxError(err error) error {
	at := yamlPosition.FindStringSubmatch(err.Error())
	if at == nil {
		return &usererr.InputError{File: c.file, Message: err.Error()}
	}
	line, _ := strconv.Atoi(at[1]) // 0, which is unknown, where there is none
	return &usererr.InputError{File: c.file, Line: line, Message: err.Error()[len(at[0]):]}
}

func (c *config) errorf(at *yaml.Node, format string, args ...any) error {
	return &usererr.InputError{File: c.file, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

// read checks all of the file, also what is not wanted now.
func (c *config) read(root *yaml.Node) error {
	sections, err := c.sections(root, "")
	if err != nil {
		return err
	}
	versioned := false
	for _, s := range sections {
		switch s.key.Value {
		case "version":
			versioned = true
			if s.value.Value != "v1" {
				return c.errorf(s.value, "version %q is not known; this release reads v1", s.value.Value)
			}
		case "bench":
			if c.benchmarks, err = c.sections(s.value, "benchmarks by name"); err != nil {
				return err
			}
			for _, b := range c.benchmarks {
				if err := c.apply(b.value, benchCommand().Flags()); err != nil {
					return err
				}
			}
		case "compare":
			c.compare = s.value
			if err := c.apply(s.value, compareCommand().Flags()); err != nil {
				return err
			}
		default:
			return c.unknown(s.key, []string{"version", "bench", "compare"})
		}
	}
	if !versioned {
		return c.errorf(root, "expected version: v1")
	}
	return nil
}

// sections returns the keys and values of a mapping.
func (c *config) sections(n *yaml.Node, what string) ([]section, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return nil, c.errorf(n, "expected %s", cmp.Or(what, "keys and values"))
	}
	var all []section
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if slices.ContainsFunc(all, func(s section) bool { return s.key.Value == key.Value }) {
			return nil, c.errorf(key, "key %q is there twice", key.Value)
		}
		all = append(all, section{key, n.Content[i+1]})
	}
	return all, nil
}

func (c *config) unknown(key *yaml.Node, known []string) error {
	hint := usererr.DidYouMean(key.Value, known)
	return c.errorf(key, "unknown key %q%s; known: %s", key.Value, hint, strings.Join(known, ", "))
}

// apply gives flags the values of a section, but for those that the command line has. Such flags
// count as changed, and are not visited: the command line does not name them.
func (c *config) apply(n *yaml.Node, fs *pflag.FlagSet) error {
	sections, err := c.sections(n, "flags and their values")
	if err != nil {
		return err
	}
	for _, s := range sections {
		f := fs.Lookup(s.key.Value)
		if f == nil || !configurable(f) {
			return c.unknown(s.key, flagNames(fs))
		}
		values, err := c.values(f, s.value)
		if err != nil {
			return err
		}
		if onCommandLine(fs, f) {
			continue
		}
		if err := setFlag(f, values); err != nil {
			return c.errorf(s.value, "%s: %q: expected %s", f.Name, s.value.Value, expectation(f))
		}
	}
	return nil
}

// setFlag gives a flag the values, which are several for a list alone.
func setFlag(f *pflag.Flag, values []string) error {
	f.Changed = true
	if list, ok := f.Value.(pflag.SliceValue); ok && len(values) != 1 {
		return list.Replace(values)
	}
	return f.Value.Set(values[0])
}

// onCommandLine reports whether the command line has the flag, or another one in its place.
func onCommandLine(fs *pflag.FlagSet, f *pflag.Flag) bool {
	named := false
	fs.Visit(func(g *pflag.Flag) {
		named = named || g == f || slices.Contains(schemaNames, g.Name) && slices.Contains(schemaNames, f.Name)
	})
	return named
}

// schemaNames are the flags that name a schema, of which one excludes the other.
var schemaNames = []string{"proto", "descriptor-set"}

func configurable(f *pflag.Flag) bool { return f.Name != "config" && f.Name != "help" }

func flagNames(fs *pflag.FlagSet) (names []string) {
	fs.VisitAll(func(f *pflag.Flag) {
		if configurable(f) {
			names = append(names, f.Name)
		}
	})
	return names
}

// values returns what a key's value is as words of a command line, paths from the working directory.
func (c *config) values(f *pflag.Flag, n *yaml.Node) ([]string, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	elements := []*yaml.Node{n}
	_, list := f.Value.(pflag.SliceValue)
	if list && n.Kind == yaml.SequenceNode {
		elements = n.Content
	}
	var out []string
	for _, e := range elements {
		if e.Kind != yaml.ScalarNode || e.Tag == "!!null" {
			return nil, c.errorf(e, "%s: expected %s", f.Name, expectation(f))
		}
		out = append(out, c.path(f.Name, e.Value))
	}
	if len(out) == 0 {
		return nil, c.errorf(n, "%s: the list is empty", f.Name)
	}
	return out, nil
}

// expectation says in words what the value of a flag is.
func expectation(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 30s"
	case "int", "uint64":
		return "a whole number"
	case "stringSlice", "stringArray":
		return "a value, or a list of values"
	}
	return "a value"
}

// pathNames are the flags whose values are paths.
var pathNames = []string{"proto", "proto_path", "descriptor-set", "data", "out", "html", "update", "keep"}

// path returns the value of a flag, which if it is a path is relative to the file.
func (c *config) path(flag, value string) string {
	if !slices.Contains(pathNames, flag) || filepath.IsAbs(value) || value == "-" {
		return value
	}
	path := filepath.Join(filepath.Dir(c.file), value)
	if flag == "proto" && !exists(path) {
		return value // by the name that it has in imports
	}
	return path
}

// names are those of the benchmarks. c may be nil.
func (c *config) names() (names []string) {
	if c != nil {
		for _, b := range c.benchmarks {
			names = append(names, b.key.Value)
		}
	}
	return names
}

// benchmark applies the benchmark that an argument names, or without one the only benchmark of
// the file, if the command line does not say itself what to measure. c may be nil. It reports
// whether there is one.
func (c *config) benchmark(args []string, fs *pflag.FlagSet) (bool, error) {
	names := c.names()
	if len(args) == 0 {
		if len(names) == 0 || fs.Changed("suite") || fs.Changed("proto") || fs.Changed("descriptor-set") {
			return false, nil
		}
		if len(names) > 1 {
			return false, fmt.Errorf("which benchmark? %s has %s: protean bench %s", c.file, strings.Join(names, ", "),
				names[0])
		}
		args = names
	}
	if len(names) == 0 {
		return false, noFiles(nil, args)
	}
	i := slices.Index(names, args[0])
	if i < 0 {
		return false, fmt.Errorf("%s has no benchmark %q%s; it has %s (a flag that takes several files is repeated)",
			c.file, args[0], usererr.DidYouMean(args[0], names), strings.Join(names, ", "))
	}
	return true, c.apply(c.benchmarks[i].value, fs)
}

// completeBenchmark proposes the names of benchmarks.
func completeBenchmark(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	file, _ := c.Flags().GetString("config")
	found, err := readConfig(file)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return proposals(found.names(), typed, false), cobra.ShellCompDirectiveNoFileComp
}
