package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// eventLines are made-up documents of one kind: with members that some have, keys that are data, a state, times,
// numbers of all sizes.
func eventLines(n int) [][]byte {
	r := rand.New(rand.NewPCG(11, 12))
	lines := make([][]byte, n)
	for i := range lines {
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"id":"evt_%d","at":"2026-11-24T10:%02d:%02dZ","state":%q`, i, r.IntN(60), r.IntN(60),
			[]string{"open", "closed", "merged"}[r.IntN(3)])
		if r.IntN(3) > 0 {
			fmt.Fprintf(&b, `,"size":%d,"ratio":%v`, r.IntN(1000), r.Float64())
		}
		fmt.Fprintf(&b, `,"actor":{"login":"user%d","id":%d},"labels":{`, r.IntN(5000), r.Int64N(1<<40))
		for j := range r.IntN(4) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"team-%d/%d":"x"`, r.IntN(900), j)
		}
		b.WriteString(`},"changes":[`)
		for j := range r.IntN(3) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"path":"src/%d.go","lines":%d,"removed":null}`, r.IntN(1000), r.IntN(100))
		}
		b.WriteString("]}\n")
		lines[i] = b.Bytes()
	}
	return lines
}

// inferred is the schema of documents, with or without its comments, and its lockfile.
func inferred(t *testing.T, lines [][]byte, comments bool) (proto, lock string) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFile(t, "events.jsonl", string(bytes.Join(lines, nil)))
	mustProtean(t, flags([]string{"infer", "-q", "--no-proof", "--data", "events.jsonl"}, inferSchema...)...)
	proto = readFile(t, "event.proto")
	if !comments {
		var kept []string
		for line := range strings.Lines(proto) {
			if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "//") {
				kept = append(kept, line)
			}
		}
		proto = strings.Join(kept, "")
	}
	return proto, readFile(t, "event.lock.yaml")
}

// The same documents in another order, read in other batches, give the same schema, comments and lockfile included.
func TestInferOrder(t *testing.T) {
	lines := eventLines(20000)
	proto, lock := inferred(t, lines, true)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	if got, gotLock := inferred(t, lines, true); got != proto || gotLock != lock {
		t.Errorf("in another order\n%s\n%s\nwant\n%s\n%s", got, gotLock, proto, lock)
	}
}

// A thousand documents and fifty thousand of the same kind give the same schema, but for the rates in its comments.
func TestInferMore(t *testing.T) {
	lines := eventLines(50000)
	few, fewLock := inferred(t, lines[:1000], false)
	many, manyLock := inferred(t, lines, false)
	if few != many || fewLock != manyLock {
		t.Errorf("of a thousand\n%s\n%s\nof fifty thousand\n%s\n%s", few, fewLock, many, manyLock)
	}
	if !strings.Contains(few, "map<string, string> labels") || !strings.Contains(few, "repeated Change changes") {
		t.Error(few)
	}
}
