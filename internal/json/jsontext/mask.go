package jsontext

import (
	"bytes"
	"slices"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// AppendMask appends the paths of a google.protobuf.FieldMask in lowerCamelCase, joined by
// commas, without quotes. It stops at the first path that the official library rejects,
// because it is no path or would be another one when it is read back, and returns its
// index; -1 if there is none.
func AppendMask(dst []byte, paths []string) (out []byte, bad int) {
	for i, path := range paths {
		if i > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, ok = appendCamel(dst, path); !ok {
			return dst, i
		}
	}
	return dst, -1
}

// appendCamel appends a path in lowerCamelCase: an underscore goes, and the letter after it
// becomes a capital. That can be undone if there are no capitals, and a letter after each
// underscore. A path is names with points between, which do not begin with a digit.
func appendCamel(dst []byte, path string) (out []byte, ok bool) {
	last := byte('.')
	for i := range len(path) {
		c := path[i]
		switch {
		case c-'a' < 26:
			if last == '_' {
				dst = append(dst, c-'a'+'A')
			} else {
				dst = append(dst, c)
			}
		case last == '_' || c == '.' && last == '.' || c-'0' < 10 && last == '.':
			return dst, false
		case c == '.' || c-'0' < 10:
			dst = append(dst, c)
		case c != '_':
			return dst, false
		}
		last = c
	}
	return dst, last != '_' && last != '.'
}

// ParseMask reads what the official library reads as a google.protobuf.FieldMask, given
// without quotes and escapes, and appends the paths to dst. They share one allocation. If
// not ok, bad is the first path that is none, a part of text.
func ParseMask(dst []string, text []byte) (paths []string, bad []byte, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return dst, nil, true
	}
	names, capitals := 1, 0
	for _, c := range text {
		if c == ',' {
			names++
		} else if c-'A' < 26 {
			capitals++
		}
	}
	dst = slices.Grow(dst, names)
	// It does not grow, and what the strings refer to is not written again.
	all := make([]byte, 0, len(text)+capitals)
	for range names {
		var name []byte
		name, text, _ = bytes.Cut(text, []byte{','})
		n := len(all)
		if all, ok = appendSnake(all, name); !ok {
			return dst, name, false
		}
		dst = append(dst, xunsafe.String(all[n:]))
	}
	return dst, nil, true
}

// appendSnake undoes appendCamel.
func appendSnake(dst, name []byte) (out []byte, ok bool) {
	last := byte('.')
	for _, c := range name {
		switch {
		case c-'a' < 26:
			dst = append(dst, c)
		case c-'A' < 26:
			dst = append(dst, '_', c-'A'+'a')
		case last != '.' && (c == '.' || c-'0' < 10):
			dst = append(dst, c)
		default:
			return dst, false
		}
		last = c
	}
	return dst, last != '.'
}
