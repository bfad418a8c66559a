package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func unmarshalOf(f form) func([]byte, any) error {
	switch f.name {
	case "Struct":
		return UnmarshalStruct
	case "ListValue":
		return UnmarshalList
	}
	return Unmarshal
}

// checkUnmarshal holds Unmarshal into an any against the official library.
func checkUnmarshal(t *testing.T, f form, wire []byte) {
	t.Helper()
	m := f.new()
	want := proto.Unmarshal(wire, m)
	var got any
	err := unmarshalOf(f)(wire, &got)
	if (err == nil) != (want == nil) {
		t.Fatalf("%s of %x: Unmarshal says %v, the official library %v", f.name, cut(wire), err, want)
	}
	if err != nil {
		checkError(t, err, len(wire))
		return
	}
	data := f.value(m).AsInterface()
	if diff := dataDifference(got, data); diff != "" {
		t.Fatalf("%s of %x: %s", f.name, cut(wire), diff)
	}
	d, err := f.parse(wire)
	if err != nil {
		t.Fatal(err)
	}
	if diff := dataDifference(d.Interface(), data); diff != "" {
		t.Fatalf("%s of %x: Interface: %s", f.name, cut(wire), diff)
	}
	if data, ok := data.(map[string]any); ok {
		old := map[string]any{"old": 1}
		if err := unmarshalOf(f)(wire, &old); err != nil {
			t.Fatal(err)
		}
		if _, ok := data["old"]; !ok {
			delete(old, "old")
		}
		if diff := dataDifference(old, data); diff != "" {
			t.Fatalf("%s of %x into a map: %s", f.name, cut(wire), diff)
		}
	}
}

// dataDifference compares data of the types of encoding/json, and returns what differs. It
// tells minus zero and nil maps and slices apart.
func dataDifference(got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		m, ok := got.(map[string]any)
		if !ok || len(m) != len(want) || m == nil {
			return fmt.Sprintf("%T of %d keys instead of %d: %v", got, len(m), len(want), got)
		}
		for k, v := range want {
			e, ok := m[k]
			if !ok {
				return fmt.Sprintf("no key %q", k)
			}
			if diff := dataDifference(e, v); diff != "" {
				return k + ": " + diff
			}
		}
	case []any:
		s, ok := got.([]any)
		if !ok || len(s) != len(want) || s == nil || cap(s) != len(s) {
			return fmt.Sprintf("%T of %d (%d) elements instead of %d", got, len(s), cap(s), len(want))
		}
		for i, v := range want {
			if diff := dataDifference(s[i], v); diff != "" {
				return strconv.Itoa(i) + ": " + diff
			}
		}
	case float64:
		if f, ok := got.(float64); !ok || math.Float64bits(f) != math.Float64bits(want) {
			return fmt.Sprintf("%T %v instead of %v", got, got, want)
		}
	default:
		if got != want {
			return fmt.Sprintf("%T %v instead of %T %v", got, got, want, want)
		}
	}
	return ""
}

func FuzzUnmarshal(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 1000 {
			f.Add(c.wire)
		}
	}
	for _, s := range shapes(f)[:2] {
		f.Add(s.wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		for _, form := range forms() {
			checkUnmarshal(t, form, wire)
		}
	})
}

type (
	readString string
	readBytes  []uint8
	readKey    string
	readText   struct{ S string }
	readJSON   struct{ S string }
	inner      struct {
		A string
		B *int
		C []inner `json:"c,omitempty"`
		D map[string]*inner
	}
	ReadEmbedded struct {
		E1     int
		Shared string
	}
	ReadPointer struct {
		P1     []string
		Shared string
	}
	unexported struct{ H1 int8 }
	readAll    struct {
		Bool         bool
		Int          int
		Int8         int8
		Int64        int64
		Uint         uint
		Uint8        uint8
		Uint64       uint64
		Float32      float32
		Float64      float64
		String       string
		Named        readString
		Ptr          *int
		PtrPtr       **string
		Bytes        []byte
		NamedBytes   readBytes
		Strings      []string
		Floats       []float64
		Ints         []int16
		Anys         []any
		Array        [3]int
		Arrays       [2][]string
		Any          any
		AnyPtr       *any
		Map          map[string]any
		StringMap    map[string]string
		IntMap       map[int8]string
		UintMap      map[uint8]bool
		TextMap      map[readKey]int
		SubMap       map[string]inner
		Sub          inner
		SubPtr       *inner
		Subs         []inner
		SubPtrs      []*inner
		Number       json.Number
		Raw          json.RawMessage
		Time         time.Time
		TimePtr      *time.Time
		Text         readText
		TextPtr      *readText
		JSON         readJSON
		Stringer     fmt.Stringer
		Chan         chan int
		BadMap       map[float64]int
		Renamed      int     `json:"re-named"`
		Ignored      int     `json:"-"`
		Quoted       int64   `json:",string"`
		QuotedUint   uint64  `json:",string"`
		QuotedInt8   int8    `json:",string"`
		QuotedBool   bool    `json:",string"`
		QuotedFloat  float64 `json:",string"`
		QuotedString string  `json:",string"`
		QuotedPtr    *int    `json:",string"`
		ReadEmbedded
		*ReadPointer
		unexported
	}
)

func (k *readKey) UnmarshalText(b []byte) error {
	if strings.HasPrefix(string(b), "x") {
		return errors.New("a key with x")
	}
	*k = readKey(b)
	clear(b) // which is allowed
	return nil
}

func (v *readText) UnmarshalText(b []byte) error {
	if strings.HasPrefix(string(b), "x") {
		return errors.New("a text with x")
	}
	v.S = "text " + string(b)
	clear(b)
	return nil
}

func (v *readJSON) UnmarshalJSON(b []byte) error {
	if strings.HasPrefix(string(b), `"x`) {
		return errors.New("JSON with x")
	}
	v.S = "json " + string(b)
	return nil
}

// readFilled is a value in which all kinds of things are set already.
func readFilled() *readAll {
	i, s := 7, "old"
	p := &s
	var old any = map[string]any{"old": 1.0}
	return &readAll{
		Int: 1, String: "old", Ptr: &i, PtrPtr: &p, Bytes: []byte("old"),
		Strings: append(make([]string, 0, 4), "old", "older"), Ints: []int16{1, 2, 3}, Anys: []any{&i, 2, "x"},
		Array: [3]int{1, 2, 3}, Arrays: [2][]string{{"a"}, {"b"}}, Any: &i, AnyPtr: &old,
		Map: map[string]any{"A": 1.0, "old": &i}, StringMap: map[string]string{"A": "old"},
		IntMap: map[int8]string{1: "old"},
		SubMap: map[string]inner{"A": {A: "old", B: &i}}, Sub: inner{A: "old", D: map[string]*inner{"A": {A: "old"}}},
		SubPtr: &inner{A: "old", B: &i}, Subs: []inner{{A: "one", B: &i}, {A: "two"}}[:1],
		SubPtrs: []*inner{{A: "one"}, nil},
		Raw:     json.RawMessage("1"), Time: time.Unix(1, 0).UTC(), Quoted: 5, ReadEmbedded: ReadEmbedded{E1: 5},
		Number: "5",
	}
}

// checkTyped holds Unmarshal into structs against protojson and encoding/json, where it is
// not to differ from them.
func checkTyped(t *testing.T, wire []byte, fresh func() *readAll) {
	t.Helper()
	tree := new(structpb.Value)
	got, want := fresh(), fresh()
	err := Unmarshal(wire, got)
	if proto.Unmarshal(wire, tree) != nil {
		if err == nil {
			t.Fatalf("%x: no error", cut(wire))
		}
		return
	}
	if hasBadMap(tree) { // which encoding/json takes for some since Go 1.27
		if !errors.As(err, new(*Error)) {
			t.Fatalf("%x: a map whose keys are no strings: %v", cut(wire), err)
		}
		return
	}
	text, textErr := protojson.Marshal(tree)
	if textErr != nil || ambiguous(tree.AsInterface()) {
		return // there is no equal text, or it has the keys in another order
	}
	text = compactJSON(t, text)
	if data, changed := exactly64(tree.AsInterface()); changed {
		if text, textErr = json.Marshal(data); textErr != nil {
			t.Fatal(textErr)
		}
		for _, e := range []*readAll{got, want} {
			e.Number, e.Raw, e.JSON = "", nil, readJSON{}
		}
	}
	wantErr := json.Unmarshal(text, want)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s: Unmarshal says %v, encoding/json %v", text, err, wantErr)
	}
	if err != nil {
		// An irregular message has no offset.
		if e := new(Error); !errors.As(err, &e) || e.Offset < -1 || e.Offset > len(wire) ||
			!strings.HasPrefix(e.Path, "$") {
			t.Fatalf("the error %q has no place in %d bytes: %#v", err, len(wire), err)
		}
		return
	}
	if _, changed := exactly64(tree.AsInterface()); changed {
		want.Number, want.Raw, want.JSON = "", nil, readJSON{}
		got.Number, got.Raw, got.JSON = "", nil, readJSON{}
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n%+v\n%+v", text, got, want)
	}
}

// hasBadMap reports whether there is an object for the field BadMap of readAll.
func hasBadMap(tree *structpb.Value) bool {
	for name, v := range tree.GetStructValue().GetFields() {
		if _, ok := v.GetKind().(*structpb.Value_StructValue); ok && strings.EqualFold(name, "BadMap") {
			return true
		}
	}
	return false
}

// compactJSON takes out the white space that protojson puts in at random.
func compactJSON(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ambiguous reports whether an object has keys that may mean the same field or key of a
// map, so that their order counts.
func ambiguous(data any) bool {
	switch data := data.(type) {
	case map[string]any:
		seen := map[string]bool{}
		for k, v := range data {
			if ambiguous(v) {
				return true
			}
			if i, err := strconv.ParseInt(k, 10, 64); err == nil {
				k = strconv.FormatInt(i, 10)
			}
			if k = foldKey(k); seen[k] {
				return true
			}
			seen[k] = true
		}
	case []any:
		for _, v := range data {
			if ambiguous(v) {
				return true
			}
		}
	}
	return false
}

// foldKey is one string for all that strings.EqualFold takes for equal.
func foldKey(k string) string { return strings.ToLower(strings.ToUpper(k)) }

// exactly64 replaces the numbers for which ProtoJSON and a double differ in what they are
// as integers.
func exactly64(data any) (_ any, changed bool) {
	switch data := data.(type) {
	case map[string]any:
		for k, v := range data {
			w, c := exactly64(v)
			data[k], changed = w, changed || c
		}
	case []any:
		for i, v := range data {
			w, c := exactly64(v)
			data[i], changed = w, changed || c
		}
	case float64:
		if math.Abs(data) >= 1<<53 && math.Abs(data) < 1e21 {
			return json.Number(strconv.FormatFloat(data, 'f', 0, 64)), true
		}
		if data == 0 && math.Signbit(data) {
			return 0.0, true
		}
	}
	return data, changed
}

// anything makes data for structs of type readAll.
func anything(r *rand.Rand, depth int) any {
	strs := []string{"", "abc", "xyz", "1", "-5", "007", "1.5", "1e3", "300", "true", "null", `"q"`, "AQID", "AQ==", "A\nQ==", "é", "2020-01-02T03:04:05.5Z", "0x10", "18446744073709551615", "9223372036854775808"}
	nums := []float64{0, 1, -1, 2, 1.5, 127, 128, -128, -129, 255, 256, 32767, 1e10, 1 << 53, 1 << 60, -1 << 63,
		1 << 63, 1 << 64, 1e21, 1e300, math.Copysign(0, -1), 3.4e38, 3.5e38, 1e-7, 0.1}
	keys := []string{"A", "a", "B", "C", "c", "D", "d", "1", "-7", "256", "", "x", "old", "127", "b"}
	n := 7
	if depth > 3 {
		n = 5
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return nums[r.IntN(len(nums))]
	case 3, 4:
		return strs[r.IntN(len(strs))]
	case 5:
		out := []any{}
		same := r.IntN(2) == 0
		for i := range r.IntN(5) {
			if same && i > 0 {
				out = append(out, out[0])
			} else {
				out = append(out, anything(r, depth+1))
			}
		}
		return out
	}
	out := map[string]any{}
	for range r.IntN(4) {
		out[keys[r.IntN(len(keys))]] = anything(r, depth+1)
	}
	return out
}

// randomEverything is a message with some fields of readAll.
func randomEverything(t testing.TB, r *rand.Rand) []byte {
	t.Helper()
	fields := structOf(reflect.TypeFor[readAll]()).fields
	data := map[string]any{}
	for range 1 + r.IntN(3) {
		name := fields[r.IntN(len(fields))].name
		switch r.IntN(10) {
		case 0:
			name = strings.ToLower(name)
		case 1:
			name += "x"
		}
		data[name] = anything(r, 0)
	}
	tree, err := structpb.NewValue(data)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := proto.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return wire
}

func FuzzUnmarshalTyped(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		f.Add(randomEverything(f, r))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		checkTyped(t, wire, func() *readAll { return new(readAll) })
		checkTyped(t, wire, readFilled)
	})
}

// TestUnmarshalRandom is the fuzz test on messages that fit the type.
func TestUnmarshalRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		wire := randomEverything(t, r)
		checkTyped(t, wire, func() *readAll { return new(readAll) })
		checkTyped(t, wire, readFilled)
	}
}
