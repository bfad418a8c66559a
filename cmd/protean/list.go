package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

func listCommand() *cobra.Command {
	kinds := []string{"suites", "variants", "ops"}
	return &cobra.Command{
		Use:       "list suites|variants|ops",
		Short:     "List the built-in suites, the variants or the operations",
		ValidArgs: kinds,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("list what? %s", strings.Join(kinds, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			switch args[0] {
			case "suites":
				listSuites(w)
			case "variants":
				listVariants(w)
			case "ops":
				listOps(w)
			default:
				return fmt.Errorf("cannot list %q; list one of %s", args[0], strings.Join(kinds, ", "))
			}
			return w.Flush()
		},
	}
}

func listSuites(w *tabwriter.Writer) {
	for _, s := range suite.Builtins() {
		fmt.Fprintf(w, "%s\t%s\n", s.Name, s.About)
		for _, p := range s.Payloads {
			fmt.Fprintf(w, "  %s\t%s\n", p.Name, p.About)
		}
	}
}

func listVariants(w *tabwriter.Writer) {
	for _, v := range variant.All() {
		about := v.About
		if v.OnRequest {
			about += " (on request)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Name, v.Family, about)
	}
}

func listOps(w *tabwriter.Writer) {
	for _, o := range variant.Ops() {
		fmt.Fprintf(w, "%s\t%s\n", o.Name, o.About)
	}
}
