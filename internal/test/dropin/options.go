package dropin

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/reflect/protoregistry"
)

// CheckOptions fails the test unless each field of the options Theirs, set by itself, is the field of that name in
// Ours once it is converted, and the same again once it is converted back.
func CheckOptions[Theirs, Ours any](t *testing.T, of func(Theirs) Ours, official func(Ours) Theirs) {
	t.Helper()
	fields := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Theirs]()) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		fields++
		var theirs Theirs
		set(t, f.Name, reflect.ValueOf(&theirs).Elem().FieldByIndex(f.Index))
		ours := of(theirs)
		want := reflect.ValueOf(theirs).FieldByIndex(f.Index).Interface()
		if got := reflect.ValueOf(ours).FieldByName(f.Name).Interface(); !reflect.DeepEqual(got, want) {
			t.Errorf("%T.%s is %v, want %v", ours, f.Name, got, want)
		}
		if back := official(ours); !reflect.DeepEqual(back, theirs) {
			t.Errorf("%T.%s: there and back %+v, want %+v", theirs, f.Name, back, theirs)
		}
	}
	if fields == 0 {
		t.Errorf("%v has no fields", reflect.TypeFor[Theirs]())
	}
}

// set gives a field a value that is not zero.
func set(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.String:
		v.SetString("\t")
	case reflect.Interface:
		v.Set(reflect.ValueOf(new(protoregistry.Types)))
	default:
		t.Fatalf("a field of a new kind: %s %v", name, v.Type())
	}
}
