package suite

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// FuzzReadSamples reads arbitrary bytes as data. Whatever they are, the answer
// is samples that can be used or an error that can be read.
func FuzzReadSamples(f *testing.F) {
	for _, tt := range testSchemas {
		data, err := os.ReadFile(tt.source.Data[0])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 1<<12)])
		for _, line := range strings.SplitAfter(string(data), "\n")[:3] {
			f.Add([]byte(line))
		}
	}
	for _, list := range [][]struct{ text, want string }{badOrders, badEnvelopes, badReports} {
		for _, tt := range list {
			f.Add([]byte(tt.text))
		}
	}
	for _, text := range []string{"", "\n", "\ufeff{}", hello, brace, delimited(hello, nested), alien} {
		f.Add([]byte(text))
	}
	orders, reports := ordersSchema(f), telemetrySchema(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []DataFormat{Auto, JSON, Binary, Delimited} {
			checkReading(t, orders, "shop.orders.v1.Order", format, data)
			checkReading(t, orders, "shop.orders.v1.Envelope", format, data)
			checkReading(t, reports, "fleet.telemetry.Report", format, data)
		}
	})
}

func checkReading(t *testing.T, s *Schema, name string, format DataFormat, data []byte) {
	t.Helper()
	md := message(t, s, name)
	samples, err := readText(s, md, format, string(data))
	if err != nil {
		checkInputError(t, err, string(data))
		if format == JSON {
			checkExplained(t, err)
		}
		return
	}
	if len(samples) == 0 {
		t.Fatal("neither samples nor an error")
	}
	for _, sample := range samples {
		m := parsed(t, s, md, sample.Wire)
		again := must(proto.MarshalOptions{Deterministic: true}.Marshal(m))(t)
		if string(again) != string(sample.Wire) {
			t.Fatalf("%s, %s: the wire form is not stable\n got %x\nthen %x", name, sample.Source, sample.Wire, again)
		}
	}
}

// checkInputError checks that an error is one line about a place in the text.
func checkInputError(t *testing.T, err error, text string) {
	t.Helper()
	var ie *usererr.InputError
	if !errors.As(err, &ie) {
		t.Fatalf("error is a %T, want *InputError: %v", err, err)
	}
	if strings.ContainsAny(ie.Error(), "\r\n\u00a0") || ie.Message == "" {
		t.Errorf("error is not one line: %q", ie.Error())
	}
	lines := strings.Split(text, "\n")
	if ie.Line < 0 || ie.Line > len(lines) || ie.Column < 0 {
		t.Fatalf("error is beyond the %d lines of the text: %v", len(lines), err)
	}
	if ie.Line > 0 && ie.Column > len([]rune(lines[ie.Line-1]))+1 {
		t.Fatalf("error is beyond the line: %v", err)
	}
}

// explained are the beginnings of what is said of JSON data. Any other text is
// the library's own, of a case that the walk does not know.
var explained = regexp.MustCompile(`^(field |expected |syntax error: |no samples in stdin$|exceeded max recursion depth$)`)

func checkExplained(t *testing.T, err error) {
	t.Helper()
	var ie *usererr.InputError
	errors.As(err, &ie)
	if !explained.MatchString(ie.Message) {
		t.Errorf("not explained: %v", err)
	}
	if ie.Line == 0 && ie.Message != "no samples in stdin" {
		t.Errorf("no position: %v", err)
	}
}

// FuzzParseSchema compiles arbitrary sources.
func FuzzParseSchema(f *testing.F) {
	for _, path := range []string{ordersProto, telemetry, ordersRoot + "/shop/catalog/v1/product.proto",
		"testdata/schemas/flags/flags.proto"} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add(binarySource)
	f.Add(partProto)
	f.Add(eventProto)
	f.Add(`edition = "2023"; option features.field_presence = IMPLICIT; message M { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; }`)
	f.Add(`syntax = "proto2"; import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { optional M o = 50000; } message M { optional int32 a = 1 [(o).a = 1, (o) = { a: 2 }]; }`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := inlineSchema(map[string]string{"a.proto": text, "part/part.proto": partProto}, nil, "a.proto")
		if err != nil {
			var ie *usererr.InputError
			if !errors.As(err, &ie) || strings.Contains(ie.Error(), "\n") {
				t.Fatalf("error is a %T of one line, want *InputError: %q", err, err)
			}
			return
		}
		for _, md := range s.messages() {
			if _, err := s.Message(string(md.FullName())); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = s.Message("")
		if _, err := newSchema(s.FileSet(), s.roots); err != nil {
			t.Fatalf("the schema's own file set does not compile: %v", err)
		}
	})
}
