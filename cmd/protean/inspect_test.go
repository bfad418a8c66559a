package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// The exit code is 0, 1 if a message is not well-formed, 2 if a flag or file is wrong;
// what is wrong is one line.
func TestInspectExitCodes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range badFiles {
		writeFile(t, name, text)
	}
	writeFile(t, "cut.binpb", "\x0a\x01a\x1a\x05\x0a\x05")
	writeFile(t, "many.delim", "\x02\x10\x01"+"\x02\x10\x96"+"\x03\x0a\x05x")
	writeFile(t, "rows.jsonl", "{\"items\": [{}]}\n{\"items\": []}\n")
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stderr string
	}{
		{"suite", nil, exitOK, ""},
		{"payload", []string{"--suite", "hidden-cost", "--payloads", "small"}, exitOK, ""},
		{"schema and data", flags(event, "--data", "good.json"), exitOK, ""},
		{"no schema", []string{"--data", "good.json"}, exitOK, ""},
		{"standard input", []string{"--data", "-"}, exitOK, ""},
		{"all", flags(event, "--data", "rows.jsonl", "--rows", "items", "--sample", "all"), exitOK, ""},
		{"cut off", flags(event, "--data", "cut.binpb"), exitFailed,
			"cut.binpb: at byte 3: field items[0]: 5 bytes long, but only 2 are left"},
		{"several wrong", flags(event, "--data", "many.delim"), exitFailed,
			"many.delim#2: at byte 0, 4 of the file: field count: the value runs past the end (and 1 more message is " +
				"not well-formed)"},
		{"not shown", flags(event, "--data", "good.json", "--data", "cut.binpb"), exitFailed,
			"cut.binpb: at byte 3: field items[0]: 5 bytes long, but only 2 are left"},
		{"JSON", flags(event, "--data", "cut.json"), exitUsage, "cut.json:2:1: syntax error: unexpected end of file"},
		{"unknown field", flags(event, "--data", "unknown.json"), exitUsage,
			"unknown.json:1:13: field cuont: no such field in acme.v1.Event; did you mean count?"},
		{"no data", event, exitUsage, "which data? give --data FILE, or --data - for standard input"},
		{"no schema for the message", []string{"--message", "Event", "--data", "good.json"}, exitUsage,
			"which schema has Event? give --proto FILE or --descriptor-set FILE"},
		{"no schema for rows", []string{"--rows", "items", "--data", "good.json"}, exitUsage,
			"--rows names a field of a schema: give --proto FILE or --descriptor-set FILE"},
		{"suite and data", []string{"--suite", "hidden-cost", "--data", "good.json"}, exitUsage,
			"--suite inspects built-in payloads; leave it out to inspect your own data"},
		{"payloads and data", []string{"--payloads", "small", "--data", "good.json"}, exitUsage,
			"--payloads are those of a built-in suite; --sample chooses one of your own messages"},
		{"no such suite", []string{"--suite", "hiden-cost"}, exitUsage,
			"no suite hiden-cost; did you mean hidden-cost?"},
		{"no such payload", []string{"--payloads", "medum"}, exitUsage,
			`unknown payload "medum"; did you mean medium? (the payloads of hidden-cost are small, medium, large)`},
		{"no such sample", flags(event, "--data", "rows.jsonl", "--sample", "3"), exitUsage,
			"--sample 3: the last message is number 2"},
		{"sample", flags(event, "--data", "good.json", "--sample", "0"), exitUsage,
			`--sample "0": expected the number of a message, from 1, or all`},
		{"format", flags(event, "--data", "good.json", "--format", "csv"), exitUsage,
			`unknown format "csv"; want one of table, markdown, json`},
		{"data format", []string{"--data", "good.json", "--data-format", "yaml"}, exitUsage,
			`unknown data format "yaml"; it is auto, json, binary or delimited`},
		{"argument", []string{"good.json"}, exitUsage,
			`unexpected argument "good.json": a flag that takes several files is repeated, as in --data a.json --data b.json`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := protean(t, strings.NewReader(badFiles["good.json"]), flags([]string{"inspect"}, tt.args...)...)
			want := tt.stderr
			if want != "" {
				want = "protean: " + want + "\n"
			}
			if o.code != tt.code || o.stderr != want {
				t.Errorf("exit code %d, want %d; standard error %q, want %q", o.code, tt.code, o.stderr, want)
			}
			if (o.stdout == "") != (tt.code == exitUsage) {
				t.Errorf("standard output %q", o.stdout)
			}
		})
	}
}

// The sum of JSON counts every byte of every message, whichever is listed.
func TestInspectJSON(t *testing.T) {
	s, err := suite.Load(suite.Source{Protos: []string{orderSchema[1]}, ImportPaths: []string{orderSchema[3]},
		Message: "Order", Data: []string{ordersData}})
	if err != nil {
		t.Fatal(err)
	}
	samples := s.Payloads[0].Samples
	o := protean(t, nil, flags(flags([]string{"inspect"}, ordersFlags...), "--sample", "7", "--format", "json")...)
	var got struct {
		Payloads []struct {
			Type              string
			Messages, Counted int
			Sum               map[string]map[string]int
			Shown             []struct {
				Source string
				Bytes  int
				Lines  []struct{ Offset, Size int }
				Forms  map[string]map[string]int
			}
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || o.code != exitOK || o.stderr != "" {
		t.Fatalf("%v, exit code %d, standard error %q", err, o.code, o.stderr)
	}
	sum := 0
	for _, x := range samples {
		sum += len(x.Wire)
	}
	p := got.Payloads[0]
	if p.Type != "shop.orders.v1.Order" || p.Messages != len(samples) || p.Counted != len(samples) ||
		p.Sum["Protobuf"]["total"] != sum {
		t.Errorf("%s, %d messages, %d counted, %v; want %d messages of %d bytes", p.Type, p.Messages, p.Counted,
			p.Sum["Protobuf"], len(samples), sum)
	}
	shown := p.Shown[0]
	last := shown.Lines[len(shown.Lines)-1]
	if len(p.Shown) != 1 || shown.Source != samples[6].Source || shown.Bytes != len(samples[6].Wire) || last.Offset+
		last.Size != shown.Bytes {
		t.Errorf("%d shown, %s of %d bytes, %d of them listed", len(p.Shown), shown.Source, shown.Bytes,
			last.Offset+last.Size)
	}
	for _, form := range []string{"Protobuf", "Value", "Struct", "JSON"} {
		if shown.Forms[form]["total"] == 0 {
			t.Errorf("no %s in %v", form, shown.Forms)
		}
	}
}

// What docs/inspect.md shows is what the command prints.
func TestInspectDocument(t *testing.T) {
	document := readFile(t, filepath.Join(checkout, "docs", "inspect.md"))
	blocks := strings.Split(document, "```text\n")
	for i := range blocks {
		blocks[i], _, _ = strings.Cut(blocks[i], "```")
	}
	t.Chdir(t.TempDir())
	_, schema, _ := strings.Cut(document, "<<'EOF'\n")
	schema, _, _ = strings.Cut(schema, "EOF\n")
	writeFile(t, "event.proto", schema)
	writeFile(t, "cut.binpb", "\x0a\x05evt_1\x12\x0a\x0a\x06clic")
	article := protean(t, strings.NewReader("{\"age\":30}\n"), "inspect", "--data", "-")
	cut := protean(t, nil, "inspect", "--proto", "event.proto", "--data", "cut.binpb")
	if len(blocks) != 3 || blocks[1] != article.stdout ||
		blocks[2] != "$ protean inspect --proto event.proto --data cut.binpb\n"+cut.stdout+cut.stderr {
		t.Errorf("the document has\n%s\nand the command prints\n%s\n%s%s", strings.Join(blocks[1:], "\n"),
			article.stdout, cut.stdout, cut.stderr)
	}
}

// What the README shows is how it begins.
func TestInspectReadme(t *testing.T) {
	_, shown, _ := strings.Cut(readFile(t, filepath.Join(checkout, "README.md")), "```text\n")
	shown, _, found := strings.Cut(shown, "```")
	o := protean(t, strings.NewReader("{\"age\":30}\n"), "inspect", "--data", "-")
	if !found || !strings.HasPrefix(o.stdout, shown) {
		t.Errorf("the README has\n%s\nand the command prints\n%s", shown, o.stdout)
	}
}

// The schema of the guide is read from sources, from what buf writes and from what protoc writes.
func TestImages(t *testing.T) {
	dir := t.TempDir()
	_, schema, _ := strings.Cut(readFile(t, filepath.Join(checkout, "docs", "bench.md")), "<<'EOF'\n")
	schema, rest, _ := strings.Cut(schema, "EOF\n")
	_, samples, _ := strings.Cut(rest, "<<'EOF'\n")
	samples, _, _ = strings.Cut(samples, "EOF\n")
	source := writeFile(t, filepath.Join(dir, "event.proto"), schema)
	data := writeFile(t, filepath.Join(dir, "samples.jsonl"), samples)
	want := protean(t, nil, "inspect", "--proto", source, "--message", "acme.v1.Event", "--data", data, "--sample",
		"all")
	if want.code != exitOK || !strings.Contains(want.stdout, `"evt_2"`) {
		t.Fatalf("exit code %d, standard error %q\n%s", want.code, want.stderr, want.stdout)
	}
	s, err := suite.ParseSchema([]string{source}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for compiler, add := range map[string]func(*descriptorpb.FileDescriptorProto){
		"protoc": func(*descriptorpb.FileDescriptorProto) {}, // it writes the descriptors as they are
		"buf": func(f *descriptorpb.FileDescriptorProto) { // which has a field of its own for each file of an image
			f.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 8042, protowire.BytesType),
				[]byte{8, 1}))
		},
	} {
		set := proto.CloneOf(s.FileSet())
		for _, f := range set.File {
			add(f)
		}
		image, err := proto.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		path := writeFile(t, filepath.Join(dir, compiler+".binpb"), string(image))
		o := protean(t, nil, "inspect", "--descriptor-set", path, "--message", "acme.v1.Event", "--data", data,
			"--sample", "all")
		if o != want {
			t.Errorf("%s: exit code %d, standard error %q\n%s\nwant\n%s", compiler, o.code, o.stderr, o.stdout,
				want.stdout)
		}
	}
}

// A descriptor set does as well as sources, and where there is no terminal there are no
// colours.
func TestInspectDescriptorSet(t *testing.T) {
	fromSource := protean(t, nil, flags([]string{"inspect"}, reportFlags...)...)
	s, err := suite.ParseSchema([]string{reportFlags[1]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := proto.Marshal(s.FileSet())
	if err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, filepath.Join(t.TempDir(), "set.binpb"), string(set))
	o := protean(t, nil, "inspect", "--descriptor-set", file, "--message", reportFlags[3], "--data", reportFlags[5])
	if o.code != exitOK || o.stdout != fromSource.stdout || !strings.Contains(o.stdout, "where the bytes go · all ") {
		t.Errorf("exit code %d, standard error %q\n%s\nwant\n%s", o.code, o.stderr, o.stdout, fromSource.stdout)
	}
	if strings.ContainsRune(o.stdout, '\x1b') {
		t.Error("an escape sequence where there is no terminal")
	}
}
