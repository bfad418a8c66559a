package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
	"google.golang.org/protobuf/encoding/protowire"
)

// write makes a file of a test.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// listed reads a split; a record is "LINE#NUMBER@OFFSET DATA", or "… !ERROR".
func listed(t testing.TB, s Split, o Options) []string {
	t.Helper()
	r, err := Open(s, o)
	if err != nil {
		return []string{"!" + strings.TrimPrefix(err.Error(), s.File)}
	}
	defer r.Close()
	var out []string
	for {
		b, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			return append(out, "!"+strings.TrimPrefix(err.Error(), s.File))
		}
		for r := range b.Records() {
			text := fmt.Sprintf("%d#%d@%d %s", r.Line, r.Number, r.Offset, r.Data)
			if r.Err != nil {
				text += "!" + r.Err.Error()
			}
			out = append(out, text)
		}
		b.Release()
	}
}

func delimitedRecords(records ...string) []byte {
	var out []byte
	for _, r := range records {
		out = protowire.AppendBytes(out, []byte(r))
	}
	return out
}

func TestForms(t *testing.T) {
	gzipped := func(s string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
		return b.Bytes()
	}
	zstded := func(s string) []byte {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll([]byte(s), nil)
	}
	const rest = "; the rest of the file cannot be read"
	for _, tt := range []struct {
		name string
		o    Options
		data string
		want []string
	}{
		{"a.json", Options{}, `{"a": 1}`, []string{`1#0@0 {"a": 1}`}},
		{"empty.json", Options{}, "", nil},
		{"blank.json", Options{}, " \n\n", nil},
		{"several.json", Options{}, "{\"a\":\n1} 2\n \"x\"", []string{"1#0@0 {\"a\":\n1}", "2#0@9 2", `3#0@12 "x"`}},
		{"array.json", Options{}, "[\n {}, \n [1], 2]\n[3]", []string{"2#0@3 {}", "3#0@9 [1]", "3#0@14 2", "4#0@18 3"}},
		{"kept.json", Options{KeepArrays: true}, "[1, 2] [3]", []string{"1#0@0 [1, 2]", "1#0@7 [3]"}},
		{"mark.json", Options{}, byteOrderMark + "{}", []string{"1#0@3 {}"}},
		{"mark.jsonl", Options{}, byteOrderMark + " {}\n1", []string{"1#0@4 {}", "2#0@7 1"}},
		{"broken.json", Options{}, "{}{\"a\" 1}\n{}", []string{"1#0@0 {}",
			"1#0@7 !syntax error: invalid character '1' after object name (expecting ':')" + rest}},
		{"open.json", Options{}, `{"a": `, []string{"1#0@6 !syntax error: unexpected end of file" + rest}},
		{"long.json", Options{MaxSize: 10}, `{} {"a": "0123456789"} {}`, []string{"1#0@0 {}",
			"1#0@2 !record too long: more than 10 bytes" + rest}},

		{"a.jsonl", Options{}, "{}\n\n \t\n  [1] \r\nbroken\n{}", []string{"1#0@0 {}", "4#0@9 [1]", "5#0@15 broken",
			"6#0@22 {}"}},
		{"lines.json", Options{}, "{}\n{]\n{}", []string{"1#0@0 {}", "2#0@3 {]", "3#0@6 {}"}},
		{"forced", Options{Form: Lines}, "[1]\n2", []string{"1#0@0 [1]", "2#0@4 2"}},
		{"long.jsonl", Options{MaxSize: 4, BatchSize: 3}, "1\n123456\n22\n1234567890123\n333\n", []string{
			"1#0@0 1", "2#0@2 !record too long: more than 4 bytes", "3#0@9 22",
			"4#0@12 !record too long: more than 4 bytes", "5#0@26 333"}},
		{"a.jsonl.gz", Options{}, string(gzipped("{}\n1\n")), []string{"1#0@0 {}", "2#0@3 1"}},
		{"a.ndjson.zst", Options{}, string(zstded("{}\n1\n")), []string{"1#0@0 {}", "2#0@3 1"}},
		{"cut.jsonl.gz", Options{}, string(gzipped("{}\n1\n")[:20]), []string{"!: gzip: unexpected EOF"}},

		{"a.delim", Options{Form: Message}, string(delimitedRecords("abc", "", "de")), []string{"0#1@1 abc", "0#2@5 ",
			"0#3@6 de"}},
		{"cut.delim", Options{Form: Value}, "\x03abc\x05ab", []string{"0#1@1 abc",
			"0#2@4 !5 bytes long, but the file has 2 more" + rest}},
		{"huge.delim", Options{Form: Value}, "\xff\xff\xff\xff\xff\xff\xff\x7fab",
			[]string{"0#1@0 !a length of 72057594037927935 bytes" + rest}},
		{"bad.delim", Options{Form: Value}, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
			[]string{"0#1@0 !invalid length" + rest}},
		{"long.delim", Options{Form: Value, MaxSize: 2}, "\x03abc\x02de",
			[]string{"0#1@0 !record too long: more than 2 bytes", "0#2@5 de"}},
		{"a.binpb", Options{Form: Struct}, "abc", []string{"0#1@0 abc"}},
		{"long.binpb", Options{Form: Struct, MaxSize: 2}, "abc", []string{"0#1@0 !record too long: more than 2 bytes"}},
		{"single", Options{Form: Struct, Framing: Single}, "abc", []string{"0#1@0 abc"}},

		{"a.bson", Options{Form: BSON}, "\x05\x00\x00\x00\x00\x05\x00\x00\x00\x00",
			[]string{"0#1@0 \x05\x00\x00\x00\x00", "0#2@5 \x05\x00\x00\x00\x00"}},
		{"short.bson", Options{Form: BSON}, "\x05\x00",
			[]string{"0#1@0 !4 bytes long, but the file has 2 more" + rest}},
		{"negative.bson", Options{Form: BSON}, "\xff\xff\xff\xff\x00",
			[]string{"0#1@0 !a BSON document of -1 bytes" + rest}},
		{"open.bson", Options{Form: BSON}, "\x05\x00\x00\x00\x01",
			[]string{"0#1@0 !a BSON document that does not end in a zero byte" + rest}},
		{"long.bson", Options{Form: BSON, MaxSize: 5}, "\x06\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00", []string{
			"0#1@0 !record too long: more than 5 bytes", "0#2@6 \x05\x00\x00\x00\x00"}},

		{"a.msgpack", Options{Form: MessagePack}, "\x81\xa1a\x92\x01\xc0\xc3", []string{"0#1@0 \x81\xa1a\x92\x01\xc0",
			"0#2@6 \xc3"}},
		{"cut.msgpack", Options{Form: MessagePack}, "\x01\x93\x01", []string{"0#1@0 \x01",
			"0#2@1 !the file ends in a MessagePack value" + rest}},
		{"huge.msgpack", Options{Form: MessagePack}, "\xc6\xff\xff\xff\xffab",
			[]string{"0#1@0 !record too long: more than 67108864 bytes"}},
		{"many.msgpack", Options{Form: MessagePack}, "\xdf\xff\xff\xff\xff",
			[]string{"0#1@0 !a MessagePack value of more than 2^31 values" + rest}},
		{"bad.msgpack", Options{Form: MessagePack}, "\xc1",
			[]string{"0#1@0 !byte 0xc1, which MessagePack does not use" + rest}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := listed(t, Split{File: write(t, tt.name, []byte(tt.data))}, tt.o)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// Each division of a file has the same records at the same offsets, whatever the sizes of splits and
// batches.
func TestDivide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range 100 {
		text.WriteString(strings.Repeat(" ", random.IntN(3)))
		text.WriteString(strings.Repeat("x", random.IntN(40)))
		text.WriteString([]string{"\n", "\r\n", "\n\n"}[random.IntN(3)])
	}
	text.WriteString("last")
	for _, mark := range []string{"", byteOrderMark} {
		file := write(t, "a.jsonl", []byte(mark+text.String()))
		places := func(s Split, o Options) []string {
			out := listed(t, s, o)
			for i := range out {
				_, out[i], _ = strings.Cut(out[i], "#") // lines are not known in splits
			}
			return out
		}
		want := places(Split{File: file}, Options{})
		if len(want) < 75 || !strings.HasSuffix(want[len(want)-1], "last") {
			t.Fatalf("%d records, the last one %q", len(want), want[len(want)-1])
		}
		for _, size := range []int64{1, 7, 64, 1000, 1 << 20} {
			splits, err := Divide([]string{file}, Options{}, size)
			if err != nil || size < 1000 && int64(len(splits)) < int64(text.Len())/size {
				t.Fatal(len(splits), err)
			}
			for _, batch := range []int{1, 100} {
				var got []string
				for _, s := range splits {
					got = append(got, places(s, Options{BatchSize: batch})...)
				}
				if !slices.Equal(got, want) {
					t.Errorf("splits of %d bytes, batches of %d: %d records, want %d", size, batch, len(got), len(want))
				}
			}
		}
	}
}

func TestDivideWhole(t *testing.T) {
	text := strings.Repeat("{}\n", 100)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	for _, tt := range []struct {
		name, data string
		form       Form
		want       int
	}{
		{"a.jsonl", text, "", 3},
		{"a.jsonl", text, JSON, 3},
		{"a.json", text, JSON, 3},
		{"a.txt", "[]\n[]\n" + text, Lines, 4},
		{"a.json", "[" + strings.Repeat("{},\n", 100) + "{}]", JSON, 1},
		{"a.jsonl.gz", zipped.String(), JSON, 1},
		{"a.bson", text, BSON, 1},
		{"empty.jsonl", "", JSON, 1},
	} {
		o := Options{Form: tt.form}
		if tt.form == "" {
			o.Form = Lines
		}
		splits, err := Divide([]string{write(t, tt.name, []byte(tt.data))}, o, 100)
		if err != nil || len(splits) != tt.want {
			t.Errorf("%s: %v, %v, want %d splits", tt.name, splits, err, tt.want)
		}
	}
	if _, err := Divide([]string{"-", "-"}, Options{}, 100); err == nil {
		t.Error("standard input twice is no error")
	}
	if _, err := Divide([]string{"missing.jsonl"}, Options{Form: Lines},
		100); fmt.Sprint(err) != "missing.jsonl: no such file" {
		t.Error(err)
	}
}

// All workers together see every record once; in order, the results are in order.
func TestWorkers(t *testing.T) {
	var files []string
	var want []string
	for i := range 5 {
		var text strings.Builder
		for j := range 1000 {
			line := fmt.Sprintf("%d-%d", i, j)
			want = append(want, line)
			text.WriteString(line + "\n")
		}
		files = append(files, write(t, "a.jsonl", []byte(text.String())))
	}
	o := Options{Form: Lines, BatchSize: 100}
	splits, err := Divide(files, o, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var got []string
	err = Each(context.Background(), splits, o, 3, func(worker int, b *Batch) error {
		mu.Lock()
		defer mu.Unlock()
		for r := range b.Records() {
			got = append(got, string(r.Data))
		}
		return nil
	})
	slices.Sort(got)
	sorted := slices.Sorted(slices.Values(want))
	if err != nil || !slices.Equal(got, sorted) {
		t.Errorf("each: %d records, %v, want %d", len(got), err, len(want))
	}

	got = nil
	err = InOrder(context.Background(), splits, o, 3, func(_ int, b *Batch) (out []string, err error) {
		for r := range b.Records() {
			out = append(out, string(r.Data))
		}
		return out, nil
	}, func(s []string) error { got = append(got, s...); return nil })
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("in order: %d records, %v, want %d", len(got), err, len(want))
	}
}

// An error ends everything, wherever it is from.
func TestWorkersEnd(t *testing.T) {
	file := write(t, "a.jsonl", []byte(strings.Repeat("x\n", 10000)))
	bad := errors.New("bad")
	o := Options{Form: Lines, BatchSize: 10}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	nothing := func(int, *Batch) (int, error) { return 0, nil }
	emit := func(int) error { return nil }
	for _, tt := range []struct {
		name string
		run  func() error
		want error
	}{
		{"each", func() error {
			return Each(context.Background(), Whole([]string{file, file}), o, 2, func(int, *Batch) error { return bad })
		}, bad},
		{"work", func() error {
			return InOrder(context.Background(), Whole([]string{file}), o, 2, func(int, *Batch) (int,
				error) {
				return 0, bad
			}, emit)
		}, bad},
		{"emit", func() error {
			return InOrder(context.Background(), Whole([]string{file}), o, 2, nothing, func(int) error { return bad })
		}, bad},
		{"cancelled", func() error { return InOrder(cancelled, Whole([]string{file}), o, 2, nothing, emit) },
			context.Canceled},
		{"each cancelled", func() error {
			return Each(cancelled, Whole([]string{file}), o, 2, func(int, *Batch) error { return nil })
		}, context.Canceled},
	} {
		if err := tt.run(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	err := Each(context.Background(), Whole([]string{file, "missing.jsonl"}), o, 2, func(int,
		*Batch) error {
		return nil
	})
	if fmt.Sprint(err) != "missing.jsonl: no such file" {
		t.Error(err)
	}
}

func TestTally(t *testing.T) {
	var tally Tally
	for i := 30; i > 0; i-- {
		if err := tally.Add(&Batch{Split: i % 2}, &Error{Offset: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	var got []int64
	for _, e := range tally.First() {
		got = append(got, e.Offset)
	}
	if want := []int64{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}; tally.Count() != 30 || !slices.Equal(got, want) {
		t.Errorf("%d faults, the first ones at %d, want %d", tally.Count(), got, want)
	}
	fault := &Error{}
	if err := (&Tally{Refuse: true}).Add(&Batch{}, fault); err != fault {
		t.Error(err)
	}
}

// What other libraries write is taken apart as it was put together.
func TestPeers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var packed, documents bytes.Buffer
	var want [2][]string
	for i := range 300 {
		v := randomValue(random, 4)
		one, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		packed.Write(one)
		want[0] = append(want[0], string(one))
		if one, err = bson.Marshal(map[string]any{"v": v, "i": i}); err != nil {
			t.Fatal(err)
		}
		documents.Write(one)
		want[1] = append(want[1], string(one))
	}
	for i, tt := range []struct {
		form Form
		data []byte
	}{{MessagePack, packed.Bytes()}, {BSON, documents.Bytes()}} {
		r, err := Open(Split{File: Stdin}, Options{Form: tt.form, BatchSize: 1000, Stdin: bytes.NewReader(tt.data)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		b, err := r.Next()
		for ; err == nil; b, err = r.Next() {
			for r := range b.Records() {
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				got = append(got, string(r.Data))
			}
			b.Release()
		}
		if err != io.EOF || !slices.Equal(got, want[i]) {
			t.Errorf("%s: %d records, %v, want %d", tt.form, len(got), err, len(want[i]))
		}
	}
}

func randomValue(r *rand.Rand, depth int) any {
	switch k := r.IntN(9); {
	case k == 0:
		return nil
	case k == 1:
		return r.IntN(2) == 0
	case k == 2:
		return int64(r.Uint64()) >> r.IntN(64)
	case k == 3:
		return r.NormFloat64()
	case k == 4, depth == 0:
		return strings.Repeat("é", r.IntN(300))
	case k == 5:
		return bytes.Repeat([]byte{1}, r.IntN(70000))
	case k == 6:
		out := make([]any, r.IntN(20))
		for i := range out {
			out[i] = randomValue(r, depth-1)
		}
		return out
	default:
		out := map[string]any{}
		for range r.IntN(20) {
			out[fmt.Sprint("key", r.IntN(1000))] = randomValue(r, depth-1)
		}
		return out
	}
}

// A part of a compressed file is none of its text: it is refused, whatever its range.
func TestCompressedPart(t *testing.T) {
	for _, extension := range []string{".gz", ".zst"} {
		file := filepath.Join(t.TempDir(), "a.jsonl"+extension)
		var data bytes.Buffer
		w, err := Compress(file, &data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte("{}\n"), 100)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, s := range []Split{{File: file, Start: 5}, {File: file, End: 10}, {File: file, Start: 5, End: 10}} {
			r, err := Open(s, Options{})
			if err == nil {
				t.Errorf("%v was opened: %v", s, r.Close())
			} else if !strings.HasSuffix(err.Error(), extension+": "+map[string]string{".gz": "gzip",
				".zst": "zstd"}[extension]+" data has no parts") {
				t.Error(err)
			}
		}
	}
}
