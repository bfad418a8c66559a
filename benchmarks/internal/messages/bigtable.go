package messages

import (
	"fmt"

	"cloud.google.com/go/bigtable/apiv2/bigtablepb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// bigtableRows is what a scan of so many rows with two column families returns.
func bigtableRows(rows int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(5)
		m := new(bigtablepb.ReadRowsResponse)
		for range rows {
			key := []byte(fmt.Sprintf("%s#%019d", r.Hex(8), r.Int64()))
			for i, family := range []string{"profile", "events"} {
				for j := range r.Between(1, 6) {
					c := &bigtablepb.ReadRowsResponse_CellChunk{
						TimestampMicros: int64(r.Nanos() / 1000),
						Value:           r.Bytes(r.Between(4, 80)),
					}
					if i == 0 && j == 0 {
						c.RowKey = key
					}
					if j == 0 {
						c.FamilyName = wrapperspb.String(family)
					}
					c.Qualifier = wrapperspb.Bytes([]byte(r.Word()))
					m.Chunks = append(m.Chunks, c)
				}
			}
			m.Chunks[len(m.Chunks)-1].RowStatus = &bigtablepb.ReadRowsResponse_CellChunk_CommitRow{CommitRow: true}
		}
		return m
	}
}
