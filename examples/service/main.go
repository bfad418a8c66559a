//go:build unix

// Command service is an event API, whose events carry any JSON (google.protobuf.Value), by grpc-go or connect-go, with
// the official codec or Protean's:
//
//	go run .                                                  # what each codec costs with each framework
//	go run . -serve 127.0.0.1:8080 -framework connect         # a server
//	echo '{"any": "json"}' | go run . -publish 127.0.0.1:8080 -framework connect
//
// Server and client may have different codecs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"

	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/examples/service/internal/eventpb"
	"github.com/protean-pb/protean/examples/service/internal/rig"
	"github.com/protean-pb/protean/protojson"
)

func main() {
	rig.Child(app)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// A usageError is a mistake in the flags.
type usageError struct{ error }

func command(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("service", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned
	serveAt := flags.String("serve", "", "run a server at this address")
	publishAt := flags.String("publish", "", "publish the JSON on standard input to the server at this address")
	framework := flags.String("framework", "grpc", "grpc or connect")
	codec := flags.String("codec", "protean", "protean or official")
	calls := flags.Int("calls", 4000, "calls a round, where the codecs are compared")
	rounds := flags.Int("rounds", 5, "rounds")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(out)
		flags.PrintDefaults()
		return nil
	} else if err != nil {
		return usageError{err}
	}
	name := *framework + "/" + *codec
	v, err := variantNamed(name)
	switch {
	case err != nil:
		return usageError{err}
	case flags.NArg() > 0:
		return usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	case *calls < 8 || *calls > 1_000_000 || *rounds < 1 || *rounds > 100:
		return usageError{errors.New("8 to 1,000,000 calls a round, and 1 to 100 rounds")}
	case *serveAt != "":
		return serve(ctx, v, *serveAt, out)
	case *publishAt != "":
		return publish(v, *publishAt, in, out)
	}
	return compare(ctx, out, rig.Load{Calls: *calls, Callers: 8}, *rounds)
}

// A variant is one framework with one codec.
type variant struct {
	serve func(net.Listener, bool) (stop func())
	dial  func(string, bool) (api, error)
	ours  bool // the codec
}

func variantNamed(name string) (variant, error) {
	for _, ours := range []bool{false, true} {
		codec := map[bool]string{false: "official", true: "protean"}[ours]
		switch name {
		case "grpc/" + codec:
			return variant{serveGRPC, dialGRPC, ours}, nil
		case "connect/" + codec:
			return variant{serveConnect, dialConnect, ours}, nil
		}
	}
	return variant{}, fmt.Errorf("%q: the frameworks are grpc and connect, the codecs official and protean", name)
}

func serve(ctx context.Context, v variant, addr string, out io.Writer) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	stop := v.serve(listener, v.ours)
	defer stop()
	fmt.Fprintln(out, "serving at", listener.Addr())
	<-ctx.Done()
	return nil
}

// publish publishes an event with any JSON, and prints it as the server has it.
func publish(v variant, addr string, in io.Reader, out io.Writer) error {
	payload := new(structpb.Value)
	if err := protojson.UnmarshalRead(in, payload); err != nil {
		return err
	}
	client, err := v.dial(addr, v.ours)
	if err != nil {
		return err
	}
	defer client.close()
	receipt, err := client.publish(&eventpb.Envelope{Source: "command line", Time: timestamppb.Now(), Payload: payload})
	if err != nil {
		return err
	}
	event, err := client.last(receipt.Source)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, protojson.MarshalOptions{Multiline: true}.Format(event))
	return nil
}
