package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
)

// version says which release or checkout this is, as reports do.
func version() string {
	m, err := harness.NewModule(goMod, goSum)
	if err != nil {
		return "of a checkout that is no longer there"
	}
	return m.String()
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which release this is, what it was built with and what it measures by",
		Args:  noFiles,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := harness.NewModule(goMod, goSum)
			if err != nil {
				return err
			}
			const official = "google.golang.org/protobuf"
			_, err = fmt.Fprintf(c.OutOrStdout(), "protean %s\n%s %s/%s\n%s %s\n",
				m, runtime.Version(), runtime.GOOS, runtime.GOARCH, official, m.Holding(official).Version)
			return err
		},
	}
}
