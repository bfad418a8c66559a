//go:build unix

package rig

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// A Comparison is what two variants cost in the same rounds.
type Comparison struct {
	Old, New Figures // medians of all rounds
	// Ratio is the processor time of the new one to that of the old one: the median of the rounds, the least and the
	// largest.
	Ratio, Low, High float64
}

// Compare has two variants take turns: after a round for each that does not count, as many as rounds says.
func Compare(ctx context.Context, old, other string, l Load, rounds int) (c Comparison, err error) {
	var pairs [2]*Pair
	for i, variant := range []string{old, other} {
		p, err := Start(ctx, variant)
		if err != nil {
			return c, err
		}
		defer func() { err = errors.Join(err, p.Stop()) }()
		pairs[i] = p
		warm := l
		warm.Rate, warm.Calls = 0, max(l.Calls/4, l.Callers)
		if _, err := p.Run(warm); err != nil {
			return c, err
		}
	}
	var figures [2][]Figures
	var ratios []float64
	for r := range rounds {
		for turn := range 2 {
			i := (r + turn) % 2 // who was first is second next time
			f, err := pairs[i].Run(l)
			if err != nil {
				return c, err
			}
			figures[i] = append(figures[i], f)
		}
		ratios = append(ratios, float64(figures[1][r].CPU)/float64(figures[0][r].CPU))
	}
	return Comparison{
		Old: medians(figures[0]), New: medians(figures[1]),
		Ratio: median(ratios), Low: slices.Min(ratios), High: slices.Max(ratios),
	}, nil
}

func medians(all []Figures) Figures {
	return Figures{
		CPU:    of(all, func(f Figures) time.Duration { return f.CPU }),
		Allocs: of(all, func(f Figures) float64 { return f.Allocs }),
		Bytes:  of(all, func(f Figures) float64 { return f.Bytes }),
		P50:    of(all, func(f Figures) time.Duration { return f.P50 }),
		P99:    of(all, func(f Figures) time.Duration { return f.P99 }),
		Rate:   of(all, func(f Figures) float64 { return f.Rate }),
	}
}

func of[T cmp.Ordered](all []Figures, part func(Figures) T) T {
	var parts []T
	for _, f := range all {
		parts = append(parts, part(f))
	}
	return median(parts)
}

// median returns the middle of the values, of two in the middle the larger.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
