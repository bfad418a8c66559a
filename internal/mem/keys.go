package mem

// Name returns the name of the key with that number.
func (k *Keys) Name(i int) string { return k.names[i] }
