package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// A page is a report that was laid out for people, taken apart into lines and cells
// again. What it leaves out of the document, such as what the marks mean, is passed over.
type page struct {
	lines       []string // about the machine and the run
	warnings    []string
	interrupted bool
	sheets      []*sheet
	rounded     bool // counts of the tables of times are as count writes them
}

// A sheet is a section of a document.
type sheet struct {
	title, about string
	head         []string
	rows         []sheetRow
	notes        []string
}

type sheetRow struct {
	line  int
	cells []string // as many as the head has
	apart Apart
}

// report returns what the page says of the run.
func (p *page) report() (*Report, error) {
	r := &Report{Env: environmentOf(p.lines), Warnings: p.warnings, Interrupted: p.interrupted}
	var known []*pageNote
	for _, s := range p.sheets {
		c, ok := s.cell()
		if !ok {
			continue
		}
		for _, row := range s.rows {
			if err := p.read(r, c, s.head, row); err != nil {
				return nil, &ReadError{row.line, err.Error()}
			}
		}
		known = append(known, &pageNote{c, s.notes})
	}
	addNotes(r, known)
	return r, nil
}

// sampled is how the line above a table of times begins.
var sampled = regexp.MustCompile(`^(?:\d+ to )?(\d+) rounds?\b`)

// cell returns what the cells of a sheet have in common; ok is false of a sheet that is
// not one of an operation.
func (s *sheet) cell() (c Result, ok bool) {
	parts := strings.Split(s.title, " · ")
	if len(parts) < 2 {
		return c, false
	}
	last := len(parts) - 1
	c = Result{Suite: parts[0], Payload: strings.Join(parts[1:last], " · "), Op: parts[last], Status: OK}
	rounds := sampled.FindStringSubmatch(s.about)
	switch {
	case rounds != nil:
		c.Samples, _ = strconv.Atoi(rounds[1])
		for _, about := range strings.Split(s.about, " · ") {
			if name, found := strings.CutPrefix(about, "ratios to "); found {
				c.Baseline = name
			}
		}
	case s.about == "" && len(s.rows) == 0:
		return c, slices.ContainsFunc(s.notes, isNote)
	case strings.HasPrefix(s.about, sizesAbout):
		return c, c.Op == sizeOp
	default:
		return c, s.about == countsAbout
	}
	return c, c.Op != sizeOp
}

// read adds the cell that a row shows.
func (p *page) read(r *Report, c Result, head []string, row sheetRow) error {
	timed := c.Samples > 0
	var interval, between string
	c.Apart = row.apart
	for i, name := range head {
		var err error
		switch text := row.cells[i]; name {
		case "variant", "Variant":
			c.Variant = strings.TrimSuffix(text, " !")
		case "time", "Time/op":
			c.NS, err = readDuration(text)
		case "±":
			interval = strings.TrimSuffix(text, "%")
		case "Time interval":
			interval = text
		case "ratio", "Ratio":
			c.Ratio, err = readRatio(text)
		case "interval", "Ratio interval":
			between = text
		case "B/op":
			c.BytesOp, c.BytesWithin, err = readCount(text, timed && p.rounded)
		case "allocs", "Allocs/op":
			c.AllocsOp, c.AllocsWithin, err = readCount(text, timed && p.rounded)
		case "bytes", "Bytes":
			c.WireBytes, c.WireWithin, err = readCount(text, false)
		case "gzip":
			c.GzipBytes, c.GzipWithin, err = readCount(text, false)
		case "zstd":
			c.ZstdBytes, c.ZstdWithin, err = readCount(text, false)
		}
		if err != nil {
			return err
		}
	}
	if c.Variant == "" {
		return fmt.Errorf("a row without a variant")
	}
	if timed && !(c.NS.Median > 0) {
		return fmt.Errorf("%s has no time", c.Variant)
	}
	var err error
	if c.NS, err = readInterval(c.NS, interval); err == nil {
		c.Ratio, err = readInterval(c.Ratio, between)
	}
	r.Results = append(r.Results, c)
	return err
}

// readDuration reads what duration wrote; Low and High are what it may have been rounded
// from.
func readDuration(text string) (stats.Interval, error) {
	text = strings.TrimSpace(text)
	for _, u := range slices.Backward(units) { // "s" ends all the others
		number, found := strings.CutSuffix(text, u.name)
		if number = strings.TrimSpace(number); found && strings.Trim(number, "0123456789.") == "" {
			x, half, err := readNumber(number)
			return stats.Interval{Median: x * u.ns, Low: (x - half) * u.ns, High: (x + half) * u.ns}, err
		}
	}
	return stats.Interval{}, fmt.Errorf("%q is no time", text)
}

// readRatio reads what ratioText wrote, likewise.
func readRatio(text string) (stats.Interval, error) {
	if text == "" {
		return stats.Interval{}, nil
	}
	x, half, err := readNumber(strings.TrimSuffix(strings.TrimSuffix(text, "~"), "x"))
	return stats.Interval{Median: x, Low: x - half, High: x + half}, err
}

// readInterval reads the interval of a median, as spread wrote it without its sign, or
// durations or ratios. It becomes as wide as it may have been before it was rounded.
func readInterval(median stats.Interval, text string) (stats.Interval, error) {
	none := stats.Interval{Median: median.Median, Low: math.NaN(), High: math.NaN()}
	if text == "" || text == unknown || strings.HasPrefix(text, ">") || median.Median == 0 {
		return none, nil
	}
	low, high, both := strings.Cut(text, "–")
	if !both {
		share, half, err := readNumber(text)
		share = (share + half) / 100
		return stats.Interval{Median: median.Median, Low: median.Low * (1 - share), High: median.High * (1 + share)}, err
	}
	scale := 1.0
	for _, u := range slices.Backward(units) {
		if number, found := strings.CutSuffix(high, " "+u.name); found {
			high, scale = number, u.ns
		}
	}
	from, halfFrom, err := readNumber(low)
	if err != nil {
		return none, err
	}
	to, halfTo, err := readNumber(high)
	return stats.Interval{
		Median: median.Median,
		Low:    min(scale*(from-halfFrom), median.Median),
		High:   max(scale*(to+halfTo), median.Median),
	}, err
}

// readCount reads what exact wrote or, if rounded, count; within is how far from it the
// figure may have been.
func readCount(text string, rounded bool) (x, within float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	digits := strings.TrimRight(text, "kMG")
	multiple, known := multiples[text[len(digits):]]
	if !known {
		return 0, 0, fmt.Errorf("%q is no number", text)
	}
	x, within, err = readNumber(strings.ReplaceAll(digits, ",", ""))
	whole := !strings.Contains(digits, ".")
	if whole && multiple == 1 && (!rounded || x < 100) {
		within = 0
	}
	return x * multiple, within * multiple, err
}

// readNumber reads digits with at most one point; half is half of what the last digit
// stands for.
func readNumber(text string) (x, half float64, err error) {
	x, err = ParseAmount(text)
	if err != nil || math.IsInf(x, 0) {
		return 0, 0, fmt.Errorf("%q is no number", text)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return x, 0.5 * math.Pow10(-len(decimals)), nil
}

var (
	platform = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+$`)
	date     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T`)
)

// isEnvironment reports whether a line is one that environment wrote, the first or a later one.
func isEnvironment(line string) bool {
	e := environmentOf([]string{line})
	e.CPU = ""
	return e != Env{}
}

// environmentOf reads what environment wrote.
func environmentOf(lines []string) Env {
	var e Env
	for i, line := range lines {
		for j, part := range strings.Split(line, " · ") {
			goos, goarch, _ := strings.Cut(part, "/")
			switch {
			case platform.MatchString(part):
				e.GOOS, e.GOARCH = goos, goarch
			case strings.HasPrefix(part, "go1."):
				e.Go = part
			case strings.HasPrefix(part, "GOMAXPROCS "):
				e.GOMAXPROCS, _ = strconv.Atoi(strings.TrimPrefix(part, "GOMAXPROCS "))
			case strings.HasPrefix(part, "protean bench"), strings.HasPrefix(part, "protean report"):
				e.Command = part
			case strings.HasPrefix(part, "protean "):
				e.Protean = strings.TrimPrefix(part, "protean ")
			case date.MatchString(part):
				e.Date = part
			case i == 0 && j == 0:
				e.CPU = part
			}
		}
	}
	return e
}
