package gojapb

import (
	"testing"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"

	_ "github.com/protean-pb/protean/internal/testpb"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
)

const schemaJSON = `{"file":[{"name":"demo.proto","package":"demo","syntax":"proto3","dependency":["google/protobuf/struct.proto","google/protobuf/timestamp.proto"],
"messageType":[{"name":"M","field":[
{"name":"name","number":1,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"},
{"name":"user_agent","number":2,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"},
{"name":"count","number":3,"type":"TYPE_INT32","label":"LABEL_OPTIONAL"},
{"name":"big","number":4,"type":"TYPE_INT64","label":"LABEL_OPTIONAL"},
{"name":"tags","number":5,"type":"TYPE_STRING","label":"LABEL_REPEATED"},
{"name":"labels","number":6,"type":"TYPE_MESSAGE","typeName":".demo.M.LabelsEntry","label":"LABEL_REPEATED"},
{"name":"child","number":7,"type":"TYPE_MESSAGE","typeName":".demo.M","label":"LABEL_OPTIONAL"},
{"name":"children","number":8,"type":"TYPE_MESSAGE","typeName":".demo.M","label":"LABEL_REPEATED"},
{"name":"payload","number":9,"type":"TYPE_MESSAGE","typeName":".google.protobuf.Struct","label":"LABEL_OPTIONAL"},
{"name":"at","number":10,"type":"TYPE_MESSAGE","typeName":".google.protobuf.Timestamp","label":"LABEL_OPTIONAL"},
{"name":"data","number":11,"type":"TYPE_BYTES","label":"LABEL_OPTIONAL"}
],"nestedType":[{"name":"LabelsEntry","options":{"mapEntry":true},"field":[
{"name":"key","number":1,"type":"TYPE_STRING","label":"LABEL_OPTIONAL"},{"name":"value","number":2,"type":"TYPE_INT32","label":"LABEL_OPTIONAL"}]}]}]}]}`

func demo(t testing.TB) (*goja.Runtime, *Module) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(schemaJSON), set); err != nil {
		t.Fatal(err)
	}
	b, _ := proto.Marshal(set)
	rt := goja.New()
	m, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	pb := rt.NewObject()
	m.SetupExports(pb)
	rt.Set("pb", pb)
	if _, err := m.LoadDescriptorSetBytes(b); err != nil {
		t.Fatal(err)
	}
	return rt, m
}

func TestSmoke(t *testing.T) {
	rt, _ := demo(t)
	rt.Set("log", func(v goja.Value) { t.Log(v.String()) })
	_, err := rt.RunString(`
const M = pb.messageType('demo.M');
const m = new M({name: 'a', userAgent: 'ua', tags: ['x','y'], labels: {a: 1, b: 2}, child: {count: 3}, payload: {k: [1, {z: null}]}, at: new Date(1500)});
log(JSON.stringify(m));
m.big = 9007199254740993n; log(String(m.big));
log(m.tags.length + m.tags.map(x => x + x).join());
for (const t of m.tags) log(t);
for (const [k, v] of m.labels) log(k + v);
m.payload.k[1].z = {deep: true};
m.children.push({name: 'c1'}); m.children.add(new M({name: 'c2'}));
log(m.children[1] === m.children[1]);
log(JSON.stringify(m.toObject(), (k,v) => typeof v === "bigint" ? String(v) : v));
const b = pb.encode(m); log(b.length);
const n = pb.decode(M, b);
log(pb.equals(m, n));
log(pb.equals(m, pb.fromJSON(M, pb.toJSON(m))));
for (const f of [() => m.count = 1.5, () => m.count = 'x', () => m.nope = 1, () => m.child = m, () => m.child.child = m, () => m.set('tags', 5), () => pb.decode(M, new Uint8Array([255])),
  () => m.tags[10] = 'x', () => new M({child: 5}), () => pb.messageType('x'), () => m.get('zz'), () => m.big = 1e300]) {
  try { f(); log('NO ERROR ' + f); } catch (e) { log(e instanceof Error ? e.name + ': ' + e.message : 'not an error ' + e); }
}
log(Object.keys(m)); log(m instanceof M); log(m.$type + M.typeName);
m.data = new Uint8Array([1,2,3]); log(m.data); log(m.tags.pop()); log(m.tags.length);
class X extends M { get both() { return this.name + this.user_agent } }
log(new X({name:'q'}).both); log(pb.decode(X, b).name);
`)
	if err != nil {
		t.Fatal(err)
	}
}
