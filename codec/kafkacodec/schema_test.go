package kafkacodec_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	_ "google.golang.org/protobuf/types/known/apipb"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

var background = context.Background()

// firstRecord is an empty message of the first type of schema 1.
var firstRecord = []byte("\x00\x00\x00\x00\x01\x00")

// TestIndexes finds message types by their indexes. In shop.Order the type of the map's entries comes before Line or
// not.
func TestIndexes(t *testing.T) {
	_, client := newRegistry(t)
	for _, o := range []kafkacodec.Options{{}, {SourceIndexes: true}} {
		codec := kafkacodec.New(client, o)
		line := "\x02"
		if o.SourceIndexes {
			line = "\x00"
		}
		for indexes, want := range map[string]string{
			"\x00": "shop.Ping", "\x02\x00": "shop.Ping", "\x02\x02": "shop.Order",
			"\x04\x02" + line: "shop.Order.Line", "\x06\x02" + line + "\x00": "shop.Order.Line.Note",
		} {
			typ, payload, err := codec.Type(background, []byte("\x00\x00\x00\x04\x12"+indexes+"rest"))
			if err != nil {
				t.Errorf("%x: %v", indexes, err)
				continue
			}
			if name := string(typ.Descriptor().FullName()); name != want || string(payload) != "rest" ||
				typ.ID() != orderID {
				t.Errorf("%x: %s %q, want %s", indexes, typ, payload, want)
			}
			if same, err := codec.Lookup(background, orderID, typ.Descriptor().FullName()); err != nil || same != typ {
				t.Errorf("Lookup of %s: %v %v", typ, same, err)
			}
			record, err := codec.Append(nil, typ.New())
			if again, _, typeErr := codec.Type(background, record); err != nil || typeErr != nil || again != typ {
				t.Errorf("%s is written as %x: %s %v %v", typ, record, again, err, typeErr)
			}
		}
		for indexes, want := range map[string]string{
			"\x02\x04": "no message type at [2]", "\x04\x00\x00": "no message type at [0 0]", "\x04\x02\x7e": "no message type at [1 63]",
		} {
			_, _, err := codec.Type(background, []byte("\x00\x00\x00\x04\x12"+indexes))
			if !errors.Is(err, kafkacodec.ErrSchema) || !strings.Contains(err.Error(), "schema 1042 has "+want) {
				t.Errorf("%x: %v", indexes, err)
			}
		}
	}
	_, _, err := kafkacodec.New(client, kafkacodec.Options{}).Type(background,
		[]byte("\x00\x00\x00\x04\x12\x04\x02\x00"))
	if err == nil || !strings.Contains(err.Error(),
		"shop.Order.LabelsEntry of schema 1042, at [1 0], is the entry of a map") {
		t.Error(err)
	}
}

// TestImports compiles what a schema may import without a reference: what comes with a compiler, what Confluent's
// registry has, and what the program links.
func TestImports(t *testing.T) {
	codec := kafkacodec.New(source(`syntax = "proto3";
		import "google/protobuf/struct.proto";
		import "confluent/meta.proto";
		import "confluent/type/decimal.proto";
		import "google/protobuf/api.proto";
		message M {
			option (confluent.message_meta) = { doc: "documented" tags: "PII" };
			google.protobuf.Value value = 1; confluent.type.Decimal amount = 2; google.protobuf.Api api = 3;
		}`), kafkacodec.Options{})
	typ, _, err := codec.Type(background, firstRecord)
	if err != nil || typ.Descriptor().Fields().Len() != 3 {
		t.Error(typ, err)
	}
}

// TestSerialized takes descriptors where the registry has them.
func TestSerialized(t *testing.T) {
	fake, _ := newRegistry(t)
	_, client := newRegistry(t)
	typ, err := kafkacodec.New(client, kafkacodec.Options{}).Lookup(background, moneyID, "shop.Money")
	if err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString(marshal(t,
		protodesc.ToFileDescriptorProto(typ.Descriptor().ParentFile())))
	asked := ""
	fake.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if asked = r.URL.Query().Get("format"); r.URL.Path != fmt.Sprintf("/schemas/ids/%d", moneyID) {
			return false
		}
		fmt.Fprintf(w, `{"schemaType":"PROTOBUF","schema":%q}`, text)
		return true
	})
	other, err := kafkacodec.NewRegistry(sr.URLs(fake.URL()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := kafkacodec.New(other, kafkacodec.Options{Serialized: true}).Lookup(background, moneyID, "shop.Money")
	if err != nil || got.Descriptor().Fields().Len() != 3 || asked != "serialized" {
		t.Errorf("%v %v, format %q", got, err, asked)
	}
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestUTF8 reads a string that is not UTF-8 in a schema of an edition, where the compiler's own descriptors let it
// pass.
func TestUTF8(t *testing.T) {
	codec := kafkacodec.New(source(`edition = "2023"; message M { string s = 1; }`), kafkacodec.Options{})
	if _, err := codec.Decoder(kafkacodec.DecodeOptions{}).Message(background,
		append(firstRecord, "\x0a\x01\xff"...)); err == nil {
		t.Error("text that is not UTF-8 passes")
	}
}

// TestHostileSchemas gives the compiler what a registry may hold: each is one clear error of one line, in bounded
// memory.
func TestHostileSchemas(t *testing.T) {
	nested := func(n int) string {
		return `syntax = "proto3"; ` + strings.Repeat("message M { ", n) + strings.Repeat("}", n)
	}
	deep := &descriptorpb.DescriptorProto{Name: proto.String("M")}
	for range 60 {
		deep = &descriptorpb.DescriptorProto{Name: proto.String("M"), NestedType: []*descriptorpb.DescriptorProto{deep}}
	}
	b64 := func(messages ...*descriptorpb.DescriptorProto) string {
		return base64.StdEncoding.EncodeToString(marshal(t,
			&descriptorpb.FileDescriptorProto{Syntax: proto.String("proto3"), MessageType: messages}))
	}
	bad := &descriptorpb.DescriptorProto{Name: proto.String("M"), Field: []*descriptorpb.FieldDescriptorProto{{
		Name: proto.String("f"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
		TypeName: proto.String(".X"),
	}}}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":            {"", "has no message type"},
		"no proto":         {`{"type":"record"}`, "syntax error"},
		"no such type":     {`syntax = "proto3"; message M { Missing m = 1; }`, "unknown type Missing"},
		"no such import":   {`import "acme/missing.proto"; message M {}`, `import "acme/missing.proto": the registry has no reference to it`},
		"itself":           {`import "schema-1.proto"; message M {}`, "cycle"},
		"nested":           {nested(100), "nesting depth must be less than 32"},
		"nested far":       {nested(100_000), "brackets are nested more than 200 deep"},
		"hidden":           {strings.Repeat("message M { /* } } */ ' } '; // } \n", 300), "brackets are nested more than 200 deep"},
		"too long":         {`syntax = "proto3";` + strings.Repeat(" ", 5<<20), "more than 4194304 bytes"},
		"brackets":         {`syntax = "proto3"; message M { string s = 1 [(a) = ` + strings.Repeat("{a:", 50_000), "brackets are nested more than 200 deep"},
		"long names":       {`syntax = "proto3"; message M` + strings.Repeat("m", 1<<20) + ` { ` + fields(10_000) + `}`, "full names"},
		"long package":     {`syntax = "proto3"; package p` + strings.Repeat("p", 1<<20) + `; message M { ` + fields(10_000) + `}`, "full names"},
		"nested, compiled": {b64(deep), "nested more than 32 deep"},
		"not linked":       {b64(bad), "X"},
		"NUL":              {"\x00\x00", "invalid control character"},
		"not UTF-8":        {"syntax = \"proto3\"; // \xff\nmessage M { \xff }", "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			codec := kafkacodec.New(source(tt.text), kafkacodec.Options{})
			_, _, err := codec.Type(background, firstRecord)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, kafkacodec.ErrSchema) || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%.300v, want %q", err, tt.want)
			}
			if text := fmt.Sprint(err); strings.Contains(text, "\n") || len(text) > 500 {
				t.Errorf("an error of %d bytes: %.300q", len(text), text)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
				t.Errorf("%d MiB allocated", used>>20)
			}
		})
	}
}

func fields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "int32 f%d = %d;", i, i+1)
	}
	return b.String()
}

// A chain of references without an end, a conflict, and a reference to nothing.
func TestReferences(t *testing.T) {
	ref := func(name, subject string, version int) sr.SchemaReference {
		return sr.SchemaReference{Name: name, Subject: subject, Version: version}
	}
	empty := sr.SubjectSchema{Schema: sr.Schema{Schema: `syntax = "proto3";`, Type: sr.TypeProtobuf}}
	for name, tt := range map[string]struct {
		refs      []sr.SchemaReference
		byVersion func(context.Context, string, int) (sr.SubjectSchema, error)
		want      string
	}{
		"endless": {[]sr.SchemaReference{ref("a", "s", 1)}, func(_ context.Context, _ string, version int) (sr.SubjectSchema, error) {
			s := empty
			s.References = []sr.SchemaReference{ref(fmt.Sprint("f", version), "s", version+1)}
			return s, nil
		}, "more than 256 files"},
		"wide": {[]sr.SchemaReference{ref("a", "s", 1)}, func(_ context.Context, _ string, version int) (sr.SubjectSchema, error) {
			s := empty
			s.References = make([]sr.SchemaReference, 1<<17)
			return s, nil
		}, "more than 65536 references"},
		"conflict": {[]sr.SchemaReference{ref("a", "s", 1), ref("a", "s", 2)}, func(context.Context, string, int) (sr.SubjectSchema, error) {
			return empty, nil
		}, `it refers to "a" as version 1 of "s" and as version 2 of "s"`},
		"missing": {[]sr.SchemaReference{ref("a", "s", 1)}, nil, `reference "a", version 1 of "s": there are no subjects`},
	} {
		r := stub{byVersion: tt.byVersion, byID: func(context.Context, int) (sr.Schema, error) {
			return sr.Schema{Schema: `syntax = "proto3"; message M {}`, Type: sr.TypeProtobuf, References: tt.refs}, nil
		}}
		if _, _, err := kafkacodec.New(r, kafkacodec.Options{}).Type(background, firstRecord); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestOtherSchemaTypes(t *testing.T) {
	r := stub{byID: func(context.Context, int) (sr.Schema, error) {
		return sr.Schema{Schema: `"string"`, Type: sr.TypeAvro}, nil
	}}
	if _, _, err := kafkacodec.New(r, kafkacodec.Options{}).Type(background, firstRecord); err == nil ||
		!strings.Contains(err.Error(), "it is in AVRO, not in Protobuf") {
		t.Error(err)
	}
}

// TestLongAnswer reads an answer of the registry that does not end.
func TestLongAnswer(t *testing.T) {
	fake, client := newRegistry(t)
	fake.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		for range 64 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				break
			}
		}
		return true
	})
	if _, err := kafkacodec.New(client, kafkacodec.Options{}).Lookup(background, orderID, "shop.Order"); err == nil ||
		!strings.Contains(err.Error(), "more than 16777216 bytes") {
		t.Error(err)
	}
}
