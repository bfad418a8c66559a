package variant

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// What decodes a message can read it, and leaves behind what it read.
func TestReading(t *testing.T) {
	sample, err := structpb.NewValue(map[string]any{"text": "12345", "list": []any{1.0, true, nil}})
	if err != nil {
		t.Fatal(err)
	}
	const want = 4 + 5 + 4 + 1 + 1
	typ := &Type{New: func() proto.Message { return new(structpb.Value) }}
	for _, name := range []string{"Concrete (proto)", "Concrete (protean)", "Concrete (JSONProto)",
		"google.protobuf.Value (proto)", "Value (protean JSONProto)",
		"value (protean)", "Map (JSON)", "Doc (protean)", "Doc (protean, reuse)", "google.protobuf.Any (proto)",
		"dynamicpb (proto)", "dynamic (protean)"} {
		c, err := Find(name).Open(typ)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Load([]proto.Message{sample}); err != nil {
			t.Fatal(err)
		}
		ops := c.Ops()
		i := slices.IndexFunc(ops, func(o *Op) bool { return o.Name == UnmarshalRead })
		if err := ops[i].Run(0); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m, err := ops[i].Message(ops[i].Result()); err != nil || !proto.Equal(m, sample) {
			t.Errorf("%s: %v (%v), want %v", name, m, err, sample)
		}
		if got := sumOf(c); got != want {
			t.Errorf("%s reads %d, want %d", name, got, want)
		}
	}
}

// sumOf returns what a codec has read.
func sumOf(c Codec) uint64 {
	switch c := c.(type) {
	case interface{ sum() uint64 }:
		return c.sum()
	}
	return 0
}

func (c *codec[S, W]) sum() uint64 { return c.read }

// All that decode have the operation, but those whose result has no fields, and those of
// programs and suites of their own.
func TestWhoReads(t *testing.T) {
	without := slices.Concat(transcoders, libraryVariants, scriptVariants)
	for _, v := range All() {
		if has, want := slices.Contains(v.Ops, UnmarshalRead),
			slices.Contains(v.Ops, Unmarshal) && !slices.Contains(without, v); has != want {
			t.Errorf("%s reads: %v, want %v", v.Name, has, want)
		}
	}
}
