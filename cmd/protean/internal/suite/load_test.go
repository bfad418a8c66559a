package suite

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoad(t *testing.T) {
	s := must(Load(Source{
		Protos:      []string{ordersProto},
		ImportPaths: []string{ordersRoot},
		Message:     "Order",
		Data:        []string{"testdata/schemas/orders/orders.jsonl"},
	}))(t)
	if s.Name != "shop.orders.v1.Order" || len(s.Payloads) != 1 {
		t.Fatalf("suite %s with %d payloads", s.Name, len(s.Payloads))
	}
	p := s.Payloads[0]
	if p.Name != "orders" || p.Message.Name() != "Order" || p.Rows != nil || len(p.Samples) != 16 {
		t.Errorf("payload %s of %s, rows %v, %d samples", p.Name, p.Message.Name(), p.Rows, len(p.Samples))
	}
	if got := p.Samples[15].Source; got != "testdata/schemas/orders/orders.jsonl:16" {
		t.Errorf("source %s", got)
	}
}

func TestLoadDescriptorSet(t *testing.T) {
	set := writeSet(t)
	s := must(Load(Source{DescriptorSet: set, Message: "Order", Data: []string{Stdin},
		Stdin: strings.NewReader("{}")}))(t)
	if got := s.Payloads[0].Name; got != "stdin" {
		t.Errorf("payload %s", got)
	}
	_, err := Load(Source{DescriptorSet: set, Protos: []string{ordersProto}})
	wantError(t, err, "give .proto files or a descriptor set, not both")
	_, err = Load(Source{})
	wantError(t, err, "no .proto files")
	_, err = Load(Source{DescriptorSet: set, Message: "Order"})
	wantError(t, err, "no data files")
	_, err = Load(Source{DescriptorSet: set, Message: "Ordr"})
	wantError(t, err, "message Ordr is not in the schema; did you mean shop.orders.v1.Order?")
}

func TestPayloadName(t *testing.T) {
	for _, tt := range []struct {
		want  string
		files []string
	}{
		{"orders", []string{"a/b.c/orders.jsonl"}},
		{"orders.v1", []string{"orders.v1.json"}},
		{"orders", []string{"orders"}},
		{"orders", []string{"a/orders.jsonl.gz"}},
		{"orders", []string{"orders.zst"}},
		{".hidden", []string{".hidden"}},
		{"stdin", []string{"-"}},
		{"data", []string{"a.json", "b.json"}},
	} {
		if got := payloadName(tt.files); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.files, got, tt.want)
		}
	}
}

func TestRows(t *testing.T) {
	inDir(t, map[string]string{
		"list.proto": `syntax = "proto3"; message List { repeated Row row_list = 1; repeated int32 ids = 2; string cursor = 3; map<string, Row> by_id = 4; }
			message Row { int32 id = 1; }`,
		"list.json":   `{"rowList":[{"id":1},{"id":2}]}`,
		"more.jsonl":  "{\"rowList\":[{}]}\n{\"rowList\":[{}],\"cursor\":\"x\"}",
		"empty.json":  "{\"rowList\":[]}",
		"newer.binpb": "\x0a\x00\x50\x01",
	})
	load := func(rows, data string) (*Suite, error) {
		return Load(Source{Protos: []string{"list.proto"}, Message: "List", Rows: rows, Data: []string{data}})
	}
	for _, rows := range []string{"row_list", "rowList"} {
		s := must(load(rows, "list.json"))(t)
		if got := s.Payloads[0].Rows; got == nil || got.Name() != "row_list" {
			t.Errorf("%s: rows are %v", rows, got)
		}
	}
	for _, tt := range []struct{ rows, data, want string }{
		{"rows", "list.json", "rows rows: no such field in List"},
		{"row_lst", "list.json", "rows row_lst: no such field in List; did you mean row_list?"},
		{"ids", "list.json", "rows ids: not a repeated message field of List"},
		{"by_id", "list.json", "rows by_id: not a repeated message field of List"},
		{"cursor", "list.json", "rows cursor: not a repeated message field of List"},
		{"row_list", "more.jsonl", "more.jsonl:2: rows row_list: field cursor is set too, so the message is not a " +
			"mere list"},
		{"row_list", "empty.json", "empty.json:1: no rows: field row_list is empty"},
		{"row_list", "newer.binpb", "newer.binpb: rows row_list: field number 10 is set too, so the message is not a " +
			"mere list"},
	} {
		_, err := load(tt.rows, tt.data)
		wantError(t, err, tt.want)
	}
}

// What the schema does not know is left out where that is asked for, at any depth and in every
// format, and however many samples are read; other errors stay.
func TestDiscardUnknown(t *testing.T) {
	const (
		known  = "\x0a\x01a" + "\x12\x03\x0a\x01b" + "\x22\x08\x0a\x01k\x12\x03\x0a\x01c"
		extra  = "\x0a\x01a" + alien + "\x12\x06\x0a\x01b" + alien + "\x22\x0b\x0a\x01k\x12\x06\x0a\x01c" + alien
		asJSON = `{"text":"a","new":[1],"child":{"text":"b","more":{"x":null}},"byName":{"k":{"text":"c","other":"d"}}}`
	)
	inDir(t, map[string]string{
		"b.proto": binarySource, "a.json": asJSON, "a.binpb": extra, "a.delim": delimited(extra, extra),
		"bad.json": `{"new":1,"text":2}`,
	})
	for _, samples := range []int{0, 1} {
		for _, file := range []string{"a.json", "a.binpb", "a.delim"} {
			src := Source{Protos: []string{"b.proto"}, Message: "M", Data: []string{file}, Samples: samples}
			if s, err := Load(src); err == nil && string(s.Payloads[0].Samples[0].Wire) == known {
				t.Errorf("%s: unknown fields are gone though nobody asked", file)
			}
			src.DiscardUnknown = true
			if got := must(Load(src))(t).Payloads[0].Samples[0].Wire; string(got) != known {
				t.Errorf("%s: %x, want %x", file, got, known)
			}
		}
		src := Source{Protos: []string{"b.proto"}, Message: "M", Data: []string{"bad.json"}, Samples: samples}
		src.DiscardUnknown = true
		_, err := Load(src)
		wantError(t, err, "bad.json:1:17: field text: expected string, found 2")
	}
}

func TestBuiltinHiddenCost(t *testing.T) {
	s := must(Builtin("hidden-cost"))(t)
	if s.Name != "hidden-cost" || len(s.Payloads) != 3 {
		t.Fatalf("suite %s with %d payloads", s.Name, len(s.Payloads))
	}
	// The sizes are those of the published tables, to the byte.
	for i, tt := range []struct {
		name, message, rows string
		size                int
	}{
		{"small", "event.vanilla.SmallObject", "", 25},
		{"medium", "event.vanilla.MediumEvent", "", 162},
		{"large", "event.vanilla.LargeEventPayload", "events", 16500},
	} {
		p := s.Payloads[i]
		rows := ""
		if p.Rows != nil {
			rows = string(p.Rows.Name())
		}
		if p.Name != tt.name || string(p.Message.FullName()) != tt.message || rows != tt.rows {
			t.Errorf("payload %s of %s, rows %q; want %+v", p.Name, p.Message.FullName(), rows, tt)
		}
		if len(p.Samples) != 1 || len(p.Samples[0].Wire) != tt.size {
			t.Errorf("%s: %d samples, the first %d bytes; want %d", p.Name, len(p.Samples), len(p.Samples[0].Wire),
				tt.size)
		}
	}
	medium, large := s.Payloads[1].Samples[0].Wire, s.Payloads[2].Samples[0].Wire
	if want := delimitedRows(string(medium), 100); string(large) != want {
		t.Error("the large payload is not the medium one a hundred times")
	}
}

// delimitedRows is a message that has a message n times in field 1.
func delimitedRows(m string, n int) string {
	return strings.Repeat("\x0a"+delimited(m), n)
}

func TestBuiltins(t *testing.T) {
	infos := Builtins()
	if len(infos) == 0 {
		t.Fatal("no built-in suites")
	}
	for _, info := range infos {
		s := must(Builtin(info.Name))(t)
		if info.About == "" || len(info.Payloads) != len(s.Payloads) {
			t.Errorf("%s: about %q, %d of %d payloads", info.Name, info.About, len(info.Payloads), len(s.Payloads))
		}
		for i, p := range s.Payloads {
			if pi := info.Payloads[i]; pi.Name != p.Name || pi.About == "" ||
				pi.Message != string(p.Message.FullName()) {
				t.Errorf("%s: payload %+v, want %s of %s", info.Name, pi, p.Name, p.Message.FullName())
			}
		}
	}
	_, err := Builtin("hiden-cost")
	wantError(t, err, "no suite hiden-cost; did you mean hidden-cost?")
	if _, err := Builtin("nothing-like-it"); err == nil || !strings.Contains(err.Error(), "; there is hidden-cost") {
		t.Errorf("unknown suite: %v", err)
	}
	if _, err := Builtin(""); err == nil {
		t.Error("no name: no error")
	}
}

// A further suite is a folder and nothing else; what is wrong with it is an
// error that names the file.
func TestBuiltinFolders(t *testing.T) {
	fsys := fstest.MapFS{}
	put := func(name, text string) { fsys["builtin/"+name] = &fstest.MapFile{Data: []byte(text)} }
	put("tiny/suite.json", `{"name":"tiny","about":"A","protos":["t.proto"],"payloads":[{"name":"p","about":"B","message":"T","data":["t.jsonl"]}]}`)
	put("tiny/t.proto", `syntax = "proto3"; import "sub/u.proto"; message T { U u = 1; }`)
	put("tiny/sub/u.proto", `syntax = "proto3"; message U { int32 n = 1; }`)
	put("tiny/t.jsonl", "{\"u\":{\"n\":1}}\n{}")
	s := must(builtin(fsys, "tiny"))(t)
	if got := sourcesOf(s.Payloads[0].Samples); got != "builtin/tiny/t.jsonl:1 builtin/tiny/t.jsonl:2" {
		t.Errorf("samples %s", got)
	}

	put("tiny/t.jsonl", `{"u":{"n":"x"}}`)
	_, err := builtin(fsys, "tiny")
	wantError(t, err, `builtin/tiny/t.jsonl:1:11: field u.n: expected int32, found "x"`)
	put("tiny/suite.json", `{"name":"other"}`)
	_, err = builtin(fsys, "tiny")
	wantError(t, err, "builtin/tiny/suite.json: the suite other lies in the folder tiny")
	put("tiny/suite.json", `{"name":"tiny"}`)
	_, err = builtin(fsys, "tiny")
	wantError(t, err, "builtin/tiny/suite.json: the suite has no payloads")
	put("tiny/suite.json", `{"nome":"tiny"}`)
	if _, err = builtin(fsys, "tiny"); err == nil || !strings.HasPrefix(err.Error(), "builtin/tiny/suite.json: ") {
		t.Errorf("unknown member: %v", err)
	}
	delete(fsys, "builtin/tiny/suite.json")
	_, err = builtin(fsys, "tiny")
	wantError(t, err, "builtin/tiny/suite.json: no such file")
}
