package kafkacodec

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/twmb/franz-go/pkg/sr"
)

// maxAnswer is how many bytes an answer of the registry may have.
const maxAnswer = 16 << 20

// NewRegistry returns a client of a schema registry, such as sr.URLs and sr.BasicAuth say. An answer may have 16 MiB
// and take 30 seconds; what sr.NewClient returns has no limit of size. An sr.HTTPClient among the options takes the
// place of these limits.
func NewRegistry(opts ...sr.ClientOpt) (*sr.Client, error) {
	limited := &http.Client{Timeout: 30 * time.Second, Transport: limitedTransport{http.DefaultTransport}}
	return sr.NewClient(append([]sr.ClientOpt{sr.HTTPClient(limited)}, opts...)...)
}

// A limitedTransport lets no answer be longer than maxAnswer.
type limitedTransport struct{ http.RoundTripper }

func (t limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &limitedBody{answer.Body, maxAnswer}
	return answer, nil
}

// A limitedBody fails where it has more bytes than are left.
type limitedBody struct {
	io.ReadCloser
	left int
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the registry's answer has more than %d bytes", maxAnswer)
	}
	return n, err
}
