package suite

import (
	"flag"
	"os"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

var update = flag.Bool("update", false, "write the files of testdata that are made of others")

// testSchemas are the schemas below testdata that other packages' tests use too.
var testSchemas = []struct {
	source  Source
	samples int
	message string
}{
	{Source{Protos: []string{ordersProto}, ImportPaths: []string{ordersRoot}, Message: "Order",
		Data: []string{"testdata/schemas/orders/orders.jsonl"}}, 16, "shop.orders.v1.Order"},
	{Source{Protos: []string{ordersProto}, ImportPaths: []string{ordersRoot}, Message: "Envelope",
		Data: []string{"testdata/schemas/orders/envelopes.jsonl"}}, 5, "shop.orders.v1.Envelope"},
	{Source{Protos: []string{telemetry}, Message: "Report",
		Data: []string{"testdata/schemas/telemetry/telemetry.jsonl"}}, 14, "fleet.telemetry.Report"},
	{Source{Protos: []string{telemetry}, Message: "Report",
		Data: []string{telemetryDelim}}, 14, "fleet.telemetry.Report"},
	{Source{Protos: []string{"testdata/schemas/wide/wide.proto"},
		Data: []string{"testdata/schemas/wide/rows.json"}}, 12, "wind.v1.DailyRecord"},
	{Source{Protos: []string{"testdata/schemas/wide/wide.proto"},
		Data: []string{"testdata/schemas/wide/special.json"}}, 2, "wind.v1.DailyRecord"},
	{Source{Protos: []string{"testdata/schemas/flags/flags.proto"},
		Data: []string{"testdata/schemas/flags/flags.jsonl"}}, 10, "rollout.v1.Evaluation"},
	{Source{Protos: []string{"testdata/schemas/annotated/proto/acme/shelf/v1/shelf.proto"},
		ImportPaths: []string{"testdata/schemas/annotated/proto"}, Message: "Shelf",
		Data: []string{"testdata/schemas/annotated/shelf.jsonl"}}, 2, "acme.shelf.v1.Shelf"},
}

const telemetryDelim = "testdata/schemas/telemetry/telemetry.delim"

func TestSchemas(t *testing.T) {
	for _, tt := range testSchemas {
		s := must(Load(tt.source))(t)
		p := s.Payloads[0]
		if s.Name != tt.message || len(p.Samples) != tt.samples {
			t.Errorf("%s: %d samples, want %d of %s", s.Name, len(p.Samples), tt.samples, tt.message)
		}
		differing := make(map[string]bool)
		for _, sample := range p.Samples {
			differing[string(sample.Wire)] = true
		}
		if len(differing) != tt.samples {
			t.Errorf("%s: %d of %d samples differ", tt.source.Data[0], len(differing), tt.samples)
		}
	}
}

// The binary file holds the same messages as the JSON that it was made of.
func TestTelemetryFilesAgree(t *testing.T) {
	s := telemetrySchema(t)
	md := message(t, s, "Report")
	fromJSON := must(ReadSamples(s, md, []string{"testdata/schemas/telemetry/telemetry.jsonl"}, JSON, nil))(t)
	if *update {
		var records []string
		for _, sample := range fromJSON {
			records = append(records, string(sample.Wire))
		}
		if err := os.WriteFile(telemetryDelim, []byte(delimited(records...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fromBinary := must(ReadSamples(s, md, []string{telemetryDelim}, Auto, nil))(t)
	if len(fromBinary) != len(fromJSON) {
		t.Fatalf("%d binary samples, %d in JSON", len(fromBinary), len(fromJSON))
	}
	for i, sample := range fromBinary {
		if string(sample.Wire) != string(fromJSON[i].Wire) {
			t.Errorf("%s is not %s", sample.Source, fromJSON[i].Source)
		}
	}
}

// The data is worth its name: over the samples, each field is set and is not.
func TestSchemasAreCovered(t *testing.T) {
	for _, tt := range testSchemas {
		if tt.message == "shop.orders.v1.Envelope" || tt.samples < 10 {
			continue
		}
		p := must(Load(tt.source))(t)
		payload := p.Payloads[0]
		seen := make(map[protoreflect.FullName]int)
		for _, sample := range payload.Samples {
			parsed(t, p.Schema, payload.Message,
				sample.Wire).Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
				seen[fd.FullName()]++
				return true
			})
		}
		for i := range payload.Message.Fields().Len() {
			if fd := payload.Message.Fields().Get(i); seen[fd.FullName()] == 0 {
				t.Errorf("%s: no sample sets it", fd.FullName())
			}
		}
	}
}

func TestWideHasEveryScalarKind(t *testing.T) {
	s := must(ParseSchema([]string{"testdata/schemas/wide/wide.proto"}, nil))(t)
	md := message(t, s, "")
	if n := md.Fields().Len(); n != 100 {
		t.Errorf("%d fields, want 100", n)
	}
	kinds := make(map[protoreflect.Kind]int)
	for i := range md.Fields().Len() {
		kinds[md.Fields().Get(i).Kind()]++
	}
	if len(kinds) != 15 || kinds[protoreflect.MessageKind] > 0 || kinds[protoreflect.EnumKind] > 0 {
		t.Errorf("kinds %v, want the 15 scalar ones", kinds)
	}
}
