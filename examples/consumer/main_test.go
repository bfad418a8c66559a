package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestConsumer runs the example with both codecs, which write the same events.
func TestConsumer(t *testing.T) {
	var lines [2][]any
	for i, codec := range []string{"protean", "dynamicpb"} {
		var stdout, stderr bytes.Buffer
		if err := run(t.Context(), flags{topic: "events", codec: codec, count: 100}, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(stderr.String(), "100 records with "+codec) {
			t.Errorf("%q", stderr.String())
		}
		for d := json.NewDecoder(&stdout); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			lines[i] = append(lines[i], v)
		}
	}
	if len(lines[0]) != 100 || !reflect.DeepEqual(lines[0], lines[1]) {
		t.Errorf("%d and %d events, or others", len(lines[0]), len(lines[1]))
	}
}

func TestPaths(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), flags{topic: "events", codec: "protean", paths: "id,actor.email", count: 1}, &stdout,
		&stderr); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"evt_0","actor":{"email":"user0@example.com"}}` + "\n"; stdout.String() != want {
		t.Errorf("%s, want %s", stdout.String(), want)
	}
}

func TestFlags(t *testing.T) {
	for _, f := range []flags{{codec: "other", topic: "events"}, {brokers: "127.0.0.1:1", codec: "protean"}} {
		if err := run(t.Context(), f, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
}
