package report

import (
	"math"
	"strings"
)

// A bar draws itself in a number of columns, all of which it fills.
type bar interface{ draw(width int) string }

// A scale is the range of the bars of ratios, in doublings of the baseline's time.
// All tables of a report share it, so that equal bars mean equal ratios.
type scale struct{ low, high float64 }

func newScale(all []*group) scale {
	var s scale
	for _, g := range all {
		for _, c := range g.results {
			if c.Timed() && c.Ratio.Median > 0 {
				d := math.Log2(c.Ratio.Median)
				s.low, s.high = min(s.low, d), max(s.high, d)
			}
		}
	}
	return s
}

// A ratioBar is a ratio on a logarithmic scale: from the baseline in its middle to
// the left what is faster, to the right what is slower.
type ratioBar struct {
	scale
	doublings float64
}

const axis = "│"

func (b ratioBar) draw(width int) string {
	left, right, cell := b.split(width - len([]rune(axis)))
	length := math.Abs(b.doublings) / cell
	if b.doublings < 0 {
		return leftward(length, left) + axis + strings.Repeat(" ", right)
	}
	return strings.Repeat(" ", left) + axis + rightward(length, right)
}

// split deals width to the two sides, in proportion to the range, at least a cell
// to a side that is used, and returns how many doublings a cell stands for.
func (b ratioBar) split(width int) (left, right int, cell float64) {
	if b.high-b.low == 0 {
		return 0, width, 1
	}
	left = int(math.Round(float64(width) * -b.low / (b.high - b.low)))
	if b.low < 0 {
		left = max(left, 1)
	}
	if b.high > 0 {
		left = min(left, width-1)
	}
	right = width - left
	if left > 0 {
		cell = -b.low / float64(left)
	}
	if right > 0 {
		cell = max(cell, b.high/float64(right))
	}
	return left, right, cell
}

// rightward draws a bar that starts at the left edge, in eighths of a cell.
func rightward(length float64, width int) string {
	eighths := int(math.Round(length * 8))
	if length > 0 {
		eighths = max(eighths, 1)
	}
	eighths = min(eighths, 8*width)
	text := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[part-1])
	}
	return pad(text, width, true)
}

// leftward draws a bar that ends at the right edge. Fonts have only an eighth and
// a half of a cell on that side.
func leftward(length float64, width int) string {
	full := min(int(length+0.25), width)
	text := strings.Repeat("█", full)
	if rest := length - float64(full); full < width && rest > 0 {
		if rest < 0.25 && full == 0 {
			text = "▕" + text
		} else if rest >= 0.25 {
			text = "▐" + text
		}
	}
	return pad(text, width, false)
}

// A sizeBar is a number of bytes on a linear scale, with a tick at 100 %.
type sizeBar struct {
	share float64 // of the longest bar
	tick  float64 // where 100 % is; 0 for nowhere
}

func (b sizeBar) draw(width int) string {
	text := []rune(rightward(b.share*float64(width), width))
	if at := int(math.Ceil(b.tick*float64(width))) - 1; b.tick > 0 && at >= 0 && text[at] == ' ' {
		text[at] = '▕'
	}
	return string(text)
}
