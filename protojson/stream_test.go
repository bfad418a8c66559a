package protojson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/protojson"
)

// A recorder keeps what each call of Write is given.
type recorder struct {
	writes []string
	err    error
	short  bool
}

func (r *recorder) Write(b []byte) (int, error) {
	r.writes = append(r.writes, string(b))
	if r.short {
		return len(b) - 1, nil
	}
	return len(b), r.err
}

func TestEncoder(t *testing.T) {
	r := new(recorder)
	e := protojson.NewEncoder(r)
	for _, m := range []proto.Message{&benchpb.Leaf{Id: 1}, structpb.NewStringValue("a\nb"), nil, new(benchpb.Leaf)} {
		if err := e.Encode(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Encode(new(legacypb.Required)); !errors.Is(err, protojson.ErrRequired) {
		t.Error(err)
	}
	if err := e.Encode(new(structpb.Value)); !errors.Is(err, protojson.ErrValue) {
		t.Error(err)
	}
	if err := (protojson.MarshalOptions{Multiline: true}).NewEncoder(r).Encode(&benchpb.Leaf{Id: 2}); err != nil {
		t.Error(err)
	}
	if want := []string{"{\"id\":1}\n", "\"a\\nb\"\n", "{}\n", "{}\n", "{\n  \"id\": 2\n}\n"}; !slices.Equal(r.writes,
		want) {
		t.Errorf("%q, want %q", r.writes, want)
	}
}

// TestEncoderErrors has writes fail: nothing is written after that.
func TestEncoderErrors(t *testing.T) {
	broken := errors.New("broken")
	for want, r := range map[error]*recorder{broken: {err: broken}, io.ErrShortWrite: {short: true}} {
		e := protojson.NewEncoder(r)
		for range 2 {
			if err := e.Encode(new(benchpb.Leaf)); err != want {
				t.Errorf("%v, want %v", err, want)
			}
		}
		if len(r.writes) != 1 {
			t.Errorf("%q", r.writes)
		}
	}
}

// TestMarshalWrite writes a message in one call, with the functions' options, and nothing of one that cannot be
// written.
func TestMarshalWrite(t *testing.T) {
	r := new(recorder)
	if err := protojson.MarshalWrite(r, &benchpb.Leaf{Id: 1}); err != nil {
		t.Error(err)
	}
	if err := (protojson.MarshalOptions{Multiline: true}).MarshalWrite(r, &benchpb.Leaf{Id: 2}); err != nil {
		t.Error(err)
	}
	if err := protojson.MarshalWrite(r, new(legacypb.Required)); !errors.Is(err, protojson.ErrRequired) {
		t.Error(err)
	}
	if want := []string{`{"id":1}`, "{\n  \"id\": 2\n}"}; !slices.Equal(r.writes, want) {
		t.Errorf("%q, want %q", r.writes, want)
	}
	broken := errors.New("broken")
	for want, r := range map[error]*recorder{broken: {err: broken}, io.ErrShortWrite: {short: true}} {
		if err := protojson.MarshalWrite(r, &benchpb.Leaf{Id: 1}); err != want || len(r.writes) != 1 {
			t.Errorf("%v after %q, want %v", err, r.writes, want)
		}
	}
}

// TestUnmarshalRead reads one message to the end of its reader, however little each Read returns.
func TestUnmarshalRead(t *testing.T) {
	const text = " {\"id\":1,\n\"name\":\"a\"}\n"
	want := &benchpb.Leaf{Id: 1, Name: "a"}
	for name, r := range map[string]io.Reader{
		"at once":           strings.NewReader(text),
		"byte by byte":      iotest.OneByteReader(strings.NewReader(text)),
		"end with the data": iotest.DataErrReader(strings.NewReader(text)),
	} {
		got := &benchpb.Leaf{Name: "before"}
		if err := protojson.UnmarshalRead(r, got); err != nil || !proto.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	broken := errors.New("broken")
	got := &benchpb.Leaf{Id: 7}
	err := protojson.UnmarshalRead(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), got)
	if err != broken || got.Id != 7 {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{text + "{}", text[:9], ""} {
		var e *protojson.Error
		if err := protojson.UnmarshalRead(strings.NewReader(text), got); !errors.Is(err, protojson.ErrSyntax) ||
			!errors.As(err, &e) || e.Offset > len(text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	unknown := strings.NewReader(`{"nope":1}`)
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).UnmarshalRead(unknown, got); err != nil {
		t.Error(err)
	}
}

func TestStreamAllocations(t *testing.T) {
	allocs.NeedExact(t)
	m := &benchpb.Leaf{Id: 1, Name: "name"}
	e := protojson.NewEncoder(io.Discard)
	if n := testing.AllocsPerRun(100, func() {
		if err := e.Encode(m); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("Encode makes %v allocations", n)
	}
	line := []byte(`{"id":1,"name":"name"}` + "\n")
	unmarshal := testing.AllocsPerRun(100, func() {
		if err := protojson.Unmarshal(line, m); err != nil {
			t.Error(err)
		}
	})
	for _, lines := range []bool{false, true} {
		d := protojson.NewDecoder(bytes.NewReader(bytes.Repeat(line, 10_000)))
		d.Lines = lines
		if n := testing.AllocsPerRun(5_000, func() {
			if err := d.Decode(m); err != nil {
				t.Error(err)
			}
		}); n != unmarshal {
			t.Errorf("Decode makes %v allocations, Unmarshal %v", n, unmarshal)
		}
	}
}

// readers are ways in which a stream may come.
var readers = map[string]func(string) io.Reader{
	"at once":    func(s string) io.Reader { return strings.NewReader(s) },
	"byte":       func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
	"half":       func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) },
	"with EOF":   func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
	"bytes, EOF": func(s string) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(s))) },
	"nothing":    func(s string) io.Reader { return &sluggish{r: strings.NewReader(s)} },
}

// A sluggish reader reads nothing every other time.
type sluggish struct {
	r    io.Reader
	slow bool
}

func (s *sluggish) Read(b []byte) (int, error) {
	if s.slow = !s.slow; s.slow {
		return 0, nil
	}
	return s.r.Read(b[:min(len(b), 3)])
}

// drained returns what is in a stream until it ends or only one error comes: messages as
// text, and errors.
func drained(d *protojson.Decoder, empty proto.Message) (all []string) {
	m := empty.ProtoReflect().New().Interface()
	for before := ""; ; {
		err := d.Decode(m)
		if err == io.EOF {
			return append(all, "EOF")
		}
		s := ""
		if err != nil {
			s = shown(err)
		} else if b, err := (protojson.MarshalOptions{AllowPartial: true}).Marshal(m); err == nil {
			s = string(b)
		}
		if all = append(all, s); s == before && err != nil {
			return all
		}
		before = s
	}
}

// shown is an error in short: what and where.
func shown(err error) string {
	e := (*protojson.Error)(nil)
	if !errors.As(err, &e) {
		return err.Error()
	}
	return fmt.Sprintf("%v at %d, line %d, column %d", e.Err, e.Offset, e.Line, e.Column)
}

// streams are streams of benchpb.Leaf and what is read from them, with Lines and without.
var streams = []struct {
	text        string
	lines, free []string
}{
	{"",
		[]string{`EOF`},
		[]string{`EOF`}},
	{" \n\t\r\n ",
		[]string{`EOF`},
		[]string{`EOF`}},
	{"{}",
		[]string{`{}`, `EOF`},
		[]string{`{}`, `EOF`}},
	{"\n\n {\"id\":1} \r\n\r\n{\"id\":2}",
		[]string{`{"id":1}`, `{"id":2}`, `EOF`},
		[]string{`{"id":1}`, `{"id":2}`, `EOF`}},
	{"{\"id\":1}{\"id\":2} {\"name\":\"}{\"}",
		[]string{`syntax error at 8, line 1, column 9`, `EOF`},
		[]string{`{"id":1}`, `{"id":2}`, `{"name":"}{"}`, `EOF`}},
	{"{\n\"id\": 1\n}\n{\"id\":2}",
		[]string{`syntax error at 1, line 1, column 2`, `invalid value at 2, line 2, column 1`, `syntax error at 10, line 3, column 1`, `{"id":2}`, `EOF`},
		[]string{`{"id":1}`, `{"id":2}`, `EOF`}},
	{"{\"id\":1}\n{\"id\":true}\n{\"no\":\n1}\n  {\"id\":2} {\"name\":3}\n\n",
		[]string{`{"id":1}`, `invalid value at 15, line 2, column 7`, `unknown field at 22, line 3, column 2`, `invalid value at 28, line 4, column 1`, `syntax error at 42, line 5, column 12`, `EOF`},
		[]string{`{"id":1}`, `invalid value at 15, line 2, column 7`, `unknown field at 22, line 3, column 2`, `{"id":2}`, `invalid value at 50, line 5, column 20`, `EOF`}},
	{"{\"id\"\n:\n x}\n{\"id\":2}",
		[]string{`syntax error at 5, line 1, column 6`, `syntax error at 6, line 2, column 1`, `syntax error at 9, line 3, column 2`, `{"id":2}`, `EOF`},
		[]string{`syntax error at 9, line 3, column 2`, `{"id":2}`, `EOF`}},
	{"{\"name\":\"a\nb\"}\n{}",
		[]string{`syntax error at 10, line 1, column 11`, `syntax error at 11, line 2, column 1`, `{}`, `EOF`},
		[]string{`syntax error at 10, line 1, column 11`, `{}`, `EOF`}},
	{"null 1\"a\"nux,\xff:]{}",
		[]string{`invalid value at 0, line 1, column 1`, `EOF`},
		[]string{`invalid value at 0, line 1, column 1`, `invalid value at 5, line 1, column 6`, `invalid value at 6, line 1, column 7`, `syntax error at 9, line 1, column 10`, `syntax error at 12, line 1, column 13`, `invalid UTF-8 at 13, line 1, column 14`, `syntax error at 14, line 1, column 15`, `syntax error at 15, line 1, column 16`, `{}`, `EOF`}},
	{"[{}]\n{}",
		[]string{`invalid value at 0, line 1, column 1`, `{}`, `EOF`},
		[]string{`invalid value at 0, line 1, column 1`, `{}`, `EOF`}},
	{"{\"id\":[1}\n{}",
		[]string{`syntax error at 8, line 1, column 9`, `{}`, `EOF`},
		[]string{`syntax error at 8, line 1, column 9`, `syntax error at 8, line 1, column 9`}},
	{"{}\n{\"id\":\n1",
		[]string{`{}`, `syntax error at 9, line 2, column 7`, `invalid value at 10, line 3, column 1`, `EOF`},
		[]string{`{}`, `syntax error: unexpected EOF at 11, line 3, column 2`, `syntax error: unexpected EOF at 11, line 3, column 2`}},
	{"{}\n{\"name\":\"a",
		[]string{`{}`, `syntax error: unexpected EOF at 13, line 2, column 11`, `EOF`},
		[]string{`{}`, `syntax error: unexpected EOF at 13, line 2, column 11`, `syntax error: unexpected EOF at 13, line 2, column 11`}},
	{"{} \"a",
		[]string{`syntax error at 3, line 1, column 4`, `EOF`},
		[]string{`{}`, `syntax error: unexpected EOF at 5, line 1, column 6`, `syntax error: unexpected EOF at 5, line 1, column 6`}},
	{"{}\n12",
		[]string{`{}`, `invalid value at 3, line 2, column 1`, `EOF`},
		[]string{`{}`, `invalid value at 3, line 2, column 1`, `EOF`}},
	{"\ufeff{}",
		[]string{`syntax error at 0, line 1, column 1`, `{}`, `EOF`},
		[]string{`syntax error at 0, line 1, column 1`, `{}`, `EOF`}},
	{" \ufeff{}",
		[]string{`syntax error at 1, line 1, column 2`, `EOF`},
		[]string{`syntax error at 1, line 1, column 2`, `{}`, `EOF`}},
	{"\xef",
		[]string{`invalid UTF-8 at 0, line 1, column 1`, `EOF`},
		[]string{`invalid UTF-8 at 0, line 1, column 1`, `EOF`}},
	{"\xef\xbb{}",
		[]string{`invalid UTF-8 at 0, line 1, column 1`, `EOF`},
		[]string{`invalid UTF-8 at 0, line 1, column 1`, `{}`, `EOF`}},
}

// TestDecoder reads streams that come in all ways.
func TestDecoder(t *testing.T) {
	for _, s := range streams {
		for name, reader := range readers {
			for _, lines := range []bool{true, false} {
				want := s.free
				if lines {
					want = s.lines
				}
				d := protojson.NewDecoder(reader(s.text))
				d.Lines = lines
				if got := drained(d, new(benchpb.Leaf)); !slices.Equal(got, want) {
					t.Errorf("%q, Lines %t, %s:\n%q, want\n%q", s.text, lines, name, got, want)
				}
			}
		}
	}
}

// TestDecoderTruncated ends a stream at every byte: that is its clean end, or an error that says
// both what and why.
func TestDecoderTruncated(t *testing.T) {
	const stream = "{\"name\":\"a\\\"\\u00e9é\",\n\"id\":-12}\n {} {\"id\":\"1\"}"
	ends := map[int]int{0: 0, 32: 1, 33: 1, 34: 1, 36: 2, 37: 2, 47: 3}
	for n := range len(stream) + 1 {
		for name, reader := range readers {
			for _, lines := range []bool{false, true} {
				text := stream[:n]
				if lines {
					text = strings.ReplaceAll(strings.ReplaceAll(text, ",\n", ", "), "} ", "}\n")
				}
				d := protojson.NewDecoder(reader(text))
				d.Lines = lines
				err, count := error(nil), -1
				for ; err == nil; count++ {
					err = d.Decode(new(benchpb.Leaf))
				}
				if want, clean := ends[n]; clean {
					if err != io.EOF || count != want {
						t.Errorf("%q, %s: %d messages, %v", text, name, count, err)
					}
				} else if !errors.Is(err, protojson.ErrSyntax) || !errors.Is(err, io.ErrUnexpectedEOF) ||
					!errors.Is(err, proto.Error) {
					t.Errorf("%q, %s: %d messages, %v", text, name, count, err)
				} else if want := "line "; !strings.Contains(err.Error(), want) {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
	}
}

// TestDecoderMaxSize reads values as long as may be, and longer.
func TestDecoderMaxSize(t *testing.T) {
	sizes := []int{20, 600, 100_000}
	if race.Brief() {
		sizes = sizes[:2] // byte by byte, the third takes long
	}
	for _, size := range sizes {
		value := `{"name":"` + strings.Repeat("x", size-11) + `"}`
		for name, reader := range readers {
			for _, lines := range []bool{false, true} {
				d := protojson.NewDecoder(reader("{}\n" + value + "\n " + value + "\n{}"))
				d.Lines, d.MaxSize = lines, size
				m := new(benchpb.Leaf)
				for i := range 4 {
					if err := d.Decode(m); err != nil || i%3 > 0 && len(m.GetName()) != size-11 {
						t.Fatalf("%d, %s: %v", size, name, err)
					}
				}
				d = protojson.NewDecoder(reader("{}\n" + value + "\n{}"))
				d.Lines, d.MaxSize = lines, size-1
				if err := d.Decode(m); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					err := d.Decode(m)
					if want := "the value is too long at 3, line 2, column 1"; !errors.Is(err, protojson.ErrSize) ||
						shown(err) != want {
						t.Errorf("%d, %s: %v", size, name, err)
					}
				}
			}
		}
	}
	d := protojson.NewDecoder(io.MultiReader(strings.NewReader(`"`), endless{}))
	if err := d.Decode(new(structpb.Value)); !errors.Is(err, protojson.ErrSize) {
		t.Error(err)
	}
}

// endless reads the same without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	return copy(b, strings.Repeat("x", len(b))), nil
}

// A faulty reader fails before some reads, with what comes before.
type faulty struct {
	r     io.Reader
	reads int
}

var errFaulty = errors.New("try again")

func (f *faulty) Read(b []byte) (int, error) {
	n, err := f.r.Read(b[:min(len(b), 1)])
	if f.reads++; f.reads%3 == 0 && err == nil {
		err = errFaulty
	}
	return n, err
}

// TestDecoderReadErrors goes on after errors of the reader.
func TestDecoderReadErrors(t *testing.T) {
	for _, lines := range []bool{false, true} {
		d := protojson.NewDecoder(&faulty{r: strings.NewReader("{\"id\":1}\n\n{\"id\":2}")})
		d.Lines = lines
		var ids []int32
		faults := 0
		for {
			m := new(benchpb.Leaf)
			err := d.Decode(m)
			if err == io.EOF {
				break
			}
			switch err {
			case errFaulty:
				faults++
			case nil:
				ids = append(ids, m.GetId())
			default:
				t.Fatal(err)
			}
		}
		if !slices.Equal(ids, []int32{1, 2}) || faults != 6 {
			t.Errorf("%v with %d faults", ids, faults)
		}
	}
	if err := protojson.NewDecoder(&sluggish{r: strings.NewReader("")}).Decode(new(benchpb.Leaf)); err != io.EOF {
		t.Error(err)
	}
	if err := protojson.NewDecoder(idle{}).Decode(new(benchpb.Leaf)); err != io.ErrNoProgress {
		t.Error(err)
	}
}

// idle never reads anything.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestDecoderRequired says where a message begins that lacks a field.
func TestDecoderRequired(t *testing.T) {
	d := protojson.NewDecoder(strings.NewReader("\n  {\n}"))
	err := d.Decode(new(legacypb.Required))
	if want := "required field not set at 3, line 2, column 3"; !errors.Is(err, protojson.ErrRequired) ||
		shown(err) != want {
		t.Errorf("%s, want %s", shown(err), want)
	}
}

// TestDecoderMemory reads a long stream with little memory.
func TestDecoderMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector takes memory")
	}
	d := protojson.NewDecoder(io.LimitReader(&repeated{text: `{"id":1} `}, 10<<20))
	m := new(benchpb.Leaf)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for ; d.Decode(m) == nil; n++ {
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; n != 10<<20/9 || used > 1<<18 {
		t.Errorf("%d messages take %d bytes", n, used)
	}
}

// A repeated reader reads a text again and again.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(b []byte) (n int, _ error) {
	for n < len(b) {
		k := copy(b[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}

// checkStream reads a stream with and without Lines as it comes in several ways, which makes no
// difference, and compares with encoding/json and Unmarshal.
func checkStream(t *testing.T, stream string, m proto.Message) {
	t.Helper()
	for _, lines := range []bool{false, true} {
		var want []string
		for _, name := range []string{"at once", "byte", "bytes, EOF", "nothing"} {
			d := protojson.NewDecoder(readers[name](stream))
			d.Lines = lines
			got := drained(d, m)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q, Lines %t: %q, but %s %q", stream, lines, want, name, got)
			}
		}
		if alike := expected(stream, m, lines); len(alike) > len(want) || !slices.Equal(alike, want[:len(alike)]) {
			t.Fatalf("%q, Lines %t: %q, want %q", stream, lines, want, alike)
		}
	}
}

// expected is what is read from a stream, up to where it is not JSON.
func expected(stream string, empty proto.Message, lines bool) (all []string) {
	m := empty.ProtoReflect().New().Interface()
	for start := 0; ; {
		rest := strings.TrimLeft(stream[start:], " \t\r\n")
		if start = len(stream) - len(rest); rest == "" {
			return append(all, "EOF")
		}
		var value json.RawMessage
		if lines {
			line, _, _ := strings.Cut(rest, "\n")
			value = []byte(line)
			if !json.Valid(value) {
				return all
			}
		} else if json.NewDecoder(strings.NewReader(rest)).Decode(&value) != nil ||
			isWord(value) && !endsWord(rest[len(value):]) {
			return all
		}
		e := (*protojson.Error)(nil)
		if err := protojson.Unmarshal(value, m); errors.As(err, &e) {
			(*protoerr.TextError)(e).Locate([]byte(stream), start+max(e.Offset, 0))
			all = append(all, shown(e))
		} else if b, err := protojson.Marshal(m); err == nil {
			all = append(all, string(b))
		}
		start += len(value)
	}
}

func isWord(value []byte) bool { return !bytes.ContainsAny(value[:1], `{["`) }

// endsWord reports whether what follows a number or literal ends it. To encoding/json 1-2 is two
// numbers.
func endsWord(rest string) bool {
	return rest == "" || strings.ContainsAny(rest[:1], " \t\r\n,:\"{}[]")
}

// TestDecoderStreams reads random messages in a row.
func TestDecoderStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, mt := range testpb.Types() {
		stream := ""
		for range race.Rounds(4) {
			_, text := random(mt, r, 6)
			stream += string(text) + []string{"", "\n", " ", "\r\n\t"}[r.IntN(4)]
		}
		checkStream(t, stream, mt.New().Interface())
	}
}

// FuzzDecoder reads any stream.
func FuzzDecoder(f *testing.F) {
	for _, s := range streams {
		f.Add(s.text, whichOf("protean.test.bench.Leaf"))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i, mt := range testpb.Types() {
		_, text := random(mt, r, 6)
		_, more := random(mt, r, 6)
		if testpb.Seed(i) {
			f.Add(string(text)+"\n"+string(more), uint16(i))
		}
	}
	f.Fuzz(func(t *testing.T, stream string, which uint16) {
		mt, k := choose(which)
		checkStream(t, stream, k.New(mt))
	})
}
