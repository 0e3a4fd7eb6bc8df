package history

import (
	"context"
	"slices"
	"time"
)

// FixTimes are the times from an alert to its resolution, for alerts of one severity.
type FixTimes struct {
	Severity string // as last reported: critical, high, medium, info
	Resolved int    // resolved in a time, other than by acceptance
	Mean     time.Duration
	Median   time.Duration
	Longest  time.Duration
	Open     int
	Oldest   time.Time // start of the oldest open alert; zero = none is open
}

// maxTimes limits the alerts of each kind that are read: the latest that ended, and the oldest open ones.
const maxTimes = 10_000

// fixedQuery finds the alerts that ended, by their index. An accepted alert was not fixed.
const fixedQuery = `SELECT a.severity, a.since, a.ended FROM alert a WHERE a.ended >= ?
AND NOT coalesce((SELECT k.accepted FROM acknowledgement k WHERE k.alert = a.id ORDER BY k.at DESC LIMIT 1), 0) ORDER BY a.ended DESC LIMIT ?`

// openQuery finds the open alerts, by their index.
const openQuery = "SELECT a.severity, a.since, NULL FROM alert a WHERE a.ended_run IS NULL ORDER BY a.since LIMIT ?"

// FixTimes returns the times of alerts that were resolved at a time or later, and the open alerts. The first
// row is for all severities, with Severity "". Then there is a row for each severity with alerts, most severe
// first. more = there are more alerts than were read.
func (db *DB) FixTimes(ctx context.Context, since time.Time) (rows []FixTimes, more bool, err error) {
	type alert struct {
		severity     string
		since, ended time.Time
	}
	fields := func(a *alert) []any { return []any{&a.severity, storedTime{&a.since}, storedTime{&a.ended}} }
	fixed, err := list(ctx, db, fields, fixedQuery, timeText(since), maxTimes)
	if err != nil {
		return nil, false, err
	}
	open, err := list(ctx, db, fields, openQuery, maxTimes)
	if err != nil {
		return nil, false, err
	}
	for _, severity := range []string{"", "critical", "high", "medium", "info"} {
		of := FixTimes{Severity: severity}
		var times []time.Duration
		for _, a := range fixed {
			if severity == "" || a.severity == severity {
				times = append(times, a.ended.Sub(a.since))
			}
		}
		for _, a := range open {
			if severity == "" || a.severity == severity {
				if of.Open++; of.Open == 1 {
					of.Oldest = a.since
				}
			}
		}
		of.measure(times)
		if severity == "" || of.Resolved+of.Open > 0 {
			rows = append(rows, of)
		}
	}
	return rows, max(len(fixed), len(open)) == maxTimes, nil
}

// measure sets the figures of times.
func (f *FixTimes) measure(times []time.Duration) {
	if f.Resolved = len(times); f.Resolved == 0 {
		return
	}
	slices.Sort(times)
	var seconds float64 // a sum of durations may overflow
	for _, t := range times {
		seconds += t.Seconds()
	}
	n := len(times)
	f.Mean = time.Duration(seconds / float64(n) * float64(time.Second)).Round(time.Second)
	f.Median = (times[(n-1)/2] + times[n/2]) / 2
	f.Longest = times[n-1]
}
