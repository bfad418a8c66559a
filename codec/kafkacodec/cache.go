package kafkacodec

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A cache holds the schemas that were used last, and what failed lately. Each is loaded once, by a goroutine of its
// own: a caller that gives up does not take what others wait for with it.
type cache struct {
	options Options
	load    func(ctx context.Context, id int) (*schema, error)
	loading chan struct{} // holds a token for each schema that is being loaded
	clock   atomic.Int64  // counts uses of entries

	mu      sync.RWMutex
	entries map[int]*entry
	files   map[protoreflect.FileDescriptor]*schema // those in entries
}

// An entry is a schema that is there, failed, or is being loaded.
type entry struct {
	id     int
	schema atomic.Pointer[schema] // nil while it is loading, and if it failed
	used   atomic.Int64           // when, by the cache's clock
	done   chan struct{}          // closed when it is loaded
	err    error                  // set before done is closed
	until  time.Time              // when to forget the error
}

// maxLoading is how many schemas are loaded at a time.
const maxLoading = 4

func (c *cache) init(o Options, load func(context.Context, int) (*schema, error)) {
	c.options, c.load = o, load
	c.clock.Store(1) // no entry has been used yet
	c.loading = make(chan struct{}, maxLoading)
	c.entries = map[int]*entry{}
	c.files = map[protoreflect.FileDescriptor]*schema{}
}

// get returns the schema of an id.
func (c *cache) get(ctx context.Context, id int) (*schema, error) {
	c.mu.RLock()
	e := c.entries[id]
	c.mu.RUnlock()
	if e == nil || e.expired() {
		e = c.start(ctx, id)
	}
	if s := e.schema.Load(); s != nil {
		c.touch(e)
		return s, nil
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w %d: %w", ErrSchema, id, ctx.Err())
	}
	return e.schema.Load(), e.err
}

// touch notes that an entry is used. The clock stands still while one schema alone is.
func (c *cache) touch(e *entry) {
	if now := c.clock.Load(); e.used.Load() != now {
		e.used.Store(c.clock.Add(1))
	}
}

// expired reports whether the entry is of a failure that is long enough ago.
func (e *entry) expired() bool {
	select {
	case <-e.done:
		return e.err != nil && time.Now().After(e.until)
	default:
		return false
	}
}

// start returns the entry of an id, which it has loaded if there is none.
func (c *cache) start(ctx context.Context, id int) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[id]; e != nil && !e.expired() {
		return e
	}
	e := &entry{id: id, done: make(chan struct{})}
	c.touch(e)
	c.entries[id] = e
	go c.run(context.WithoutCancel(ctx), e)
	return e
}

// run loads the schema of an entry.
func (c *cache) run(ctx context.Context, e *entry) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	var s *schema
	var err error
	select {
	case c.loading <- struct{}{}:
		s, err = c.load(ctx, e.id)
		<-c.loading
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%w %d: %w", ErrSchema, e.id, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e.err, e.until = err, time.Now().Add(c.forHowLong(err))
	e.schema.Store(s)
	if s != nil {
		c.files[s.file] = s
	}
	close(e.done)
	c.evict(s == nil)
}

// forHowLong says for how long a failure is remembered.
func (c *cache) forHowLong(err error) time.Duration {
	var answer *sr.ResponseError
	var unusable *schemaError
	if errors.As(err, &unusable) || errors.As(err, &answer) && answer.StatusCode/100 == 4 {
		return c.options.FailureTTL
	}
	return min(time.Second, c.options.FailureTTL)
}

// evict forgets what was used longest ago of the schemas, or of the failures, if there are too many.
func (c *cache) evict(failures bool) {
	var oldest *entry
	n := 0
	for _, e := range c.entries {
		select {
		case <-e.done:
		default:
			continue
		}
		if (e.err != nil) != failures {
			continue
		}
		if n++; oldest == nil || e.used.Load() < oldest.used.Load() {
			oldest = e
		}
	}
	if n <= c.options.MaxSchemas {
		return
	}
	delete(c.entries, oldest.id)
	if s := oldest.schema.Load(); s != nil {
		delete(c.files, s.file)
	}
}

// typeOf returns the type of a descriptor of a schema that is kept; nil if there is none.
func (c *cache) typeOf(md protoreflect.MessageDescriptor) *Type {
	c.mu.RLock()
	s := c.files[md.ParentFile()]
	c.mu.RUnlock()
	if s == nil {
		return nil
	}
	return s.typeOf(md)
}
