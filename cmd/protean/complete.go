package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// complete gives a command's flags, as far as it has them, what the shell proposes for their
// values.
func complete(c *cobra.Command, formats ...string) *cobra.Command {
	for flag, values := range map[string]func() []string{
		"suite":       suiteNames,
		"variants":    func() []string { return variantNames(variant.All()) },
		"baseline":    func() []string { return variantNames(variant.All()) },
		"ops":         opNames,
		"data-format": func() []string { return []string{"auto", "json", "binary", "delimited"} },
		"format":      func() []string { return formats },
		"rollout":     func() []string { return []string{"readers-first", "writers-first", "both"} },
		"wire":        func() []string { return []string{"binary", "json", "binary,json"} },
		"from":        formNames,
		"to":          formNames,
		"out-format":  func() []string { return []string{"delimited", "binary"} },
	} {
		f := c.Flags().Lookup(flag)
		if f == nil {
			continue
		}
		list := f.Value.Type() == "stringSlice"
		propose := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return proposals(values(), typed, list), cobra.ShellCompDirectiveNoFileComp
		}
		if err := c.RegisterFlagCompletionFunc(flag, propose); err != nil {
			panic(err) // registered twice
		}
	}
	return c
}

// proposals returns the values that go on as typed; of a list, its last element does.
func proposals(values []string, typed string, list bool) []string {
	before := ""
	i := strings.LastIndexByte(typed, ',')
	if inName := i >= 0 && strings.Count(typed[:i], "(") > strings.Count(typed[:i], ")"); list && !inName {
		before = typed[:i+1]
	}
	var out []string
	for _, v := range values {
		if strings.HasPrefix(strings.ToLower(v), strings.ToLower(typed[len(before):])) {
			out = append(out, before+v)
		}
	}
	return out
}

func suiteNames() []string {
	var out []string
	for _, s := range suite.Builtins() {
		out = append(out, s.Name)
	}
	return out
}

func opNames() []string {
	var out []string
	for _, o := range variant.Ops() {
		out = append(out, o.Name)
	}
	return out
}
