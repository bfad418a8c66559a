package proof

// withRest returns a document whose members without a field are members of the field for the rest.
func (p *Prover) withRest(text []byte) []byte {
	fields := p.md.Fields()
	if fields.ByJSONName(p.file.Rest) == nil {
		return text
	}
	var t tape
	t.read(text)
	if t.all[0].kind != '{' {
		return text
	}
	root, rest := []byte("{"), []byte("{")
	t.members(0, func(k, v int) {
		to, key := &root, t.string(k)
		if key == p.file.Rest || fields.ByJSONName(key) == nil {
			to = &rest
			p.adapted = append(p.adapted, difference{path: "$." + key, what: "becomes a member of " + p.file.Rest,
				level: SameValue})
		}
		*to = appendMember(*to, t.raw(k), t.raw(v))
	})
	if len(rest) == 1 {
		return text
	}
	key := appendString(nil, p.file.Rest)
	return append(appendMember(root, key, append(rest, '}')), '}')
}

// appendMember adds a member to an object that is not closed yet.
func appendMember(dst, key, value []byte) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	return append(append(append(dst, key...), ':'), value...)
}

// lift takes the members of the field for the rest back into the document.
func (p *Prover) lift(text []byte) []byte {
	var t tape
	t.read(text)
	rest := -1
	out := []byte("{")
	t.members(0, func(k, v int) {
		if t.string(k) == p.file.Rest {
			rest = v
		} else {
			out = appendMember(out, t.raw(k), t.raw(v))
		}
	})
	if rest < 0 {
		return text
	}
	if t.all[rest].kind == '{' {
		t.members(rest, func(k, v int) { out = appendMember(out, t.raw(k), t.raw(v)) })
	}
	return append(out, '}')
}
