//go:build unix

package main

import (
	"maps"
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/examples/service/internal/eventpb"
)

// A store is the service itself, of which the frameworks know nothing: it keeps the last event of each source.
type store struct {
	mu      sync.Mutex
	last    map[string]*eventpb.Envelope
	numbers map[string]int64
}

// mostSources is how many sources a store knows.
const mostSources = 1000

func newStore() *store {
	return &store{last: map[string]*eventpb.Envelope{}, numbers: map[string]int64{}}
}

// publish keeps the event, which must not change any more, unless it comes from one source too many.
func (s *store) publish(e *eventpb.Envelope) *eventpb.Receipt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.last[e.Source]; !ok && len(s.last) == mostSources {
		return &eventpb.Receipt{Source: e.Source}
	}
	s.last[e.Source] = e
	s.numbers[e.Source]++
	return &eventpb.Receipt{Source: e.Source, Sequence: s.numbers[e.Source], Stored: true}
}

// lastOf returns the last event of a source, or nil.
func (s *store) lastOf(source string) *eventpb.Envelope {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[source]
}

// list returns the last event of each source, or of those that are asked for, by their names.
func (s *store) list(r *eventpb.ListRequest) []*eventpb.Envelope {
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []*eventpb.Envelope
	for _, source := range slices.Sorted(maps.Keys(s.last)) {
		e := s.last[source]
		wanted := len(r.Sources) == 0 || slices.Contains(r.Sources, source)
		if wanted && !e.Time.AsTime().Before(r.NotBefore.AsTime()) {
			events = append(events, e)
		}
	}
	return events
}

// An api is a client of the service, by either framework.
type api interface {
	publish(e *eventpb.Envelope) (*eventpb.Receipt, error)
	last(source string) (*eventpb.Envelope, error)
	close()
}

// same reports whether an event has come back as it was sent.
func same(a, b *eventpb.Envelope) bool { return proto.Equal(a, b) }
