package gojapb

import (
	"fmt"
	"runtime"

	"github.com/dop251/goja"
)

// throwType throws a TypeError: a value is not of the type that a field has, or there is no such field.
func (m *Module) throwType(format string, args ...any) {
	panic(m.rt.NewTypeError(fmt.Sprintf(format, args...)))
}

// throwRange throws a RangeError: a value is of the right type, but not one that a field can hold.
func (m *Module) throwRange(format string, args ...any) {
	m.throw(m.builtin.rangeError, format, args...)
}

// throwError throws an Error: data that is malformed.
func (m *Module) throwError(format string, args ...any) {
	m.throw(m.builtin.error, format, args...)
}

func (m *Module) throw(constructor *goja.Object, format string, args ...any) {
	e, err := m.rt.New(constructor, m.rt.ToValue(fmt.Sprintf(format, args...)))
	if err != nil {
		panic(err)
	}
	panic(e)
}

// guard turns a panic that is none of goja's, which would take the host down, into a TypeError. It is deferred by
// everything that scripts call: Protobuf's reflection panics on what it is not meant for, and a host may hand in
// messages of any implementation.
func (m *Module) guard() {
	switch r := recover().(type) {
	case nil:
	case runtime.Error:
		m.throwType("protobuf: %v", r)
	case string:
		m.throwType("protobuf: %s", r)
	case *goja.Exception, *goja.InterruptedError, *goja.StackOverflowError, *goja.CompilerSyntaxError:
		panic(r)
	case error:
		m.throwType("protobuf: %v", r)
	default:
		panic(r)
	}
}
