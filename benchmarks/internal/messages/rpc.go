package messages

import (
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// rpcStatus is an error of gRPC; with details, as Google's APIs return it.
func rpcStatus(details bool) func() proto.Message {
	return func() proto.Message {
		r := fake.New(3)
		s := &status.Status{Code: 5, Message: "Resource 'projects/" + r.Name() + "' was not found"}
		if details {
			s.Code = 3
			s.Details = errorDetails(r)
		}
		return s
	}
}

func errorDetails(r *fake.Source) []*anypb.Any {
	return []*anypb.Any{
		pack(&errdetails.ErrorInfo{
			Reason: "FIELD_VIOLATION",
			Domain: "compute.googleapis.com",
			Metadata: map[string]string{
				"service":    "compute.googleapis.com",
				"zone":       "us-east1-a",
				"attachment": "local-ssd=3,nvidia-t4=2",
			},
		}),
		pack(&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "instance.disks[0].size_gb", Description: r.Sentence(12), Reason: "OUT_OF_RANGE"},
			{Field: "instance.labels", Description: r.Sentence(9)},
		}}),
		pack(&errdetails.LocalizedMessage{
			Locale:  "de-CH",
			Message: "Die Grösse der Festplatte ist ungültig: sie muss zwischen 10 und 65536 liegen.",
		}),
		pack(&errdetails.Help{Links: []*errdetails.Help_Link{{
			Description: "Additional information on this error",
			Url:         "https://cloud.google.com/compute/docs/disks#limits",
		}}}),
		pack(&errdetails.RequestInfo{RequestId: r.UUID(), ServingData: r.Hex(64)}),
		pack(&errdetails.RetryInfo{RetryDelay: seconds(28)}),
	}
}

func healthResponse() proto.Message {
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}
}

// byteStream is a part of a file of n bytes that is uploaded.
func byteStream(n int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(18)
		return &bytestream.WriteRequest{
			ResourceName: "uploads/" + r.UUID() + "/blobs/" + r.Hex(64) + "/1048576",
			WriteOffset:  int64(r.IntN(1 << 20)),
			Data:         r.Bytes(n),
		}
	}
}
