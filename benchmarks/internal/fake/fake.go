// Package fake makes plausible data (words, addresses, identifiers, times) from a seed: the same in every run, so
// that results of different versions are of the same bytes.
package fake

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// A Source makes data. Each call goes on in the sequence that the seed began.
type Source struct{ *rand.Rand }

// New returns a source that makes the same data for the same seed.
func New(seed uint64) *Source { return &Source{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))} }

// midnight is when a fake day begins: 2026-01-01 00:00 UTC, in seconds.
const midnight = 1_767_225_600

const day = 86_400 // seconds

// Chance is true with probability p.
func (s *Source) Chance(p float64) bool { return s.Float64() < p }

// Between returns a number from lo to hi, both included.
func (s *Source) Between(lo, hi int) int { return lo + s.IntN(hi-lo+1) }

// Pick returns one of the choices.
func (s *Source) Pick(choices ...string) string { return choices[s.IntN(len(choices))] }

// Bytes returns n random bytes.
func (s *Source) Bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

// Hex returns n hexadecimal digits.
func (s *Source) Hex(n int) string { return hex.EncodeToString(s.Bytes((n + 1) / 2))[:n] }

// UUID returns a UUID of version 4.
func (s *Source) UUID() string {
	return s.Hex(8) + "-" + s.Hex(4) + "-4" + s.Hex(3) + "-a" + s.Hex(3) + "-" + s.Hex(12)
}

// Word returns an English word.
func (s *Source) Word() string { return words[s.IntN(len(words))] }

// Name returns two words with a hyphen, as services and machines are named.
func (s *Source) Name() string { return s.Word() + "-" + s.Word() }

// Sentence has n words; every sixtieth or so is not ASCII.
func (s *Source) Sentence(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		if s.IntN(60) == 0 {
			b.WriteString(foreign[s.IntN(len(foreign))])
		} else {
			b.WriteString(s.Word())
		}
	}
	return b.String()
}

// Text is a sentence of lo to hi words.
func (s *Source) Text(lo, hi int) string { return s.Sentence(s.Between(lo, hi)) }

// IP returns a private IPv4 address.
func (s *Source) IP() string {
	return fmt.Sprintf("10.%d.%d.%d", s.IntN(256), s.IntN(256), s.Between(1, 254))
}

// Host returns the name of a service in a Kubernetes cluster.
func (s *Source) Host() string {
	return s.Name() + "." + s.Pick("prod", "staging", "default") + ".svc.cluster.local"
}

// Path returns the path of a URL.
func (s *Source) Path() string {
	return "/" + s.Pick("api", "v1", "v2", "internal") + "/" + s.Word() + "/" + fmt.Sprint(s.IntN(100000))
}

// Email returns an address.
func (s *Source) Email() string { return s.Word() + "." + s.Word() + "@example.com" }

// Nanos returns a time within one day, in nanoseconds since 1970.
func (s *Source) Nanos() uint64 { return midnight*1_000_000_000 + s.Uint64N(day*1_000_000_000) }

// Unix returns a time within one day, in seconds since 1970.
func (s *Source) Unix() int64 { return midnight + s.Int64N(day) }

// Time returns a time within one day, to the microsecond.
func (s *Source) Time() *timestamppb.Timestamp {
	return &timestamppb.Timestamp{Seconds: s.Unix(), Nanos: int32(s.IntN(1_000_000)) * 1000}
}

// Millis returns less than four seconds, to the millisecond.
func (s *Source) Millis() *durationpb.Duration {
	return &durationpb.Duration{Seconds: int64(s.IntN(4)), Nanos: int32(s.IntN(1000)) * 1_000_000}
}

var foreign = strings.Fields("Zürich façade São naïve 東京 Москва café Kraków €20 “quoted” señor")

var words = strings.Fields(`
account action active admin agent alert amount analytics answer api archive array asset audit auth backend balance
bank batch billing block board book branch bucket budget build cache calendar cart catalog category channel charge
checkout city client cloud cluster code comment commerce config connection contact container content context control
cost country coupon course credit customer dashboard data database date delivery demand deploy device discount
document domain driver edge email engine entry error event export factory feature feed field file filter finance flag
flow folder form forward frame frontend function gateway graph group handler health history home host image import
index inventory invoice item job journal key label language layer ledger level library license limit line link list
location log login manager map market media member memory menu message method metric mobile model module monitor
network node note notification number object offer office operation option order origin owner package page partner
path payment period permission phone pipeline plan platform player point policy port position post price process
product profile project promotion provider proxy query queue quota range rate reader record recommendation refund
region registry release report request resource response result return review role route rule sale sample schedule
schema score search secret section segment seller sender server service session setting shard share shipping signal
site size snapshot source space stage state status step stock storage store stream string student subject summary
supplier support survey system table tag target task team template tenant test text ticket time token tool topic trace
track trade traffic transaction transfer trigger type unit update upload user value variant vendor version video view
wallet warehouse web webhook widget window worker workflow workspace zone
`)
