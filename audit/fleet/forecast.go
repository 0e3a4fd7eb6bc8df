package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// PerMinute is how many sites all members do per minute, over the last 5 minutes.
func (s *Status) PerMinute() (rate float64) {
	for _, m := range s.Members {
		rate += m.PerMinute[1]
	}
	return rate
}

// Left is how long the coordinated runs will take at the present rate; 0 = unknown.
func (s *Status) Left() (left time.Duration) {
	for _, m := range s.Members {
		for _, r := range m.Runs {
			left = max(left, s.LeftOf(&r))
		}
	}
	return left
}

// LeftOf is how long a run will take at the present rate, with all other work of its region. It is never
// less than the time until the last delayed site may be tried. 0 = unknown.
func (s *Status) LeftOf(run *Coordinating) time.Duration {
	missing, rate, last := 0, 0.0, time.Time{}
	for _, m := range s.Members {
		for _, r := range m.Runs {
			if r.Region == run.Region {
				missing += r.Missing
			}
		}
		if m.Region != run.Region {
			continue
		}
		rate += m.rateSince(s.Time, run.Submitted)
		if m.PutOff.Last.After(last) {
			last = m.PutOff.Last
		}
	}
	if rate <= 0 || missing == 0 {
		return 0
	}
	left := min(time.Duration(float64(missing)/rate*60), 10_000*3600) * time.Second
	return max(left, last.Sub(s.Time))
}

// rateSince is how many sites a member does per minute: over the last 5 minutes, or, in the first 5 minutes
// of a run, over the part of the last minute since the run began.
func (m *Member) rateSince(now, submitted time.Time) float64 {
	age := now.Sub(submitted)
	if age >= rateSeconds*time.Second {
		return m.PerMinute[1]
	}
	minute := min(now.Sub(m.Started), time.Minute)
	return m.PerMinute[0] * max(minute.Seconds(), 1) / min(max(age.Seconds(), 1), max(minute.Seconds(), 1))
}

// Only keeps the data of one run. If no coordinator has the run, a problem says whether it waits in
// the queue or the queue does not have it. It returns an error if the queue did not answer.
func (s *Status) Only(ctx context.Context, c *Conn, run string) error {
	if !ValidID(run) {
		return fmt.Errorf("run %q: not the id of a run", run)
	}
	held := false
	s.only = true
	for i := range s.Members {
		m := &s.Members[i]
		m.Runs = slices.DeleteFunc(m.Runs, func(r Coordinating) bool { return r.Run != run })
		m.Oldest = slices.DeleteFunc(m.Oldest, func(w Working) bool { return w.Run != run })
		m.WaitingSites = slices.DeleteFunc(m.WaitingSites, func(w Working) bool { return w.Run != run })
		m.Slowest = slices.DeleteFunc(m.Slowest, func(f Finished) bool { return f.Run != run })
		m.Failures = slices.DeleteFunc(m.Failures, func(f Finished) bool { return f.Run != run })
		held = held || len(m.Runs) > 0
	}
	if held {
		return nil
	}
	stream, err := c.JS.Stream(ctx, streamRuns)
	if err == nil {
		_, err = stream.GetLastMsgForSubject(ctx, anyRunSubject(run))
	}
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrMsgNotFound):
		s.Problems = append(s.Problems, fmt.Sprintf("run %s is not queued. It is done (the bucket has %s), was given up (%s) or cancelled, or does not exist",
			run, MergedKey(run), FailedKey(run)))
	case err != nil:
		return fmt.Errorf("asking for run %s: %w", run, err)
	default:
		s.Problems = append(s.Problems, fmt.Sprintf("run %s is queued. It waits for a worker with -runs", run))
	}
	return nil
}
