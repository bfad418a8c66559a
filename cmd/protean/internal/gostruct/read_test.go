package gostruct_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/gostruct"
	"github.com/protean-pb/protean/cmd/protean/internal/visit"
)

// TestReadFixture holds the checked-in methods against what GenerateRead writes today.
func TestReadFixture(t *testing.T) {
	src, err := gostruct.GenerateRead("fixture", "github.com/protean-pb/protean/cmd/protean/internal/visit",
		schema(t).Messages())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("internal", "fixture", "read.go")
	if *update {
		if err := os.WriteFile(path, src, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("wrote %s: run again without -update", path)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, src) {
		t.Errorf("%s is out of date: run go test with -update", path)
	}
}

// Each field of each struct is read.
func TestReadFields(t *testing.T) {
	for name, s := range structs {
		typ := reflect.TypeOf(s)
		for i := range typ.NumField() {
			x := reflect.New(typ)
			if n := x.Interface().(visit.Fields).ProteanReadFields(); n != 0 {
				t.Errorf("%s: %d of an empty struct", name, n)
			}
			set(x.Elem().Field(i), 3)
			if n := x.Interface().(visit.Fields).ProteanReadFields(); (n == 0) != empty(typ.Field(i).Type) {
				t.Errorf("%s.%s: %d, want more than 0 where there is anything to read", name, typ.Field(i).Name, n)
			}
		}
	}
}

// empty reports whether values of a type hold nothing.
func empty(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return empty(t.Elem())
	}
	return t.Kind() == reflect.Struct && t.NumField() == 0
}

// set gives v a value that is not zero, with messages in it that are so deep.
func set(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(5)
	case reflect.Uint32, reflect.Uint64, reflect.Uint8:
		v.SetUint(5)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(5)
	case reflect.Interface:
		v.Set(reflect.ValueOf("text"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		set(v.Elem(), depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		set(v.Index(0), depth)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		set(key, depth)
		set(value, depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(5, 6)))
			return
		}
		for i := 0; i < v.NumField() && depth > 0; i++ {
			set(v.Field(i), depth-1)
		}
	}
}
