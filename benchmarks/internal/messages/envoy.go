package messages

import (
	"fmt"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	tls "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	upstreams "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// envoyCluster is a cluster as service meshes configure it: without endpoints, which Envoy discovers, or with so many.
func envoyCluster(endpoints int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(uint64(endpoints) + 7)
		c := meshCluster(r)
		if endpoints == 0 {
			c.ClusterDiscoveryType = &cluster.Cluster_Type{Type: cluster.Cluster_EDS}
			c.EdsClusterConfig = &cluster.Cluster_EdsClusterConfig{ServiceName: c.Name, EdsConfig: discovery()}
			return c
		}
		c.ClusterDiscoveryType = &cluster.Cluster_Type{Type: cluster.Cluster_STATIC}
		c.HealthChecks = []*core.HealthCheck{{
			Timeout:            seconds(1),
			Interval:           seconds(5),
			UnhealthyThreshold: wrapperspb.UInt32(3),
			HealthyThreshold:   wrapperspb.UInt32(1),
			HealthChecker: &core.HealthCheck_HttpHealthCheck_{
				HttpHealthCheck: &core.HealthCheck_HttpHealthCheck{Path: "/healthz", Host: r.Host()},
			},
		}}
		c.LoadAssignment = &endpoint.ClusterLoadAssignment{ClusterName: c.Name}
		for i := range (endpoints + 19) / 20 {
			l := localityEndpoints(r, i, min(20, endpoints-20*i))
			c.LoadAssignment.Endpoints = append(c.LoadAssignment.Endpoints, l)
		}
		return c
	}
}

// meshCluster has what clusters with and without endpoints have in common.
func meshCluster(r *fake.Source) *cluster.Cluster {
	name := "outbound|443||" + r.Host()
	unlimited := func() *wrapperspb.UInt32Value { return wrapperspb.UInt32(4294967295) }
	return &cluster.Cluster{
		Name:           name,
		AltStatName:    name + ";",
		ConnectTimeout: seconds(10),
		LbPolicy:       cluster.Cluster_LEAST_REQUEST,
		CircuitBreakers: &cluster.CircuitBreakers{Thresholds: []*cluster.CircuitBreakers_Thresholds{{
			MaxConnections:     unlimited(),
			MaxPendingRequests: unlimited(),
			MaxRequests:        unlimited(),
			MaxRetries:         unlimited(),
			TrackRemaining:     true,
		}}},
		OutlierDetection: &cluster.OutlierDetection{
			Consecutive_5Xx:          wrapperspb.UInt32(5),
			Interval:                 seconds(10),
			BaseEjectionTime:         seconds(30),
			MaxEjectionPercent:       wrapperspb.UInt32(50),
			EnforcingConsecutive_5Xx: wrapperspb.UInt32(100),
		},
		CommonLbConfig: &cluster.Cluster_CommonLbConfig{
			LocalityConfigSpecifier: &cluster.Cluster_CommonLbConfig_LocalityWeightedLbConfig_{
				LocalityWeightedLbConfig: &cluster.Cluster_CommonLbConfig_LocalityWeightedLbConfig{},
			},
		},
		TypedExtensionProtocolOptions: map[string]*anypb.Any{
			"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": pack(http2Options()),
		},
		Metadata: &core.Metadata{FilterMetadata: map[string]*structpb.Struct{"istio": istioMetadata(r)}},
		TransportSocket: &core.TransportSocket{
			Name:       "envoy.transport_sockets.tls",
			ConfigType: &core.TransportSocket_TypedConfig{TypedConfig: pack(tlsContext(name))},
		},
	}
}

func http2Options() *upstreams.HttpProtocolOptions {
	http2 := &core.Http2ProtocolOptions{MaxConcurrentStreams: wrapperspb.UInt32(1073741824)}
	return &upstreams.HttpProtocolOptions{
		UpstreamProtocolOptions: &upstreams.HttpProtocolOptions_ExplicitHttpConfig_{
			ExplicitHttpConfig: &upstreams.HttpProtocolOptions_ExplicitHttpConfig{
				ProtocolConfig: &upstreams.HttpProtocolOptions_ExplicitHttpConfig_Http2ProtocolOptions{
					Http2ProtocolOptions: http2,
				},
			},
		},
	}
}

func istioMetadata(r *fake.Source) *structpb.Struct {
	rule := "/apis/networking.istio.io/v1/namespaces/prod/destination-rule/" + r.Word()
	service := structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{
		"host":      structpb.NewStringValue(r.Host()),
		"name":      structpb.NewStringValue(r.Word()),
		"namespace": structpb.NewStringValue("prod"),
	}})
	return &structpb.Struct{Fields: map[string]*structpb.Value{
		"config":                structpb.NewStringValue(rule),
		"default_original_port": structpb.NewNumberValue(443),
		"services":              structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{service}}),
	}}
}

func tlsContext(name string) *tls.UpstreamTlsContext {
	return &tls.UpstreamTlsContext{
		Sni: name,
		CommonTlsContext: &tls.CommonTlsContext{
			AlpnProtocols: []string{"istio-peer-exchange", "istio", "h2"},
			TlsParams: &tls.TlsParameters{
				TlsMinimumProtocolVersion: tls.TlsParameters_TLSv1_2,
				TlsMaximumProtocolVersion: tls.TlsParameters_TLSv1_3,
			},
			TlsCertificateSdsSecretConfigs: []*tls.SdsSecretConfig{{Name: "default", SdsConfig: discovery()}},
		},
	}
}

// discovery says that Envoy is to ask its control plane.
func discovery() *core.ConfigSource {
	return &core.ConfigSource{
		InitialFetchTimeout:   seconds(0),
		ResourceApiVersion:    core.ApiVersion_V3,
		ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}},
	}
}

// localityEndpoints are n endpoints in one zone.
func localityEndpoints(r *fake.Source, zone, n int) *endpoint.LocalityLbEndpoints {
	l := &endpoint.LocalityLbEndpoints{
		Locality:            &core.Locality{Region: "europe-west6", Zone: fmt.Sprintf("europe-west6-%c", 'a'+zone%3)},
		LoadBalancingWeight: wrapperspb.UInt32(uint32(r.Between(1, 100))),
		Priority:            uint32(zone % 2),
	}
	for range n {
		e := &endpoint.Endpoint{Address: socketAddress(r.IP(), 8443), Hostname: r.Name() + "-" + r.Hex(5)}
		l.LbEndpoints = append(l.LbEndpoints, &endpoint.LbEndpoint{
			HostIdentifier:      &endpoint.LbEndpoint_Endpoint{Endpoint: e},
			HealthStatus:        core.HealthStatus_HEALTHY,
			LoadBalancingWeight: wrapperspb.UInt32(1),
			Metadata: &core.Metadata{FilterMetadata: map[string]*structpb.Struct{
				"envoy.transport_socket_match": {Fields: map[string]*structpb.Value{
					"tlsMode": structpb.NewStringValue("istio"),
				}},
				"istio": {Fields: map[string]*structpb.Value{
					"workload": structpb.NewStringValue(r.Name() + ";prod;" + r.Word() + ";v1;main"),
				}},
			}},
		})
	}
	return l
}

func socketAddress(ip string, port uint32) *core.Address {
	a := &core.SocketAddress{Address: ip, PortSpecifier: &core.SocketAddress_PortValue{PortValue: port}}
	return &core.Address{Address: &core.Address_SocketAddress{SocketAddress: a}}
}
