package proof

import (
	"encoding/json"

	"github.com/protean-pb/protean/infer/profile"
)

// A node is a value of a JSON text.
type node struct {
	kind byte   // the first byte of the value: {, [, ", t, f, n, or 0 for a number
	text string // of a number as it is, of a string without quotes and escapes
	keys []string
	all  []node // values of an object or array
}

// parse returns the tree of a text that is known to be JSON.
func parse(text []byte) node {
	p := parser{text: string(text)} // which the strings of the tree are parts of
	return p.value()
}

type parser struct {
	text string
	at   int
}

// next skips white space, commas and colons.
func (p *parser) next() byte {
	for {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			p.at++
		default:
			return c
		}
	}
}

func (p *parser) value() node {
	switch c := p.next(); c {
	case '{':
		p.at++
		n := node{kind: c}
		for p.next() != '}' {
			n.keys = append(n.keys, p.str())
			n.all = append(n.all, p.value())
		}
		p.at++
		return n
	case '[':
		p.at++
		n := node{kind: c}
		for p.next() != ']' {
			n.all = append(n.all, p.value())
		}
		p.at++
		return n
	case '"':
		return node{kind: c, text: p.str()}
	case 't', 'n':
		p.at += 4
		return node{kind: c}
	case 'f':
		p.at += 5
		return node{kind: c}
	}
	start := p.at
	for p.at < len(p.text) && isNumber(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		panic("proof: not JSON") // which the reader and the encoder of the text rule out
	}
	return node{text: p.text[start:p.at]}
}

func isNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// str returns the string at the place that next has found.
func (p *parser) str() string {
	start, plain := p.at+1, true
	p.at = start
	for p.text[p.at] != '"' {
		if p.text[p.at] == '\\' {
			plain = false
			p.at++
		}
		p.at++
	}
	p.at++
	if plain {
		return p.text[start : p.at-1]
	}
	var s string
	if err := json.Unmarshal([]byte(p.text[start-1:p.at]), &s); err != nil {
		return p.text[start : p.at-1]
	}
	return s
}

// compact returns a text without white space between its tokens, in dst.
func compact(dst, text []byte) []byte {
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString:
			dst = append(dst, c)
			if c == '\\' && i+1 < len(text) {
				i++
				dst = append(dst, text[i])
			}
			inString = c != '"'
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == '"':
			inString = true
		}
		dst = append(dst, c)
	}
	return dst
}

// sameNumber reports whether two numbers are the same.
func sameNumber(a, b string) bool { return profile.SameNumber([]byte(a), []byte(b)) }
