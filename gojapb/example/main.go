// Command example runs a script that makes, writes and reads a message.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"

	"github.com/protean-pb/protean/gojapb"
)

const script = `
const pb = require('protobuf');
pb.loadDescriptorSet(schema);

const Event = pb.messageType('acme.v1.Event');
const event = new Event({ id: 'evt_1', account: 81723, tags: ['web'], at: new Date(0) });
event.tags.push('eu');
event.amount = 12.5;

const wire = pb.encode(event);
JSON.stringify(pb.decode(Event, wire));
`

func main() {
	schema, err := os.ReadFile("event.binpb")
	if err != nil {
		log.Fatal(err)
	}
	registry := require.NewRegistry()
	registry.RegisterNativeModule("protobuf", gojapb.Require())

	rt := goja.New()
	registry.Enable(rt)
	if err := rt.Set("schema", rt.NewArrayBuffer(schema)); err != nil {
		log.Fatal(err)
	}
	v, err := rt.RunString(script)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v)
}
