package gojapb

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
)

// A Module gives one JavaScript runtime Protobuf. Like the runtime, it must not be used by several goroutines at once;
// the schemas that it compiles are shared with all modules that have loaded the same files.
type Module struct {
	rt     *goja.Runtime
	int64s Int64
	schema *schema

	builtin       builtin
	methods       []method // of messages
	methodsByName map[string]*method
	site          *callSite    // nil if goja's is not known
	lists         *goja.Object // the prototype of lists
	plainLists    *goja.Object // the prototype of lists of plain values
	maps          *goja.Object // the prototype of maps
	jsons         writer       // of toJSON
	objects       writer       // of toObject
	types         map[*shape]*binding
	ctors         map[*goja.Object]*binding
	enums         map[protoreflect.FullName]*goja.Object
	extensions    map[protoreflect.ExtensionType]*field
	foreign       map[protoreflect.MessageDescriptor]*shape // of messages of the host that no registry has
	// The objects that a method was called on last.
	latest     *message
	latestList struct {
		object *goja.Object
		view   *listView
	}
	latestMap struct {
		object *goja.Object
		view   *mapView
	}
	argumentOfToValue string               // of stringValue
	collected         []goja.Value         // by builtin.collect
	values            []protoreflect.Value // of setScalars
	texts             []string             // of setStringList
	nested            bool                 // some message may be nested deeper than decoding allows
	shares            int                  // how often a message that can hold its like was made part of another
}

// builtin are the functions of the runtime as they were before a script could change them.
type builtin struct {
	error, rangeError, uint8Array, date *goja.Object
	freeze, getTime, bufferOf           goja.Callable
	ownProperty                         goja.Callable // Object.getOwnPropertyDescriptor
	arrayValues                         goja.Callable
	arrayPrototype                      *goja.Object
	apply                               func(goja.FunctionCall) goja.Value
	collect, hasInstance                goja.Value // the first keeps its arguments
}

// New returns a module for rt.
func New(rt *goja.Runtime, opts ...Option) (*Module, error) {
	if rt == nil {
		return nil, errors.New("gojapb: the runtime is nil")
	}
	o := newOptions(opts)
	m := &Module{
		rt: rt, int64s: o.int64s, schema: baseSchema(o.files, o.resolver),
		types: map[*shape]*binding{}, ctors: map[*goja.Object]*binding{},
		enums:      map[protoreflect.FullName]*goja.Object{},
		extensions: map[protoreflect.ExtensionType]*field{}, foreign: map[protoreflect.MessageDescriptor]*shape{},
	}
	m.jsons, m.objects = writer{m, true}, writer{m, false}
	if err := rt.Try(m.init); err != nil {
		return nil, fmt.Errorf("gojapb: %w", err)
	}
	return m, nil
}

func (m *Module) init() {
	m.builtin = builtinsOf(m.rt)
	m.builtin.collect = m.rt.ToValue(func(call goja.FunctionCall) goja.Value {
		m.collected = call.Arguments
		return nil
	})
	m.builtin.hasInstance = m.rt.ToValue(m.native(m.hasInstance))
	m.methods = m.objectsOf(m.messageMethods())
	m.methodsByName = map[string]*method{}
	for i := range m.methods {
		m.methodsByName[m.methods[i].name] = &m.methods[i]
	}
	m.site = newCallSite(m.rt)
	lists, maps := m.rt.CreateObject(m.builtin.arrayPrototype), m.rt.NewObject()
	define(lists, m.objectsOf(m.listMethods()))
	m.plainLists = m.rt.CreateObject(m.builtin.arrayPrototype)
	define(m.plainLists, m.objectsOf(m.sequenceMethods()))
	methods := m.objectsOf(m.mapMethods())
	define(maps, methods)
	for _, f := range methods {
		if f.name == "entries" {
			hidden(maps.DefineDataPropertySymbol(goja.SymIterator, f.object, goja.FLAG_TRUE, goja.FLAG_TRUE,
				goja.FLAG_FALSE))
		}
	}
	m.lists, m.maps = lists, maps
}

// A method is a function as JavaScript has it.
type method struct {
	function
	object goja.Value
}

func (m *Module) objectsOf(functions []function) []method {
	methods := make([]method, len(functions))
	for i, f := range functions {
		methods[i] = method{f, m.newFunction(f.name, f.call)}
	}
	return methods
}

// newFunction returns a function as scripts see it.
func (m *Module) newFunction(name string, call func(goja.FunctionCall) goja.Value) *goja.Object {
	o := m.rt.ToValue(m.native(call)).(*goja.Object)
	hidden(o.DefineDataProperty("name", m.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return o
}

// define makes functions methods of a prototype, which scripts may replace and do not see in loops.
func define(prototype *goja.Object, methods []method) {
	for _, f := range methods {
		hidden(prototype.DefineDataProperty(f.name, f.object, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
}

// hidden panics if a property could not be defined.
func hidden(err error) {
	if err != nil {
		panic(err)
	}
}

func builtinsOf(rt *goja.Runtime) builtin {
	object := func(v goja.Value) *goja.Object { return v.ToObject(rt) }
	function := func(v goja.Value) goja.Callable {
		f, ok := goja.AssertFunction(v)
		if !ok {
			panic(rt.NewTypeError("the runtime lacks a built-in function"))
		}
		return f
	}
	functions := object(object(rt.Get("Function")).Get("prototype"))
	apply, ok := functions.Get("apply").Export().(func(goja.FunctionCall) goja.Value)
	if !ok {
		panic(rt.NewTypeError("Function.prototype.apply is not the engine's own"))
	}
	date, array := object(rt.Get("Date")), object(object(rt.Get("Array")).Get("prototype"))
	bytes := object(rt.Get("Uint8Array"))
	ownProperty := function(object(rt.Get("Object")).Get("getOwnPropertyDescriptor"))
	buffer, err := ownProperty(goja.Undefined(), object(bytes.Get("prototype")).Prototype(), rt.ToValue("buffer"))
	if err != nil {
		panic(err)
	}
	return builtin{
		error: object(rt.Get("Error")), rangeError: object(rt.Get("RangeError")), uint8Array: bytes, date: date,
		freeze:  function(object(rt.Get("Object")).Get("freeze")),
		getTime: function(object(date.Get("prototype")).Get("getTime")), arrayValues: function(array.Get("values")),
		arrayPrototype: array,
		apply:          apply, bufferOf: function(object(buffer).Get("get")), ownProperty: ownProperty,
	}
}

// Require returns a loader for the registry of goja_nodejs, under whichever name the host chooses:
//
//	registry.RegisterNativeModule("protobuf", gojapb.Require())
func Require(opts ...Option) require.ModuleLoader {
	return func(rt *goja.Runtime, module *goja.Object) {
		m, err := New(rt, opts...)
		if err != nil {
			panic(rt.NewGoError(err))
		}
		m.SetupExports(module.Get("exports").(*goja.Object))
	}
}

// SetupExports sets the functions of the module on an object, as require('protobuf') returns it.
func (m *Module) SetupExports(exports *goja.Object) {
	for _, f := range m.objectsOf(m.functions()) {
		hidden(exports.Set(f.name, f.object))
	}
}

// A function is one function of the module.
type function struct {
	name string
	call func(goja.FunctionCall) goja.Value
}

// functions lists the functions of the module.
func (m *Module) functions() []function {
	return []function{
		{"loadDescriptorSet", m.loadDescriptorSet},
		{"loadFileDescriptorProto", m.loadFileDescriptorProto},
		{"messageType", m.messageType},
		{"enumType", m.enumType},
		{"encode", m.encode},
		{"decode", m.decode},
		{"toJSON", m.toJSON},
		{"fromJSON", m.fromJSON},
		{"equals", m.equals},
		{"clone", m.clone},
		{"isMessage", m.isMessage},
		{"isFieldSet", m.isFieldSet},
		{"clearField", m.clearField},
		{"timestampNow", m.timestampNow},
		{"timestampFromDate", m.timestampFromDate},
		{"timestampDate", m.timestampDate},
		{"timestampFromMs", m.timestampFromMs},
		{"timestampMs", m.timestampMs},
		{"durationFromMs", m.durationFromMs},
		{"durationMs", m.durationMs},
		{"anyPack", m.anyPack},
		{"anyUnpack", m.anyUnpack},
		{"anyIs", m.anyIs},
	}
}

// native wraps what scripts call.
func (m *Module) native(f func(goja.FunctionCall) goja.Value) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		defer m.guard()
		return f(call)
	}
}

// LoadDescriptorSetBytes loads a serialized google.protobuf.FileDescriptorSet, in any order of its files, and returns
// the full names of its messages and enums. Files that are loaded already, or registered by the host, are fine if
// they declare the same, what compilers add to it aside; a conflict is an error, and changes nothing. The bytes are not
// kept.
func (m *Module) LoadDescriptorSetBytes(b []byte) ([]string, error) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := (proto.UnmarshalOptions{Resolver: m.schema}).Unmarshal(b, set); err != nil {
		return nil, fmt.Errorf("gojapb: the descriptor set cannot be decoded: %w", err)
	}
	return m.load(set)
}

func (m *Module) load(set *descriptorpb.FileDescriptorSet) ([]string, error) {
	s, err := m.schema.load(set)
	if err != nil {
		return nil, fmt.Errorf("gojapb: %w", err)
	}
	m.schema = s
	return typeNames(set), nil
}

func (m *Module) loadDescriptorSet(call goja.FunctionCall) goja.Value {
	names, err := m.LoadDescriptorSetBytes(m.bytesOf("pb.loadDescriptorSet", call.Argument(0)))
	return m.namesOrError(names, err)
}

func (m *Module) loadFileDescriptorProto(call goja.FunctionCall) goja.Value {
	file := new(descriptorpb.FileDescriptorProto)
	b := m.bytesOf("pb.loadFileDescriptorProto", call.Argument(0))
	if err := (proto.UnmarshalOptions{Resolver: m.schema}).Unmarshal(b, file); err != nil {
		m.throwError("the file descriptor cannot be decoded: %v", err)
	}
	names, err := m.load(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
	return m.namesOrError(names, err)
}

func (m *Module) namesOrError(names []string, err error) goja.Value {
	if err != nil {
		m.throwError("%v", err)
	}
	items := make([]any, len(names))
	for i, name := range names {
		items[i] = name
	}
	return m.rt.NewArray(items...)
}

// FindDescriptor returns what a full name stands for: what scripts have loaded, else what the host has registered. The
// error is [google.golang.org/protobuf/reflect/protoregistry.NotFound] if there is nothing of that name.
func (m *Module) FindDescriptor(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	return m.schema.find(name)
}

// WrapMessage returns a JavaScript object for a message, which is not copied: what scripts change, they change in it.
// Generated messages, those of package dynamic and all others will do. It returns nil for a nil or read-only message.
func (m *Module) WrapMessage(msg proto.Message) *goja.Object {
	if msg == nil || !msg.ProtoReflect().IsValid() {
		return nil
	}
	r := msg.ProtoReflect()
	return m.wrap(m.bind(m.shapeOf(r.Descriptor())), r, 0).object
}

// UnwrapMessage returns the message of a JavaScript object that this package made, without copying it. The error says
// what v is instead.
func (m *Module) UnwrapMessage(v goja.Value) (proto.Message, error) {
	msg := messageOf(v)
	if msg == nil {
		return nil, fmt.Errorf("gojapb: expected a message, got %s", describe(v))
	}
	if err := m.checkDepth(msg); err != nil {
		return nil, fmt.Errorf("gojapb: %w", err)
	}
	return msg.m.Interface(), nil
}
