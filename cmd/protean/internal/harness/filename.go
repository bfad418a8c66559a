package harness

import (
	"go/build"
	"io"
	"path"
	"strings"
)

// noMachine is a machine for which only files are compiled that are so on all.
var noMachine = build.Context{GOOS: "none", GOARCH: "none", OpenFile: func(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("package p\n")), nil
}}

// compiledName returns the path of a generated file, changed if the go command would leave the
// file out for its name: trial_arm.proto becomes trial_arm.pb.go, which is for one processor, and
// what begins with an underscore is ignored.
func compiledName(file string) string {
	dir, name := path.Split(file)
	if match, err := noMachine.MatchFile(dir, name); match || err != nil {
		return file
	}
	stem, rest, _ := strings.Cut(name, ".") // as the go command divides it
	return dir + "file_" + stem + "_." + rest
}
