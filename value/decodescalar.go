package value

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/structval/index"
)

func storeBool(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	if n.Kind() != index.Bool {
		return d.mismatch(v, at)
	}
	v.SetBool(n.Bool(d.wire))
	return true
}

func storeInt(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	if n.Kind() != index.Number {
		return d.mismatch(v, at)
	}
	f := n.Float(d.wire)
	// What is out of range must not be converted: the result differs between processors.
	if !(-1<<63 <= f && f < 1<<63) || float64(int64(f)) != f || v.OverflowInt(int64(f)) {
		return d.misfit(v, f, at)
	}
	v.SetInt(int64(f))
	return true
}

func storeUint(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	if n.Kind() != index.Number {
		return d.mismatch(v, at)
	}
	f := n.Float(d.wire)
	if !(0 <= f && f < 1<<64) || float64(uint64(f)) != f || v.OverflowUint(uint64(f)) {
		return d.misfit(v, f, at)
	}
	v.SetUint(uint64(f))
	return true
}

func storeFloat(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	if n.Kind() != index.Number {
		return d.mismatch(v, at)
	}
	f := n.Float(d.wire)
	if v.Kind() == reflect.Float32 && math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
		return d.misfit(v, f, at)
	}
	v.SetFloat(f)
	return true
}

// misfit says that a number is not one of a Go type.
func (d *decoder) misfit(v reflect.Value, f float64, at int) bool {
	return d.fail(at, ErrNumber, strconv.FormatFloat(f, 'g', -1, 64)+" into Go type "+v.Type().String())
}

func storeString(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	if n.Kind() != index.String {
		return d.mismatch(v, at)
	}
	v.SetString(n.Text(d.wire))
	return true
}

// storeNumber decodes into a json.Number: a number as ProtoJSON writes it, or a string
// that is one.
func storeNumber(d *decoder, v reflect.Value, at int) bool {
	n := &d.nodes[at]
	switch n.Kind() {
	case index.Number:
		f := n.Float(d.wire)
		if f-f != 0 {
			return d.misfit(v, f, at)
		}
		v.SetString(string(jsontext.AppendFloat(nil, f)))
		return true
	case index.String:
		s := n.Text(d.wire)
		if s == "" || !isLiteral(s) {
			return d.fail(at, ErrSyntax, strconv.Quote(s)+" is not a number")
		}
		v.SetString(s)
		return true
	}
	return d.mismatch(v, at)
}

// bytesStore decodes base64, and lists of numbers, into a slice of bytes.
func bytesStore(t reflect.Type) store {
	elements := elementsStore(targetOf(t.Elem()), t)
	return func(d *decoder, v reflect.Value, at int) bool {
		n := &d.nodes[at]
		if n.Kind() != index.String {
			return elements(d, v, at)
		}
		b, err := base64.StdEncoding.DecodeString(n.Text(d.wire))
		if err != nil {
			return d.fail(at, ErrSyntax, err.Error())
		}
		v.SetBytes(b)
		return true
	}
}

// quotedStore decodes into a field with the option "string": the string contains the
// text of a JSON literal.
func quotedStore(t reflect.Type) store {
	plain := targetOf(t)
	return func(d *decoder, v reflect.Value, at int) bool {
		n := &d.nodes[at]
		switch {
		case n.Kind() == index.String:
			if s := n.Text(d.wire); !unquoteInto(v, s) {
				return d.fail(at, ErrSyntax, strconv.Quote(s)+" into Go type "+t.String()+" with the option string")
			}
			return true
		case d.isNull(at):
			return plain.decode(d, v, at)
		}
		return d.fail(at, ErrKind, (Kind(n.Kind())+1).String()+" into Go type "+t.String()+" with the option string")
	}
}

// unquoteInto decodes a JSON literal into v, numbers as leniently as encoding/json does
// here: with leading zeros, and whatever else strconv takes.
func unquoteInto(v reflect.Value, s string) bool {
	if s == "" || s[0] == '{' || s[0] == '[' || s[0] <= ' ' || s[len(s)-1] <= ' ' {
		return false
	}
	for v.Kind() == reflect.Pointer {
		if s == "null" {
			v.SetZero()
			return true
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	number := s[0] == '-' || '0' <= s[0] && s[0] <= '9'
	if t := v.Type(); number && reflect.Int <= t.Kind() && t.Kind() <= reflect.Float64 &&
		(t.PkgPath() == "" || !hasMethods(t)) {
		return unquoteNumber(v, s)
	}
	return json.Unmarshal([]byte(s), v.Addr().Interface()) == nil
}

// hasMethods reports whether a type has methods that say how to decode it.
func hasMethods(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler)
}

func unquoteNumber(v reflect.Value, s string) bool {
	bits := v.Type().Bits()
	var err error
	switch {
	case v.CanInt():
		var i int64
		if i, err = strconv.ParseInt(s, 10, bits); err == nil {
			v.SetInt(i)
		}
	case v.CanUint():
		var u uint64
		if u, err = strconv.ParseUint(s, 10, bits); err == nil {
			v.SetUint(u)
		}
	default:
		var f float64
		if f, err = strconv.ParseFloat(s, bits); err == nil {
			v.SetFloat(f)
		}
	}
	return err == nil
}
