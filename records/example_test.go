package records_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/protean-pb/protean/records"
)

// Workers read splits of files, and skip what is broken.
func Example() {
	dir, err := os.MkdirTemp("", "records")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "events.jsonl")
	if err := os.WriteFile(file, []byte("{\"id\": 1}\nbroken\n{\"id\": 9007199254740993}\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}

	options := records.Options{Form: records.JSON}
	splits, err := records.Divide([]string{file}, options, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	workers := make([]*records.Converter, records.Workers())
	for i := range workers {
		if workers[i], err = records.NewConverter(records.ConvertOptions{From: records.JSON,
			To: records.Value}); err != nil {
			fmt.Println(err)
			return
		}
	}
	var converted atomic.Int64
	var broken records.Tally // skips and counts; with Refuse the first one ends the work
	err = records.Each(context.Background(), splits, options, 0, func(worker int, b *records.Batch) error {
		for r := range b.Records() {
			if _, err := workers[worker].Append(nil, r); err != nil {
				if err := broken.Add(b, r.Fault(err)); err != nil {
					return err
				}
				continue
			}
			converted.Add(1)
		}
		return nil
	})
	fmt.Println(len(splits), "splits,", converted.Load(), "converted,", broken.Count(), "not:", err)
	for _, fault := range broken.First() {
		fmt.Println("byte", fault.Offset, fault.Err)
	}
	// Output:
	// 5 splits, 1 converted, 2 not: <nil>
	// byte 10 value: $: syntax error: 'b' instead of a value
	// byte 17 $: would be altered: the number 9007199254740993 becomes the nearest double
}
