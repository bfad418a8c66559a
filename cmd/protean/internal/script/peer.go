package script

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// PeersVariable is the environment variable that names the folder with the libraries from
// npm; without it, they are where make peers-js puts them in the checkout.
const PeersVariable = "PROTEAN_PEERS_JS"

// programs are the libraries that this process has parsed, by path. The lab opens
// variants one after the other.
var programs = map[string]*goja.Program{}

// setUpPeer runs a library from npm, which declares a function open, and lets that open
// the schema.
func (c *codec) setUpPeer(name string) error {
	p, err := peerProgram(name)
	if err != nil {
		return err
	}
	c.addEncoding()
	if _, err := c.rt.RunProgram(p); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.env.Set("open", c.rt.Get("open"))
	c.env.Set("schema", c.bytes(c.descriptorSet()))
	c.env.Set("name", string(c.md.FullName()))
	if err := c.evaluate(`env.peer = env.open(env.schema, env.name)`); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var ok bool
	if c.property, ok = goja.AssertFunction(c.env.Get("peer").ToObject(c.rt).Get("property")); !ok {
		return variant.NotApplicable("what make peers-js has fetched of %s is out of date", name)
	}
	return nil
}

// addEncoding adds what browsers have and goja has not, TextEncoder and TextDecoder: in Go,
// as a host would give them to its scripts.
func (c *codec) addEncoding() {
	c.rt.Set("TextEncoder", func(this goja.ConstructorCall) *goja.Object {
		this.This.Set("encode", func(call goja.FunctionCall) goja.Value {
			return c.bytes([]byte(call.Argument(0).String()))
		})
		return nil
	})
	c.rt.Set("TextDecoder", func(this goja.ConstructorCall) *goja.Object {
		fatal := false
		if o, ok := this.Argument(1).(*goja.Object); ok {
			fatal = o.Get("fatal") != nil && o.Get("fatal").ToBoolean()
		}
		this.This.Set("decode", func(call goja.FunctionCall) goja.Value {
			b, err := exported(call.Argument(0))
			if err != nil || fatal && !utf8.Valid(b) {
				panic(c.rt.NewTypeError("not UTF-8"))
			}
			return c.rt.ToValue(strings.ToValidUTF8(string(b), string(utf8.RuneError)))
		})
		return nil
	})
}

func peerProgram(name string) (*goja.Program, error) {
	path := filepath.Join(peersFolder(), name+".js")
	if p := programs[path]; p != nil {
		return p, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, variant.NotApplicable("%s is not available: make peers-js fetches it from npm", name)
	}
	p, err := goja.Compile(name+".js", string(text), false)
	if err != nil {
		return nil, err
	}
	programs[path] = p
	return p, nil
}

// peersFolder returns the folder of the libraries from npm.
func peersFolder() string {
	if dir := os.Getenv(PeersVariable); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0) // cmd/protean/internal/script/peer.go
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "..", ".bin", "peers-js", "dist")
}
