// Package job has the jobs that are measured: each is done by Protean, and by the library that it is compared with.
package job

import "fmt"

// A Job is one operation on a message. To measure something else, add it to the list.
type Job struct {
	Name    string // operation, with the form of the data before it
	Against string // which library does the same
	About   string // what is done, and how without Protean

	bind func(*Subject) (Pair, bool)
}

// Bind prepares the job on the subject; it is false if the job does not apply to such a message. What is bound is for
// one goroutine.
func (j Job) Bind(s *Subject) (Pair, bool) { return j.bind(s) }

// A Pair is a job done by Protean and by its rival.
type Pair struct{ Rival, Protean Side }

// Check does the job once on each side, and returns an error unless both have the right result.
func (p Pair) Check() error {
	if err := p.Rival.Check(); err != nil {
		return fmt.Errorf("rival: %w", err)
	}
	if err := p.Protean.Check(); err != nil {
		return fmt.Errorf("protean: %w", err)
	}
	return nil
}

// A Side does the job in one of the two ways.
type Side struct {
	Loop  func(n int) error        // does it n times
	Keep  func(n int) (any, error) // does it n times, and returns all results
	Check func() error             // does it once, and verifies the result
}

// versus makes both sides of a job out of functions that prepare it, and of one that verifies a result. A function that
// returns nil says that the job does not apply.
func versus[T any](
	check func(*Subject, T) error, rival, protean func(*Subject) func() (T, error),
) func(*Subject) (Pair, bool) {
	return func(s *Subject) (Pair, bool) {
		r, p := rival(s), protean(s)
		if r == nil || p == nil {
			return Pair{}, false
		}
		return Pair{Rival: side(s, r, check), Protean: side(s, p, check)}, true
	}
}

// side wraps do. The loops of both sides are this one, and reach their work by the same indirect call.
func side[T any](s *Subject, do func() (T, error), check func(*Subject, T) error) Side {
	return Side{
		Loop: func(n int) error {
			for range n {
				if _, err := do(); err != nil {
					return err
				}
			}
			return nil
		},
		Keep: func(n int) (any, error) {
			all := make([]T, n)
			for i := range all {
				var err error
				if all[i], err = do(); err != nil {
					return nil, err
				}
			}
			return all, nil
		},
		Check: func() error {
			result, err := do()
			if err != nil {
				return err
			}
			return check(s, result)
		},
	}
}
