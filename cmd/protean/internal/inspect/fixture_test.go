package inspect

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// load reads messages as the command does.
func load(t testing.TB, src suite.Source) *suite.Records {
	t.Helper()
	in, err := suite.LoadRecords(src)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// events are the messages of the test schema.
func events(t testing.TB) *suite.Records {
	return load(t, suite.Source{Protos: []string{"testdata/event.proto"}, Message: "Event",
		Data: []string{"testdata/event.jsonl"}})
}

// document is a JSON document without a schema.
func document(text string) *suite.Records {
	return &suite.Records{Records: []suite.Record{{Source: "x.json:1", JSON: []byte(text)}}}
}

// wireMessage is one message of the type of in, from hexadecimal digits with any space
// between.
func wireMessage(t testing.TB, in *suite.Records, digits string) *suite.Records {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	return &suite.Records{Schema: in.Schema, Message: in.Message, Records: []suite.Record{{Source: "x.binpb", Wire: b}}}
}

func inspect(t testing.TB, title string, in *suite.Records) *Result {
	t.Helper()
	r, err := Inspect(title, in, func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// printed renders a listing.
func printed(t testing.TB, s *Shown, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeListing(&b, s, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// nobodys is of no known type.
var nobodys = new(suite.Records)
