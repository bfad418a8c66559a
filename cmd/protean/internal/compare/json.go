package compare

import (
	"io"
	"math"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A file is the JSON format as a whole.
type file struct {
	Old     side     `json:"old"`
	New     side     `json:"new"`
	Changes []figure `json:"changes"`
	OnlyOld []row    `json:"only_old"`
	OnlyNew []row    `json:"only_new"`
	Turned  []turn   `json:"turned"`
	Without []turn   `json:"without_figures"`
	Summary string   `json:"summary"`
	Failed  bool     `json:"failed"`
}

type side struct {
	File     string            `json:"file"`
	Env      map[string]string `json:"env"`
	Warnings []string          `json:"warnings"`
}

// A row is a cell of the lab; a benchmark has its package as suite and its name as
// variant.
type row struct {
	Suite   string `json:"suite"`
	Payload string `json:"payload"`
	Variant string `json:"variant"`
	Op      string `json:"op"`
}

type figure struct {
	row
	Metric     string   `json:"metric"`
	Unit       string   `json:"unit"` // of old and new; times are in nanoseconds
	Old        *float64 `json:"old"`
	New        *float64 `json:"new"`
	OldSamples int      `json:"old_samples"`
	NewSamples int      `json:"new_samples"`
	OldRuns    int      `json:"old_runs"`
	NewRuns    int      `json:"new_runs"`
	Ratio      *float64 `json:"ratio"` // null where it is not known or without end
	RatioLow   *float64 `json:"ratio_low"`
	RatioHigh  *float64 `json:"ratio_high"`
	Basis      Basis    `json:"basis"`
	Verdict    Verdict  `json:"verdict"`
	Fails      bool     `json:"fails"`
}

type turn struct {
	row
	Old    result.Status `json:"old"`
	New    result.Status `json:"new"`
	Reason string        `json:"reason"`
}

func writeJSON(w io.Writer, c *Comparison) error {
	f := &file{Old: newSide(c.Old), New: newSide(c.New), Changes: []figure{}, OnlyOld: newRows(c.OnlyOld),
		OnlyNew: newRows(c.OnlyNew),
		Turned:  newTurns(c.Turned), Without: newTurns(c.Without), Summary: c.Summary(), Failed: c.Failed()}
	var figures []figure
	for _, x := range c.Changes {
		unit := x.Metric.Unit
		if x.Metric.is(timeMetric) {
			unit = "ns/op"
		}
		figures = append(figures, figure{newRow(x.Row), x.Metric.Name, unit, finite(x.Old.Median), finite(x.New.Median),
			x.NOld, x.NNew, x.RunsOld, x.RunsNew,
			finite(x.Ratio.Median), finite(x.Ratio.Low), finite(x.Ratio.High), x.Basis, x.Verdict, x.Fails})
	}
	return report.WriteLines(w, f, "changes", figures)
}

func newSide(r *Results) side {
	s := side{File: r.File, Env: map[string]string{}, Warnings: append([]string{}, r.Warnings...)}
	for _, e := range r.Env {
		s.Env[e.Key] = e.Value
	}
	return s
}

func newRow(r *Row) row { return row{r.Group, r.Payload, r.Variant, r.Op} }

func newRows(rows []*Row) []row {
	out := []row{}
	for _, r := range rows {
		out = append(out, newRow(r))
	}
	return out
}

func newTurns(turns []Turn) []turn {
	out := []turn{}
	for _, t := range turns {
		reason := t.New.Reason
		if reason == "" {
			reason = t.Old.Reason
		}
		out = append(out, turn{newRow(t.New), t.Old.Status, t.New.Status, reason})
	}
	return out
}

// finite is nil for what JSON has no number for.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
