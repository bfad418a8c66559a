package opts

import "example.com/other"

func Bare() { other.With(deterministic) } // want "can take the place"
