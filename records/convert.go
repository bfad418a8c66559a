package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

// ConvertOptions say what a [Converter] converts.
type ConvertOptions struct {
	// From and To are the forms. [JSON] and [Lines] are the same here.
	From, To Form
	// Message is the type of messages of [Message] and [ProtoJSON]; nil where there are none.
	Message protoreflect.MessageDescriptor
	// Resolver finds the types of messages in google.protobuf.Any and of extension fields; nil means
	// protoregistry.GlobalTypes.
	Resolver interface {
		protoregistry.MessageTypeResolver
		protoregistry.ExtensionTypeResolver
	}
	// Adapter, if not nil, makes JSON documents the ProtoJSON of messages and back, where the two are not the same. It
	// is used between messages and all forms but [ProtoJSON].
	Adapter Adapter
	// Alter has values that have no counterpart in the form To take the nearest one, which
	// [Converter.Altered] counts, where they are otherwise errors that wrap [ErrAltered]:
	//
	//   - a number of JSON, BSON or MessagePack that no double has, in a Value, Struct or ListValue,
	//     and in a field of type double or float: the nearest one;
	//   - NaN and the infinities of BSON and MessagePack in JSON: strings, as in ProtoJSON;
	//   - bytes of BSON and MessagePack in JSON: base64;
	//   - times of both: a string as RFC 3339 has it; ObjectIDs, decimal numbers and symbols of BSON:
	//     strings; undefined: null; keys of MessagePack that are numbers: strings;
	//   - fields that a message's type has not got, in JSON or on the wire: they are left out.
	//
	// What a message is in ProtoJSON counts as the same: 64-bit integers as strings, base64, times.
	Alter bool
}

// An Adapter makes JSON documents ProtoJSON and back. It is used by several goroutines.
type Adapter interface {
	// AppendProtoJSON appends the ProtoJSON of a document, which may be no JSON and then is to be left as it is.
	AppendProtoJSON(dst, text []byte) ([]byte, error)
	// AppendDocument appends the document of which a text is the ProtoJSON.
	AppendDocument(dst, text []byte) ([]byte, error)
}

// A Converter converts records from one form to another. It uses its memory again, and is for one
// goroutine.
type Converter struct {
	from, to    Form
	alterations alterations

	message   *dynamic.Message
	arena     proto.Arena // of what is in message, for one record
	unknown   unknownSearch
	hasFloat  bool
	unmarshal proto.UnmarshalOptions
	marshal   proto.MarshalOptions
	read      protojson.UnmarshalOptions
	write     protojson.MarshalOptions

	record  []byte // that is converted
	adapter Adapter
	adapted []byte // text of a record

	doc    value.Doc
	text   []byte // of a record in between
	check  []byte
	writer textWriter
	tokens tokenReader
	pack   packWriter
}

// NewConverter returns a Converter; it fails if there is no type of the messages.
func NewConverter(o ConvertOptions) (*Converter, error) {
	c := &Converter{from: o.From, to: o.To, adapter: o.Adapter}
	c.alterations.allow = o.Alter
	c.writer.alterations, c.tokens.alterations, c.pack.alterations = &c.alterations, &c.alterations, &c.alterations
	if !c.from.hasSchema() && !c.to.hasSchema() {
		return c, nil
	}
	if o.Message == nil {
		return nil, errors.New("messages of which type? there is no schema")
	}
	c.message = dynamic.NewMessage(o.Message)
	c.unknown = unknownSearch{}
	c.hasFloat = reachesFloat(o.Message, map[protoreflect.FullName]bool{})
	c.marshal.Deterministic = true
	c.unmarshal.Arena, c.read.Arena = &c.arena, &c.arena
	if o.Resolver != nil {
		c.unmarshal.Resolver, c.read.Resolver, c.write.Resolver = o.Resolver, o.Resolver, o.Resolver
	}
	return c, nil
}

// hasSchema reports whether records of f are messages of a schema.
func (f Form) hasSchema() bool { return f == Message || f == ProtoJSON }

// reachesFloat reports whether a message or one in it has a field of type float.
func reachesFloat(md protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if seen[md.FullName()] {
		return false
	}
	seen[md.FullName()] = true
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		if fd.Kind() == protoreflect.FloatKind || fd.Message() != nil && reachesFloat(fd.Message(), seen) {
			return true
		}
	}
	return false
}

// Append appends a record in the other form, without anything that separates it from others: see
// [AppendFramed]. On error the result is nil; [Record.Fault] gives the error its place.
func (c *Converter) Append(dst []byte, r Record) ([]byte, error) {
	c.alterations.reset()
	c.record = r.Data
	c.arena.Reset()
	if r.Err != nil {
		return nil, r.Err
	}
	switch {
	case c.to.hasSchema():
		if err := c.readMessage(r.Data); err != nil {
			return nil, err
		}
		if c.to == ProtoJSON {
			return c.messageText(dst)
		}
		if c.from == Message {
			return append(dst, r.Data...), nil // as it is, unknown fields and all
		}
		return c.marshal.MarshalAppend(dst, c.message)
	case c.from.IsWire() && c.to.IsWire() && c.from != Message:
		return c.rewrap(dst, r.Data)
	}
	return c.fromText(dst, r.Data)
}

// Altered returns how many values of the last record were altered, and the first of them.
func (c *Converter) Altered() (n int, first Alteration) {
	return c.alterations.count, c.alterations.first
}

// readMessage reads a record into the message.
func (c *Converter) readMessage(data []byte) error {
	if c.from == Message {
		return c.unmarshal.Unmarshal(data, c.message)
	}
	text, err := c.textOf(data)
	if err != nil {
		return err
	}
	if c.adapter == nil || c.from == ProtoJSON {
		return c.readText(text)
	}
	if c.adapted, err = c.adapter.AppendProtoJSON(c.adapted[:0], text); err != nil {
		return err
	}
	if err = c.readText(c.adapted); bytes.Equal(text, c.adapted) {
		return err
	}
	return withoutPosition(err) // which is one in the adapted text
}

// readText reads ProtoJSON into the message.
func (c *Converter) readText(text []byte) error {
	opts := c.read
	err := opts.Unmarshal(text, c.message)
	if unknown := new(protojson.Error); errors.Is(err, protojson.ErrUnknown) && errors.As(err, &unknown) {
		if err := c.alterations.note(place(unknown.Path), "%s is unknown to %s, and left out", unknown.Detail,
			unknown.Message); err != nil {
			return unknown
		}
		opts.DiscardUnknown = true
		err = opts.Unmarshal(text, c.message)
	}
	if err != nil {
		return err
	}
	return c.checkNumbers(text)
}

// A place is the path of a field, as package protojson has it.
type place string

func (p place) String() string {
	if p == "" {
		return "$"
	}
	return "$." + string(p)
}

// checkNumbers notes numbers of a text that the message read from it does not have: those that were
// rounded.
func (c *Converter) checkNumbers(text []byte) error {
	if !c.hasFloat && !mayBeInexact(text) {
		return nil
	}
	var lost map[decimal]int
	var found []lostNumber
	numbers(text, func(at int, number []byte) bool {
		if s := string(number); !exactDouble(s) || c.hasFloat && !exactFloat(s) {
			d := decimalOf(s)
			if lost == nil {
				lost = map[decimal]int{}
			}
			found = append(found, lostNumber{d, at})
			lost[d]++
		}
		return true
	})
	if found == nil {
		return nil
	}
	write := c.write
	write.UseInt64Numbers = true
	var err error
	if c.check, err = write.MarshalAppend(c.check[:0], c.message); err != nil {
		return err
	}
	numbers(c.check, func(_ int, number []byte) bool {
		lost[decimalOf(string(number))]--
		return true
	})
	for _, f := range found {
		if lost[f.decimal] > 0 {
			c.locate(text, f.at)
			return c.alterations.note(valuePath(nil), "a number with the digits %s is rounded", clip(f.digits))
		}
	}
	return nil
}

// A lostNumber is one of a text that may have been rounded.
type lostNumber struct {
	decimal
	at int
}

// locate says where in a text the next alteration is, if the text is the record.
func (c *Converter) locate(text []byte, at int) {
	if len(text) > 0 && len(c.record) > 0 && &text[0] == &c.record[0] {
		c.alterations.at = at + 1
	}
}

// messageText appends the ProtoJSON of the message, which must not have unknown fields.
func (c *Converter) messageText(dst []byte) ([]byte, error) {
	if c.unknown.in(c.message) {
		if err := c.alterations.note(valuePath(nil), "fields that %s has not got are left out",
			c.message.Descriptor().FullName()); err != nil {
			return nil, err
		}
	}
	return c.write.MarshalAppend(dst, c.message)
}

// textOf returns the record as JSON text: the record itself, or in memory of c.
func (c *Converter) textOf(data []byte) (text []byte, err error) {
	text = c.text[:0]
	switch c.from {
	case Value:
		text, err = value.AppendJSON(text, data)
	case Struct:
		text, err = value.AppendStructJSON(text, data)
	case List:
		text, err = value.AppendListJSON(text, data)
	case Message, ProtoJSON:
		text, err = c.textOfMessage(text, data)
	case BSON, MessagePack:
		text, err = c.textOfBinary(text, data)
	default:
		return data, nil
	}
	if err == nil {
		c.text = text
	}
	return text, err
}

func (c *Converter) textOfMessage(dst, data []byte) ([]byte, error) {
	if c.from == ProtoJSON && c.to.hasSchema() {
		return data, nil
	}
	if c.from == Message {
		if err := c.unmarshal.Unmarshal(data, c.message); err != nil {
			return nil, err
		}
	} else if err := c.read.Unmarshal(data, c.message); err != nil {
		return nil, err
	}
	if c.adapter == nil || c.to.hasSchema() {
		return c.messageText(dst)
	}
	var err error
	if c.adapted, err = c.messageText(c.adapted[:0]); err != nil {
		return nil, err
	}
	return c.adapter.AppendDocument(dst, c.adapted)
}

func (c *Converter) textOfBinary(dst, data []byte) ([]byte, error) {
	w := &c.writer
	w.dst, w.path, w.keys = dst, w.path[:0], w.keys[:0]
	if c.from == BSON {
		return w.dst, w.document(data, false)
	}
	rest, err := w.packed(data)
	if err == nil && len(rest) > 0 {
		err = w.path.at("%d bytes follow the value", len(rest))
	}
	return w.dst, err
}

// fromText appends the record, by way of JSON text.
func (c *Converter) fromText(dst, data []byte) ([]byte, error) {
	text, err := c.textOf(data)
	if err != nil {
		return nil, err
	}
	switch c.to {
	case Value, Struct, List:
		return c.valueOf(dst, text)
	case BSON:
		return c.tokens.appendBSON(dst, text)
	case MessagePack:
		return c.pack.append(dst, text)
	}
	if !c.from.IsText() || c.from == ProtoJSON { // which has been written by us, and is compact
		return append(dst, text...), nil
	}
	return appendCompact(dst, text)
}

// valueOf appends the wire form of the Value, Struct or ListValue that a text is.
func (c *Converter) valueOf(dst, text []byte) ([]byte, error) {
	if at, number := inexactNumber(text); number != "" {
		c.locate(text, at)
		if err := c.alterations.note(valuePath(nil), "the number %s becomes the nearest double",
			clip(number)); err != nil {
			return nil, err
		}
	}
	switch c.to {
	case Struct:
		return value.AppendStructFromJSON(dst, text)
	case List:
		return value.AppendListFromJSON(dst, text)
	}
	return value.AppendFromJSON(dst, text)
}

// appendCompact appends a JSON text without white space, which must be one value with distinct keys.
func appendCompact(dst, text []byte) ([]byte, error) {
	out, err := jsontext.AppendFormat(dst, text, jsontext.PreserveRawStrings(true))
	if err != nil {
		return nil, err
	}
	return out, nil
}

// rewrap goes between Value, Struct and ListValue, which are parts of one another on the wire.
func (c *Converter) rewrap(dst, data []byte) ([]byte, error) {
	var err error
	switch c.from {
	case Struct:
		err = c.doc.ParseStruct(data)
	case List:
		err = c.doc.ParseList(data)
	default:
		err = c.doc.Parse(data)
	}
	want := value.Object
	if c.to == List {
		want = value.List
	}
	switch {
	case err != nil:
		return nil, err
	case c.from == c.to:
		return append(dst, data...), nil
	case c.to == Value:
		return append(dst, c.doc.Bytes()...), nil
	case c.doc.Kind() != want:
		return nil, fmt.Errorf("$: the value is of kind %v, not %v", c.doc.Kind(), want)
	}
	return append(dst, c.doc.Inside()...), nil
}

// AppendFramed appends a record of a form with what separates it from the next one in a file: a line
// feed after JSON text, its length before wire form that is [Delimited], else nothing.
func AppendFramed(dst []byte, f Form, framing Framing, record []byte) []byte {
	switch {
	case f.IsText():
		return append(append(dst, record...), '\n')
	case f.IsWire() && framing != Single:
		return protowire.AppendBytes(dst, record)
	}
	return append(dst, record...)
}

// end makes sure that nothing follows the value of a text.
func (t *tokenReader) end() error {
	switch _, err := t.dec.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("something follows the value")
	default:
		return err
	}
}
