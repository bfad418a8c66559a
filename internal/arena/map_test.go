package arena

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

type (
	enum  int32
	thing struct{ name string }
)

// TestMapsOfOtherTypes fills maps through types that are like theirs only in size, hash and
// pointers, and reads them, changes them and lets them grow as what they are; and the other
// way round.
func TestMapsOfOtherTypes(t *testing.T) {
	sameMaps(t, layout.Entry{Key: layout.String, Value: layout.Message},
		func(i int) (string, *thing) { return fmt.Sprint(i), &thing{fmt.Sprint(i)} })
	sameMaps(t, layout.Entry{Key: layout.String, Value: layout.Int32},
		func(i int) (string, enum) { return fmt.Sprint(i), enum(-i) })
	sameMaps(t, layout.Entry{Key: layout.Text, Value: layout.Bytes},
		func(i int) (string, []byte) { return fmt.Sprint(i), []byte(fmt.Sprint(i)) })
	sameMaps(t, layout.Entry{Key: layout.Int32, Value: layout.Text},
		func(i int) (int32, string) { return int32(-i), fmt.Sprint(i) })
	sameMaps(t, layout.Entry{Key: layout.Fixed32, Value: layout.Fixed32},
		func(i int) (uint32, float32) { return uint32(i) << 20, float32(i) })
	sameMaps(t, layout.Entry{Key: layout.Sint64, Value: layout.Fixed64},
		func(i int) (int64, float64) { return int64(-i) << 40, float64(i) })
	sameMaps(t, layout.Entry{Key: layout.Varint64, Value: layout.Bool},
		func(i int) (uint64, bool) { return uint64(i) << 50, i%3 == 0 })
	sameMaps(t, layout.Entry{Key: layout.Fixed64, Value: layout.Message},
		func(i int) (int64, *thing) { return int64(i), &thing{fmt.Sprint(i)} })
	sameMaps(t, layout.Entry{Key: layout.Bool, Value: layout.Sint64},
		func(i int) (bool, int64) { return i%2 == 0, int64(i) })
}

func sameMaps[K comparable, V any](t *testing.T, e layout.Entry, entry func(int) (K, V)) {
	t.Run(reflect.TypeFor[map[K]V]().String(), func(t *testing.T) {
		for _, n := range []int{0, 1, 7, 8, 9, 100, 3000} {
			var got map[K]V
			want := map[K]V{}
			for i := range n {
				k, v := entry(i)
				want[k] = v
				if i%3 == 2 && got != nil {
					got[k] = v // grown by one type, and then by the other
				} else {
					put(&e, unsafe.Pointer(&got), unsafe.Pointer(&k), unsafe.Pointer(&v), n/2)
				}
			}
			runtime.GC()
			if len(got) != len(want) || n > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("%d entries: got %v, want %v", n, got, want)
			}
			for k := range want {
				if delete(got, k); reflect.ValueOf(got).MapIndex(reflect.ValueOf(k)).IsValid() {
					t.Fatalf("%v is still there", k)
				}
			}
			if len(got) != 0 {
				t.Fatalf("%d entries are left", len(got))
			}
		}
	})
}
