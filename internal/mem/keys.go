package mem

// NewKeys returns the keys of those names, which must be different.
func NewKeys(names []string) *Keys {
	k := UnsetKeys(len(names))
	for i, name := range names {
		k.Set(i, name)
	}
	return k
}
