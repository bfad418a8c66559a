package profile

import (
	"encoding/base64"
	"strconv"
	"time"
)

// lacks returns the properties that a string has not. Those in known are not looked at.
func lacks(s []byte, known Form) Form {
	var out Form
	for _, f := range forms {
		if known&f.form != f.form && !f.has(s) {
			out |= f.form
		}
	}
	return out
}

var forms = [...]struct {
	form Form
	has  func([]byte) bool
}{
	{Time, isTime}, {ExactTime, isExactTime}, {Date, isDate}, {Base64, isBase64}, {Padded, isPadded},
	{Mixed, isMixed}, {Integer, isInteger}, {UUID, isUUID}, {Hex, isHex},
}

// looksLikeTime is what is cheap to know.
func looksLikeTime(s []byte) bool {
	return len(s) >= 20 && len(s) <= 35 && s[4] == '-' && s[7] == '-' && s[10] == 'T'
}

func isTime(s []byte) bool {
	if !looksLikeTime(s) {
		return false
	}
	// ProtoJSON has no comma there, and no more than nine digits of a second.
	if s[19] == ',' || len(s) > 29 && s[19] == '.' && s[29] >= '0' && s[29] <= '9' {
		return false
	}
	t, err := time.Parse(time.RFC3339Nano, string(s))
	return err == nil && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999
}

func isExactTime(s []byte) bool {
	if !looksLikeTime(s) || s[len(s)-1] != 'Z' || !isTime(s) {
		return false
	}
	switch len(s) - len("2006-01-02T15:04:05Z") {
	case 0:
		return true
	case 4:
		return string(s[20:23]) != "000"
	case 7:
		return string(s[23:26]) != "000"
	case 10:
		return string(s[26:29]) != "000"
	}
	return false
}

func isDate(s []byte) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	_, err := time.Parse(time.DateOnly, string(s))
	return err == nil
}

func isBase64(s []byte) bool {
	if len(s) < 4 || len(s)%4 != 0 {
		return false
	}
	for i, c := range s {
		if !letterOrDigit(c) && c != '+' && c != '/' && (c != '=' || i < len(s)-2) {
			return false
		}
	}
	if s[len(s)-1] != '=' {
		return true
	}
	// The bits that padding leaves over must be zero, or the text would not be printed back.
	var last [3]byte
	_, err := base64.StdEncoding.Strict().Decode(last[:], s[len(s)-4:])
	return err == nil
}

func isPadded(s []byte) bool { return len(s) > 0 && s[len(s)-1] == '=' }

func isMixed(s []byte) bool {
	var upper, lower, digit bool
	for _, c := range s {
		upper = upper || c >= 'A' && c <= 'Z'
		lower = lower || c >= 'a' && c <= 'z'
		digit = digit || c >= '0' && c <= '9'
	}
	return upper && lower && digit
}

func isInteger(s []byte) bool {
	if len(s) == 0 || len(s) > 20 || s[len(s)-1] < '0' || s[len(s)-1] > '9' {
		return false
	}
	v, err := strconv.ParseInt(string(s), 10, 64)
	return err == nil && strconv.FormatInt(v, 10) == string(s)
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && !hexDigit(c) {
			return false
		}
	}
	return true
}

func isHex(s []byte) bool {
	for _, c := range s {
		if !hexDigit(c) {
			return false
		}
	}
	return len(s) > 0
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func letterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
