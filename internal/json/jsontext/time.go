package jsontext

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// The ranges of the two messages, as the official library has them.
const (
	minTimestamp = -62135596800 // 0001-01-01T00:00:00Z
	maxTimestamp = 253402300799 // 9999-12-31T23:59:59Z
	maxDuration  = 315576000000
	maxNanos     = 999999999
)

const (
	day      = 24 * 60 * 60
	year4    = 4*365 + 1
	year400  = 100*year4 - 3
	marchDay = 306 // how many days before 0001-01-01 the first of March is
)

// AppendTimestamp appends a google.protobuf.Timestamp as in RFC 3339, in UTC, with 0, 3, 6
// or 9 digits after the point, without quotes. It is not ok, and appends nothing, if the
// official library calls it out of range.
func AppendTimestamp(dst []byte, seconds int64, nanos int32) (out []byte, ok bool) {
	if seconds < minTimestamp || seconds > maxTimestamp || uint32(nanos) > maxNanos {
		return dst, false
	}
	n := len(dst)
	dst = slices.Grow(dst, 40)
	// Sound: there is room for the 19 bytes before the fraction and what putFraction writes.
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n)
	since := uint64(seconds - minTimestamp)
	days := since / day
	date, clock := eightOf(dateOf(days))+zeros, eightOf(clockOf(since-days*day))+zeros
	// YYYYMMDD and 00hhmmss, of which the first digit is lowest, become YYYY-MM-, DDThh:mm
	// and :ss.
	xunsafe.Store64(p, date&0xffffffff|'-'<<32|date>>32&0xffff<<40|'-'<<56)
	xunsafe.Store64(unsafe.Add(p, 8), date>>48|'T'<<16|clock>>16&0xffff<<24|':'<<40|clock>>32<<48)
	xunsafe.Store32(unsafe.Add(p, 16), uint32(clock>>48)<<8|':')
	return dst[:n+19+putFraction(unsafe.Add(p, 19), uint64(nanos), 'Z')], true
}

// dateOf returns a date as the number YYYYMMDD, given the days since 0001-01-01. Years are
// counted from March on, so that the day that some years lack is the last one.
func dateOf(days uint64) uint64 {
	d := 4*(days+marchDay) + 3
	century := d / year400
	d = d%year400 | 3
	year := d / year4
	d = d % year4 / 4
	// From March on months have 31, 30, 31, 30, 31 days, and again: 153 in five.
	month := (5*d + 2) / 153
	d -= (153*month + 2) / 5
	year += 100 * century
	if month += 3; month > 12 {
		month -= 12
		year++
	}
	return year*10000 + month*100 + d + 1
}

// clockOf returns a time of day as the number hhmmss.
func clockOf(seconds uint64) uint64 {
	minutes := seconds / 60
	hours := minutes / 60
	return hours*10000 + (minutes-60*hours)*100 + seconds - 60*minutes
}

// putFraction writes a point and the fraction of a second in 3, 6 or 9 digits, if it is not
// zero, and then end. It returns how many bytes that are. The 16 bytes from p on must be the
// caller's to write.
func putFraction(p unsafe.Pointer, nanos uint64, end byte) int {
	if nanos == 0 {
		*(*byte)(p) = end
		return 1
	}
	// Sound: the last write ends at the 11th byte.
	ten := nanos / 10
	w := eightOf(ten) + zeros
	*(*byte)(p) = '.'
	xunsafe.Store64(unsafe.Add(p, 1), w)
	*(*byte)(unsafe.Add(p, 9)) = '0' + byte(nanos-10*ten)
	size := 10
	if w>>48 == zeros>>48 && ten*10 == nanos {
		size = 7
		if w>>24 == zeros>>24 {
			size = 4
		}
	}
	*(*byte)(unsafe.Add(p, size)) = end
	return size + 1
}

// ParseTimestamp reads what the official library reads as a google.protobuf.Timestamp,
// given without quotes and escapes.
func ParseTimestamp(s []byte) (seconds int64, nanos int32, ok bool) {
	const whole = len("2006-01-02T15:04:05")
	if n := len(s); n > whole && s[n-1] == 'Z' {
		if seconds, ok = parseWhole(s); ok {
			if n == whole+1 {
				return seconds, 0, true
			}
			if nanos, ok = parseFraction(s[whole : n-1]); ok {
				return seconds, nanos, true
			}
		}
	}
	return parseTime(string(s))
}

// What is read in words of a time, in the forms 2006-01-, 6-01-02T and 15:04:05: the digits,
// and how bytes that separate them differ from a digit.
const (
	yearDigits, yearMarks   = 0x00ffff00ffffffff, ('-'^'0')<<32 | ('-'^'0')<<56
	dayDigits, dayMarks     = 0x00ffff00ffff00ff, ('-'^'0')<<8 | ('-'^'0')<<32 | ('T'^'0')<<56
	clockDigits, clockMarks = 0xffff00ffff00ffff, (':'^'0')<<16 | (':'^'0')<<40
)

// parseWhole reads a time from 0001-01-01T00:00:00 on, written like this. All else, such as
// hours of one digit, which package time accepts, is not ok.
func parseWhole(s []byte) (seconds int64, ok bool) {
	_ = s[18]
	// Digits become what they stand for, and the bytes between them zero.
	y := binary.LittleEndian.Uint64(s) ^ zeros ^ yearMarks
	d := binary.LittleEndian.Uint64(s[3:]) ^ zeros ^ dayMarks
	c := binary.LittleEndian.Uint64(s[11:]) ^ zeros ^ clockMarks
	if (y|(y+(128-10)*ones)|d|(d+(128-10)*ones)|c|(c+(128-10)*ones))&highs != 0 ||
		y&^yearDigits|d&^dayDigits|c&^clockDigits != 0 {
		return 0, false
	}
	// In each byte, the number of two digits that starts there.
	y, d, c = y*10+y>>8, d*10+d>>8, c*10+c>>8
	year, month, dayOf := y&0xff*100+y>>16&0xff, d>>16&0xff, d>>40&0xff
	hour, minute, second := c&0xff, c>>24&0xff, c>>48&0xff
	if year == 0 || month-1 > 11 || dayOf-1 >= daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	// As in dateOf: a year starts with March.
	if month < 3 {
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + dayOf - 1 - marchDay
	return int64(days*day+hour*3600+minute*60+second) + minTimestamp, true
}

// daysIn returns how many days a month from 1 to 12 has.
func daysIn(year, month uint64) uint64 {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month^month>>3)&1
}

// parseFraction reads a point and one to nine digits, which are all of s.
func parseFraction(s []byte) (nanos int32, ok bool) {
	if len(s) < 2 || len(s) > 10 || s[0] != '.' {
		return 0, false
	}
	for i := 1; i <= 9; i++ {
		nanos *= 10
		if i < len(s) {
			if s[i]-'0' > 9 {
				return 0, false
			}
			nanos += int32(s[i] - '0')
		}
	}
	return nanos, true
}

// parseTime is ParseTimestamp by way of package time.
func parseTime(s string) (seconds int64, nanos int32, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, 0, false
	}
	if seconds = t.Unix(); seconds < minTimestamp || seconds > maxTimestamp {
		return 0, 0, false
	}
	// Package time accepts more than nine digits, and a comma before them; only after a
	// point the official library counts them.
	point, zone := strings.LastIndexByte(s, '.'), strings.LastIndexAny(s, "Z-+")
	if point >= 0 && zone-point > len(".999999999") {
		return 0, 0, false
	}
	return seconds, int32(t.Nanosecond()), true
}

// AppendDuration appends a google.protobuf.Duration, without quotes. It is not ok, and
// appends nothing, if the official library calls it out of range, or the signs differ.
func AppendDuration(dst []byte, seconds int64, nanos int32) (out []byte, ok bool) {
	if seconds < -maxDuration || seconds > maxDuration || nanos < -maxNanos || nanos > maxNanos ||
		seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0 {
		return dst, false
	}
	n := len(dst)
	dst = slices.Grow(dst, 1+24+16)
	if seconds < 0 || nanos < 0 {
		dst, n, seconds, nanos = append(dst, '-'), n+1, -seconds, -nanos
	}
	// Sound: there is room for a sign and what PutUint and putFraction write.
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n)
	size := PutUint(p, uint64(seconds))
	return dst[:n+size+putFraction(unsafe.Add(p, size), uint64(nanos), 's')], true
}

// ParseDuration reads what the official library reads as a google.protobuf.Duration, given
// without quotes and escapes. There may be a plus sign, and no digits on either side of the
// point.
func ParseDuration(s []byte) (seconds int64, nanos int32, ok bool) {
	if len(s) < 2 || s[len(s)-1] != 's' {
		return 0, 0, false
	}
	s = s[:len(s)-1]
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		s = s[1:]
	}
	end := digitsEnd(s, 0)
	if len(s) == 0 || end > 1 && s[0] == '0' {
		return 0, 0, false
	}
	x, ok := addDigits(0, s[:end])
	if !ok || x > maxDuration {
		return 0, 0, false
	}
	if len(s)-end > 1 { // more than a point
		nanos, ok = parseFraction(s[end:])
	} else if len(s) > end {
		ok = s[end] == '.'
	}
	if seconds = int64(x); negative {
		seconds, nanos = -seconds, -nanos
	}
	return seconds, nanos, ok
}
