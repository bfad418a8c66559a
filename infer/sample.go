package infer

import (
	"context"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/records"
)

// Sample returns count of the documents, of which there are total, in equal distances, as the ProtoJSON of a schema
// whose root message was compiled to md. Those that are no such message are left out, and so are those after the
// first bytes of limit.
func Sample(ctx context.Context, in Input, file *schema.File, md protoreflect.MessageDescriptor, total uint64,
	count, limit int) ([][]byte, error) {
	in.Workers = 1 // so that they come in order
	p, check := proof.New(file, md), profile.NewBuilder(0)
	every := max(total/uint64(count), 1)
	var out [][]byte
	var seen uint64
	size := 0
	err := in.each(ctx, func(_ int, r records.Record, _ *records.Batch) error {
		seen++
		if seen%every != 0 || len(out) == count || size+len(r.Data) > limit {
			return nil
		}
		if end, err := check.Check(r.Data); whole(r, end, err) != nil {
			return nil
		}
		if text, ok := p.ProtoJSON(r.Data); ok {
			out = append(out, append([]byte(nil), text...))
			size += len(text)
		}
		return nil
	}, func(int, *records.Batch, *records.Error) error { return nil })
	return out, err
}
