package messages

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// structRows is what a query returns in APIs that leave the columns open: so many lists of six cells.
func structRows(rows int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(17)
		all := new(structpb.ListValue)
		for range rows {
			cells := []any{
				r.UUID(), r.Text(2, 5), float64(r.IntN(1 << 30)), r.Float64() * 100, r.Chance(0.5), nil,
			}
			if r.Chance(0.3) {
				cells[5] = []any{r.Word(), r.Word()}
			}
			row, err := structpb.NewList(cells)
			check(err)
			all.Values = append(all.Values, structpb.NewListValue(row))
		}
		return all
	}
}
