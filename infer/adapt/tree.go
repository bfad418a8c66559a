package adapt

import "encoding/json"

// A Node is a value of a JSON text.
type Node struct {
	Kind byte   // the first byte of the value: {, [, ", t, f, n, or 0 for a number
	Text string // of a number as it is, of a string without quotes and escapes
	Keys []string
	All  []Node // values of an object or array
}

// Parse returns the tree of a text that is known to be JSON.
func Parse(text []byte) Node {
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

func (p *parser) value() Node {
	switch c := p.next(); c {
	case '{':
		p.at++
		n := Node{Kind: c}
		for p.next() != '}' {
			n.Keys = append(n.Keys, p.str())
			n.All = append(n.All, p.value())
		}
		p.at++
		return n
	case '[':
		p.at++
		n := Node{Kind: c}
		for p.next() != ']' {
			n.All = append(n.All, p.value())
		}
		p.at++
		return n
	case '"':
		return Node{Kind: c, Text: p.str()}
	case 't', 'n':
		p.at += 4
		return Node{Kind: c}
	case 'f':
		p.at += 5
		return Node{Kind: c}
	}
	start := p.at
	for p.at < len(p.text) && isNumber(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		panic("adapt: not JSON") // which the reader and the encoder of the text rule out
	}
	return Node{Text: p.text[start:p.at]}
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

// Append writes a tree as JSON text.
func Append(dst []byte, n *Node) []byte {
	switch n.Kind {
	case '{', '[':
		dst = append(dst, n.Kind)
		for i := range n.All {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.Kind == '{' {
				dst = append(appendString(dst, n.Keys[i]), ':')
			}
			dst = Append(dst, &n.All[i])
		}
		return append(dst, n.Kind+2) // the bracket that closes
	case '"':
		return appendString(dst, n.Text)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case 'n':
		return append(dst, "null"...)
	}
	return append(dst, n.Text...)
}

func appendString(dst []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // which no string makes
	}
	return append(dst, text...)
}
