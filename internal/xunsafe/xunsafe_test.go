package xunsafe

import (
	"reflect"
	"runtime"
	"testing"
)

func TestStringAndBytes(t *testing.T) {
	b := []byte("text")
	if s := String(b); s != "text" || len(Bytes(s)) != 4 || &Bytes(s)[0] != &b[0] {
		t.Error("the bytes are not shared")
	}
	if String(nil) != "" || String([]byte{}) != "" || len(Bytes("")) != 0 {
		t.Error("nothing is not nothing")
	}
}

// TestBox checks that boxed values are what the compiler would make of them, and that
// they keep what they point to alive.
func TestBox(t *testing.T) {
	texts, numbers := make([]string, 1000), make([]float64, 1000)
	var boxed []any
	for i := range texts {
		texts[i], numbers[i] = string(rune('a'+i%26)), float64(i)
		boxed = append(boxed, BoxString(&texts[i]), BoxFloat64(&numbers[i]))
	}
	texts, numbers = nil, nil
	runtime.GC()
	for i := range len(boxed) / 2 {
		want := []any{string(rune('a' + i%26)), float64(i)}
		if !reflect.DeepEqual(boxed[2*i:2*i+2], want) {
			t.Fatalf("got %v, want %v", boxed[2*i:2*i+2], want)
		}
		switch boxed[2*i].(type) {
		case string:
		default:
			t.Fatalf("%T", boxed[2*i])
		}
	}
	m := map[any]int{boxed[0]: 1}
	if m["a"] != 1 {
		t.Error("a boxed string is not found in a map by an equal one")
	}
}
