//lint:file-ignore SA5008 what encoding/json makes of odd tags is what is tested

package value

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// A choice makes decisions from the input of a fuzz target; after the end all are zero.
type choice struct{ in []byte }

func (c *choice) byte() byte {
	if len(c.in) == 0 {
		return 0
	}
	b := c.in[0]
	c.in = c.in[1:]
	return b
}

func (c *choice) upTo(n int) int { return int(c.byte()) % (n + 1) }

func (c *choice) uint64() uint64 {
	var b [8]byte
	c.in = c.in[copy(b[:], c.in):]
	return binary.LittleEndian.Uint64(b[:])
}

func (c *choice) text() string {
	n := int(c.byte())
	if n > 250 {
		n *= 64 // lengths of two and three bytes
		return strings.Repeat(string(rune(c.byte())), n)
	}
	n = min(n%40, len(c.in))
	s := string(c.in[:n])
	c.in = c.in[n:]
	return s
}

// integer is one that is near a power of two, as a rule.
func (c *choice) integer() int64 {
	if b := c.byte(); b < 200 {
		return int64(1)<<(b%64) + int64(int8(c.byte()))
	}
	return int64(c.uint64())
}

func (c *choice) number() json.Number {
	if b := c.byte(); b < 64 {
		return json.Number([]string{"", "0", "-0", "1e400", "-1e400", "1e-400", "NaN", "-Inf", "0x1p-2", "1_0", "+5",
			" 1", "1 ", "01", ".5", "5.", "abc",
			"9007199254740993", "-9007199254740993", "9007199254740992", "9007199254740993.0", "18446744073709551616", "18446744073709551617",
			"0009007199254740993", "100000000000000000000000", "123456789012345678901234567890", "1" + strings.Repeat("0", 400)}[b%27])
	}
	return json.Number(strings.Map(func(r rune) rune { return rune("0123456789-+.eE"[uint32(r)%15]) }, c.text()))
}

// dynamic returns data that structpb.NewValue may accept.
func (c *choice) dynamic(levels int) any {
	kinds := 21
	if levels == 0 {
		kinds = 18
	}
	switch c.upTo(kinds) {
	case 0:
		return nil
	case 1, 2, 3:
		return c.text()
	case 4:
		return math.Float64frombits(c.uint64())
	case 5:
		return c.byte()&1 == 0
	case 6:
		return int(c.integer())
	case 7:
		return c.integer()
	case 8:
		return int32(c.integer())
	case 9:
		return int16(c.integer())
	case 10:
		return int8(c.integer())
	case 11:
		return uint(c.integer())
	case 12:
		return uint64(c.integer())
	case 13:
		return uint32(c.integer())
	case 14:
		return uint16(c.integer())
	case 15:
		return c.byte()
	case 16:
		return math.Float32frombits(uint32(c.uint64()))
	case 17:
		return c.number()
	case 18:
		if c.byte() == 1 {
			return []byte(nil)
		}
		return []byte(c.text())
	case 19, 20:
		if c.byte() == 1 {
			return map[string]any(nil)
		}
		m := map[string]any{}
		for range c.upTo(9) {
			m[c.text()] = c.dynamic(levels - 1)
		}
		return m
	}
	if c.byte() == 1 {
		return []any(nil)
	}
	l := []any{}
	for range c.upTo(9) {
		l = append(l, c.dynamic(levels-1))
	}
	return l
}

func FuzzMarshal(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 5000 {
			f.Add(c.wire)
		}
	}
	for i := range byte(22) {
		f.Add([]byte{20, 0, 3, 2, 'a', 'b', i, 7, 6, 5, 4, 3, 2, 1, 0, 1, 'c', 21, 0, 1, i, 1, 2, 3, 4, 5, 6, 7, 8})
	}
	f.Fuzz(func(t *testing.T, in []byte) { compareDynamic(t, (&choice{in}).dynamic(4)) })
}

// compareDynamic compares what becomes of data with what the official library makes of it.
func compareDynamic(t *testing.T, v any) {
	t.Helper()
	tree, wantErr := structpb.NewValue(v)
	o := MarshalOptions{Deterministic: true, Integers: IntegersRound}
	got, err := o.Marshal(v)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%#v: error %v, want %v", v, err, wantErr)
	}
	if err != nil {
		isError(t, err)
		return
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%#v:\ngot  %x\nwant %x", v, got, want)
	}
	// In another order, and with an error for integers.
	got, err = MarshalOptions{}.MarshalAppend([]byte("before"), v)
	if err != nil {
		if !errors.Is(err, ErrInexact) || string(got) != "before" {
			t.Fatalf("%#v: %q, error %v", v, got, err)
		}
	} else {
		same(t, bytes.TrimPrefix(got, []byte("before")), tree)
	}
	inner, err := o.MarshalStruct(v)
	checkInner(t, tree, inner, err, tree.GetStructValue() != nil, AppendStructValue)
	inner, err = o.MarshalList(v)
	checkInner(t, tree, inner, err, tree.GetListValue() != nil, AppendListValue)
}

func checkInner(
	t *testing.T, tree *structpb.Value, inner []byte, err error, is bool, wrap func(dst, wire []byte) []byte,
) {
	t.Helper()
	if !is {
		if !errors.Is(err, ErrKind) {
			t.Fatalf("error %v, want ErrKind", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	same(t, wrap(nil, inner), tree)
}

// same checks that wire is the given message.
func same(t *testing.T, wire []byte, want *structpb.Value) {
	t.Helper()
	var got structpb.Value
	if err := proto.Unmarshal(wire, &got); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(&got, want) {
		t.Fatalf("got %v, want %v", &got, want)
	}
}

// isError checks the form of an error from a Go value.
func isError(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Offset != -1 || !strings.HasPrefix(e.Path, "$") {
		t.Fatalf("error %#v", err)
	}
}

// A zoo has fields of all types that Marshal knows, and of some that it does not.
type zoo struct {
	Bool     bool
	Int      int     `json:"int,omitempty"`
	Int8     int8    `json:",string"`
	Int64    int64   `json:"i64,omitzero,string"`
	Uint     uint    `json:"uint"`
	Uint16   uint16  `json:"a.b/c"`
	Uint64   uint64  `json:",omitempty"`
	Uintptr  uintptr `json:"-,"`
	Float32  float32
	Float64  float64 `json:",string"`
	F64      float64 `json:"f"`
	String   string  `json:"s,omitempty"`
	Quoted   string  `json:"q,string"`
	QuotedP  *int    `json:"qp,string"`
	QuotedB  *bool   `json:"qb,string,omitempty"`
	Number   json.Number
	QuotedN  json.Number `json:",string"`
	Raw      json.RawMessage
	RawP     *json.RawMessage `json:",omitempty"`
	Any      any
	AnyP     *any `json:",omitempty"`
	Slice    []int16
	Strings  []string `json:"strings,omitempty"`
	Floats   []float64
	Ints     []int
	List     []any
	Array    [3]bool
	Bytes    []byte
	Blobs    []blob
	NamedB   blob
	ByteArr  [2]byte
	Map      map[string]any
	Texts    map[string]string `json:",omitempty"`
	ByInt    map[int8]string
	ByUint   map[uint32]*named
	ByText   map[textKey]float64
	ByName   map[named][]named
	Numbers  map[string]float64
	Counts   map[string]int
	Time     time.Time
	TimeP    *time.Time `json:"tp,omitzero"`
	TimeZ    time.Time  `json:"tz,omitzero"`
	Duration time.Duration
	Named    named
	Pointer  **named
	Text     textValue
	TextP    *textPointer
	TextA    [2]textPointer
	JSON     jsonValue
	JSONP    jsonPointer
	JSONM    map[string]jsonPointer
	JSONS    []jsonPointer
	Dog      dog
	DogP     *dog `json:"dogp"`
	embedded
	*Embedded
	Self       *zoo                       `json:"self,omitempty"`
	Selves     []zoo                      `json:"selves,omitempty"`
	SelfMap    map[string]zoo             `json:"selfmap,omitempty"`
	Hidden     chan int                   `json:"-"`
	unexported int                        //lint:ignore U1000 that it is left out is what is tested
	Zeroer     zeroAtSeven                `json:",omitzero"`
	ZeroerP    *zeroAtSeven               `json:",omitzero"`
	Stringer   interface{ IsZero() bool } `json:",omitzero"`
}

type (
	blob  []byte
	named string
	dog   struct {
		Name string `json:"name,omitempty"`
		Tail *dog   `json:"tail,omitempty"`
	}
	embedded struct {
		Int  int // hidden by nothing: the other one has a name
		Deep string
		Bool string // hidden
	}
	Embedded struct {
		Deep  string // twice at the same depth: neither counts
		Other []named
		*dog
	}
	textKey     struct{ A, B int8 }
	textValue   struct{ s string }
	textPointer struct{ s string }
	jsonValue   struct{ s string }
	jsonPointer struct{ s string }
	zeroAtSeven int
)

func (k textKey) MarshalText() ([]byte, error) {
	return []byte{'k', 'a' + byte(k.A)&15, 'a' + byte(k.B)&15}, nil
}

var errText = errors.New("this text is not written")

func (v textValue) MarshalText() ([]byte, error) {
	if v.s == "no" {
		return nil, errText
	}
	return []byte("<" + v.s + ">"), nil
}
func (v *textPointer) MarshalText() ([]byte, error) { return textValue(*v).MarshalText() }
func (v jsonValue) MarshalJSON() ([]byte, error) {
	if v.s == "no" {
		return nil, errText
	}
	return []byte(v.s), nil
}
func (v *jsonPointer) MarshalJSON() ([]byte, error) { return jsonValue(*v).MarshalJSON() }
func (v *zeroAtSeven) IsZero() bool                 { return *v == 7 }

// fill sets v to something that encoding/json and Marshal write in the same way.
func (c *choice) fill(v reflect.Value, levels int) {
	switch p := v.Addr().Interface().(type) {
	case *float32:
		*p = float32(c.integer()) / 8
		if abs := math.Abs(float64(*p)); abs >= 1<<15 {
			*p = 0.5 // the shortest digits of others are another double
		}
		return
	case *time.Time:
		if sec := c.uint64(); sec != 0 {
			*p = time.Unix(int64(sec%(1<<39)), int64(c.byte())*1e5).In(time.FixedZone("", int(int8(c.byte()))*600))
		}
		return
	case *any:
		*p = c.either(levels)
		return
	case *json.Number:
		if *p = c.number(); c.byte() > 0 {
			*p = ""
		}
		return
	case *json.RawMessage:
		*p = json.RawMessage(c.json())
		return
	case *textValue:
		p.s = c.valid()
		return
	case *textPointer:
		p.s = c.valid()
		return
	case *jsonValue:
		p.s = c.json()
		return
	case *jsonPointer:
		p.s = c.json()
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(c.byte()&1 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(c.integer())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(c.integer()))
	case reflect.Float64:
		if f := math.Float64frombits(c.uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			v.SetFloat(f)
		}
	case reflect.String:
		v.SetString(c.valid())
	case reflect.Pointer:
		if levels > 0 && c.byte()&1 == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			c.fill(v.Elem(), levels-1)
		}
	case reflect.Slice:
		if n := c.upTo(3); n > 0 && levels > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			c.fill(v.Index(i), levels-1)
		}
	case reflect.Map:
		if n := c.upTo(3); n > 0 && levels > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n - 1 {
				key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				c.fill(key, levels-1)
				c.fill(elem, levels-1)
				v.SetMapIndex(key, elem)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() && v.Field(i).Kind() != reflect.Chan && v.Field(i).Kind() != reflect.Interface ||
				v.Field(i).Type() == reflect.TypeFor[any]() {
				if len(c.in) == 0 {
					return
				}
				c.fill(v.Field(i), levels-1)
			}
		}
	}
}

func (c *choice) valid() string { return strings.ToValidUTF8(c.text(), "<\u2028&") }

// json returns JSON text, as a rule.
func (c *choice) json() string {
	return []string{"null", "1", `"x"`, `{"a":1}`, "[1,[true,null]]", " 1e3 ", `{"a":[{}],"b":"\u00e9<"}`, "", "no", "1e999", "{", "9007199254740993"}[min(c.upTo(40), 11)%12]
}

// either returns data that means the same in an interface to structpb.NewValue and
// encoding/json, or that only the latter takes.
func (c *choice) either(levels int) any {
	n := 9
	if levels <= 0 {
		n = 5
	}
	switch c.upTo(n) {
	case 0:
		return nil
	case 1:
		return c.valid()
	case 2:
		return c.integer()
	case 3:
		return named(c.valid())
	case 4:
		return []byte(c.valid())
	case 5:
		return json.Number("12.5e1")
	case 6:
		var z zoo
		c.fill(reflect.ValueOf(&z).Elem(), levels-1)
		return &z
	case 7:
		return map[string]any{c.valid(): c.either(levels - 1), "k": c.either(levels - 1)}
	case 8:
		var z dog
		c.fill(reflect.ValueOf(&z).Elem(), levels-1)
		return z
	}
	return []any{c.either(levels - 1), c.either(levels - 1)}
}

func FuzzMarshalStruct(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 5000 {
			f.Add(c.wire)
		}
	}
	long := make([]byte, 3000)
	for i := range long {
		long[i] = byte(i * 7)
	}
	f.Add(long)
	f.Fuzz(func(t *testing.T, in []byte) {
		var z zoo
		(&choice{in}).fill(reflect.ValueOf(&z).Elem(), 6)
		if compareTyped(t, &z) {
			compareTyped(t, z) // now it is not addressable
		}
	})
}

// compareTyped compares what becomes of data with what encoding/json and the official
// library make of it, and reports whether that is a message.
func compareTyped(t *testing.T, v any) bool {
	t.Helper()
	var tree structpb.Value
	text, wantErr := json.Marshal(v)
	if wantErr == nil {
		wantErr = protojson.Unmarshal(text, &tree)
	}
	got, err := MarshalOptions{Deterministic: true, Integers: IntegersRound}.Marshal(v)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s: error %v, want %v", text, err, wantErr)
	}
	if err != nil {
		isError(t, err)
		return false
	}
	same(t, got, &tree)
	if got, err = (MarshalOptions{Integers: IntegersRound}).Marshal(v); err != nil {
		t.Fatal(err)
	}
	same(t, got, &tree)
	return true
}
