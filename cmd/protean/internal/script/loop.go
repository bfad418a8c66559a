package script

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// stretch is how far a loop counts before it restarts. goja boxes integers, and Go boxes those up to 255 without an
// allocation; a longer count would add an allocation to every iteration.
const stretch = 250

// outside is the source around all loops. The function that it makes runs an operation on count samples, from the first
// one on, so many times over, and returns the last result.
const outside = `(function(env) {
	"use strict";
	const wrong = function() { throw new Error("what was read is not what was set"); };
	return function(from, count, times) {
		LOCALS
		let last;
		SHAPE
		return last;
	};
})`

// walking is a loop along an array, in which the samples repeat.
const walking = `const array = env.INPUT, size = array.length;
		for (let left = count * times; left > 0;) {
			let stop = from + left;
			if (stop > size) stop = size;
			left -= stop - from;
			for (let k = from; k < stop; k++) { BODY }
			from = 0;
		}`

// staying is a loop that stays with one sample for all iterations, and then goes on to the next.
const staying = `for (let i = from; i < from + count; i++) {
			BEFORE
			for (let left = times; left > 0;) {
				const stop = left < STRETCH ? left : STRETCH;
				left -= stop;
				for (let k = 0; k < stop; k++) { BODY }
			}
			AFTER
		}`

// element is what a loop that walks along an array takes from it.
var element = regexp.MustCompile(`\bx\b`)

// source returns the text of the loop, on a field and its property if it needs them.
func (l *loop) source(locals string, f protoreflect.FieldDescriptor, property string) string {
	shape, body := staying, l.body
	if l.input != "" {
		shape, body = walking, element.ReplaceAllLiteralString(body, "array[k]")
	}
	pairs := []string{"LOCALS", locals, "INPUT", l.input,
		"BEFORE", l.before, "BODY", body, "AFTER", l.after, "STRETCH", strconv.Itoa(stretch)}
	text := strings.NewReplacer(pairs...).Replace(strings.Replace(outside, "SHAPE", shape, 1))
	if f == nil {
		return text
	}
	return strings.NewReplacer("FIELD", strconv.Quote(string(f.Name())), "PROPERTY", property).Replace(text)
}

// compile makes the operations of the variant.
func (c *codec) compile(names []string) error {
	json := c.rt.Get("JSON").ToObject(c.rt)
	c.parse, _ = goja.AssertFunction(json.Get("parse"))
	c.stringify, _ = goja.AssertFunction(json.Get("stringify"))
	if c.engine.encode != "" {
		var err error
		if c.encode, err = c.expression(c.engine.encode); err != nil {
			return err
		}
		if c.decode, err = c.expression(c.engine.decode); err != nil {
			return err
		}
	}
	for _, name := range names {
		op, err := c.operation(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.ops = append(c.ops, op)
	}
	return nil
}

// function evaluates the text of a function.
func (c *codec) function(text string) (goja.Callable, error) {
	v, err := c.rt.RunString(text)
	if err != nil {
		return nil, err
	}
	f, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("not a function: %s", v)
	}
	return f, nil
}

// made calls a function of env that returns a function.
func (c *codec) made(text string) (goja.Callable, error) {
	outer, err := c.function(text)
	if err != nil {
		return nil, err
	}
	v, err := outer(goja.Undefined(), c.env)
	if err != nil {
		return nil, err
	}
	inner, _ := goja.AssertFunction(v)
	return inner, nil
}

// expression returns an expression for x as a function.
func (c *codec) expression(text string) (goja.Callable, error) {
	return c.made(`(function(env) { "use strict"; ` + c.engine.locals + ` return function(x) { return ` + text +
		`; }; })`)
}

// operation compiles one operation.
func (c *codec) operation(name string) (*variant.Op, error) {
	l := c.engine.ops[name]
	f, err := c.fieldOf(name)
	if err != nil {
		return &variant.Op{Name: name, Unfit: err}, nil
	}
	property, err := c.propertyOf(f)
	if err != nil {
		return nil, err
	}
	run, err := c.made(l.source(c.engine.locals, f, property))
	if err != nil {
		return nil, err
	}
	call := func(from, count, times int) (err error) {
		c.last.value, err = run(goja.Undefined(), c.rt.ToValue(from), c.rt.ToValue(count), c.rt.ToValue(times))
		c.last.i = from + count - 1
		if l.result != nothing && err == nil && goja.IsUndefined(c.last.value) {
			return fmt.Errorf("the loop came to no result")
		}
		if name == variant.Unmarshal {
			c.held = c.last.value
		}
		return err
	}
	return &variant.Op{
		Name: name,
		Run: func(i int) error {
			if err := c.around(len(c.samples)); err != nil {
				return err
			}
			return call(i, 1, 1)
		},
		Loop: func(times, n int) error {
			if err := c.around(n); err != nil {
				return err
			}
			return call(0, n, times)
		},
		Result: func() any {
			if l.result == itsBytes {
				b, _ := exported(c.last.value)
				return b
			}
			return c.last
		},
		Message: func(r any) (proto.Message, error) { return c.message(l.result, f, r) },
	}, nil
}

// fieldOf returns the field that an operation is on, or nil if it is on none.
func (c *codec) fieldOf(op string) (protoreflect.FieldDescriptor, error) {
	switch op {
	case variant.SetGet, variant.SetGetProperty, variant.Repeated, variant.Map:
		return variant.FieldOf(c.md, op)
	case variant.ToJSON, variant.FromJSON, variant.ToFromJSON:
		if c.engine.noWellKnown && hasWellKnown(c.md, map[protoreflect.FullName]bool{}) {
			return nil, variant.NotApplicable("the library has no ProtoJSON of well-known types, which %s has inside",
				c.md.Name())
		}
	}
	return nil, nil
}

// propertyOf returns the name of the property that a field is in scripts.
func (c *codec) propertyOf(f protoreflect.FieldDescriptor) (string, error) {
	switch {
	case f == nil:
		return "", nil
	case c.property == nil:
		return string(f.Name()), nil
	}
	v, err := c.property(goja.Undefined(), c.rt.ToValue(int(f.Number())))
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

// message decodes what a loop left, with the official library.
func (c *codec) message(k kind, f protoreflect.FieldDescriptor, r any) (proto.Message, error) {
	m := c.typ.New()
	if b, ok := r.([]byte); ok {
		return m, proto.Unmarshal(b, m)
	}
	last := r.(result)
	source := c.samples[last.i]
	switch k {
	case aMessage:
		return m, c.read(last.value, m)
	case empty: // one that takes what the sample has is of the right type
		if err := c.read(last.value, m); err != nil {
			return nil, err
		}
		return m, proto.UnmarshalOptions{Merge: true}.Unmarshal(c.wire[last.i], m)
	case plainData, itsText:
		return m, c.readPlain(last.value, m)
	case aPart:
		if err := c.read(last.value, m); err != nil {
			return nil, err
		}
		return source, variant.CheckOnly(source, f, m)
	case plainPart:
		if err := c.readPlain(last.value, m); err != nil {
			return nil, err
		}
		return source, variant.CheckOnly(source, f, m)
	}
	return source, nil // there is nothing to check but that the loop came to its end
}

// read reads the message of a script into m, by way of bytes: those that the official library
// writes where Go sees the message, and those of the script's library where not.
func (c *codec) read(v goja.Value, m proto.Message) error {
	b, err := c.bytesOf(v)
	if err != nil {
		return err
	}
	return proto.Unmarshal(b, m)
}

func (c *codec) bytesOf(message goja.Value) ([]byte, error) {
	if c.module == nil {
		return c.written(message)
	}
	m, err := c.module.UnwrapMessage(message)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(m)
}

// readPlain reads plain data, or its text, into m.
func (c *codec) readPlain(v goja.Value, m proto.Message) error {
	if _, text := v.Export().(string); !text {
		var err error
		if v, err = c.stringify(goja.Undefined(), v); err != nil {
			return err
		}
	}
	return protojson.Unmarshal([]byte(v.String()), m)
}

// loadFields prepares what the operations on fields set, and what they expect to read.
func (c *codec) loadFields() error {
	for _, op := range []string{variant.SetGet, variant.Repeated, variant.Map} {
		f, err := variant.FieldOf(c.md, op)
		if err != nil {
			continue // the operation says so
		}
		arrays := map[string][]any{}
		for _, m := range c.samples {
			c.addField(arrays, variant.Only(m, f).Get(f), f)
		}
		for name, array := range arrays {
			if err := c.env.Set(name, c.rt.NewArray(array...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// addField adds what one sample has in a field to the arrays, as the script's own values.
func (c *codec) addField(arrays map[string][]any, v protoreflect.Value, f protoreflect.FieldDescriptor) {
	switch {
	case f.IsList():
		var items []any
		for i := range v.List().Len() {
			items = append(items, v.List().Get(i).Interface())
		}
		arrays["lists"] = append(arrays["lists"], c.rt.NewArray(items...))
	case f.IsMap():
		entries := c.rt.NewObject()
		var keys, wanted []any
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			entries.Set(k.String(), v.Interface())
			keys, wanted = append(keys, k.String()), append(wanted, v.Interface())
			return true
		})
		arrays["entries"] = append(arrays["entries"], entries)
		arrays["keys"] = append(arrays["keys"], c.rt.NewArray(keys...))
		arrays["wanted"] = append(arrays["wanted"], c.rt.NewArray(wanted...))
	default:
		arrays["values"] = append(arrays["values"], v.String())
	}
}
