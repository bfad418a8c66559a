package records

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// maxDepth is how deep values may be nested in BSON and MessagePack: as deep as JSON is read.
const maxDepth = 10000

// A textWriter writes JSON text of a record in another form.
type textWriter struct {
	alterations *alterations
	path        valuePath
	dst         []byte
	keys        [][]byte // of the objects that are being written
}

// string writes a string.
func (w *textWriter) string(s []byte) error {
	if !utf8.Valid(s) {
		return w.path.at("a string that is not UTF-8")
	}
	var err error
	w.dst, err = jsontext.AppendQuote(w.dst, s)
	return err
}

// float writes a number; NaN and the infinities become strings, as in ProtoJSON.
func (w *textWriter) float(f float64, bits int) error {
	name := ""
	switch {
	case math.IsNaN(f):
		name = "NaN"
	case math.IsInf(f, 1):
		name = "Infinity"
	case math.IsInf(f, -1):
		name = "-Infinity"
	default:
		w.dst = appendFloat(w.dst, f, bits)
		return nil
	}
	w.dst = append(append(append(w.dst, '"'), name...), '"')
	return w.alterations.note(w.path, "the number %s becomes a string", name)
}

// base64 writes bytes.
func (w *textWriter) base64(b []byte) error {
	w.dst = append(w.dst, '"')
	w.dst = base64.StdEncoding.AppendEncode(w.dst, b)
	w.dst = append(w.dst, '"')
	return w.alterations.note(w.path, "bytes become a string in base64")
}

// time writes a time.
func (w *textWriter) time(t time.Time) error {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return w.path.at("a time in the year %d, which has no form in RFC 3339", y)
	}
	w.dst = append(w.dst, '"')
	w.dst = t.AppendFormat(w.dst, time.RFC3339Nano)
	w.dst = append(w.dst, '"')
	return w.alterations.note(w.path, "a time becomes a string")
}

// text writes text that needs no escapes as a string, in place of what is named.
func (w *textWriter) text(what, s string) error {
	w.dst = append(append(append(w.dst, '"'), s...), '"')
	return w.alterations.note(w.path, "%s becomes a string", what)
}

// enter begins a value within another one.
func (w *textWriter) enter(key []byte, index int) error {
	if len(w.path) >= maxDepth {
		return w.path.at("nested more than %d levels deep", maxDepth)
	}
	w.path.push(key, index)
	return nil
}

// distinct refuses a key that an object has twice; keys are those of the object so far.
func (w *textWriter) distinct(from int) error {
	keys := w.keys[from:]
	if len(keys) < 16 {
		for i, k := range keys {
			for _, other := range keys[:i] {
				if bytes.Equal(k, other) {
					return w.path.at("the key %q comes twice", k)
				}
			}
		}
		return nil
	}
	seen := make(map[string]struct{}, len(keys))
	for _, k := range keys {
		if _, twice := seen[string(k)]; twice {
			return w.path.at("the key %q comes twice", k)
		}
		seen[string(k)] = struct{}{}
	}
	return nil
}

// errBSON is what is wrong where no library says more.
var errBSON = errors.New("malformed BSON")

// document writes a BSON document, or an array, whose keys do not count.
func (w *textWriter) document(doc []byte, array bool) error {
	length, rest, ok := bsoncore.ReadLength(doc)
	if !ok || int(length) != len(doc) || length < 5 || doc[length-1] != 0 {
		return w.path.at("%w", errBSON)
	}
	begin, end := byte('{'), byte('}')
	if array {
		begin, end = '[', ']'
	}
	from := len(w.keys)
	w.dst = append(w.dst, begin)
	for n := 0; len(rest) > 1; n++ {
		element, after, ok := bsoncore.ReadElement(rest)
		if !ok {
			return w.path.at("%w", errBSON)
		}
		rest = after
		key := element.KeyBytes()
		if n > 0 {
			w.dst = append(w.dst, ',')
		}
		index := n
		if !array {
			index = -1
			w.keys = append(w.keys, key)
			if err := w.string(key); err != nil {
				return err
			}
			w.dst = append(w.dst, ':')
		}
		if err := w.enter(key, index); err != nil {
			return err
		}
		if err := w.bson(element.Value()); err != nil {
			return err
		}
		w.path.pop()
	}
	w.dst = append(w.dst, end)
	err := w.distinct(from)
	w.keys = w.keys[:from]
	return err
}

// bson writes a value. Its data is as long as its type says: ReadElement has seen to that.
func (w *textWriter) bson(v bsoncore.Value) error {
	switch v.Type {
	case bsoncore.TypeDouble:
		return w.float(v.Double(), 64)
	case bsoncore.TypeString:
		return w.bsonString(v.Data)
	case bsoncore.TypeEmbeddedDocument:
		return w.document(v.Data, false)
	case bsoncore.TypeArray:
		return w.document(v.Data, true)
	case bsoncore.TypeBoolean:
		w.dst = strconv.AppendBool(w.dst, v.Data[0] != 0)
	case bsoncore.TypeNull:
		w.dst = append(w.dst, "null"...)
	case bsoncore.TypeInt32:
		w.dst = strconv.AppendInt(w.dst, int64(v.Int32()), 10)
	case bsoncore.TypeInt64:
		w.dst = strconv.AppendInt(w.dst, v.Int64(), 10)
	default:
		return w.bsonOther(v)
	}
	return nil
}

// bsonString writes a string: its length with the zero at its end, and the text.
func (w *textWriter) bsonString(data []byte) error {
	if len(data) < 5 || data[len(data)-1] != 0 {
		return w.path.at("%w", errBSON)
	}
	return w.string(data[4 : len(data)-1])
}

// bsonOther writes a value of a type that JSON has not got.
func (w *textWriter) bsonOther(v bsoncore.Value) error {
	switch v.Type {
	case bsoncore.TypeObjectID:
		id := v.ObjectID()
		return w.text("an ObjectID", hex.EncodeToString(id[:]))
	case bsoncore.TypeDateTime:
		return w.time(time.UnixMilli(v.DateTime()))
	case bsoncore.TypeBinary:
		_, data, ok := v.BinaryOK()
		if !ok {
			return w.path.at("%w", errBSON)
		}
		return w.base64(data)
	case bsoncore.TypeDecimal128:
		h, l := v.Decimal128()
		return w.text("a decimal number", bson.NewDecimal128(h, l).String())
	case bsoncore.TypeSymbol:
		if err := w.bsonString(v.Data); err != nil {
			return err
		}
		return w.alterations.note(w.path, "a symbol becomes a string")
	case bsoncore.TypeUndefined:
		w.dst = append(w.dst, "null"...)
		return w.alterations.note(w.path, "undefined becomes null")
	}
	return w.path.at("BSON of type %s has no form in JSON", v.Type)
}
