package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
)

// A status is one line on a terminal that says what goes on, with a bar of what is done and
// how long the rest takes; where there is no terminal it is silent.
type status struct {
	w     io.Writer
	width int // 0 where there is no terminal
	now   func() time.Time

	mu    sync.Mutex // the line is shown again every second
	last  lab.Progress
	since time.Time // when the part began that goes on
	stop  chan struct{}
}

// newStatus returns a status that is silent if quiet.
func newStatus(w io.Writer, quiet bool) *status {
	s := &status{w: w, width: terminalWidth(w), now: time.Now}
	if quiet {
		s.width = 0
	}
	return s
}

// show shows how far things have come.
func (s *status) show(p lab.Progress) {
	if s.width == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		s.stop = make(chan struct{})
		go s.tick(s.stop)
	}
	if part(p.Text) != part(s.last.Text) {
		s.since = s.now()
	}
	s.last = p
	s.print()
}

// part is the first word of what goes on: "verifying", "measuring".
func part(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

func (s *status) tick(stop chan struct{}) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			s.mu.Lock()
			s.print()
			s.mu.Unlock()
		}
	}
}

func (s *status) print() { fmt.Fprintf(s.w, "\r\x1b[K%s", s.line()) }

// clear removes the line for good.
func (s *status) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		close(s.stop)
		s.stop = nil
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}

// barWidth is that of the bar, in columns.
const barWidth = 16

// line is what the terminal shows, less wide than it: the bar, how long the rest takes, and
// what goes on, whose end is cut off where there is no room.
func (s *status) line() string {
	p, text := s.last, s.last.Text
	share := s.share()
	if share >= 0 {
		full := int(share * barWidth)
		text = fmt.Sprintf("[%s%s] %s%s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full), s.left(share),
			p.Text)
	}
	if r := []rune(text); len(r) >= s.width {
		text = string(r[:s.width-1])
	}
	return text
}

// share is how much of the part is done; below 0 if that is unknown. Measuring is over when
// all is known or the time is up, whichever is first.
func (s *status) share() float64 {
	share := -1.0
	if s.last.Of > 0 {
		share = float64(s.last.Done) / float64(s.last.Of)
	}
	if whole := s.last.End.Sub(s.since); !s.last.End.IsZero() && whole > 0 {
		share = max(share, float64(s.now().Sub(s.since))/float64(whole))
	}
	return min(share, 1)
}

// left is how long the rest takes: until the time is up at the latest, or as it went so far.
func (s *status) left(share float64) string {
	now := s.now()
	if !s.last.End.IsZero() {
		return about(s.last.End.Sub(now)) + " left at most · "
	}
	if gone := now.Sub(s.since); share > 0.05 && gone > time.Second {
		return about(time.Duration(float64(gone)*(1-share)/share)) + " left · "
	}
	return ""
}

// about writes a duration in whole seconds: "42 s", "3 min 05 s".
func about(d time.Duration) string {
	seconds := int(max(d, 0).Round(time.Second).Seconds())
	if seconds < 100 {
		return fmt.Sprintf("%d s", seconds)
	}
	return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
}
