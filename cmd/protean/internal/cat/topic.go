package cat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A Topic is what is printed of a topic.
type Topic struct {
	Name string
	// From says where each partition begins.
	From Start
	// Follow waits for more at the end; else the records are printed that are there at the beginning.
	Follow bool
}

// A Start is where a partition is read from: from its first record on, after its last, from an offset on, or a number
// of records before its end.
type Start struct {
	after  bool
	offset int64
	last   int64
}

// ParseStart reads start, end, an offset, or -N for the last N records of each partition.
func ParseStart(text string) (Start, error) {
	switch text {
	case "start":
		return Start{}, nil
	case "end":
		return Start{after: true}, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return Start{}, fmt.Errorf("%q: expected start, end, an offset, or -N for the last N records of each partition",
			text)
	case n < 0:
		return Start{last: -n}, nil
	}
	return Start{offset: n}, nil
}

// in returns the offset in a partition that has those from first on, up to end.
func (s Start) in(first, end int64) int64 {
	switch {
	case s.after:
		return end
	case s.last > 0:
		return max(first, end-s.last)
	}
	return max(first, min(s.offset, end))
}

// How long brokers may take to answer at the beginning, and for records that are there.
const (
	brokerTimeout = 10 * time.Second
	recordTimeout = 30 * time.Second
)

// A rest is what of the partitions is still to come.
type rest map[int32]int64 // offset at which a partition ends

// PrintTopic prints the records of a topic. The records of one partition are in their order.
func PrintTopic(ctx context.Context, p *Printer, topic Topic, opts ...kgo.Opt) error {
	// Control records are read, and not printed, so that the end of a partition is seen that has one there.
	client, err := kgo.NewClient(append(opts, kgo.KeepControlRecords(), kgo.RequestTimeoutOverhead(brokerTimeout))...)
	if err != nil {
		return err
	}
	defer client.Close()
	begin, left, err := offsets(ctx, client, topic)
	if err != nil {
		return err
	}
	client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic.Name: begin})
	for !p.Done() && (topic.Follow || len(left) > 0) {
		if err := poll(ctx, client, p, topic, left); err != nil {
			return errors.Join(p.Flush(), err)
		}
		if err := p.Flush(); err != nil {
			return err
		}
	}
	return p.Flush()
}

// offsets returns where each partition begins, and of those that have something where they end.
func offsets(ctx context.Context, client *kgo.Client, topic Topic) (map[int32]kgo.Offset, rest, error) {
	ctx, cancel := context.WithTimeout(ctx, brokerTimeout)
	defer cancel()
	if err := client.Ping(ctx); err != nil {
		return nil, nil, brokerError(err)
	}
	admin := kadm.NewClient(client)
	first, err := admin.ListStartOffsets(ctx, topic.Name)
	if err == nil {
		err = first.Error()
	}
	var end kadm.ListedOffsets
	if err == nil {
		end, err = admin.ListEndOffsets(ctx, topic.Name)
	}
	if err == nil {
		err = end.Error()
	}
	switch {
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		return nil, nil, fmt.Errorf("topic %q does not exist", topic.Name)
	case err != nil:
		return nil, nil, brokerError(err)
	}
	begin, left := map[int32]kgo.Offset{}, rest{}
	end.Each(func(e kadm.ListedOffset) {
		f, _ := first.Lookup(topic.Name, e.Partition)
		at := topic.From.in(f.Offset, e.Offset)
		begin[e.Partition] = kgo.NewOffset().At(at)
		if at < e.Offset {
			left[e.Partition] = e.Offset
		}
	})
	return begin, left, nil
}

// brokerError words an error of the brokers.
func brokerError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the brokers do not answer: %w", err)
	}
	return fmt.Errorf("the brokers: %s", strings.TrimPrefix(err.Error(), "unable to dial: "))
}

// poll prints what comes next.
func poll(ctx context.Context, client *kgo.Client, p *Printer, topic Topic, left rest) error {
	wait, cancel := ctx, func() {}
	if !topic.Follow {
		wait, cancel = context.WithTimeout(ctx, recordTimeout)
	}
	defer cancel()
	fetches := client.PollFetches(wait)
	if all := fetches.Errors(); len(all) > 0 {
		switch first := all[0]; {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(first.Err, context.DeadlineExceeded):
			return fmt.Errorf("%s: nothing has come for %v, before the end of %d partitions", topic.Name, recordTimeout,
				len(left))
		default:
			return fmt.Errorf("%s/%d: %w", first.Topic, first.Partition, first.Err)
		}
	}
	for r := range fetches.RecordsAll() {
		end, wanted := left[r.Partition]
		if p.Done() || !topic.Follow && (!wanted || r.Offset >= end) {
			continue
		}
		if r.Offset+1 >= end {
			delete(left, r.Partition)
		}
		if r.Attrs.IsControl() {
			continue
		}
		if err := p.Print(ctx, recordOf(r)); err != nil {
			return err
		}
	}
	return nil
}

func recordOf(r *kgo.Record) *Record {
	return &Record{
		Source: fmt.Sprintf("%s/%d@%d", r.Topic, r.Partition, r.Offset), Value: r.Value,
		Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Time: r.Timestamp, Key: r.Key,
	}
}
