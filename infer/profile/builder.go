package profile

// A Builder adds documents to a profile.
type Builder struct {
	profile *Profile
	memory  int
	scan    scanner
}

// NewBuilder returns a builder of a new profile that takes at most so many bytes of memory; 0 means
// DefaultMemory.
func NewBuilder(memory int) *Builder {
	if memory == 0 {
		memory = DefaultMemory
	}
	return &Builder{profile: New(), memory: memory}
}

// Add counts the JSON document at the beginning of text, and returns the number of bytes that it takes,
// white space around it included. The error, if any, is a *SyntaxError; a part of the document may then have been
// counted (see Check). Text is not kept.
func (b *Builder) Add(text []byte) (int, error) {
	s := &b.scan
	s.profile, s.text, s.grown = b.profile, text, 0
	at := s.space(0)
	end, err := s.document(at)
	if err != nil {
		return 0, err
	}
	b.profile.size += s.grown
	if b.profile.size > b.memory {
		b.profile.shrink(b.memory)
	}
	return s.space(end), nil
}

// Check reports whether a JSON document is at the beginning of text, and the number of bytes that it takes. It
// counts nothing.
func (b *Builder) Check(text []byte) (int, error) {
	s := scanner{text: text}
	end, err := s.value(nil, s.space(0), 0)
	if err != nil {
		return 0, err
	}
	return s.space(end), nil
}

// Skip counts a document that was left out, since it is not JSON.
func (b *Builder) Skip() { b.profile.Invalid++ }

// Profile returns the profile of what was added so far. The builder goes on using it.
func (b *Builder) Profile() *Profile { return b.profile }
