// Command buf-plugin-protean lets buf lint check files by the rules of package schema. In buf.yaml:
//
//	version: v2
//	lint:
//	  use: [STANDARD, PROTEAN]
//	plugins:
//	  - plugin: buf-plugin-protean
//
// Comments // buf:lint:ignore ID excuse a field as they do for buf's own rules, and so do comments
// // protean:lint:ignore ID.
package main

import (
	"context"

	"buf.build/go/bufplugin/check"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/lint/schema"
)

func main() { check.Main(newSpec()) }

// category has all rules.
const category = "PROTEAN"

// newSpec offers the rules on schemas; those on data are of protean lint alone.
func newSpec() *check.Spec {
	spec := &check.Spec{Categories: []*check.CategorySpec{{
		ID: category,
		Purpose: "Checks that nothing in a schema costs more than it shows, or is refused by readers in other " +
			"languages.",
	}}}
	for _, r := range schema.Rules() {
		if r.Data {
			continue
		}
		spec.Rules = append(spec.Rules, &check.RuleSpec{
			ID:          r.ID,
			CategoryIDs: []string{category},
			Default:     true,
			Purpose:     r.Purpose,
			Type:        check.RuleTypeLint,
			Handler:     handler(r.ID),
		})
	}
	return spec
}

// handler reports the findings of one rule.
func handler(id string) check.RuleHandler {
	return check.RuleHandlerFunc(func(_ context.Context, w check.ResponseWriter, r check.Request) error {
		var files []protoreflect.FileDescriptor
		for _, f := range r.FileDescriptors() {
			if !f.IsImport() {
				files = append(files, f.ProtoreflectFileDescriptor())
			}
		}
		for _, f := range schema.Check(files, schema.Options{}) {
			if f.Rule.ID == id {
				w.AddAnnotation(check.WithMessage(f.Message()), check.WithFileNameAndSourcePath(f.File.Path(), f.Path))
			}
		}
		return nil
	})
}
