package gojapb

import (
	"reflect"
	"slices"
	"sync"

	"github.com/dop251/goja"
)

// Methods can be taken off a message: after const get = msg.get, get('id') is msg.get('id'). As with methods of
// JavaScript's own, a receiver that is given goes first, get.call(other, 'id'), and one that is no message is a
// TypeError.
//
// So msg.get is a function that knows its message, made when it is read. Such a function takes more memory than a small
// message does, and most scripts read methods only to call them, as in msg.get('id'), which says what the receiver is.
// A method that is read for that is therefore the prototype's: a callSite tells the two apart.

// A taken is a method that a script has read off a message.
type taken struct {
	method   *method
	function goja.Value
	next     *taken
}

// take returns a method as a function that acts on the message if it is called without a receiver, the same each
// time. It is nil where the message's prototypes have another one: scripts may extend and change them.
func (msg *message) take(of *method) goja.Value {
	if !msg.inherits(of) {
		return nil
	}
	k := msg.keep()
	for t := k.taken; t != nil; t = t.next {
		if t.method == of {
			return t.function
		}
	}
	function := msg.newFunction(of.name, func(call goja.FunctionCall) goja.Value {
		if call.This == nil || goja.IsUndefined(call.This) {
			call.This = msg.object
		}
		return of.call(call)
	})
	k.taken = &taken{of, function, k.taken}
	return function
}

// forCall reports whether a method is being read for a call of it that has the receiver. JSON.stringify calls toJSON.
func (m *Module) forCall(name string) bool {
	return m.site != nil && (m.site.call() || name == "toJSON" && m.site.native())
}

// inherits reports whether a method is what the message's prototypes have of its name. No getter is called.
func (msg *message) inherits(of *method) bool {
	name, o := msg.stringValue(of.name), msg.object
	for range maxPrototypes {
		if o = o.Prototype(); o == nil {
			return false
		}
		property, err := msg.builtin.ownProperty(goja.Undefined(), o, name)
		if err != nil {
			panic(err)
		}
		if property, ok := property.(*goja.Object); ok {
			v := property.Get("value")
			return v != nil && v.StrictEquals(of.object)
		}
	}
	return false
}

// A callSite tells whether a property is being read for a call of it, by the instruction that goja is at.
type callSite struct {
	*machineLayout
	program reflect.Value // the field of the runtime's virtual machine that points to the program
	pc      reflect.Value // the field that says which of its instructions the machine is at
	recent  [64]site
}

// A site is an instruction that was looked at lately.
type site struct {
	program reflect.Value // keeps the program where it is, so that no other one comes to have its address
	at      uintptr       // of the program
	pc      int64
	call    bool
}

// newCallSite returns nil if this release of goja keeps instructions in another way.
func newCallSite(rt *goja.Runtime) *callSite {
	if l := knownMachine(); l != nil {
		return l.callSite(rt)
	}
	return nil
}

func (l *machineLayout) callSite(rt *goja.Runtime) *callSite {
	machine := reflect.ValueOf(rt).Elem().Field(l.machine).Elem()
	return &callSite{machineLayout: l, program: machine.Field(l.program), pc: machine.Field(l.pc)}
}

// call reports whether goja is reading a property to call it as a method. What Go code reads is no call.
func (c *callSite) call() bool {
	at, pc := c.program.Pointer(), c.pc.Int()
	s := &c.recent[(at>>6^uintptr(pc))%uintptr(len(c.recent))]
	if s.at != at || s.pc != pc {
		if at == 0 {
			return false
		}
		*s = site{c.program.Elem(), at, pc, slices.Contains(c.calls, c.instruction())}
	}
	return s.call
}

// native reports whether a built-in function is running, or Go code.
func (c *callSite) native() bool { return c.program.IsNil() }

// instruction returns the type of the instruction that goja is at; nil if it is at the end of the program.
func (c *callSite) instruction() reflect.Type {
	code, pc := c.program.Elem().Field(c.code), c.pc.Int()
	if pc < 0 || pc >= int64(code.Len()) {
		return nil
	}
	return code.Index(int(pc)).Elem().Type()
}

// A machineLayout says where goja keeps the instruction that a runtime is at: in fields that it does not export,
// which are only read, and which another release of it may not have. So they are used only after they were found to
// tell calls apart.
type machineLayout struct {
	machine int            // the index of the field of a [goja.Runtime] that points to its virtual machine
	program int            // of the machine's that points to a program
	pc      int            // of the machine's that says which instruction of the program it is at
	code    int            // of the program's that has the instructions
	calls   []reflect.Type // of the instructions that read a property to call it
}

// The ways in which scripts read a property of o, by name and by expression: to call it, and for itself.
var (
	callsOf = []string{`o.f()`, `o['f'](1)`, `o[f]()`, `o?.f(1)`, `o.f?.()`, "o.f`x`", `(o.f)()`}
	readsOf = []string{
		`g = o.f`, `g = o[f]`, `({f: g} = o)`, `[g] = [o.f]`, `(0, o.f)()`, `typeof o.f`, `o?.f`, `new o.f`, `[o[f]]`,
		`o.f, 1`, `Reflect.get(o, 'f')`, `[o].map((x) => x.f)`, `o.f === o.f`, `g(o.f)`,
		`JSON.stringify({ get f() { return o.f } })`,
	}
)

// knownMachine is nil if this release of goja has another machine, or one that does not tell calls apart.
var knownMachine = sync.OnceValue(func() *machineLayout {
	l := newMachineLayout()
	if l == nil {
		return nil
	}
	rt := goja.New()
	c := l.callSite(rt)
	p := &probe{f: rt.ToValue(func(goja.ConstructorCall) *goja.Object { return nil })}
	hidden(rt.Set("o", rt.NewDynamicObject(p)))
	if _, err := rt.RunString(`var f = 'f', g = () => 1`); err != nil {
		return nil
	}
	run := func(script string, read func()) bool {
		p.read, p.reads = read, 0
		_, err := rt.RunString(script)
		return err == nil && p.reads > 0
	}
	for _, script := range callsOf {
		if !run(script, c.addCall) {
			return nil
		}
	}
	apart := true
	for _, script := range readsOf {
		if !run(script, func() { apart = apart && !c.call() }) || !apart {
			return nil
		}
	}
	return l
})

// newMachineLayout returns where the fields are; nil if there are none of the names and types.
func newMachineLayout() *machineLayout {
	ok := true
	field := func(t reflect.Type, name string, kind reflect.Kind) (int, reflect.Type) {
		if t == nil || t.Kind() != reflect.Struct {
			ok = false
			return 0, nil
		}
		f, found := t.FieldByName(name)
		if ok = ok && found && len(f.Index) == 1 && f.Type.Kind() == kind; !ok {
			return 0, nil
		}
		if kind == reflect.Int || kind == reflect.Slice {
			return f.Index[0], f.Type
		}
		return f.Index[0], f.Type.Elem()
	}
	l := new(machineLayout)
	var machine, program, code reflect.Type
	l.machine, machine = field(reflect.TypeFor[goja.Runtime](), "vm", reflect.Pointer)
	l.program, program = field(machine, "prg", reflect.Pointer)
	l.pc, _ = field(machine, "pc", reflect.Int)
	l.code, code = field(program, "code", reflect.Slice)
	if !ok || code.Elem().Kind() != reflect.Interface {
		return nil
	}
	return l
}

// addCall adds the instruction that goja is at to those that are calls.
func (c *callSite) addCall() {
	if c.native() {
		return
	}
	if in := c.instruction(); in != nil && !slices.Contains(c.calls, in) {
		c.calls = append(c.calls, in)
	}
}

// A probe is an object with a property f, that does something when it is read.
type probe struct {
	f     goja.Value
	read  func()
	reads int
}

func (p *probe) Get(name string) goja.Value {
	if name != "f" {
		return nil
	}
	p.reads++
	p.read()
	return p.f
}

func (p *probe) Set(string, goja.Value) bool { return false }
func (p *probe) Has(name string) bool        { return name == "f" }
func (p *probe) Delete(string) bool          { return false }
func (p *probe) Keys() []string              { return []string{"f"} }
