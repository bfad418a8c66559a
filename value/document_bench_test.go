package value

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// by names a benchmark so that tools can tell what it works on from whose way it times.
func by(shape, way string) string { return "shape=" + shape + "/by=" + way }

// BenchmarkParse sets Parse, fresh and into a reused Doc, beside the official library.
func BenchmarkParse(b *testing.B) {
	for s := range eachShape(b) {
		if d, err := Parse(s.wire); err != nil || difference(d, s.tree) != "" {
			b.Fatal(err, difference(d, s.tree))
		}
		b.Run(by(s.name, "official"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s.wire)))
			for b.Loop() {
				if err := proto.Unmarshal(s.wire, new(structpb.Value)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(by(s.name, "fresh"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s.wire)))
			for b.Loop() {
				if _, err := Parse(s.wire); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(by(s.name, "reused"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s.wire)))
			var d Doc
			for b.Loop() {
				if err := d.Parse(s.wire); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkGet sets three look-ups by path beside the same in the official library's
// tree.
func BenchmarkGet(b *testing.B) {
	for _, c := range []struct {
		shape string
		paths [3][]any
	}{
		{"medium", [3][]any{{"actor", "id"}, {"metadata", "user_agent"}, {"event_type"}}},
		{"flat500", flatPaths(b)},
	} {
		s := find(b, c.shape)
		d, err := Parse(s.wire)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(by(c.shape, "official"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range c.paths {
					v := s.tree
					for _, step := range p {
						v = v.GetStructValue().GetFields()[step.(string)]
					}
					if v.GetStringValue() == "" {
						b.Fatal("not found")
					}
				}
			}
		})
		b.Run(by(c.shape, "protean"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range c.paths {
					if s, err := d.Get(p...).String(); err != nil || s == "" {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func find(t testing.TB, name string) shape {
	for s := range eachShape(t) {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no shape %s", name)
	return shape{}
}

// flatPaths are three keys of flat500 that hold text.
func flatPaths(t testing.TB) (out [3][]any) {
	n, i := 0, 0
	for key, v := range find(t, "flat500").data.(map[string]any) {
		if _, ok := v.(string); ok && i < 3 {
			if n++; n%40 == 1 {
				out[i] = []any{key}
				i++
			}
		}
	}
	return out
}
