//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/codec/connectcodec"
)

var (
	soakCalls = flag.Int("soak.calls", 400, "calls that TestSoak makes to each server")
	soakSeed  = flag.Uint64("soak.seed", 1, "where TestSoak's random numbers begin")
)

// soakLimit is how large a request may be, in the servers of TestSoak.
const soakLimit = 256 << 10

// soakWorkers make calls at the same time.
const soakWorkers = 8

// compressFrom is how large a message is that connect-go's server compresses. Under the race detector a gzip.Writer
// takes some milliseconds, whatever it compresses, so that with all messages there would be little else.
const compressFrom = 4 << 10

// panics is the key of a request whose handler is to panic.
const panics = "panic"

// TestSoak makes calls of all kinds, and among them such as are cancelled, come too late, are truncated, changed or too
// large, or make the handler panic. Each response is compared with its request: where the request was changed on its
// way, with what the official library reads. At the end no goroutine is left, the buffers of grpc-go's pool are back in
// it, and memory is as before.
func TestSoak(t *testing.T) {
	for _, name := range []string{"grpc/option/struct/unary", "grpc/arena/struct/unary",
		"connect/protean/struct/unary"} {
		t.Run(name, func(t *testing.T) {
			v, err := parseVariant(name)
			if err != nil {
				t.Fatal(err)
			}
			goroutines, out := runtime.NumGoroutine(), buffers.out.Load()
			s := startSoak(t, v)
			s.run(t, *soakCalls/10+soakWorkers) // what is pooled is there from here on
			before := heap()
			s.run(t, *soakCalls)
			if grown := heap() - before; grown > 32<<20 {
				t.Errorf("the heap has grown by %d bytes", grown)
			}
			s.stop()
			for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines &&
				time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			if n := runtime.NumGoroutine(); n > goroutines {
				stacks := make([]byte, 1<<16)
				t.Errorf("%d goroutines, and %d before:\n%s", n, goroutines, stacks[:runtime.Stack(stacks, true)])
			}
			total, ended := int64(0), int64(0)
			for i, a := range attacks {
				n := s.made[i].Load()
				if total += n; n == 0 {
					t.Errorf("no call was %s", a.name)
				}
				if a.name == "cancelled" || a.name == "late" {
					ended += n
				}
				t.Logf("%d %s", n, a.name)
			}
			// grpc-go v1.85 itself, with any codec, leaves a buffer to the garbage collector where a stream ends
			// between the call that sends a message and the goroutine that writes it (loopyWriter.preprocessData):
			// in one of some thousands of such calls.
			lost := buffers.out.Load() - out
			if most := 4 + ended/50; lost < 0 || lost > most {
				t.Errorf("%d of grpc-go's buffers were not put back, %d at most may be", lost, most)
			}
			t.Logf("%d calls in all, %d buffers left to the garbage collector", total, lost)
		})
	}
}

// heap returns how many bytes are in use.
func heap() int64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// A soak is a server and what calls it.
type soak struct {
	variant variant
	addr    string
	callers []caller         // the first is plain, the others compress or speak JSON
	raw     *http.Client     // sends frames of its own making
	made    [11]atomic.Int64 // by attack
	stop    func()
}

func startSoak(t *testing.T, v variant) *soak {
	t.Helper()
	addr, stopServer, err := serveSoak(v)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Protocols: cleartext()}
	s := &soak{variant: v, addr: addr, raw: &http.Client{Transport: transport}}
	stops := []func(){stopServer, transport.CloseIdleConnections}
	add := func(c caller, stop func(), err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s.callers, stops = append(s.callers, c), append(stops, stop)
	}
	zipped := v
	zipped.gzip = true
	if v.framework == "grpc" {
		add(dialGRPC(v, addr))
		add(dialGRPC(zipped, addr))
	} else {
		add(dialConnect(v, addr))
		add(dialConnect(zipped, addr))
		add(dialConnect(v, addr, connect.WithCodec(connectcodec.JSON(connectcodec.Options{}))))
	}
	s.stop = func() {
		for _, stop := range slices.Backward(stops) {
			stop()
		}
	}
	return s
}

// serveSoak serves with limits, and recovers from panics.
func serveSoak(v variant) (string, func(), error) {
	if v.framework == "connect" {
		return serveConnect(v, connect.WithReadMaxBytes(soakLimit), connect.WithCompressMinBytes(compressFrom),
			connect.WithRecover(func(context.Context, connect.Spec, http.Header, any) error {
				return connect.NewError(connect.CodeDataLoss, errors.New("recovered"))
			}),
			connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
				return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
					panicIfAsked(r.Any())
					return next(ctx, r)
				}
			})))
	}
	return serveGRPC(v, grpc.MaxRecvMsgSize(soakLimit), grpc.ChainUnaryInterceptor(
		func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
			defer func() {
				if recover() != nil {
					err = status.Error(codes.DataLoss, "recovered")
				}
			}()
			panicIfAsked(req)
			return handler(ctx, req)
		}))
}

func panicIfAsked(req any) {
	if _, ok := req.(*structpb.Struct).Fields[panics]; ok {
		panic("as asked for")
	}
}

// run makes the calls.
func (s *soak) run(t *testing.T, calls int) {
	var left atomic.Int64
	left.Store(int64(calls))
	var group sync.WaitGroup
	for w := range soakWorkers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(*soakSeed, uint64(calls+w)))
			for left.Add(-1) >= 0 && !t.Failed() {
				i := max(random.IntN(4*len(attacks))-3*len(attacks), 0) // three of four calls are ordinary ones
				s.made[i].Add(1)
				if err := attacks[i].make(s, random); err != nil {
					t.Errorf("%s: %v", attacks[i].name, err)
				}
			}
		})
	}
	group.Wait()
}

// attacks are the sorts of calls, the ordinary ones first. Each returns what is wrong with how it was answered.
var attacks = []struct {
	name string
	make func(*soak, *rand.Rand) error
}{
	{"ordinary", func(s *soak, r *rand.Rand) error {
		return s.echo(context.Background(), r, "unary", randomStruct(r, 1500))
	}},
	{"up", func(s *soak, r *rand.Rand) error { return s.echo(context.Background(), r, "up", randomStruct(r, 300)) }},
	{"down", func(s *soak, r *rand.Rand) error {
		return s.echo(context.Background(), r, "down", randomStruct(r, 300))
	}},
	{"both", func(s *soak, r *rand.Rand) error {
		return s.echo(context.Background(), r, "both", randomStruct(r, 300))
	}},
	{"large", func(s *soak, r *rand.Rand) error {
		return s.echo(context.Background(), r, "unary", randomStruct(r, soakLimit/8))
	}},
	{"cancelled", func(s *soak, r *rand.Rand) error {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(time.Duration(r.IntN(2000))*time.Microsecond, cancel)
		defer func() { timer.Stop(); cancel() }()
		return s.mayEnd(s.echo(ctx, r, kinds[r.IntN(len(kinds))], randomStruct(r, 300)), codes.Canceled)
	}},
	{"late", func(s *soak, r *rand.Rand) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(2000))*time.Microsecond)
		defer cancel()
		return s.mayEnd(s.echo(ctx, r, kinds[r.IntN(len(kinds))], randomStruct(r, 300)), codes.DeadlineExceeded)
	}},
	{"changed", func(s *soak, r *rand.Rand) error { return s.changed(r) }},
	{"too large", func(s *soak, r *rand.Rand) error {
		m := &structpb.Struct{Fields: map[string]*structpb.Value{"x": structpb.NewStringValue(
			string(make([]byte, soakLimit)))}}
		return wantCode(s.echo(context.Background(), r, "unary", m), codes.ResourceExhausted)
	}},
	{"panicking", func(s *soak, r *rand.Rand) error {
		m := randomStruct(r, 500)
		m.Fields[panics] = structpb.NewNullValue()
		return wantCode(s.echo(context.Background(), r, "unary", m), codes.DataLoss)
	}},
	{"in bad frames", func(s *soak, r *rand.Rand) error { return s.badFrame(r) }},
}

// echo makes a call and compares each response with the request. One of 32 is not plain: see compressFrom.
func (s *soak) echo(ctx context.Context, r *rand.Rand, kind string, m *structpb.Struct) error {
	c := s.callers[0]
	if r.IntN(32) == 0 {
		c = s.callers[1+r.IntN(len(s.callers)-1)]
	}
	return c.call(ctx, kind, m, func(got proto.Message) error {
		if !proto.Equal(got, m) {
			return fmt.Errorf("got another message: %v, want %v", got, m)
		}
		return nil
	})
}

func codeOf(err error) codes.Code {
	if e := new(connect.Error); errors.As(err, &e) {
		return codes.Code(e.Code()) // the numbers are the same
	}
	return status.Code(err)
}

func wantCode(err error, want codes.Code) error {
	if codeOf(err) != want {
		return fmt.Errorf("%v, want code %v", err, want)
	}
	return nil
}

// mayEnd is for a call that may have been answered, or not any more.
func (s *soak) mayEnd(err error, code codes.Code) error {
	if err == nil || codeOf(err) == code {
		return nil
	}
	return err
}

// randomStruct returns a Struct of up to about that many bytes.
func randomStruct(r *rand.Rand, most int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for size := r.IntN(most); size > 0; {
		text := make([]byte, r.IntN(min(size, 2000)+1))
		for i := range text {
			text[i] = byte('a' + r.IntN(26))
		}
		v := &structpb.ListValue{Values: []*structpb.Value{
			structpb.NewStringValue(string(text)), structpb.NewNumberValue(r.Float64()),
			structpb.NewBoolValue(r.IntN(2) == 0),
		}}
		s.Fields[fmt.Sprint("key", r.IntN(1000))] = structpb.NewListValue(v)
		size -= len(text) + 40
	}
	return s
}

// A changer is a client's codec that truncates or changes what it sends, and reads with the official library.
type changer struct {
	random *rand.Rand
	sent   []byte
}

func (c *changer) Name() string { return "proto" }

func (c *changer) encode(v any) ([]byte, error) {
	b, err := proto.Marshal(v.(proto.Message))
	if err != nil {
		return nil, err
	}
	if c.random.IntN(2) == 0 {
		b = b[:c.random.IntN(len(b)+1)]
	}
	for range c.random.IntN(4) {
		if len(b) > 0 {
			b[c.random.IntN(len(b))] ^= 1 << c.random.IntN(8)
		}
	}
	c.sent = slices.Clone(b)
	return b, nil
}

// A grpcChanger is a changer as grpc-go has codecs, and a connectChanger as connect-go has them.
type (
	grpcChanger    struct{ *changer }
	connectChanger struct{ *changer }
)

func (c grpcChanger) Marshal(v any) (mem.BufferSlice, error) {
	b, err := c.encode(v)
	return mem.BufferSlice{mem.SliceBuffer(b)}, err
}

func (c grpcChanger) Unmarshal(data mem.BufferSlice, v any) error {
	return proto.Unmarshal(data.Materialize(), v.(proto.Message))
}

func (c connectChanger) Marshal(v any) ([]byte, error) { return c.encode(v) }

func (c connectChanger) Unmarshal(data []byte, v any) error {
	return proto.Unmarshal(data, v.(proto.Message))
}

// changed sends a message that is changed on its way.
func (s *soak) changed(r *rand.Rand) error {
	c := &changer{random: r}
	m, got := randomStruct(r, 3000), new(structpb.Struct)
	var err error
	refused := codes.Internal
	if s.variant.framework == "grpc" {
		conn := s.callers[0].(*grpcCaller).ClientConn
		err = conn.Invoke(context.Background(), path("struct", "unary"), m, got, grpc.ForceCodecV2(grpcChanger{c}))
	} else {
		refused = codes.InvalidArgument
		client := connect.NewClient[structpb.Struct, structpb.Struct](s.raw, "http://"+s.addr+path("struct", "unary"),
			connect.WithCodec(connectChanger{c}))
		var resp *connect.Response[structpb.Struct]
		if resp, err = client.CallUnary(context.Background(), connect.NewRequest(m)); err == nil {
			got = resp.Msg
		}
	}
	want := new(structpb.Struct)
	switch wantErr := proto.Unmarshal(c.sent, want); {
	case wantErr != nil:
		return wantCode(err, refused)
	case err != nil:
		return fmt.Errorf("%x: %w", c.sent, err)
	case !proto.Equal(got, want):
		return fmt.Errorf("%x: got %v, want %v", c.sent, got, want)
	}
	return nil
}

// badFrame sends a frame of gRPC whose length is not that of the message, or that is not all there, or that says that
// it is compressed, which it is not.
func (s *soak) badFrame(r *rand.Rand) error {
	body := make([]byte, 6+r.IntN(50))
	binary.BigEndian.PutUint32(body[1:], uint32(len(body)-5+1+r.IntN(1000)))
	switch r.IntN(3) {
	case 0:
		body = body[:r.IntN(5)+1]
	case 1:
		body[0] = 1
		binary.BigEndian.PutUint32(body[1:], uint32(len(body)-5))
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+s.addr+path("struct", "unary"), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/grpc+proto")
	req.Header.Set("TE", "trailers")
	req.Header.Set("Grpc-Encoding", "gzip")
	resp, err := s.raw.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	code := resp.Trailer.Get("Grpc-Status")
	if code == "" {
		code = resp.Header.Get("Grpc-Status")
	}
	if code == "" || code == "0" {
		return fmt.Errorf("a bad frame is answered by status %q", code)
	}
	return nil
}
