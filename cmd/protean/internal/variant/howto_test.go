package variant

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// howTo is the variant that docs/howto/add-a-variant.md adds.
var howTo = reading([]*Variant{
	{
		Name: "Concrete (proto, deterministic)", Family: Proto, Library: protoLibrary, Generator: GoGenerator,
		About: "generated messages through the official library, equal messages as equal bytes",
		Ops:   []string{Size, Marshal, Unmarshal}, OnRequest: true,
		Open: func(t *Type) (Codec, error) {
			marshal := proto.MarshalOptions{Deterministic: true}.Marshal
			return openMessage(t, marshal, proto.Unmarshal), nil
		},
	},
})

// The code of the page is the code above, and does what it says.
func TestHowToAddAVariant(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/howto/add-a-variant.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("howto_test.go")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	if block == nil || !strings.Contains(unindented(source), unindented(block[1])) {
		t.Errorf("the page's code is not that of this file")
	}

	sample, err := structpb.NewStruct(map[string]any{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5})
	if err != nil {
		t.Fatal(err)
	}
	c, err := howTo[0].Open(&Type{New: func() proto.Message { return new(structpb.Struct) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Load([]proto.Message{sample}); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Ops() {
		for range 20 {
			if err := o.Run(0); err != nil {
				t.Fatal(err)
			}
			if got, err := o.Message(o.Result()); err != nil || !proto.Equal(got, sample) {
				t.Fatalf("%s: %v, %v", o.Name, got, err)
			}
			if o.Name == Marshal && !bytes.Equal(Pieces(o.Result())[0], c.Wire(0)[0]) {
				t.Fatal("marshal is not deterministic")
			}
		}
	}
}

// unindented returns a text without white space at the beginnings of lines.
func unindented(text []byte) string {
	return string(regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAll(bytes.TrimSpace(text), nil))
}
