// Command proteanfix rewrites the imports of a Go module from the official Protobuf packages to Protean's, and converts
// options where a function or a field of another module is of the official types.
//
//	go get github.com/protean-pb/protean
//	proteanfix ./...            # what is to be done
//	proteanfix -fix -diff ./... # how
//	proteanfix -fix ./...
//
// Generated files stay as they are.
package main

import "golang.org/x/tools/go/analysis/singlechecker"

func main() { singlechecker.Main(Analyzer) }
