package history

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

var day0 = time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)

// testRun is the n-th run of a schedule: one a day.
func testRun(n int, schedule string) Run {
	started := day0.AddDate(0, 0, n)
	id := started.Format("20060102T150405Z")
	return Run{ID: id, Folder: "runs/" + id, Schedule: schedule, Started: started, Finished: started.Add(time.Hour), Program: "v1"}
}

func runID(n int) string { return testRun(n, "").ID }

// enter enters a run in a transaction of its own.
func enter(t testing.TB, db *DB, r Run, entries ...Entry) {
	t.Helper()
	noError(t, db.update(t.Context(), func(tx *Tx) error { return enterIn(t.Context(), tx, r, entries...) }))
}

func enterIn(ctx context.Context, tx *Tx, r Run, entries ...Entry) error {
	if err := tx.AddRun(r); err != nil {
		return err
	}
	for _, e := range entries {
		if err := tx.AddSite(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func mustOpen(t testing.TB, dir string) *DB {
	t.Helper()
	db, err := Open(t.Context(), dir)
	noError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// dump returns all rows of all tables, and checks that all references between them are valid.
func dump(t testing.TB, db *DB) []string {
	t.Helper()
	if lost, err := list(t.Context(), db, textField, "SELECT [table] || ' names a row that is not in ' || parent FROM pragma_foreign_key_check"); err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	var text strings.Builder
	noError(t, db.Dump(t.Context(), &text))
	return strings.Split(text.String(), "\n")
}

func TestEnterAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a?b#c%41 d", "history") // none of it is part of a query
	db := mustOpen(t, dir)
	ctx := t.Context()
	body := []byte("User-agent: *\nDisallow: /a\n")
	site := Site{Name: "example.com", State: "ok", Answer: AnswerOK, Status: 200, SHA256: "s1", Bytes: int64(len(body)), Body: body, Known: 10, Blocked: 2, Took: time.Second,
		Crawlers: []Crawler{{"Googlebot", 2}, {"Bingbot", 0}},
		Rules:    []Rule{{"r1", "*", "disallow: /a", 2}},
		URLs:     []Blocked{{"u1", "https://example.com/a", "Googlebot", "r1", "disallow: /a", 2, true}}}
	enter(t, db, testRun(0, "daily"), Entry{Site: site, Settled: true})

	second := site // the file is missing for a moment: no stretch of it ends
	second.Answer, second.Status, second.SHA256, second.Body, second.Rules, second.URLs = AnswerServerError, 503, "", nil, nil, nil
	enter(t, db, testRun(1, "daily"), Entry{Site: second, Confirmations: []Confirmation{{2, day0, AnswerServerError, 503, "", true}}})

	third := site
	third.SHA256, third.Rules, third.URLs = "s3", []Rule{{"r2", "*", "disallow: /b", 2}}, nil
	third.Crawlers = []Crawler{{"Googlebot", 1}, {"Bingbot", 3}}
	enter(t, db, testRun(2, "daily"), Entry{Site: third, Settled: true,
		Changes: []compare.Change{{Kind: "rule", What: "disallow: /a", Before: "2", Severity: compare.Medium, Condition: "AL02"}},
		Flips:   []Flips{{"Googlebot", compare.Counts{NewlyBlocked: 1, NewlyAllowed: 2, NowUnclear: 3, ClearAgain: 4}}},
		Notes:   []Note{{"url", "u1", "known", runID(1)}}})

	past, err := db.Past(ctx, "example.com", "daily", "")
	noError(t, err)
	want := &audit.Past{Begins: day0,
		Points: []audit.Point{
			{Started: day0, Answer: "200", Status: 200, SHA256: "s1", Known: 10, Blocked: map[string]int64{"Googlebot": 2, "Bingbot": 0}},
			{Started: day0.AddDate(0, 0, 1), Answer: "5xx", Status: 503, Known: 10, Blocked: map[string]int64{"Googlebot": 2, "Bingbot": 0}},
			{Started: day0.AddDate(0, 0, 2), Answer: "200", Status: 200, SHA256: "s3", Known: 10, Blocked: map[string]int64{"Googlebot": 1, "Bingbot": 3}},
		},
		Rules:   map[string]audit.RulePast{"r2": {First: day0.AddDate(0, 0, 2), Since: day0.AddDate(0, 0, 2)}},
		Blocked: map[audit.BlockedKey]audit.Since{},
		Notes:   map[audit.NoteKey]string{{Kind: "url", ID: "u1"}: "known"}}
	if diff := cmp.Diff(want, past); diff != "" {
		t.Errorf("past (-want +got):\n%s", diff)
	}
	past, err = db.Past(ctx, "example.com", "daily", runID(2)) // as it was known then
	noError(t, err)
	if diff := cmp.Diff(map[audit.BlockedKey]audit.Since{{URLID: "u1", Crawler: "Googlebot"}: {Run: day0, SHA256: "s1", Rule: "disallow: /a", Line: 2}}, past.Blocked); diff != "" || len(past.Points) != 2 {
		t.Errorf("%d points; blocked (-want +got):\n%s", len(past.Points), diff)
	}
	if past, err := db.Past(ctx, "other.com", "daily", ""); err != nil || len(past.Points) != 0 || !past.Begins.IsZero() {
		t.Errorf("past of a site without one: %+v (%v)", past, err)
	}

	runs, err := db.Runs(ctx)
	if err != nil || !cmp.Equal(runs, []Run{testRun(0, "daily"), testRun(1, "daily"), testRun(2, "daily")}) {
		t.Errorf("runs %v (%v)", runs, err)
	}
	last, ok, err := db.LastRun(ctx, "daily")
	if err != nil || !ok || last.ID != runID(2) {
		t.Errorf("last run %v %v (%v)", last, ok, err)
	}
	if _, ok, err := db.LastRun(ctx, ""); ok || err != nil {
		t.Errorf("a schedule without runs has a last one (%v)", err)
	}
	for query, want := range map[string]string{
		"SELECT group_concat(id || ' ' || sites || ' ' || known || ' ' || blocked) FROM run WHERE id = '" + runID(0) + "'": runID(0) + " 1 10 2",
		"SELECT kind || what || before || after || severity || condition || number FROM change":                            "ruledisallow: /a2mediumAL021",
		"SELECT newly_blocked || newly_allowed || now_unclear || clear_again FROM flip_count":                              "1234",
		"SELECT number || asked || answer || status || code || same FROM confirmation":                                     "22026-11-01T06:00:00Z5xx5031",
		"SELECT body FROM robots_version WHERE sha256 = 's1'":                                                              string(body),
		"SELECT millis FROM site_run WHERE run = 1":                                                                        "1000",
	} {
		var got string
		if err := db.read.QueryRowContext(ctx, query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", query, got, err, want)
		}
	}

	// What was entered wrongly is not entered at all.
	before := dump(t, db)
	for name, do := range map[string]func(*Tx) error{
		"a run twice":          func(tx *Tx) error { return tx.AddRun(testRun(1, "daily")) },
		"a site twice":         func(tx *Tx) error { return enterIn(ctx, tx, testRun(3, ""), Entry{Site: site}, Entry{Site: site}) },
		"a site without a run": func(tx *Tx) error { return tx.AddSite(ctx, Entry{Site: site}) },
		"an alert of no run":   func(tx *Tx) error { return tx.SaveAlert(Alert{ID: "x", Site: "example.com", Raised: "none"}) },
	} {
		if err := db.update(ctx, do); err == nil {
			t.Errorf("%s is entered", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, dump(t, db)); diff != "" {
		t.Errorf("a transaction that was given up (-want +got):\n%s", diff)
	}
}

func TestAlerts(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	alert := Alert{ID: "a1", Site: "example.com", Condition: "AL01", Severity: "critical", Base: runID(0), Raised: runID(1), Since: day0, Subjects: []string{"Googlebot"}, URLs: 5, Text: "blocked"}
	enter(t, db, testRun(0, "daily"), Entry{Site: Site{Name: "example.com"}})
	noError(t, db.update(ctx, func(tx *Tx) error {
		return errors.Join(tx.AddRun(testRun(1, "daily")), tx.SaveAlert(alert),
			tx.SaveAlert(Alert{ID: "a0", Site: "a.com", Condition: "AL03", Severity: "critical", Raised: runID(1), Since: day0}))
	}))
	open, err := db.OpenAlerts(ctx)
	if err != nil || len(open) != 2 || !cmp.Equal(open[1], alert) || open[0].ID != "a0" || open[0].Base != "" {
		t.Errorf("open alerts %+v (%v)", open, err)
	}
	if err := db.update(ctx, func(tx *Tx) error {
		return tx.SaveAlert(Alert{ID: "a2", Site: "example.com", Condition: "AL01", Base: alert.Base, Raised: runID(1)})
	}); err == nil {
		t.Error("one condition on one site, compared with one run, is two alerts")
	}
	other := Alert{ID: "a4", Site: "example.com", Condition: "AL01", Raised: runID(1)}
	for range 2 {
		if err := db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(other) }); err != nil {
			t.Errorf("one that is compared with another run: %v", err)
		}
		other.EndedRun, other.Ended = runID(1), day0.AddDate(0, 0, -1)
	}
	for since, want := range map[time.Time]int{day0: 0, day0.AddDate(0, 0, -1): 1} {
		if ended, err := db.EndedSince(ctx, since); err != nil || len(ended) != want {
			t.Errorf("ended since %v: %+v (%v)", since, ended, err)
		}
	}
	until := day0.AddDate(0, 0, 30)
	noError(t, db.Accept(ctx, []string{"a1"}, day0.Add(-time.Hour), "meant"))
	if got, err := db.Alert(ctx, "a1"); err != nil || !got.Accepted.Equal(day0.Add(-time.Hour)) || got.Note != "meant" { // until it is acknowledged
		t.Errorf("accepted: %+v (%v)", got, err)
	}
	if err := db.Acknowledge(ctx, []string{"a1", "nope"}, until, day0, ""); !errors.Is(err, ErrNoAlert) {
		t.Errorf("acknowledged what is not there: %v", err)
	}
	for i, note := range []string{"first", "second"} {
		noError(t, db.Acknowledge(ctx, []string{"a1"}, until.AddDate(0, 0, i), day0.Add(time.Duration(i)*time.Hour), note))
	}
	alert.Severity, alert.EndedRun, alert.Ended, alert.Subjects = "high", runID(1), day0.AddDate(0, 0, 1), []string{"Bingbot", "Googlebot"}
	noError(t, db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(alert) }))
	alert.Acknowledged, alert.Note = until.AddDate(0, 0, 1), "second"
	got, err := db.Alert(ctx, "a1")
	if err != nil || !cmp.Equal(got, alert) {
		t.Errorf("alert %v (%v)", cmp.Diff(alert, got), err)
	}
	if _, err := db.Alert(ctx, "nope"); !errors.Is(err, ErrNoAlert) {
		t.Errorf("alert that is not there: %v", err)
	}
	if open, err := db.OpenAlerts(ctx); err != nil || len(open) != 1 {
		t.Errorf("open alerts %+v (%v)", open, err)
	}
	again := Alert{ID: "a3", Site: "example.com", Condition: "AL01", Raised: runID(1), Since: day0}
	if err := db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(again) }); err != nil {
		t.Errorf("a condition that comes back: %v", err)
	}
}

func TestDeliveries(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	deliver := func(id string, next time.Time) Delivery {
		return Delivery{ID: id, Run: runID(0), Channel: "mail 1", Message: []byte(`{"x":1}`), Entered: day0, Next: next}
	}
	noError(t, db.update(ctx, func(tx *Tx) error {
		return errors.Join(tx.AddRun(testRun(0, "")), tx.SaveDelivery(deliver("d0", day0)),
			tx.SaveDelivery(deliver("d1", day0.Add(time.Minute))), tx.SaveDelivery(deliver("d2", day0.Add(2*time.Minute))))
	}))
	due := func(now time.Time) (ids string) {
		t.Helper()
		all, err := db.DueDeliveries(ctx, now, now.Add(time.Hour))
		noError(t, err)
		for _, d := range all {
			ids += d.ID + " "
		}
		return ids
	}
	for now, want := range map[time.Duration]string{
		-time.Second: "", 0: "d0 ", time.Minute: "d0 d1 ", time.Hour: "d0 d1 d2 ",
		-time.Hour: "d1 d2 ", -24 * time.Hour: "d0 d1 d2 ", // tries set far in the future come from a clock that was ahead
	} {
		if got := due(day0.Add(now)); got != want {
			t.Errorf("due after %v: %q, want %q", now, got, want)
		}
	}
	d0, d1 := deliver("d0", day0), deliver("d1", day0.Add(time.Hour))
	d0.Tries, d0.Accepted = 1, day0.Add(time.Second)
	d1.Tries, d1.Error = 1, "refused"
	for _, d := range []Delivery{d0, d1} {
		noError(t, db.SaveTry(ctx, d))
	}
	if err := db.SaveTry(ctx, Delivery{ID: "none"}); err == nil {
		t.Error("a try of what was never entered is saved")
	}
	if got := due(day0.Add(59 * time.Minute)); got != "d2 " {
		t.Errorf("due %q, want d2", got)
	}
	ever := day0.AddDate(100, 0, 0)
	pending, err := db.DueDeliveries(ctx, ever, ever) // all that wait
	if err != nil || len(pending) != 2 || !cmp.Equal(pending[1], d1) {
		t.Errorf("pending %+v (%v)", pending, err)
	}
	d1.GivenUp = day0.AddDate(0, 0, 1)
	noError(t, db.SaveTry(ctx, d1))
	given, err := db.GivenUp(ctx)
	if err != nil || len(given) != 1 || !cmp.Equal(given[0], d1) {
		t.Errorf("given up %+v (%v)", given, err)
	}
	counts, err := db.DeliveryCounts(ctx)
	if want := []DeliveryCount{{d1.Channel, "accepted", 1}, {d1.Channel, "given up", 1}, {d1.Channel, "waiting", 1}}; err != nil || !cmp.Equal(counts, want) {
		t.Errorf("counts %+v (%v), want %+v", counts, err, want)
	}
	noError(t, db.update(ctx, func(tx *Tx) error { return tx.MarkTold("d1") }))
	if given, err := db.GivenUp(ctx); err != nil || len(given) != 0 {
		t.Errorf("given up, after it was told: %+v (%v)", given, err)
	}
	if got := due(day0.AddDate(1, 0, 0)); got != "d2 " {
		t.Errorf("due %q, want d2 alone", got)
	}
	noError(t, db.MarkPruned(ctx, runID(0)))
	if pending, err := db.DueDeliveries(ctx, ever, ever); err != nil || len(pending) != 1 || string(pending[0].Message) != `{"x":1}` {
		t.Errorf("what is to be sent is kept by retention: %+v (%v)", pending, err)
	}
}
