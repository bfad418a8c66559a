package jsontext

import (
	"testing"
	"unsafe"
)

func TestPutBool(t *testing.T) {
	for want, x := range map[string]bool{"false": false, "true": true} {
		var b [8]byte
		if n := PutBool(unsafe.Pointer(&b), x); string(b[:n]) != want {
			t.Errorf("%q, want %s", b[:n], want)
		}
	}
}
