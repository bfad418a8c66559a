package migrate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Hostile schemas and samples take bounded time and memory. The limits are far above what
// these take, and far below what an exponential walk would.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, tt := range []struct {
		name, old, new string
		sample         []byte
	}{
		{"wide", wide(400, "int64"), wide(400, "int32"), nil},
		{"every type has every other", complete(20, "int64"), complete(20, "int32"), nil},
		{"a type that requires itself", "syntax = \"proto2\"; message M { required M m = 1; optional int64 n = 2; }",
			"syntax = \"proto2\"; message M { required M m = 1; optional int32 n = 2; }", nil},
		{"a large enum", enum(5000), enum(4999), nil},
		{"a deep sample", "message M { M m = 1; int64 n = 2; }", "message M { M m = 1; int32 n = 2; }", nested(2000)},
		{"a long list that fails", "message M { repeated string s = 1; }", "message M { repeated bytes s = 1; }", list(20000, "not base64!")},
		{"a long list that merges", "message M { repeated string s = 1; }", "message M { string s = 1; }", list(20000, "x")},
		{"a hostile Value", "message M { google.protobuf.Value v = 1; }", "message M { bytes v = 1; }",
			field(1, field(5, list(5000, "\x0a\x01k\x12\x00")))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			a, b := side(t, tt.old, ""), side(t, tt.new, "")
			var all Samples
			if tt.sample != nil {
				all.Old = []Sample{{"hostile", tt.sample}}
			}
			r, err := Prove(t.Context(), a, b, all, Options{})
			if err == nil {
				_, err = Plans(t.Context(), a, b, all, Options{}, r, Both)
			}
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) > maxFindings+8 {
				t.Errorf("%d findings", len(r.Findings))
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("took %v", d)
			}
			if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 512<<20 {
				t.Errorf("%d MiB more in use", grown>>20)
			}
			t.Logf("%v, %d documents, %d findings, %d untried", time.Since(start).Round(time.Millisecond), r.Compared,
				len(r.Findings), r.Untried)
		})
	}
}

func wide(n int, kind string) string {
	var b strings.Builder
	b.WriteString("message M {")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "\n%s f%d = %d;", kind, i, i)
	}
	return b.String() + "}"
}

// complete has n types, each of which has fields of all of them.
func complete(n int, kind string) string {
	var b strings.Builder
	for i := range n {
		name := fmt.Sprintf("T%d", i)
		if i == 0 {
			name = "M"
		}
		fmt.Fprintf(&b, "message %s { %s n = 1;", name, kind)
		for j := 1; j < n; j++ {
			fmt.Fprintf(&b, " T%d f%d = %d; repeated T%d l%d = %d;", j, j, 2*j, j, j, 2*j+1)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func enum(n int) string {
	var b strings.Builder
	b.WriteString("message M { E e = 1; } enum E {")
	for i := range n {
		fmt.Fprintf(&b, "\nV%d = %d;", i, i)
	}
	return b.String() + "}"
}

func field(n protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
}

func nested(n int) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 1<<40)
	for range n {
		b = field(1, b)
	}
	return b
}

func list(n int, text string) []byte {
	var b []byte
	for range n {
		b = append(b, field(1, []byte(text))...)
	}
	return b
}

// Prove and Plans stop when they are told to.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, b := side(t, "message M { int64 n = 1; }", ""), side(t, "message M { int32 n = 1; }", "")
	if _, err := Prove(ctx, a, b, Samples{}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Prove: %v", err)
	}
	r, err := Prove(t.Context(), a, b, Samples{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Plans(ctx, a, b, Samples{}, Options{}, r, Both); !errors.Is(err, context.Canceled) {
		t.Errorf("Plans: %v", err)
	}
}
