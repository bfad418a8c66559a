package proof

import "slices"

// withRest returns a document whose members without a field are members of the field for the rest.
func (p *Prover) withRest(text []byte, d *differ) []byte {
	fields := p.md.Fields()
	if fields.ByJSONName(p.file.Rest) == nil {
		return text
	}
	n := parse(text)
	if n.kind != '{' {
		return text
	}
	root, rest := node{kind: '{'}, node{kind: '{'}
	for i, key := range n.keys {
		to := &root
		if key == p.file.Rest || fields.ByJSONName(key) == nil {
			to = &rest
			d.add("$."+key, "becomes a member of "+p.file.Rest, SameValue)
		}
		to.keys, to.all = append(to.keys, key), append(to.all, n.all[i])
	}
	if len(rest.keys) == 0 {
		return text
	}
	root.keys, root.all = append(root.keys, p.file.Rest), append(root.all, rest)
	return appendTree(nil, &root)
}

// lift takes the members of the field for the rest back into the document.
func (p *Prover) lift(n *node) {
	i := slices.Index(n.keys, p.file.Rest)
	if i < 0 {
		return
	}
	rest := n.all[i]
	n.keys = append(slices.Delete(n.keys, i, i+1), rest.keys...)
	n.all = append(slices.Delete(n.all, i, i+1), rest.all...)
}
