package main

import (
	"math/rand/v2"

	"github.com/dop251/goja"

	"github.com/protean-pb/protean/gojapb"
)

// script makes messages, converts them in all ways, and keeps some for later.
const script = `(() => {
	const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
	for (let i = 0; i < 10; i++, count++) {
		const text = 'text ' + count;
		const m = new All({
			optionalInt32: i, optionalString: text, optionalBytes: new Uint8Array([i, 2, 3]),
			repeatedString: ['first', text], repeatedNestedMessage: [{ a: i }, { a: 2 }],
			mapStringString: { x: text, y: 'other' }, mapStringNestedMessage: { x: { a: i } },
			optionalStruct: { list: [i, text], object: { text } }, recursiveMessage: { optionalString: text },
		});
		const copies = [
			pb.decode(All, pb.encode(m)), pb.fromJSON(All, pb.toJSON(m)), new All(m.toObject()), pb.clone(m),
		];
		for (const [way, c] of copies.entries())
			if (!pb.equals(c, m)) throw new Error('way ' + way + ' changes a message');
		// Parts of a message that is dropped.
		kept.push([text, copies[i % 4].recursiveMessage, copies[0].repeatedString, copies[1].mapStringString]);
		if (kept.length <= 60) continue;
		const [want, message, list, map] = kept.shift();
		if (message.optionalString !== want || list.length !== 2 || list[1] !== want || map.get('x') !== want)
			throw new Error('what was kept has changed');
	}
})()`

// A scriptWorker runs the script.
type scriptWorker struct {
	*stress
	rt   *goja.Runtime
	left int // turns until there is a new runtime
}

func startScripts(s *stress, _ int, _ *rand.Rand) (worker, error) {
	return &scriptWorker{stress: s}, nil
}

func (w *scriptWorker) turn() {
	if w.left == 0 {
		w.left = 30
		if err := w.renew(); err != nil {
			w.mismatch("a script: %v", err)
			return
		}
	}
	w.left--
	if _, err := w.rt.RunString(script); err != nil {
		w.mismatch("a script: %v", err)
	}
}

// renew makes a runtime with the module.
func (w *scriptWorker) renew() error {
	w.rt = goja.New()
	m, err := gojapb.New(w.rt)
	if err != nil {
		return err
	}
	exports := w.rt.NewObject()
	m.SetupExports(exports)
	if err := w.rt.Set("pb", exports); err != nil {
		return err
	}
	_, err = w.rt.RunString(`const kept = []; let count = 0;`)
	return err
}

func (w *scriptWorker) end() {}
