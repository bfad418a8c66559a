package callsite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// A Profile is what a profile of pprof says of lines.
type Profile struct {
	// Total is the sum of all samples, in Unit, such as nanoseconds.
	Total int64
	Unit  string
	// lines are the values of the samples that are attributed to a line of user code.
	lines map[line]int64
}

type line struct {
	file   string
	number int
}

// ReadProfile reads a profile as runtime/pprof writes it: of CPU time, or any other, by the type of
// sample that pprof shows by default.
func ReadProfile(file string) (*Profile, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, fileError(file, err)
	}
	defer r.Close()
	p, err := profile.Parse(r)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a profile of pprof: %w", file, err)
	}
	if len(p.SampleType) == 0 {
		return nil, fmt.Errorf("%s: the profile has no type of sample", file)
	}
	return newProfile(p), nil
}

// fileError names the file once.
func fileError(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file", file)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

func newProfile(p *profile.Profile) *Profile {
	index := len(p.SampleType) - 1
	for i, t := range p.SampleType {
		if t.Type == p.DefaultSampleType {
			index = i
		}
	}
	out := &Profile{Unit: p.SampleType[index].Unit, lines: make(map[line]int64)}
	for _, s := range p.Sample {
		out.Total += s.Value[index]
		if at, ok := userLine(s); ok {
			out.lines[at] += s.Value[index]
		}
	}
	return out
}

// userLine is the line that a sample is attributed to; false if its stack has none of a user.
func userLine(s *profile.Sample) (line, bool) {
	for _, location := range s.Location { // from the leaf on
		for _, l := range location.Line { // from the innermost inlined call on
			if l.Function != nil && isUser(l.Function) {
				return line{withoutVersion(l.Function.Filename), int(l.Line)}, true
			}
		}
	}
	return line{}, false
}

// libraries are the packages beside the standard library whose time is that of those who call them.
var libraries = []string{
	"google.golang.org/protobuf/", "github.com/golang/protobuf/", "github.com/gogo/protobuf/",
	"github.com/planetscale/vtprotobuf/", "github.com/protean-pb/protean/proto.",
	"github.com/protean-pb/protean/protojson.", "github.com/protean-pb/protean/value.",
	"github.com/protean-pb/protean/dynamic.", "github.com/protean-pb/protean/internal/",
	"github.com/go-json-experiment/json", "github.com/goccy/go-json", "github.com/bytedance/sonic",
	"github.com/json-iterator/go",
}

// isUser reports whether a frame is of neither a library nor generated code.
func isUser(f *profile.Function) bool {
	for _, l := range libraries {
		if strings.HasPrefix(f.Name, l) {
			return false
		}
	}
	return !isStandard(f) && !strings.HasSuffix(f.Filename, ".pb.go")
}

// standard are the first elements of the paths of the standard library's packages. Files do not
// tell: those of functions that one package has for another are in the former's folder.
var standard = strings.Fields("archive arena bufio builtin bytes cmp compress container context crypto database " +
	"debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os " +
	"path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time " +
	"unicode unique unsafe uuid vendor weak")

// isStandard reports whether a function is of the standard library. Some assembly has no package.
func isStandard(f *profile.Function) bool {
	pkg := packageOf(f.Name)
	first, _, _ := strings.Cut(pkg, "/")
	return pkg == "" || slices.Contains(standard, first)
}

// packageOf is the path of a function's package: all before the first dot that follows the last
// slash, not counting receivers and type arguments.
func packageOf(function string) string {
	if i := strings.IndexAny(function, "[("); i >= 0 {
		function = function[:i]
	}
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return ""
	}
	return function[:slash+dot]
}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// Explain sets what each finding explains, and sorts them by that, the most first. Findings on one
// line explain the same samples, each all of them.
func (p *Profile) Explain(found []Finding) {
	for i := range found {
		f := &found[i]
		f.Explained = 0
		for at, value := range p.lines {
			if slices.ContainsFunc(f.Spans, func(s Span) bool {
				return s.First <= at.number && at.number <= s.Last && sameFile(at.file, s.File)
			}) {
				f.Explained += value
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Explained, a.Explained) })
}

// Share is the part of the profile that a finding explains, from 0 to 1.
func (p *Profile) Share(f *Finding) float64 {
	if p.Total == 0 {
		return 0
	}
	return float64(f.Explained) / float64(p.Total)
}

// Amount writes a value with its unit.
func (p *Profile) Amount(value int64) string {
	if p.Unit == "nanoseconds" {
		return time.Duration(value).Round(time.Millisecond).String()
	}
	return strconv.FormatInt(value, 10) + " " + p.Unit
}

// sameFile reports whether the file of a frame is a file on disk. With -trimpath, and on another
// machine, only the end of the paths is the same: the folder and the file at least.
func sameFile(frame, file string) bool {
	frame, file = slashed(frame), slashed(file)
	if frame == file {
		return true
	}
	a, b := strings.Split(frame, "/"), strings.Split(file, "/")
	same := 0
	for same < len(a) && same < len(b) && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	return same >= 2
}

var version = regexp.MustCompile(`@v[^/]+`)

// withoutVersion leaves the version of a module out of the path of a file.
func withoutVersion(path string) string { return version.ReplaceAllString(slashed(path), "") }
