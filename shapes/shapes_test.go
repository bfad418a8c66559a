package shapes

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// fast are options with which each message is recorded.
var fast = Options{PerSecond: 1e9}

func open(t *testing.T, o Options) (*Recorder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shapes")
	r, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// secret has, in each value, the word secret or a number that no chance makes up.
func secret(t *testing.T) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(map[string]any{
		"secretkey": "a secret", "list": []any{"secret", 123456789.5, "sécret 一😀", true},
		"inner": map[string]any{"secretkey": 987654321, "zero": 0, "null": nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNothingIsTold looks for what a message says in what is written, and for its shape.
func TestNothingIsTold(t *testing.T) {
	for _, keep := range []bool{false, true} {
		r, dir := open(t, Options{PerSecond: 1e9, KeepKeys: keep})
		m := secret(t)
		const times = 20
		for range times {
			r.Record(m)
		}
		if err := r.Close(); err != nil || r.Count().Recorded != times {
			t.Fatalf("%+v, %v", r.Count(), err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "google.protobuf.Struct.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b, []byte("secretkey")); n != 0 && !keep || n != 2*times && keep {
			t.Errorf("keep %v: the key is there %d times", keep, n)
		}
		for _, told := range []string{"a secret", "\"secret\"", "123456789", "987654321", "sécret"} {
			if bytes.Contains(b, []byte(told)) {
				t.Errorf("%s is there", told)
			}
		}
		keys := map[string]bool{}
		for line := range bytes.Lines(b) {
			got := new(structpb.Struct)
			if err := protojson.Unmarshal(line, got); err != nil {
				t.Fatal(err)
			}
			if proto.Size(got) != proto.Size(m) || len(got.Fields) != 3 {
				t.Errorf("%d bytes, want %d", proto.Size(got), proto.Size(m))
			}
			for k := range got.Fields {
				keys[k] = true
			}
		}
		if len(keys) != 3 {
			t.Errorf("3 keys became %d", len(keys))
		}
	}
}

// TestSizes makes up messages of all types that the tests have: they are as long as those that they stand for.
func TestSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	k := newMaker(false)
	compared := 0
	for _, mt := range append(testpb.Types(), testpb.WellKnown()...) {
		for range 20 {
			src := mt.New()
			testpb.Fill(src, random, 3)
			testpb.Legalize(src, random, 3)
			strip(src)
			made, _ := k.message(src)
			o := proto.MarshalOptions{AllowPartial: true}
			want, err := o.Marshal(src.Interface())
			if err != nil {
				continue // invalid UTF-8
			}
			got, err := o.Marshal(made.Interface())
			if err != nil {
				t.Fatalf("%s: %v", mt.Descriptor().FullName(), err)
			}
			compared++
			// Of times, the fraction of a second may take other bytes; what is in an Any may have been in another form.
			if diff := len(got) - len(want); diff != 0 && !inexact(mt.Descriptor(), map[protoreflect.FullName]bool{}) {
				t.Errorf("%s: %d bytes, want %d:\n%v\n%v", mt.Descriptor().FullName(), len(got), len(want), made, src)
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d messages", compared)
	}
}

// strip takes out what a shape does not have.
func strip(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsExtension():
			m.Clear(fd)
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool { strip(v.Message()); return true })
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				strip(v.List().Get(i).Message())
			}
		case fd.Message() != nil && !fd.IsMap():
			strip(v.Message())
		}
		return true
	})
}

// inexact reports whether there can be a time, an Any or an integer-keyed map in a message.
func inexact(md protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	switch md.FullName() {
	case "google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.Any":
		return true
	}
	seen[md.FullName()] = true
	for i := range md.Fields().Len() {
		if sub := md.Fields().Get(i).Message(); sub != nil && !seen[sub.FullName()] && inexact(sub, seen) {
			return true
		}
	}
	return false
}

// TestKnownTypes records what ProtoJSON takes only some values of: each can be written, and read again.
func TestKnownTypes(t *testing.T) {
	r, dir := open(t, fast)
	inAny, err := anypb.New(&wrapperspb.StringValue{Value: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	messages := []proto.Message{
		&timestamppb.Timestamp{Seconds: 253402300799, Nanos: 999_999_999},
		&timestamppb.Timestamp{Seconds: -5, Nanos: 120_000_000},
		&durationpb.Duration{Seconds: -315576000000, Nanos: -1000},
		&fieldmaskpb.FieldMask{Paths: []string{"a.b", "some_field"}},
		inAny, &anypb.Any{TypeUrl: "type.googleapis.com/no.Such", Value: []byte("secret")},
		structpb.NewNumberValue(math.MaxFloat64),
		structpb.NewNumberValue(5e-324), wrapperspb.Int64(math.MinInt64), wrapperspb.Bool(true),
		wrapperspb.Float(math.MaxFloat32),
		wrapperspb.UInt64(math.MaxUint64),
	}
	const rounds = 50
	for range rounds {
		for _, m := range messages {
			r.Record(m)
		}
	}
	if got := r.Count(); got.Recorded != rounds*len(messages) {
		t.Errorf("%+v", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "google.protobuf.Any.jsonl"))
	if err != nil || bytes.Contains(b, []byte("secret")) || !bytes.Contains(b, []byte("StringValue")) {
		t.Errorf("%s, %v", b, err)
	}
	schema, err := os.ReadFile(filepath.Join(dir, "google.protobuf.Any.binpb"))
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(schema, set); err != nil || len(set.File) != 2 { // any.proto and wrappers.proto
		t.Fatalf("%d files, %v", len(set.File), err)
	}
	if _, err := protodesc.NewFiles(set); err != nil {
		t.Error(err)
	}
}

// TestWithoutForm records what has no ProtoJSON, nothing, and a nil Recorder.
func TestWithoutForm(t *testing.T) {
	r, _ := open(t, fast)
	for _, m := range []proto.Message{&structpb.Value{}, structpb.NewNumberValue(math.NaN()), (*structpb.Value)(nil),
		nil} {
		r.Record(m)
	}
	if got := r.Count(); got != (Count{Skipped: 3}) {
		t.Errorf("%+v", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	r.Record(secret(t)) // closed
	var none *Recorder
	none.Record(secret(t))
	if err := none.Close(); err != nil || none.Count() != (Count{}) {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	r, dir := open(t, Options{PerSecond: 1e9, MaxMessage: 500, MaxDisk: 6000, MaxTypes: 2})
	r.Record(structpb.NewStringValue(strings.Repeat("x", 501)))
	r.Record(wrapperspb.String("one"))
	r.Record(wrapperspb.Int32(1))
	r.Record(wrapperspb.Int64(1))
	if got := r.Count(); got != (Count{Recorded: 2, Skipped: 2}) {
		t.Errorf("%+v", got)
	}
	for range 1000 {
		r.Record(wrapperspb.String(strings.Repeat("x", 400)))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	size := func() (n int64) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			n += info.Size()
		}
		return n
	}
	if n := size(); n > 6000 || n < 5000 {
		t.Errorf("%d bytes", n)
	}
	again, err := Open(dir, Options{PerSecond: 1e9, MaxDisk: 6000})
	if err != nil {
		t.Fatal(err)
	}
	again.Record(wrapperspb.String(strings.Repeat("x", 1000)))
	if err := again.Close(); err != nil || size() > 6000 {
		t.Errorf("%d bytes, %v", size(), err)
	}
	if _, err := Open(dir, Options{PerSecond: -1}); err == nil {
		t.Error("a negative rate")
	}
}

// TestRate has many record at once: no more are written than are due.
func TestRate(t *testing.T) {
	r, _ := open(t, Options{PerSecond: 20})
	start := time.Now()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for time.Since(start) < 300*time.Millisecond {
				r.Record(secret(t))
			}
		})
	}
	group.Wait()
	most := int(time.Since(start).Seconds()*20) + 1
	if n := r.Count().Recorded; n < 1 || n > most {
		t.Errorf("%d messages, want at most %d", n, most)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestDisk has the disk fail: recording ends, and Close says why.
func TestDisk(t *testing.T) {
	r, dir := open(t, fast)
	if err := os.Mkdir(filepath.Join(dir, "google.protobuf.Struct.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.Record(secret(t))
	r.Record(wrapperspb.String("x"))
	if err := r.Close(); err == nil || !strings.HasPrefix(err.Error(), "shapes: open ") || r.Count() != (Count{}) {
		t.Errorf("%v, %+v", err, r.Count())
	}
	if _, err := Open(filepath.Join(dir, "file"), Options{}); err != nil {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	for _, s := range []string{"", "abc", "é一😀x", "\xff\xfe"} {
		got := text(s, rand.IntN)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) != utf8.RuneCountInString(s) ||
			utf8.ValidString(s) && len(got) != len(s) {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// TestDigits compares the lengths of numbers in text.
func TestDigits(t *testing.T) {
	for _, f := range []float64{1, 0.5, -0.001, 1e21, 123.456, 5e-324, 1700000000, math.Pi} {
		want := len(protojson.Format(wrapperspb.Double(f)))
		for range 20 {
			made := float(f, 64)
			if got := len(protojson.Format(wrapperspb.Double(made))); got < want-2 || got > want+2 || made == 0 ||
				math.Signbit(made) != math.Signbit(f) {
				t.Errorf("%v became %v", f, made)
			}
		}
	}
}
