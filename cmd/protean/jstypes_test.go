package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestJSTypes(t *testing.T) {
	const golden = "internal/jstypes/testdata/golden/"
	out := filepath.Join(t.TempDir(), "out.d.ts")
	orders, wide := orderSchema[:4], []string{"--proto", schemas + "/wide/wide.proto"}
	for _, tt := range []struct {
		name   string
		flags  []string
		golden string
	}{
		{"source", orders, "orders"},
		{"policy", flags(wide, "--int64", "bigint"), "wide"},
		{"message", flags(wide, "--int64", "bigint", "--message", "DailyRecord"), "wide"},
		{"file", flags(orders, "--out", out), "orders"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, nil, flags([]string{"js-types"}, tt.flags...)...)
			got := o.stdout
			if tt.name == "file" {
				got += readFile(t, out)
			}
			if o.code != exitOK || o.stderr != "" || got != readFile(t, golden+tt.golden+".d.ts") {
				t.Errorf("exit code %d, standard error %q, or other text than %s", o.code, o.stderr, tt.golden)
			}
		})
	}
	o := protean(t, nil, flags([]string{"js-types", "--module"}, orders...)...)
	if o.code != exitOK || o.stdout != readFile(t, golden+"orders.d.ts")+"\n"+
		readFile(t, checkout+"/gojapb/protobuf.d.ts") {
		t.Errorf("with --module: exit code %d, standard error %q, or not both files", o.code, o.stderr)
	}
	// A descriptor set has the same types, here without comments.
	o = protean(t, nil, "js-types", "--descriptor-set", ordersSet(t))
	if o.code != exitOK || !strings.Contains(o.stdout, `"shop.orders.v1.Order": MessageType<`) ||
		strings.Contains(o.stdout, "/**") {
		t.Errorf("exit code %d, standard error %q, declarations\n%.300s", o.code, o.stderr, o.stdout)
	}
}

func TestJSTypesErrors(t *testing.T) {
	wide := []string{"--proto", schemas + "/wide/wide.proto"}
	for _, tt := range []struct {
		name  string
		flags []string
		want  string
	}{
		{"no schema", nil, "which schema? give --proto FILE or --descriptor-set FILE"},
		{"no file", []string{"--proto", "nope.proto"}, "nope.proto: no such file"},
		{"no message", flags(wide, "--message", "DalyRecord"),
			"--message: message DalyRecord is not in the schema; did you mean wind.v1.DailyRecord?"},
		{"empty message", flags(wide, "--message", ""), "--message: the name is empty"},
		{"policy", flags(wide, "--int64", "long"),
			`--int64: unknown policy "long" for 64-bit integers; use safe, bigint or string`},
		{"argument", flags(wide, "wide.proto"),
			`unexpected argument "wide.proto": a flag that takes several files is repeated, as in --data a.json --data b.json`},
		{"out", flags(wide, "--out", "no/such/folder.d.ts"), "no/such/folder.d.ts: its folder does not exist"},
	} {
		o := protean(t, nil, flags([]string{"js-types"}, tt.flags...)...)
		if o.code != exitUsage || o.stdout != "" || o.stderr != "protean: "+tt.want+"\n" {
			t.Errorf("%s: exit code %d, standard error %q, want %q", tt.name, o.code, o.stderr, tt.want)
		}
	}
}
