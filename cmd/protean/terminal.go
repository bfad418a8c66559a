package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// terminalWidth returns the width of the terminal that w is, or 0.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// display says how to render for w: in colour on a terminal only, unless the
// user's environment says otherwise (https://no-color.org).
func display(w io.Writer) report.Options {
	width := terminalWidth(w)
	return report.Options{Width: width, Color: width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// flagWords returns a flag as it would be typed.
func flagWords(f *pflag.Flag) []string {
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
		if f.Value.Type() == "stringSlice" {
			values = []string{strings.Join(values, ",")}
		}
	}
	switch {
	case f.Value.Type() == "bool" && values[0] == "true":
		return []string{"--" + f.Name}
	case f.Value.Type() == "bool": // whose value is not a word of its own
		return []string{"--" + f.Name + "=" + values[0]}
	}
	var words []string
	for _, v := range values {
		words = append(words, "--"+f.Name, quote(v))
	}
	return words
}

// quote protects a word from the shell, where it needs that.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,%:=+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
