// Command testee is the program under test of the official conformance runner.
//
//	testee [-messages generated|opaque|dynamic] [-official]
//
// It speaks the runner's protocol on standard input and output.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/protean-pb/protean/conformance"
)

func main() {
	messages := flag.String("messages", "generated", "kind of messages: "+strings.Join(conformance.Kinds(), ", "))
	official := flag.Bool("official", false, "answer with the official library")
	flag.Parse()
	t, err := conformance.NewTestee(*messages)
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: testee [-messages KIND] [-official]:", err)
		os.Exit(2)
	}
	if *official {
		t = t.Official()
	}
	if err := t.Serve(bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testee:", err)
		os.Exit(1)
	}
}
