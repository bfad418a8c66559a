package records

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// A Split is a part of a file that can be read by itself, by another process or machine. A record
// belongs to the split that its first byte lies in.
type Split struct {
	// File is a path, or [Stdin].
	File string `json:"file"`
	// Start is the offset of the first byte, and End of the byte after the last one; an End of 0
	// is the end of the file, wherever that is.
	Start int64 `json:"start,omitempty"`
	End   int64 `json:"end,omitempty"`
}

// String returns "FILE", or "FILE[START:END]" for a part.
func (s Split) String() string {
	if s.Start == 0 && s.End == 0 {
		return displayName(s.File)
	}
	return fmt.Sprintf("%s[%d:%d]", displayName(s.File), s.Start, s.End)
}

// displayName is how places and errors name a file.
func displayName(file string) string {
	if file == Stdin {
		return "stdin"
	}
	return file
}

// Whole returns a split for each file.
func Whole(files []string) []Split {
	var out []Split
	for _, f := range files {
		out = append(out, Split{File: f})
	}
	return out
}

// Divide returns the splits of the files, in order, each of about size bytes, where they can be
// divided: files of JSON lines that are not compressed. All others, and standard input, which may
// be named once, are a split each. The error is an [*Error].
func Divide(files []string, o Options, size int64) ([]Split, error) {
	if len(files) == 0 {
		return nil, errors.New("no data files")
	}
	if size <= 0 {
		return nil, fmt.Errorf("splits of %d bytes", size)
	}
	var out []Split
	for i, file := range files {
		if file == Stdin {
			if slices.Contains(files[:i], Stdin) {
				return nil, errors.New("standard input can be read only once")
			}
			out = append(out, Split{File: file})
			continue
		}
		n, err := divisible(file, o)
		if err != nil {
			return nil, err
		}
		for start := int64(0); ; start += size {
			if n-start <= size { // 0 where it cannot be divided
				out = append(out, Split{File: file, Start: start, End: n})
				break
			}
			out = append(out, Split{File: file, Start: start, End: start + size})
		}
		if last := &out[len(out)-1]; last.Start == 0 {
			last.End = 0
		}
	}
	return out, nil
}

// divisible is the size of a file that can be divided; 0 for others.
func divisible(file string, o Options) (int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, fileError(file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, fileError(file, err)
	}
	if !info.Mode().IsRegular() || !o.Form.IsText() {
		return 0, nil
	}
	head := make([]byte, min(info.Size(), headSize))
	if _, err := io.ReadFull(f, head); err != nil {
		return 0, fileError(file, err)
	}
	if compressedAs(head) != "" {
		return 0, nil
	}
	if o.Form != Lines && !o.linesByName(file) && !looksLikeLines(head) {
		return 0, nil
	}
	return info.Size(), nil
}

// Size returns how many bytes a split has on disk, for progress; 0 where nobody knows.
func (s Split) Size() int64 {
	if s.End > 0 {
		return s.End - s.Start
	}
	info, err := os.Stat(s.File)
	if err != nil || !info.Mode().IsRegular() || s.File == Stdin {
		return 0
	}
	return info.Size() - s.Start
}
