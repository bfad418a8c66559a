package records

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"sync"
)

// Each reads the splits and hands their batches to workers, in any order, several splits at once:
// work is called by as many goroutines as workers says (0: [Workers]), each with its
// number from 0, and must not keep the batch. The first error, of reading or of work, or that of
// ctx, ends it and is returned.
func Each(ctx context.Context, splits []Split, o Options, workers int, work func(worker int, b *Batch) error) error {
	workers = cmp.Or(workers, Workers())
	p := newPipe(ctx)
	defer p.cancel()
	next := make(chan int)
	p.goEnd(func() error { return sendEach(p.ctx, next, len(splits)) }, func() { close(next) })

	jobs := make(chan *Batch, workers)
	var readers sync.WaitGroup
	for range min(workers, len(splits)) {
		readers.Add(1)
		p.goEnd(func() error {
			for i := range next {
				if err := readSplit(p.ctx, splits[i], i, o, jobs); err != nil {
					return err
				}
			}
			return nil
		}, readers.Done)
	}
	go func() { readers.Wait(); close(jobs) }()

	for w := range workers {
		p.goEnd(func() error {
			for b := range jobs {
				err := p.ctx.Err()
				if err == nil {
					err = work(w, b)
				}
				b.Release()
				if err != nil {
					return err
				}
			}
			return nil
		}, nil)
	}
	return p.wait(ctx)
}

// InOrder reads the splits one after the other, has workers work on several batches at once, as
// [Each] does, and hands the results to emit in the order of the data, from the calling goroutine.
// No more than about four batches a worker are held in memory.
func InOrder[T any](ctx context.Context, splits []Split, o Options, workers int,
	work func(worker int, b *Batch) (T, error), emit func(T) error) error {
	workers = cmp.Or(workers, Workers())
	p := newPipe(ctx)
	defer p.cancel()
	type job struct {
		batch  *Batch
		result chan T
	}
	batches := make(chan *Batch)
	p.goEnd(func() error {
		for i, s := range splits {
			if err := readSplit(p.ctx, s, i, o, batches); err != nil {
				return err
			}
		}
		return nil
	}, func() { close(batches) })

	jobs, order := make(chan job, workers), make(chan job, 2*workers)
	p.goEnd(func() error {
		for b := range batches {
			j := job{b, make(chan T, 1)}
			for _, to := range []chan job{order, jobs} {
				select {
				case to <- j:
				case <-p.ctx.Done():
					return p.ctx.Err()
				}
			}
		}
		return nil
	}, func() { close(jobs); close(order) })

	for w := range workers {
		p.goEnd(func() error {
			for j := range jobs {
				result, err := work(w, j.batch)
				j.batch.Release()
				if err != nil {
					return err
				}
				j.result <- result
			}
			return nil
		}, nil)
	}
	err := func() error {
		for j := range order {
			select {
			case result := <-j.result:
				if err := emit(result); err != nil {
					return err
				}
			case <-p.ctx.Done():
				return p.ctx.Err()
			}
		}
		return nil
	}()
	p.fail(err)
	return p.wait(ctx)
}

// Workers is how many workers there are where nobody says: as many as Go uses processors.
func Workers() int { return runtime.GOMAXPROCS(0) }

// readSplit sends the batches of a split.
func readSplit(ctx context.Context, s Split, number int, o Options, to chan<- *Batch) error {
	r, err := Open(s, o)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		b, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		b.Split = number
		select {
		case to <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sendEach sends the numbers below n.
func sendEach(ctx context.Context, to chan<- int, n int) error {
	for i := range n {
		select {
		case to <- i:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// A pipe is goroutines that end together, at the first error.
type pipe struct {
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	once   sync.Once
	err    error
}

func newPipe(ctx context.Context) *pipe {
	p := &pipe{}
	p.ctx, p.cancel = context.WithCancel(ctx)
	return p
}

// goEnd runs f in a goroutine, and then end, which may be nil.
func (p *pipe) goEnd(f func() error, end func()) {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		if end != nil {
			defer end()
		}
		p.fail(f())
	}()
}

// fail ends all goroutines if there is an error.
func (p *pipe) fail(err error) {
	if err == nil {
		return
	}
	p.once.Do(func() { p.err = err })
	p.cancel()
}

// wait returns the first error.
func (p *pipe) wait(ctx context.Context) error {
	p.wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.err
}
