package gojapb

import (
	"testing"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

const benchSetup = `
const M = pb.messageType('demo.M');
const full = () => new M({name: 'an event', user_agent: 'curl', count: 42, big: 12345678, tags: ['a','b','c'], labels: {x: 1, y: 2, z: 3}, child: {name: 'kid', count: 7}});
const m = full(); const plain = {name: '', get(k) {return this[k]}}; const wire = pb.encode(m); const json = pb.toJSON(m); const text = JSON.stringify(json);
const r = new M(); const e = {x:1,y:2,z:3};
`

func BenchmarkScript(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"empty", ``},
		{"plain-set-get", `plain.name = 'x'; if (plain.name !== 'x') throw 1`},
		{"new-go", `new GoCtor()`},
		{"two-go-calls", `gof(); gof()`},
		{"create", `new M()`},
		{"property", `m.name = 'x'; if (m.name !== 'x') throw 1`},
		{"method", `m.set('name', 'x'); if (m.get('name') !== 'x') throw 1`},
		{"number-property", `m.count = 5; if (m.count !== 5) throw 1`},
		{"encode", `pb.encode(m)`},
		{"decode", `pb.decode(M, wire)`},
		{"toJSON", `pb.toJSON(m)`},
		{"stringify", `JSON.stringify(json)`},
		{"fromJSON", `pb.fromJSON(M, json)`},
		{"parse", `JSON.parse(text)`},
		{"repeated", `r.set('tags', ['a','b','c','d','e']); const l = r.get('tags'); let s = 0; for (let i = 0; i < l.length; i++) s += l.get(i).length; if (s !== 5) throw 1`},
		{"repeated-plain", `const l = ['a','b','c','d','e']; let s = 0; for (let i = 0; i < l.length; i++) s += l[i].length; if (s !== 5) throw 1`},
		{"repeated-index", `r.tags = ['a','b','c','d','e']; const l = r.tags; let s = 0; for (let i = 0; i < l.length; i++) s += l[i].length; if (s !== 5) throw 1`},
		{"repeated-forEach", `r.set('tags', ['a','b','c','d','e']); let s = 0; r.get('tags').forEach(x => { s += x.length }); if (s !== 5) throw 1`},
		{"map", `r.set('labels', e); const l = r.get('labels'); if (l.get('x') + l.get('y') + l.get('z') !== 6) throw 1`},
		{"map-plain", `const l = new Map([['x', 1], ['y', 2], ['z', 3]]); if (l.get('x') + l.get('y') + l.get('z') !== 6) throw 1`},
		{"object", `new M({name:'a', count: 5})`},
		{"toObject", `m.toObject()`},
	} {
		b.Run(c.name, func(b *testing.B) {
			rt, _ := demo(b)
			rt.Set("GoCtor", func(goja.ConstructorCall) *goja.Object { return nil })
			rt.Set("gof", func(goja.FunctionCall) goja.Value { return goja.Undefined() })
			if _, err := rt.RunString(benchSetup + `function run(n) { for (let i = 0; i < n; i++) { ` + c.body + ` } }`); err != nil {
				b.Fatal(err)
			}
			run, _ := goja.AssertFunction(rt.Get("run"))
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := run(goja.Undefined(), rt.ToValue(b.N)); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkNative(b *testing.B) {
	rt, m := demo(b)
	v, err := rt.RunString(benchSetup + `m`)
	if err != nil {
		b.Fatal(err)
	}
	msg, _ := m.UnwrapMessage(v)
	wire, _ := proto.Marshal(msg)
	d := dynamicpb.NewMessage(msg.ProtoReflect().Descriptor())
	proto.Unmarshal(wire, d)
	b.Run("encode", func(b *testing.B) {
		for range b.N {
			proto.Marshal(d)
		}
	})
	b.Run("decode", func(b *testing.B) {
		for range b.N {
			proto.Unmarshal(wire, dynamicpb.NewMessage(msg.ProtoReflect().Descriptor()))
		}
	})
}
