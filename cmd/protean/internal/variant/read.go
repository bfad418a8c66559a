package variant

import (
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/visit"
	"github.com/protean-pb/protean/value"
)

// reading gives the variants that decode a message the operation [UnmarshalRead]. Those that
// leave behind what has no fields to read do not have it.
func reading(vs []*Variant) []*Variant {
	for _, v := range vs {
		open := v.Open
		v.Ops = append(v.Ops, UnmarshalRead)
		v.Open = func(t *Type) (Codec, error) {
			c, err := open(t)
			if err == nil {
				c.(interface{ addReading() }).addReading()
			}
			return c, err
		}
	}
	return vs
}

// addReading adds [UnmarshalRead] to a codec, after Unmarshal.
func (c *codec[S, W]) addReading() {
	var unmarshal func(int) error
	for _, o := range c.ops {
		if o.Name == Unmarshal {
			unmarshal = o.Run
		}
	}
	read := readerOf(&c.held)
	c.decodes(UnmarshalRead, func(i int) error {
		if err := unmarshal(i); err != nil {
			return err
		}
		c.read += read()
		return nil
	})
}

// readerOf returns what reads all fields of *held, whose type is one of those that codecs
// hold, by the means that a program has that holds such a thing.
func readerOf(held any) func() uint64 {
	switch held := held.(type) {
	case *proto.Message:
		return func() uint64 { return visit.Message(*held) }
	case *VTMessage:
		return func() uint64 { return visit.Message(*held) }
	case *[]proto.Message:
		return func() (n uint64) {
			for _, m := range *held {
				n += visit.Message(m)
			}
			return n
		}
	case **structpb.Value:
		return func() uint64 { return visit.Value(*held) }
	case **envelopepb.StringMap:
		return func() (n uint64) {
			for k, v := range (*held).GetEntries() {
				n += uint64(len(k) + len(v))
			}
			return n
		}
	case *value.Doc:
		return func() uint64 { return readDoc(*held) }
	case *any:
		return func() uint64 { return readData(*held) }
	}
	panic("unreachable: no codec with Unmarshal holds another type")
}

// readData reads a plain struct, a list of such structs, or Go data without a schema.
func readData(v any) uint64 {
	if f, ok := v.(visit.Fields); ok {
		return f.ProteanReadFields()
	}
	rows := reflect.ValueOf(v)
	if rows.Kind() != reflect.Pointer || rows.Elem().Kind() != reflect.Slice {
		return visit.Any(v)
	}
	n := uint64(0)
	for i := range rows.Elem().Len() {
		n += rows.Elem().Index(i).Addr().Interface().(visit.Fields).ProteanReadFields()
	}
	return n
}

// readDoc reads a Value in place.
func readDoc(d value.Doc) (n uint64) {
	switch d.Kind() {
	case value.String:
		s, _ := d.String()
		return uint64(len(s))
	case value.Number:
		f, _ := d.Float()
		return uint64(int64(f))
	case value.Bool:
		b, _ := d.Bool()
		return visit.Bool(b)
	case value.Object:
		for k, inside := range d.Fields() {
			n += uint64(len(k)) + readDoc(inside)
		}
	case value.List:
		for _, inside := range d.Elements() {
			n += readDoc(inside)
		}
	}
	return n
}
