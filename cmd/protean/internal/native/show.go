package native

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxShown is the length to which values are cut in messages, in characters.
const maxShown = 60

// context is how much of what two long values have in common is shown before
// their first difference.
const context = 20

// shown returns a scalar value on one line, without the first start bytes if it
// is text or bytes, and cut if long.
func shown(f field, start int) string {
	raw, isRaw := rawText(f)
	if !isRaw {
		return fmt.Sprint(FromScalar(f.fd, f.v))
	}
	before, after := "", ""
	if start > 0 {
		before, raw = "…", raw[start:]
	}
	format := strconv.Quote
	if f.fd.Kind() == protoreflect.BytesKind {
		format = func(s string) string { return "0x" + hex.EncodeToString([]byte(s)) }
	}
	head := raw[:min(len(raw), maxShown)]
	for utf8.RuneCountInString(format(head)) > maxShown {
		_, n := utf8.DecodeLastRuneInString(head)
		head = head[:len(head)-n]
	}
	if len(head) < len(raw) {
		after = "…"
	}
	return before + format(head) + after
}

func rawText(f field) (string, bool) {
	switch f.fd.Kind() {
	case protoreflect.StringKind:
		return f.v.String(), true
	case protoreflect.BytesKind:
		return string(f.v.Bytes()), true
	}
	return "", false
}

// window returns where to begin to show two long values so that the place where
// they differ is seen.
func window(want, got field) int {
	w, isRaw := rawText(want)
	g, _ := rawText(got)
	if !isRaw {
		return 0
	}
	same := 0
	for same < min(len(w), len(g)) && w[same] == g[same] {
		same++
	}
	if same <= context {
		return 0
	}
	start := same - context
	for start > 0 && start < len(w) && !utf8.RuneStart(w[start]) {
		start--
	}
	return start
}

// clip cuts the text of a value that stands in an error.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	head := s[:maxShown]
	return strings.ToValidUTF8(head, "") + "…"
}
