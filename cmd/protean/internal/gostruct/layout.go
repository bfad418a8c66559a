package gostruct

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// layout tells which field of a struct holds which field of a message.
type layout struct {
	byNumber map[protoreflect.FieldNumber]int // index of the struct field
	numbers  []protoreflect.FieldNumber       // in the order of the struct; 0 has no tag
}

var layouts sync.Map // from reflect.Type to *layout

func layoutOf(t reflect.Type) (*layout, error) {
	if l, ok := layouts.Load(t); ok {
		return l.(*layout), nil
	}
	l := &layout{byNumber: map[protoreflect.FieldNumber]int{}}
	for i := range t.NumField() {
		number, err := numberOf(t.Field(i))
		if err != nil {
			return nil, err
		}
		l.numbers = append(l.numbers, number)
		if number != 0 {
			l.byNumber[number] = i
		}
	}
	layouts.Store(t, l)
	return l, nil
}

func numberOf(f reflect.StructField) (protoreflect.FieldNumber, error) {
	tag, ok := f.Tag.Lookup("proto")
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(tag, 10, 32)
	if err != nil || n <= 0 || !f.IsExported() {
		return 0, fmt.Errorf("struct field %s: proto tag %q is no field number of an exported field", f.Name, tag)
	}
	return protoreflect.FieldNumber(n), nil
}
