package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// usual is what protean bench weighs where neither a suite nor variants are named: what a team
// has, or would take, in the operations that every message goes through.
var usual = suite.Plan{
	Variants: []string{
		"Concrete (JSON)",
		"Concrete (proto)", "Concrete (vtproto)", "hyperpb (proto)",
		"google.protobuf.Any (proto)", "google.protobuf.Value (proto)",
		"Concrete (protean)", "value (protean)",
		"Concrete (JSONProto)", "Concrete (JSONProto, protean)",
	},
	Ops: []string{variant.Size, variant.Marshal, variant.Unmarshal},
}

// planned returns the variants of a suite, in the order in which all are listed.
func planned(p suite.Plan) []*variant.Variant {
	return slices.DeleteFunc(variant.All(), func(v *variant.Variant) bool {
		if len(p.Variants) == 0 {
			return v.OnRequest
		}
		return !slices.Contains(p.Variants, v.Name)
	})
}

// usualOps returns the operations that are measured where none is named: those of usual,
// with what an index is ranked by, where one was chosen; all, where the variants have none.
func usualOps(vs []*variant.Variant) []string {
	if !slices.ContainsFunc(vs, func(v *variant.Variant) bool {
		return slices.ContainsFunc(usual.Ops, func(op string) bool { return slices.Contains(v.Ops, op) })
	}) {
		return nil
	}
	if slices.ContainsFunc(vs, func(v *variant.Variant) bool { return v.Indexes }) {
		return append(slices.Clone(usual.Ops), variant.UnmarshalRead)
	}
	return usual.Ops
}

// chooseVariants returns the variants that a list names: by their names, or by
// parts of them; case does not matter. Where none of the suite's own variants is
// meant, it may be any other. An empty list names the suite's own.
func chooseVariants(list []string, own []*variant.Variant) ([]*variant.Variant, error) {
	if len(list) == 0 {
		return own, nil
	}
	all := variant.All()
	var chosen []*variant.Variant
	for _, want := range rejoin(list) {
		found := match(own, want)
		if len(found) == 0 {
			found = match(all, want)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("unknown variant %q%s (protean list variants lists all)", want,
				usererr.DidYouMean(want, variantNames(all)))
		}
		chosen = append(chosen, found...)
	}
	return inOrder(chosen), nil
}

// inOrder returns the variants in the order in which all are listed.
func inOrder(vs []*variant.Variant) []*variant.Variant {
	return slices.DeleteFunc(variant.All(), func(v *variant.Variant) bool { return !slices.Contains(vs, v) })
}

// rejoin puts names together again that contain a comma, at which the flag's list
// was split.
func rejoin(list []string) []string {
	var out []string
	for _, s := range list {
		if last := len(out) - 1; last >= 0 && strings.Count(out[last], "(")+
			strings.Count(out[last], "<") > strings.Count(out[last], ")")+strings.Count(out[last], ">") {
			out[last] += "," + s
			continue
		}
		out = append(out, s)
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// match returns the variant of exactly that name, else those whose names hold it.
func match(all []*variant.Variant, want string) []*variant.Variant {
	var parts []*variant.Variant
	for _, v := range all {
		name, want := strings.ToLower(v.Name), strings.ToLower(want)
		if name == want {
			return []*variant.Variant{v}
		}
		if want != "" && strings.Contains(name, want) {
			parts = append(parts, v)
		}
	}
	return parts
}

func variantNames(vs []*variant.Variant) []string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name)
	}
	return out
}

func names(vs []*variant.Variant) string { return strings.Join(variantNames(vs), ", ") }

// checkOps refuses operations that do not exist, or that no chosen variant has.
func checkOps(ops []string, vs []*variant.Variant) error {
	known := opNames()
	for _, op := range ops {
		if !slices.Contains(known, op) {
			return fmt.Errorf("unknown operation %q%s (protean list ops lists all)", op, usererr.DidYouMean(op, known))
		}
	}
	if len(ops) > 0 && !slices.ContainsFunc(vs, func(v *variant.Variant) bool {
		return slices.ContainsFunc(ops, func(op string) bool { return slices.Contains(v.Ops, op) })
	}) {
		return fmt.Errorf("none of the chosen variants has the operation %s", strings.Join(ops, " or "))
	}
	return nil
}

// choosePayloads returns the payloads of a suite that a list names; all if it is
// empty.
func choosePayloads(s *suite.Suite, list []string) ([]*suite.Payload, error) {
	if len(list) == 0 {
		return s.Payloads, nil
	}
	var known []string
	for _, p := range s.Payloads {
		known = append(known, p.Name)
	}
	for _, want := range list {
		if !slices.Contains(known, want) {
			return nil, fmt.Errorf("unknown payload %q%s (the payloads of %s are %s)", want,
				usererr.DidYouMean(want, known), s.Name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Payloads),
		func(p *suite.Payload) bool { return !slices.Contains(list, p.Name) }), nil
}
