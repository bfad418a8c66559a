package messages

import (
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// dimensions is how many numbers the embedding of a text has.
const dimensions = 768

// vectorPoints stores the embeddings of so many texts, with the texts and what is known about them.
func vectorPoints(points int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(13)
		request := &qdrant.UpsertPoints{CollectionName: "documents", Wait: proto.Bool(true)}
		for range points {
			vector := make([]float32, dimensions)
			for i := range vector {
				vector[i] = float32(r.NormFloat64()) / 28
			}
			request.Points = append(request.Points, &qdrant.PointStruct{
				Id:      qdrant.NewIDUUID(r.UUID()),
				Vectors: qdrant.NewVectorsDense(vector),
				Payload: map[string]*qdrant.Value{
					"title":  qdrant.NewValueString(r.Text(3, 9)),
					"text":   qdrant.NewValueString(r.Text(60, 120)),
					"source": qdrant.NewValueString("https://example.com" + r.Path()),
					"page":   qdrant.NewValueInt(int64(r.IntN(900))),
					"score":  qdrant.NewValueDouble(r.Float64()),
					"public": qdrant.NewValueBool(r.Chance(0.5)),
					"tags": qdrant.NewValueFromList(
						qdrant.NewValueString(r.Word()), qdrant.NewValueString(r.Word())),
				},
			})
		}
		return request
	}
}
