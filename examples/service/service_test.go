//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/protean-pb/protean/examples/service/internal/rig"
)

// The test binary is what rig starts as server and client.
func TestMain(m *testing.M) {
	rig.Child(app)
	os.Exit(m.Run())
}

// TestCodecsMix has each client talk to each server of its framework, whatever codecs they have.
func TestCodecsMix(t *testing.T) {
	for _, framework := range []string{"grpc", "connect"} {
		for _, server := range []string{"official", "protean"} {
			for _, client := range []string{"official", "protean"} {
				s, err := variantNamed(framework + "/" + server)
				if err != nil {
					t.Fatal(err)
				}
				c, err := variantNamed(framework + "/" + client)
				if err != nil {
					t.Fatal(err)
				}
				listener, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				stop := s.serve(listener, s.ours)
				a, err := c.dial(listener.Addr().String(), c.ours)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 3 {
					receipt, err := a.publish(sample())
					if err != nil || !receipt.Stored || receipt.Sequence != int64(i+1) {
						t.Errorf("%v, %v", receipt, err)
					}
				}
				if e, err := a.last("shop"); err != nil || !same(e, sample()) {
					t.Errorf("%v, %v", e, err)
				}
				if _, err := a.last("nobody"); err == nil || !strings.Contains(err.Error(), `no event of source "nobody"`) {
					t.Errorf("%v", err)
				}
				a.close()
				stop()
			}
		}
	}
}

// TestCompare prints the table for a few calls.
func TestCompare(t *testing.T) {
	var out bytes.Buffer
	if err := command(t.Context(), []string{"-calls", "40", "-rounds", "1"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), " %"); n != 2 {
		t.Errorf("%s", out.String())
	}
}

// TestCommands runs a server and publishes to it.
func TestCommands(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	addr, started := "", make(chan string, 1)
	done := make(chan error, 1)
	go func() {
		done <- command(ctx, []string{"-serve", "127.0.0.1:0", "-framework", "connect"}, nil,
			writer(func(b []byte) { started <- string(b) }))
	}()
	addr = strings.TrimSpace(strings.TrimPrefix(<-started, "serving at "))
	var out bytes.Buffer
	err := command(ctx, []string{"-publish", addr, "-framework", "connect", "-codec", "official"}, strings.NewReader(`{"a":[1,null]}`), &out)
	if err != nil || !strings.Contains(out.String(), "null") {
		t.Errorf("%s, %v", out.String(), err)
	}
	if cancel(); <-done != nil {
		t.Error("the server failed")
	}
	for _, args := range [][]string{{"-codec", "x"}, {"-framework", "x"}, {"x"}, {"-nope"}, {"-calls", "0"}} {
		if err := command(t.Context(), args, nil, &out); !errors.As(err, new(usageError)) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A writer is a function that gets what is written.
type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }
