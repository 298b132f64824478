package main

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
)

var kinds = map[string]func(context.Context, *yard, workload) (result, error){
	"submit": submit, "bulk": bulk, "drain": drain, "backlog": backlog, "latency": latency,
}

var pad = strings.Repeat("x", 64)

func params(i int) benchArgs { return benchArgs{I: i, Pad: pad} }

func elapsedMs(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / 1e6 }

// inFlight runs up to count with width at a time, ends early after capMs, and says how many it ran.
func inFlight(count, width int, capMs float64, run func(i int) error) (int, error) {
	begun := time.Now()
	var next, done atomic.Int64
	var failed atomic.Value
	var lanes sync.WaitGroup
	for range width {
		lanes.Go(func() {
			for elapsedMs(begun) < capMs && failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				if err := run(i); err != nil {
					failed.Store(err)
					return
				}
				done.Add(1)
			}
		})
	}
	lanes.Wait()
	if err, isError := failed.Load().(error); isError {
		return 0, err
	}
	return int(done.Load()), nil
}

func fill(ctx context.Context, y *yard, count, bulkSize int, capMs float64) (int, error) {
	begun := time.Now()
	from := 0
	for from < count && elapsedMs(begun) < capMs {
		list := make([]river.InsertManyParams, min(bulkSize, count-from))
		for k := range list {
			list[k].Args = params(from + k)
		}
		if err := y.submitMany(ctx, list); err != nil {
			return 0, err
		}
		from += len(list)
	}
	return from, nil
}

func submit(ctx context.Context, y *yard, w workload) (result, error) {
	one := func(i int) error { return y.submit(ctx, params(i)) }
	if _, err := inFlight(200, w.Width, w.CapMs, one); err != nil {
		return nil, err
	}
	return timed(func() (int, error) { return inFlight(w.Count, w.Width, w.CapMs, one) })
}

func bulk(ctx context.Context, y *yard, w workload) (result, error) {
	if _, err := fill(ctx, y, w.BulkSize, w.BulkSize, math.Inf(1)); err != nil {
		return nil, err
	}
	return timed(func() (int, error) { return fill(ctx, y, w.Count, w.BulkSize, w.CapMs) })
}

// tally counts distinct tasks and those that came twice; enough is closed at count.
type tally struct {
	seen                 []atomic.Bool
	count                int64
	distinct, duplicates atomic.Int64
	enough               chan struct{}
}

func newTally(count, waiting int) *tally {
	return &tally{seen: make([]atomic.Bool, waiting), count: int64(count), enough: make(chan struct{})}
}

func (t *tally) onTask(i int) {
	if t.seen[i].Swap(true) {
		t.duplicates.Add(1)
	} else if t.distinct.Add(1) == t.count {
		close(t.enough)
	}
}

func drain(ctx context.Context, y *yard, w workload) (result, error) {
	if _, err := fill(ctx, y, w.Count, w.BulkSize, math.Inf(1)); err != nil {
		return nil, err
	}
	tasks := newTally(w.Count, w.Count)
	found, err := timed(func() (int, error) {
		if err := y.work(ctx, w.Concurrency, tasks.onTask); err != nil {
			return 0, err
		}
		<-tasks.enough
		return w.Count, y.drained(ctx)
	})
	if err == nil {
		found["duplicates"] = tasks.duplicates.Load()
	}
	return found, err
}

func backlog(ctx context.Context, y *yard, w workload) (result, error) {
	if _, err := fill(ctx, y, w.Waiting, w.BulkSize, math.Inf(1)); err != nil {
		return nil, err
	}
	filledMb := rssMb()
	var times []float64
	for range 20 {
		begun := time.Now()
		if err := y.counts(ctx); err != nil {
			return nil, err
		}
		times = append(times, elapsedMs(begun))
	}
	tasks := newTally(w.Count, w.Waiting)
	found, err := timed(func() (int, error) {
		if err := y.work(ctx, w.Concurrency, tasks.onTask); err != nil {
			return 0, err
		}
		<-tasks.enough
		return w.Count, nil
	})
	if err == nil {
		found["duplicates"] = tasks.duplicates.Load()
		found["countsMs"] = quantile(times, 0.5)
		found["filledMb"] = filledMb
	}
	return found, err
}

const warmUp = 20

func latency(ctx context.Context, y *yard, w workload) (result, error) {
	arrived := make(chan time.Time, 1)
	if err := y.work(ctx, 10, func(int) { arrived <- time.Now() }); err != nil {
		return nil, err
	}
	var times []float64
	begun := time.Now()
	for i := 0; i < w.Count && elapsedMs(begun) < w.CapMs; i++ {
		started := time.Now()
		if err := y.submit(ctx, params(i)); err != nil {
			return nil, err
		}
		times = append(times, float64((<-arrived).Sub(started).Nanoseconds())/1e6)
		time.Sleep(2 * time.Millisecond)
	}
	kept := times[min(warmUp, len(times)-1):]
	return result{"count": len(kept), "p50Ms": quantile(kept, 0.5), "p99Ms": quantile(kept, 0.99)}, nil
}

func quantile(list []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	at := min(len(sorted)-1, int(q*float64(len(sorted))))
	return math.Round(sorted[at]*1000) / 1000
}
