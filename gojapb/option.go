package gojapb

import "google.golang.org/protobuf/reflect/protoregistry"

// An Option is an option of [New] and [Require].
type Option func(*options)

type options struct {
	files    *protoregistry.Files
	resolver Resolver
	int64s   Int64
}

func newOptions(opts []Option) options {
	o := options{files: protoregistry.GlobalFiles, resolver: protoregistry.GlobalTypes}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithResolver says where types and extensions are found that scripts have not loaded, in place of
// protoregistry.GlobalTypes. It must be of a type that can be compared, such as a pointer.
func WithResolver(types Resolver) Option {
	return func(o *options) {
		if types != nil {
			o.resolver = types
		}
	}
}

// WithFiles says which files are there without being loaded, in place of protoregistry.GlobalFiles. They must not
// change any more.
func WithFiles(files *protoregistry.Files) Option {
	return func(o *options) {
		if files != nil {
			o.files = files
		}
	}
}

// WithInt64 says how scripts get 64-bit integers.
func WithInt64(policy Int64) Option {
	return func(o *options) { o.int64s = policy }
}

// An Int64 says what 64-bit integers are to scripts. Fields can be set to a number, a BigInt or a decimal string
// whatever the policy is.
type Int64 int

const (
	// SafeInt64 is a number where that is exact, from -(2^53-1) to 2^53-1, else a BigInt.
	SafeInt64 Int64 = iota
	// BigInt64 is always a BigInt.
	BigInt64
	// StringInt64 is always a decimal string, as in ProtoJSON.
	StringInt64
)
