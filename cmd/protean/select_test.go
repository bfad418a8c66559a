package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// cellsOf lists the distinct values of a field of the cells, in order.
func cellsOf(d *document, field func(*cell) string) string {
	var out []string
	for i := range d.Results {
		if v := field(&d.Results[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return strings.Join(out, "; ")
}

func variantOf(c *cell) string { return c.Variant }
func opOf(c *cell) string      { return c.Op }
func payloadOf(c *cell) string { return c.Payload }

func TestSelection(t *testing.T) {
	heavy(t)
	for _, tt := range []struct {
		name          string
		flags         []string
		variants, ops string
		baseline      string // of the last cell
	}{
		{"a name", []string{"--variants", "Concrete (proto)", "--ops", "marshal"}, "Concrete (proto)", "marshal",
			"Concrete (proto)"},
		{"a name with a comma", []string{"--variants", "Concrete (vtproto, unsafe),Concrete (proto)", "--ops",
			"unmarshal"},
			"Concrete (proto); Concrete (vtproto, unsafe)", "unmarshal", "Concrete (proto)"},
		{"parts of names in any case",
			[]string{"--variants", "VTPROTO", "--variants", "value (proto)", "--ops", "size,marshal"},
			"Concrete (vtproto); google.protobuf.Value (proto)", "size; marshal", "Concrete (vtproto)"},
		{"ops without a baseline", []string{"--ops", "pack,unpack"}, "google.protobuf.Any (proto); Any (protean)",
			"pack; unpack", "google.protobuf.Any (proto)"},
		{"a baseline", []string{"--variants", "Concrete (proto)", "--ops", "marshal", "--baseline", "Concrete (JSON)"},
			"Concrete (JSON); Concrete (proto)", "marshal", "Concrete (JSON)"},
		{"what is usual", []string{"--ops", "size"},
			"Concrete (JSON); Concrete (proto); Concrete (vtproto); google.protobuf.Any (proto); " +
				"google.protobuf.Value (proto); " +
				"Concrete (protean); value (protean); Concrete (JSONProto); Concrete (JSONProto, protean)", "size",
			"Concrete (proto)"},
		{"the usual operations", []string{"--variants", "Concrete (proto)"}, "Concrete (proto)",
			"size; marshal; unmarshal", "Concrete (proto)"},
		{"an index", []string{"--variants", "Doc (protean)"}, "Doc (protean)", "size; unmarshal; unmarshal+read",
			"Doc (protean)"},
		{"all operations", []string{"--variants", "google.protobuf.Any (proto)", "--all"},
			"google.protobuf.Any (proto)",
			"size; marshal; unmarshal; unmarshal+read; pack; envelope-marshal; envelope-unmarshal; unpack",
			"google.protobuf.Any (proto)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := benchJSON(t, exitOK, flags(ordersFlags, tt.flags...)...)
			if got := cellsOf(d, variantOf); got != tt.variants {
				t.Errorf("variants %q, want %q", got, tt.variants)
			}
			if got := cellsOf(d, opOf); got != tt.ops {
				t.Errorf("operations %q, want %q", got, tt.ops)
			}
			last := d.Results[len(d.Results)-1]
			if last.Op != "size" && (last.Baseline == nil || *last.Baseline != tt.baseline) {
				t.Errorf("%s: baseline %v, want %s", &last, last.Baseline, tt.baseline)
			}
		})
	}
}

func TestPayloadSelection(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, flags(onlyOneSize, "--payloads", "medium,small")...)
	if got := cellsOf(d, payloadOf); got != "small; medium" {
		t.Errorf("payloads %q, want those two in the suite's order", got)
	}
	if d.Suite != "hidden-cost" {
		t.Errorf("suite %q, want hidden-cost without a flag", d.Suite)
	}
}

// The command line in the report is one that a shell reads back.
func TestCommandLine(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, flags(ordersFlags, "--variants", "Concrete (vtproto, unsafe),Concrete (proto)",
		"--ops", "size", "--discard-unknown")...)
	want := "protean bench --time 1s --proto " + orderSchema[1] + " --proto_path " + orderSchema[3] +
		" --message Order --data " + ordersData +
		" --variants 'Concrete (vtproto, unsafe),Concrete (proto)' --ops size --discard-unknown --format json"
	if d.Env.Command != want {
		t.Errorf("command\n%s, want\n%s", d.Env.Command, want)
	}
}

func TestList(t *testing.T) {
	var names, ops []string
	for _, v := range variant.All() {
		names = append(names, v.Name)
	}
	for _, o := range variant.Ops() {
		ops = append(ops, o.Name)
	}
	for _, tt := range []struct {
		kind string
		want []string
	}{
		{"suites", []string{"hidden-cost", "  small", "  medium", "  large"}},
		{"variants", names},
		{"ops", ops},
	} {
		o := protean(t, nil, "list", tt.kind)
		if o.code != exitOK || o.stderr != "" {
			t.Errorf("list %s: exit code %d, %q", tt.kind, o.code, o.stderr)
		}
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		if len(lines) < len(tt.want) {
			t.Fatalf("list %s:\n%s", tt.kind, o.stdout)
		}
		for i, name := range tt.want {
			if !strings.HasPrefix(lines[i], name+"  ") {
				t.Errorf("list %s: line %q, want %s and what it is", tt.kind, lines[i], name)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"help", "bench"}, {"bench", "--help"}} {
		o := protean(t, nil, args...)
		if o.code != exitOK || o.stderr != "" || !strings.Contains(o.stdout, "Usage:") {
			t.Errorf("%q: exit code %d, standard error %q, standard output %q", args, o.code, o.stderr, o.stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	o := protean(t, nil, "--version")
	if o.code != exitOK || o.stderr != "" || !strings.HasPrefix(o.stdout, "protean version checkout") {
		t.Errorf("%+v", o)
	}
}

func TestVersionCommand(t *testing.T) {
	o := protean(t, nil, "version")
	lines := strings.Split(o.stdout, "\n")
	if o.code != exitOK || o.stderr != "" || len(lines) != 4 || !strings.HasPrefix(lines[0], "protean checkout") ||
		!strings.HasPrefix(lines[1], "go1.") || !strings.HasPrefix(lines[2], "google.golang.org/protobuf v1.") {
		t.Errorf("%+v", o)
	}
}

// Shells propose the values of flags, of lists the last element, which may have a comma in it.
func TestCompletion(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"bench", "--suite", "li"}, "libraries"},
		{[]string{"bench", "--variants", "google.protobuf.any"},
			"google.protobuf.Any (proto)|google.protobuf.Any (JSONProto)"},
		{[]string{"bench", "--variants", "Concrete (proto),Concrete (vt"},
			"Concrete (proto),Concrete (vtproto)|Concrete (proto),Concrete (vtproto, unsafe)"},
		{[]string{"bench", "--variants", "Concrete (vtproto, u"}, "Concrete (vtproto, unsafe)"},
		{[]string{"bench", "--baseline", "hyperpb (proto,"}, "hyperpb (proto, reuse)"},
		{[]string{"bench", "--ops", "size,unm"}, "size,unmarshal|size,unmarshal+read|size,unmarshal+convert"},
		{[]string{"bench", "--format", "b"}, "bench"},
		{[]string{"compare", "--format", ""}, "table|markdown|json"},
		{[]string{"report", "--format", "c"}, "csv"},
		{[]string{"inspect", "--data-format", "d"}, "delimited"},
		{[]string{"list", "v"}, "variants"},
	} {
		o := protean(t, nil, flags([]string{"__complete"}, tt.args...)...)
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		if got := strings.Join(lines[:len(lines)-1], "|"); o.code != exitOK || got != tt.want {
			t.Errorf("%q: %s, want %s", tt.args, got, tt.want)
		}
	}
}

func TestCleanCommand(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PROTEAN_CACHE", dir)
	if o := protean(t, nil, "clean"); o.code != exitOK || o.stdout != "removed 0 programs, 0 MB, from "+dir+"\n" {
		t.Errorf("%+v", o)
	}
}
