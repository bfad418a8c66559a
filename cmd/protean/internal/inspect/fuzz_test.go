package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// Whatever the bytes: the listing covers each of them exactly once, up to what is
// wrong, and finds wrong what the official library finds wrong.
func FuzzList(f *testing.F) {
	in := events(f)
	for _, r := range in.Records {
		f.Add(r.Wire)
		f.Add(r.Wire[:len(r.Wire)/2])
	}
	for _, text := range []string{`{"age":30}`, `[1,null,true,"t",{"a":[]}]`} {
		forms, err := FormsOfJSON([]byte(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(forms.Wire[Value])
	}
	f.Add([]byte("\x6b\x0a\x01a\x6c\x0b\x0c\x09\x00\x00\x0e\x80"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, md := range []protoreflect.MessageDescriptor{in.Message, valueType, nil} {
			l := List(b, md, in.Schema.Types())
			covers(t, l, b)
			if c, p := Count(b, md, in.Schema.Types()); c != l.Counts || (p == nil) != (l.Problem == nil) {
				t.Errorf("counted %v, %v; listed %v, %v", c, p, l.Counts, l.Problem)
			}
			prints(t, l, b)
			if md != nil {
				agrees(t, l, b, md, in.Schema.Types())
			}
		}
	})
}

// covers checks that the lines lie end to end.
func covers(t *testing.T, l *Listing, b []byte) {
	t.Helper()
	at := 0
	var counts Counts
	for i, line := range l.Lines {
		inside := 0
		for _, deeper := range l.Lines[i+1:] {
			if deeper.Depth <= line.Depth {
				break
			}
			inside += deeper.Size()
		}
		if line.Nested != inside && (line.Nested >= 0 || inside > 0) && l.Problem == nil {
			t.Fatalf("%d bytes in the field at %d, which has %d", inside, line.Offset, line.Nested)
		}
		if line.Offset != at || line.Size() < 1 {
			t.Fatalf("a line of %d bytes at %d, after %d", line.Size(), line.Offset, at)
		}
		at += line.Size()
		counts[Tags] += line.Tag
		counts[Lengths] += line.Length
		counts[line.Category] += line.Value
	}
	switch {
	case counts != l.Counts || at != l.Counts.Total():
		t.Errorf("lines of %d bytes, %v; counts %v", at, counts, l.Counts)
	case l.Problem == nil && at != len(b):
		t.Errorf("lines of %d bytes, of %d", at, len(b))
	case l.Problem != nil && (l.Problem.Offset > at || at > len(b)):
		t.Errorf("lines of %d bytes of %d, %v", at, len(b), l.Problem)
	}
}

// prints checks that a listing prints all lines, and nothing that a terminal obeys.
func prints(t *testing.T, l *Listing, b []byte) {
	t.Helper()
	for _, o := range []Options{{Options: report.Options{Width: 40}}, {Full: true}} {
		text := printed(t, &Shown{Bytes: b, Listing: l}, o)
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("%q", text)
		}
		if n := strings.Count(text, "\n"); n < min(len(l.Lines), headLines) {
			t.Errorf("%d lines of %d", n, len(l.Lines))
		}
	}
}

// agrees checks against the official library, which alone looks at whether text is
// UTF-8.
func agrees(t *testing.T, l *Listing, b []byte, md protoreflect.MessageDescriptor, types *suite.Types) {
	t.Helper()
	err, panicked := unmarshal(b, md, types)
	if panicked {
		return // a fault of that library, with map entries that have two keys
	}
	if l.Problem != nil && err == nil {
		t.Errorf("%s: %+v, but it can be read", md.FullName(), l.Problem)
	}
	if l.Problem == nil && err != nil && !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("%s: %v, but nothing is said to be wrong", md.FullName(), err)
	}
}

func unmarshal(b []byte, md protoreflect.MessageDescriptor, types *suite.Types) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			err, panicked = fmt.Errorf("%v", p), true
		}
	}()
	return proto.UnmarshalOptions{AllowPartial: true, Resolver: types}.Unmarshal(b, dynamicpb.NewMessage(md)), false
}

// Every byte of a text is counted once, and what is counted as punctuation is just that.
func FuzzCountJSON(f *testing.F) {
	f.Add([]byte(`{"age":30}`))
	f.Add([]byte(`{"a\"b\\":[1.5e-3,-0,null,true,"x",{}],"":{"":[]}}`))
	f.Add([]byte(`{"a" : "b:,{}" , "c":[ ]}`))
	f.Add([]byte(`"unfinished \`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := CountJSON(text)
		if c.Total() != len(text) {
			t.Fatalf("%v of %d bytes", c, len(text))
		}
		if !json.Valid(text) {
			return
		}
		if got, want := jsonCounts(text), c; got != want {
			t.Errorf("%s: %v, want %v", text, want, got)
		}
	})
}

// jsonCounts counts by the tokens of the standard library.
func jsonCounts(text []byte) (c Counts) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	type level struct{ object, key bool }
	var stack []level
	for at := 0; ; {
		token, err := d.Token()
		end := int(d.InputOffset())
		if err != nil {
			c[Separators] += len(text) - at
			return c
		}
		raw := bytes.TrimLeft(text[at:end], ":, \t\r\n")
		c[Separators] += end - at - len(raw)
		at = end
		category := map[byte]Category{'"': Text, '{': Brackets, '}': Brackets, '[': Brackets, ']': Brackets,
			't': Literals, 'f': Literals, 'n': Literals}
		of, ok := category[raw[0]]
		if !ok {
			of = Numbers
		}
		top := len(stack) - 1
		if top >= 0 && stack[top].object && token != json.Delim('}') {
			if stack[top].key {
				of = Keys
			}
			stack[top].key = !stack[top].key
		}
		c[of] += len(raw)
		switch token {
		case json.Delim('{'), json.Delim('['):
			stack = append(stack, level{token == json.Delim('{'), true})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
		}
	}
}
