package delivery

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// began is when the run of these tests was started.
var began = time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)

// hostile is text of a site that tries the markup of all receivers at once.
const hostile = `Disallow: /*?q=*_x_~y~<!channel> <@U012AB3CD> @here :tada: &lt;script&gt; <b>bold</b> **bold** [click](https://evil.example/) <at>all</at> {{DATE(2026-11-23T06:00:00Z,SHORT)}} ümlaut 東京`

func event(site, condition string, severity compare.Severity, text string, details ...string) alert.Event {
	return alert.Event{
		Kind: alert.Raised, Alert: "a1b2c3d4-" + site, Condition: condition, Severity: severity, Was: severity, Site: site,
		Since: began, Run: "20261123T060000Z", Text: text, Details: details, Cause: text,
		Counts: alert.URLCounts{Concerned: 1204, Known: 4000, Blocked: 1300, NewlyBlocked: 1204},
	}
}

// digest is the message of a run to all channels.
func digest(events ...alert.Event) alert.Message {
	m, _ := alert.Digest(alert.Context{
		Run: "20261123T060000Z", Schedule: "shops", At: began,
		Links: alert.Links{Page: "runs/20261123T060000Z/index.html"},
		Site: func(site string) alert.Links {
			return alert.Links{Workbook: "runs/20261123T060000Z/" + site + ".xlsx"}
		},
	}, events)
	return m
}

// parcelOf is the message of events as a channel gets it.
func parcelOf(t *testing.T, events ...alert.Event) parcel {
	t.Helper()
	m, ok := digest(events...).Filter("test 1", compare.Info, nil)
	if !ok {
		t.Fatal("nothing to tell")
	}
	return parcel{id: m.ID, message: m, entered: began}
}

// table is a Store in memory: the tests of package history have the one on disk.
type table struct {
	rows  map[string]history.Delivery
	saved int
}

func newTable(rows ...history.Delivery) *table {
	t := &table{rows: map[string]history.Delivery{}}
	for _, d := range rows {
		t.rows[d.ID] = d
	}
	return t
}

func (t *table) DueDeliveries(_ context.Context, now, later time.Time) (due []history.Delivery, err error) {
	for _, d := range t.rows {
		if d.Accepted.IsZero() && d.GivenUp.IsZero() && (!d.Next.After(now) || d.Next.After(later)) {
			due = append(due, d)
		}
	}
	slices.SortFunc(due, func(a, b history.Delivery) int { return cmp.Or(a.Next.Compare(b.Next), cmp.Compare(a.ID, b.ID)) })
	return due, nil
}

func (t *table) SaveTry(_ context.Context, d history.Delivery) error {
	if _, ok := t.rows[d.ID]; !ok {
		return fmt.Errorf("no delivery %s", d.ID)
	}
	text, err := json.Marshal(d) // data that is not in the row does not survive a restart
	if err != nil {
		return err
	}
	var row history.Delivery
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	t.rows[d.ID] = row
	t.saved++
	return nil
}

// next is when the first open delivery is due; zero = none is open.
func (t *table) next() (at time.Time) {
	for _, d := range t.rows {
		if d.Accepted.IsZero() && d.GivenUp.IsZero() && (at.IsZero() || d.Next.Before(at)) {
			at = d.Next
		}
	}
	return at
}

// plan plans the deliveries of events, or fails.
func plan(t *testing.T, channels []Channel, now time.Time, events ...alert.Event) []history.Delivery {
	t.Helper()
	rows, _, err := Plan(channels, digest(events...), nil, now)
	noError(t, err)
	return rows
}

// sendOne sends events by a channel, which takes one try.
func sendOne(t *testing.T, c Channel, events ...alert.Event) Try {
	t.Helper()
	tries, _ := send(t, newTable(plan(t, []Channel{c}, began, events...)...), []Channel{c}, began)
	if len(tries) != 1 {
		t.Fatalf("%+v", tries)
	}
	return tries[0]
}

// checkWait compares the time of the next try with the expected one.
func checkWait(t *testing.T, try Try, want time.Duration) {
	t.Helper()
	if wait := try.Next.Sub(began); wait < want*9/10 || wait > want*11/10 {
		t.Errorf("next try after %s, want about %s", wait, want)
	}
}

// send is Send at a time, without trouble of the store.
func send(t *testing.T, store Store, channels []Channel, now time.Time) (tries []Try, more bool) {
	t.Helper()
	tries, more, err := Send(t.Context(), store, channels, alert.Home{Folder: t.TempDir()}, func() time.Time { return now })
	noError(t, err)
	return tries, more
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
