package messages

import (
	"cloud.google.com/go/bigtable/apiv2/bigtablepb"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"cloud.google.com/go/logging/apiv2/loggingpb"
	auth "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// described are files with options that other files define: paths of HTTP, resources, rules for validation.
var described = []protoreflect.FileDescriptor{
	loggingpb.File_google_logging_v2_logging_proto,
	loggingpb.File_google_logging_v2_logging_config_proto,
	bigtablepb.File_google_bigtable_v2_bigtable_proto,
	bigtablepb.File_google_bigtable_v2_data_proto,
	firestorepb.File_google_firestore_v1_firestore_proto,
	auth.File_envoy_service_auth_v3_attribute_context_proto,
	workflowservice.File_temporal_api_workflowservice_v1_request_response_proto,
	workflowservice.File_temporal_api_workflowservice_v1_service_proto,
}

// descriptorSet describes the first of those files, as a compiler writes it for plugins and registries read it.
func descriptorSet(files int) func() proto.Message {
	return func() proto.Message {
		set := new(descriptorpb.FileDescriptorSet)
		for _, f := range described[:files] {
			set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
		}
		return set
	}
}
