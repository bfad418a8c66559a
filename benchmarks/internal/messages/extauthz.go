package messages

import (
	"fmt"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	auth "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// authCheck is what Envoy asks an authorization server about a request with so many headers.
func authCheck(headers int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(14)
		path := r.Path()
		h := map[string]string{
			":authority":        "shop.example.com",
			":method":           "POST",
			":path":             path,
			":scheme":           "https",
			"user-agent":        browser,
			"accept":            "application/json, text/plain, */*",
			"authorization":     "Bearer " + r.Hex(400),
			"cookie":            "session=" + r.Hex(64) + "; theme=dark",
			"content-type":      "application/json",
			"x-request-id":      r.UUID(),
			"x-forwarded-for":   r.IP() + "," + r.IP(),
			"x-forwarded-proto": "https",
		}
		for i := len(h); i < headers; i++ {
			h[fmt.Sprintf("x-%s-%d", r.Name(), i)] = r.Text(1, 6)
		}
		peer := func(service string) *auth.AttributeContext_Peer {
			return &auth.AttributeContext_Peer{
				Address:   socketAddress(r.IP(), uint32(r.Between(1024, 65535))),
				Principal: "spiffe://cluster.local/ns/prod/sa/" + service,
				Labels:    map[string]string{"app": service, "version": "v" + fmt.Sprint(r.IntN(9))},
			}
		}
		return &auth.CheckRequest{Attributes: &auth.AttributeContext{
			Source:      peer(r.Name()),
			Destination: peer(r.Name()),
			Request: &auth.AttributeContext_Request{
				Time: r.Time(),
				Http: &auth.AttributeContext_HttpRequest{
					Id:       fmt.Sprint(r.Uint64()),
					Method:   "POST",
					Headers:  h,
					Path:     path,
					Host:     "shop.example.com",
					Scheme:   "https",
					Protocol: "HTTP/2",
					Size:     int64(r.IntN(4000)),
				},
			},
			ContextExtensions: map[string]string{"virtual_host": "shop", "policy": r.Name()},
			MetadataContext:   new(core.Metadata),
			TlsSession:        &auth.AttributeContext_TLSSession{Sni: "shop.example.com"},
		}}
	}
}
