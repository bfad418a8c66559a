package mem

// NewKeys returns the keys of those names, which must be different.
func NewKeys(names []string) *Keys {
	k := UnsetKeys(len(names))
	for i, name := range names {
		k.Set(i, name)
	}
	return k
}

// Name returns the name of the key with that number.
func (k *Keys) Name(i int) string { return k.names[i] }
