package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/records"
)

// saveProfile writes a profile, a line of JSON.
func saveProfile(path string, p *profile.Profile) error {
	text, err := p.Marshal()
	if err != nil {
		return err
	}
	return writeText(path, text)
}

// readProfiles merges the profiles in files, of which each may have several, a line each.
func readProfiles(paths []string, memory int) (*profile.Profile, error) {
	sum := profile.New()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, usererr.FileError(path, err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, &usererr.InputError{File: path, Message: "not a profile: the file is empty"}
		}
		for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			p, err := profile.Unmarshal(line)
			if err != nil {
				return nil, &usererr.InputError{File: path, Line: i + 1, Message: err.Error()}
			}
			sum.Merge(p, memory)
		}
	}
	return sum, nil
}

func inferWorkerCommand() *cobra.Command {
	f := &inferInput{}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Read splits on standard input, and write the profile of their documents on standard output",
		Long: `Read splits on standard input, and write the profile of their documents on standard output.

A split is a line: FILE, or FILE START END for the documents of a file of JSON lines that
begin within a range of bytes, with tabs between the three; an END of 0 is the end of the
file. The profile is one line of JSON. protean infer merges the profiles of all workers.`,
		Example: `  printf 'events.jsonl\t0\t1000000\n' | protean infer worker > p1
  printf 'events.jsonl\t1000000\t0\n' | protean infer worker > p2
  protean infer p1 p2 --package acme.v1 --message Event`,
		Args: noFiles,
		RunE: func(c *cobra.Command, _ []string) error { return f.work(c) },
	}
	cmd.Flags().SortFlags = false
	f.addReading(cmd)
	return cmd
}

// work reads all splits of standard input as one.
func (f *inferInput) work(c *cobra.Command) error {
	in, err := f.input(nil)
	if err != nil {
		return err
	}
	if in.Splits, err = readSplits(c.InOrStdin()); err != nil {
		return err
	}
	if f.skip {
		var broken records.Tally
		in.Broken = broken.Add
	}
	p, err := infer.Profile(c.Context(), in)
	if err != nil {
		return err
	}
	text, err := p.Marshal()
	if err != nil {
		return err
	}
	_, err = c.OutOrStdout().Write(text)
	return err
}

var errSplit = errors.New("expected FILE, or FILE START END with tabs between them")

func readSplits(r io.Reader) ([]records.Split, error) {
	var splits []records.Split
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		s, err := parseSplit(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("stdin:%d: %w", n, err)
		}
		if s.File != "" {
			splits = append(splits, s)
		}
	}
	return splits, lines.Err()
}

func parseSplit(line string) (records.Split, error) {
	parts := strings.Split(strings.TrimRight(line, "\r"), "\t")
	s := records.Split{File: parts[0]}
	if len(parts) == 1 {
		return s, nil
	}
	if len(parts) != 3 {
		return s, errSplit
	}
	var err, err2 error
	s.Start, err = strconv.ParseInt(parts[1], 10, 64)
	s.End, err2 = strconv.ParseInt(parts[2], 10, 64)
	if err != nil || err2 != nil || s.Start < 0 || s.End < 0 || s.End > 0 && s.End < s.Start ||
		s.File == records.Stdin {
		return s, errSplit
	}
	return s, nil
}
