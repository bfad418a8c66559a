package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
)

func cleanCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "clean",
		Short: "Remove the benchmark programs that were built",
		Long: `Remove the benchmark programs that were built.

They lie in the folder protean of your cache folder, or in $PROTEAN_CACHE, and are
built again where they are needed. Without this command, those that were not used
for the longest time go when all take more than 1 GB.`,
		Args: noFiles,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, programs, bytes, err := harness.Clean()
			if err != nil {
				return err
			}
			megabytes := (bytes + 500_000) / 1_000_000
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %d programs, %d MB, from %s\n", programs, megabytes, dir)
			return err
		},
	}
}
