package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
)

func TestStatusLine(t *testing.T) {
	began := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name  string
		p     lab.Progress
		gone  time.Duration
		width int
		want  string
	}{
		{"a part of unknown length", lab.Progress{Text: "building"}, 9 * time.Second, 80, "building"},
		{"at the beginning", lab.Progress{Text: "verifying x", Of: 30}, 0, 80, "[░░░░░░░░░░░░░░░░] verifying x"},
		{"as it went so far", lab.Progress{Text: "verifying x", Done: 10, Of: 40}, 5 * time.Second, 80,
			"[████░░░░░░░░░░░░] 15 s left · verifying x"},
		{"until the time is up", lab.Progress{Text: "measuring x", Done: 1, Of: 40, End: began.Add(200 * time.Second)},
			50 * time.Second, 80,
			"[████░░░░░░░░░░░░] 2 min 30 s left at most · measuring x"},
		{"more is known than time is up",
			lab.Progress{Text: "measuring x", Done: 30, Of: 40, End: began.Add(200 * time.Second)},
			50 * time.Second, 80,
			"[████████████░░░░] 2 min 30 s left at most · measuring x"},
		{"past the end", lab.Progress{Text: "measuring x", Of: 40, End: began.Add(time.Second)}, 5 * time.Second, 80,
			"[████████████████] 0 s left at most · measuring x"},
		{"a narrow terminal", lab.Progress{Text: "verifying x", Of: 30}, 0, 22, "[░░░░░░░░░░░░░░░░] ve"},
	} {
		s := &status{width: tt.width, last: tt.p, since: began, now: func() time.Time { return began.Add(tt.gone) }}
		if got := s.line(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A status writes where there is a terminal, and leaves nothing behind.
func TestStatus(t *testing.T) {
	var out bytes.Buffer
	s := newStatus(&out, false)
	s.show(lab.Progress{Text: "building"})
	s.clear()
	if out.Len() > 0 {
		t.Errorf("%q where there is no terminal", out.String())
	}
	s.width = 80
	s.show(lab.Progress{Text: "building"})
	s.clear()
	s.clear()
	if got, want := out.String(), "\r\x1b[Kbuilding\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
