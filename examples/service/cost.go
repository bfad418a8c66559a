//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/examples/service/internal/eventpb"
	"github.com/protean-pb/protean/examples/service/internal/rig"
)

// app is what the costs are of: an event that is published and read again.
var app = rig.App{
	Serve: func(name string) (string, func(), error) {
		v, err := variantNamed(name)
		if err != nil {
			return "", nil, err
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		return listener.Addr().String(), v.serve(listener, v.ours), nil
	},
	Dial: func(name, addr string) (func(context.Context) error, func(), error) {
		v, err := variantNamed(name)
		if err != nil {
			return nil, nil, err
		}
		client, err := v.dial(addr, v.ours)
		if err != nil {
			return nil, nil, err
		}
		event := sample()
		return func(context.Context) error { return roundTrip(client, event) }, client.close, nil
	},
}

// roundTrip publishes the event and reads it again.
func roundTrip(client api, event *eventpb.Envelope) error {
	if _, err := client.publish(event); err != nil {
		return err
	}
	got, err := client.last(event.Source)
	if err == nil && got.Source != event.Source {
		err = errors.New("another event came back")
	}
	return err
}

// sample is an event with a payload of about 1.8 KB.
func sample() *eventpb.Envelope {
	var items []any
	for i := range 14 {
		items = append(items, map[string]any{
			"sku": fmt.Sprintf("SKU-%05d", i*977), "title": "A thing that somebody ordered", "quantity": i + 1,
			"price": 9.99 + float64(i), "options": []any{"gift", i%2 == 0, nil},
		})
	}
	payload, err := structpb.NewValue(map[string]any{"order": "ord_0001", "email": "sam@example.com", "items": items})
	if err != nil {
		panic(err) // the values above can all be converted
	}
	return &eventpb.Envelope{Source: "shop", Time: &timestamppb.Timestamp{Seconds: 1_764_000_000}, Payload: payload}
}

// compare prints what each codec costs with each framework.
func compare(ctx context.Context, out io.Writer, l rig.Load, rounds int) error {
	fmt.Fprintf(out,
		"An event of %d bytes is published and read again. Processor time of server and client together:\n\n",
		proto.Size(sample()))
	fmt.Fprintf(out, "%-10s %10s %10s %7s %22s\n", "framework", "official", "protean", "ratio", "allocations")
	for _, framework := range []string{"grpc", "connect"} {
		c, err := rig.Compare(ctx, framework+"/official", framework+"/protean", l, rounds)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-10s %10v %10v %5.0f %% %13.0f → %6.0f\n", framework, c.Old.CPU.Round(100*time.Nanosecond),
			c.New.CPU.Round(100*time.Nanosecond), 100*c.Ratio, c.Old.Allocs, c.New.Allocs)
	}
	return nil
}
