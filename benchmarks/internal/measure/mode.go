package measure

import "time"

// A Mode is a way to measure times.
type Mode struct {
	Name  string // for the command line
	Title string

	collector bool          // it is on
	parallel  bool          // several goroutines, and the time that passes
	turn      time.Duration // how long one side works before it is the other's turn
}

// Modes are all modes. With the collector on, a turn lasts long enough for ten collections or more.
var Modes = []Mode{
	{Name: "gc-off", Title: "collector off", turn: 2 * time.Millisecond},
	{Name: "gc-on", Title: "collector on", collector: true, turn: 25 * time.Millisecond},
	{Name: "parallel", Title: "in parallel, by the clock", collector: true, parallel: true,
		turn: 25 * time.Millisecond},
}

// Clock says which clock the mode reads.
func (m Mode) Clock() string {
	if m.parallel || !processClock {
		return "the time that passes"
	}
	return "process time"
}
