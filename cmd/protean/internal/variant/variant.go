// Package variant holds the serialization strategies that the lab compares: one
// value of [Variant] each, listed by [All].
//
// A variant is written once, for any schema. What a schema needs of its own (its
// generated messages, its Go structs) comes as a [Type] from the program that the
// harness generates.
package variant

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Family groups variants by what they put on the wire.
type Family string

// The families.
const (
	Proto     Family = "proto"     // Protobuf's binary form
	JSON      Family = "json"      // JSON from Go structs and maps
	JSONProto Family = "jsonproto" // ProtoJSON
	JS        Family = "js"        // loops in JavaScript, in the engine goja
)

// A Code names a kind of generated code that a variant needs for the schema.
type Code int

// The kinds of generated code.
const (
	NoCode     Code = iota // the official generated messages alone, which every program has
	VTCode                 // methods of the vtprotobuf generator
	StructCode             // plain Go structs with json tags
	ScriptCode             // no code for the schema, but the engine goja in the program
	ApartCode              // no other code than most have, but [Libraries] in the program
	GogoCode               // messages of gogo/protobuf's generator
	GolangCode             // messages of golang/protobuf's generator from before APIv2
)

// What teams generate from the schema, for [Variant.Generator].
const (
	NoGenerator     = "none"                                 // a descriptor is enough, or there is no schema
	GoStructs       = "Go structs"                           // with json tags; mostly written by hand
	GoGenerator     = "protoc-gen-go"                        // the official generator
	VTGenerator     = "protoc-gen-go, protoc-gen-go-vtproto" // and that of vtprotobuf besides
	GogoGenerator   = "protoc-gen-gogofast"                  // that of gogo/protobuf
	GolangGenerator = "protoc-gen-go 1.3"                    // that of golang/protobuf before APIv2
)

// Apart returns the name of the program that variants with this code have to themselves; ""
// for the first program, which has all others.
func (c Code) Apart() string {
	if c == ApartCode {
		return "apart"
	}
	return c.Version()
}

// Version returns the version of the library that a program with this code must be
// linked with, in place of the command's own; "" if it has none of its own.
func (c Code) Version() string {
	if c == GolangCode {
		return "v1.3.5"
	}
	return ""
}

// The names of the operations.
const (
	Size              = "size"
	Marshal           = "marshal"
	Unmarshal         = "unmarshal"
	Construct         = "construct"
	ConstructMarshal  = "construct+marshal"
	Convert           = "convert"
	UnmarshalConvert  = "unmarshal+convert"
	Pack              = "pack"
	EnvelopeMarshal   = "envelope-marshal"
	EnvelopeUnmarshal = "envelope-unmarshal"
	Unpack            = "unpack"
	Create            = "create"
	SetGet            = "set+get"
	SetGetProperty    = "set+get-property"
	MarshalUnmarshal  = "marshal+unmarshal"
	ToJSON            = "to-json"
	FromJSON          = "from-json"
	ToFromJSON        = "to+from-json"
	Repeated          = "repeated"
	Map               = "map"
	Loop              = "loop"
	UnmarshalRead     = "unmarshal+read"
)

// An OpInfo says what an operation is.
type OpInfo struct {
	Name, About string
}

// Ops lists the operations in the order in which reports show them.
func Ops() []OpInfo {
	return []OpInfo{
		{Size, "bytes on the wire, raw and compressed"},
		{Marshal, "what the program holds -> bytes, the whole payload"},
		{Unmarshal, "bytes -> what the program holds, envelope and inside"},
		{UnmarshalRead, "bytes -> what the program holds, and every field of it read"},
		{Construct, "native Go data -> messages"},
		{ConstructMarshal, "native Go data -> bytes"},
		{Convert, "messages -> native Go data"},
		{UnmarshalConvert, "bytes -> native Go data"},
		{Pack, "message -> Any, the inside alone"},
		{EnvelopeMarshal, "packed Any -> bytes, the outside alone"},
		{EnvelopeUnmarshal, "bytes -> packed Any, the outside alone"},
		{Unpack, "Any -> message, the inside alone"},
		{Create, "a new, empty message"},
		{SetGet, "a text field of a message set and read, by method"},
		{SetGetProperty, "a text field of a message set and read, as a property"},
		{MarshalUnmarshal, "message -> bytes -> message"},
		{ToJSON, "message -> plain data in ProtoJSON's shapes"},
		{FromJSON, "plain data in ProtoJSON's shapes -> message"},
		{ToFromJSON, "message -> plain data -> message"},
		{Repeated, "a list of a message set from an array, and each item looked at"},
		{Map, "a map of a message set from an object, and each key looked up"},
		{Loop, "nothing: what one turn of a script's loop takes"},
	}
}

// A Variant is one serialization strategy.
type Variant struct {
	// Name is unique, and what reports print.
	Name   string
	Family Family
	// Library is the import path of the Go package that does the work, or the name of
	// the npm package.
	Library string
	// Version is the library's version where it is not a Go module.
	Version string
	// About says in one line what is measured.
	About string
	// Ops are the operations that it has, Size included.
	Ops []string
	// Needs is the generated code that it cannot do without.
	Needs Code
	// Reuses declares that a result is valid only until the next call. A result
	// that changes without this declaration fails verification.
	Reuses bool
	// Indexes declares that Unmarshal validates and indexes, and that a field is decoded
	// when it is read: UnmarshalRead is what compares with variants that decode.
	Indexes bool
	// Generator names what generates the code for the schema that a team's own program has, such
	// as [GoGenerator]; [NoGenerator] where it has none. Needs is about the lab's program, which
	// always has the official code.
	Generator string
	// OnRequest says that the variant is measured only where a suite or the user
	// names it.
	OnRequest bool
	// Open binds the variant to a message type. An error from [NotApplicable]
	// says that it cannot serve this type.
	Open func(*Type) (Codec, error)
}

// A VTMessage is a message with the methods that vtprotobuf generates.
type VTMessage interface {
	proto.Message
	MarshalVT() ([]byte, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// A Type is a message type as the generated program knows it.
type Type struct {
	// New returns a new generated message.
	New func() proto.Message
	// NewVT returns the same with vtprotobuf's methods; nil if there are none.
	NewVT func() VTMessage
	// NewStruct returns a pointer to a new plain struct, or to a nil slice of
	// such structs if the type has rows.
	NewStruct func() any
	// Rows is the field that makes the type a mere list, or empty; NewRow then
	// returns a new generated message of one row.
	Rows   protoreflect.Name
	NewRow func() proto.Message
	// NoVT says why NewVT is nil.
	NoVT string
	// OpenScript opens a variant that works in a script, by its name; nil where the
	// program has no engine for scripts.
	OpenScript func(t *Type, name string) (Codec, error)
	// Libraries are those that have a program of their own; nil in other programs.
	Libraries *Libraries
	// NewV1 returns a new message of the program's second generator, see [GogoCode] and [GolangCode]; NoV1 says why it
	// is nil.
	NewV1 func() protoadapt.MessageV1
	NoV1  string
}

// Libraries are linked by a program of their own alone: they allocate so much when they are initialized that every
// garbage collection in the first program would take longer.
type Libraries struct {
	// Sonic is github.com/bytedance/sonic; its functions are nil where it calls encoding/json,
	// which it does with processors and releases of Go that it does not know.
	Sonic struct {
		Marshal   func(any) ([]byte, error)
		Unmarshal func([]byte, any) error
	}
	// Hyperpb compiles a descriptor with buf.build/go/hyperpb, and returns what reads a
	// new message, and what reads one into the memory of the last that it has read.
	Hyperpb func(protoreflect.MessageDescriptor) (read, reread func([]byte) (proto.Message, error))
}

// errApart is returned in a program that lacks the [Libraries], which the lab does not ask.
var errApart = errors.New("the library has a program of its own")

// Descriptor returns the descriptor of the message type.
func (t *Type) Descriptor() protoreflect.MessageDescriptor {
	return t.New().ProtoReflect().Descriptor()
}

// rows returns the list of rows of m, whose type has rows.
func (t *Type) rows(m proto.Message) protoreflect.List {
	r := m.ProtoReflect()
	return r.Get(t.rowsField()).List()
}

func (t *Type) rowsField() protoreflect.FieldDescriptor {
	return t.Descriptor().Fields().ByName(t.Rows)
}

// A Codec is a variant bound to a message type and, after Load, to samples of it.
// It is not safe for concurrent use.
type Codec interface {
	// Load replaces the samples by these and prepares, untimed, what the
	// operations start from. It keeps no reference to earlier samples. An error is a
	// [RefusalError] where the variant has no form for one of them.
	Load(samples []proto.Message) error
	// Wire returns the encoded form of sample i: one piece, or one a row where
	// each row is a message by itself. The caller must not change it.
	Wire(i int) [][]byte
	// SetWire replaces what Unmarshal reads for sample i.
	SetWire(i int, pieces [][]byte)
	// Reencode encodes the last result of Unmarshal.
	Reencode() ([][]byte, error)
	// Canonical returns a piece without what the library adds at random.
	Canonical(piece []byte) []byte
	// Ops returns the operations, without Size.
	Ops() []*Op
}

// An Op is one timed operation of a codec.
type Op struct {
	Name string
	// Run does the operation once on sample i and keeps the result.
	Run func(i int) error
	// Result returns the last result. It holds the result itself, not a copy.
	Result func() any
	// Message decodes a result fully, into a message of the source type.
	Message func(result any) (proto.Message, error)
	// Loop, if not nil, runs the operation on the first n samples, so many times over, and is timed in place of Run:
	// for operations whose call from Go is expensive. It fails if one of them does.
	Loop func(times, n int) error
	// Unfit, if not nil, says why this type has no such operation: an error from
	// [NotApplicable]. The functions are nil then.
	Unfit error
}

// ErrNotApplicable is in the chain of the errors that [NotApplicable] makes.
var ErrNotApplicable = errors.New("not applicable")

type notApplicable string

func (e notApplicable) Error() string        { return string(e) }
func (e notApplicable) Is(target error) bool { return target == ErrNotApplicable }

// NotApplicable returns an error that says why a variant cannot serve a schema.
func NotApplicable(format string, args ...any) error {
	return notApplicable(fmt.Sprintf(format, args...))
}

// A RefusalError says that a variant has no form for a sample, and refused it rather than
// alter it: an infinity in JSON, an extension in a plain struct.
type RefusalError struct{ err error }

func (e *RefusalError) Error() string { return e.err.Error() }
func (e *RefusalError) Unwrap() error { return e.err }

// refusal returns err as that of a variant that refuses a sample; nil if err is nil. What
// is no refusal already, see misreading, stays what it is.
func refusal(err error) error {
	var misread *misreadError
	if err == nil || errors.As(err, &misread) {
		return err
	}
	return &RefusalError{err}
}

// A misreadError says that a library cannot read bytes that are right: its own fault, not
// the data's.
type misreadError struct{ err error }

func (e *misreadError) Error() string { return e.err.Error() }
func (e *misreadError) Unwrap() error { return e.err }

// misreading returns err as that of a library that does not read what it should.
func misreading(err error) error {
	if err == nil {
		return nil
	}
	return &misreadError{err}
}

// all are the variants in the order in which reports list them.
var all = slices.Concat(reading(jsonVariants), reading(protoVariants), reading(anyVariants), reading(valueVariants),
	reading(proteanVariants), reading(envelopeVariants), reading(protoJSONVariants), reading(proteanJSONVariants),
	transcoders, libraryVariants, reading(generatedVariants), scriptVariants)

// All returns the variants in the order in which reports list them.
func All() []*Variant { return slices.Clone(all) }

// Find returns the variant of the given name, or nil.
func Find(name string) *Variant {
	for _, v := range All() {
		if v.Name == name {
			return v
		}
	}
	return nil
}
