// Package names makes names of the Protobuf style guide from the keys of JSON.
package names

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
)

// maxName is how many characters a name has at most.
const maxName = 60

// signs are characters that make a difference at the beginning of a key.
var signs = map[rune]string{
	'+': "plus", '-': "minus", '#': "number", '%': "percent", '<': "less", '>': "greater", '*': "star", '=': "equals",
}

// words splits a key into words of ASCII letters and digits, in lower case.
func words(key string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(key)
	if len(runes) > 4*maxName {
		runes = runes[:4*maxName]
	}
	for i, r := range runes {
		if i == 0 && signs[r] != "" {
			out = append(out, signs[r])
			continue
		}
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if unicode.IsUpper(r) && len(word) > 0 {
			before := word[len(word)-1]
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			// fooBar, foo1Bar and the last letter of HTTPServer begin a word; the S of URLs does not.
			if unicode.IsLower(before) || unicode.IsDigit(before) || next && string(runes[i+1:]) != "s" {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return out
}

// Field returns a name in lower_snake_case for a key. It is never empty, and the same for the same key; other keys may
// have the same name.
func Field(key string) string {
	name := strings.Join(words(key), "_")
	if len(name) > maxName {
		name = strings.TrimRight(name[:maxName], "_")
	}
	switch {
	case strings.Trim(name, "_") == "":
		return fmt.Sprintf("field_%08x", sum(key))
	case name[0] >= '0' && name[0] <= '9':
		return "n" + name
	}
	return name
}

// Message returns a name in CamelCase for a key.
func Message(key string) string {
	var b strings.Builder
	for _, w := range strings.Split(Field(key), "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}

// EnumValue returns a name in UPPER_SNAKE_CASE for a value of an enum.
func EnumValue(enum, text string) string {
	name := Field(text)
	if name[0] == 'n' && text != "" && text[0] >= '0' && text[0] <= '9' {
		name = name[1:]
	}
	return strings.ToUpper(Field(enum) + "_" + name)
}

// Canonical is what two fields of one message must not have in common: names that differ in it differ in JSON too, for
// every implementation.
func Canonical(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// irregular are plurals that are not formed by a final s.
var irregular = map[string]string{"children": "child", "people": "person", "data": "data", "media": "media"}

// Singular returns the word for one of many.
func Singular(key string) string {
	lower := strings.ToLower(key)
	if one := irregular[lower]; one != "" {
		return one
	}
	for _, same := range []string{"ss", "us", "is", "news", "series", "species", "status", "address", "os", "as",
		"analytics"} {
		if strings.HasSuffix(lower, same) {
			return key
		}
	}
	switch {
	case strings.HasSuffix(lower, "statuses"):
		return key[:len(key)-2]
	case strings.HasSuffix(lower, "ies") && len(key) > 4:
		return key[:len(key)-3] + "y"
	case hasAnySuffix(lower, "sses", "shes", "ches", "xes", "zes"):
		return key[:len(key)-2]
	case strings.HasSuffix(lower, "s") && len(key) > 2:
		return key[:len(key)-1]
	}
	return key
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

func sum(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}
