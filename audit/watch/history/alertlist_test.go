package history

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Open alerts come first, most severe first; then those that ended, latest end first.
func TestAlertList(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	for n := range 6 {
		enter(t, db, testRun(n, "daily"), Entry{Site: Site{Name: "a.com"}}, Entry{Site: Site{Name: "b.com"}})
	}
	save := func(id, site, condition, severity string, raised, ended int) {
		t.Helper()
		a := Alert{ID: id, Site: site, Condition: condition, Severity: severity, Raised: runID(raised), Since: testRun(raised, "").Started}
		if id == "2" {
			a.URLs = 7
		}
		if ended > 0 {
			a.EndedRun, a.Ended = runID(ended), testRun(ended, "").Started
		}
		noError(t, db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(a) }))
	}
	save("1", "b.com", "AL01", "info", 1, 0)
	save("2", "b.com", "AL02", "critical", 3, 0)
	save("3", "a.com", "AL02", "critical", 3, 0)
	save("4", "a.com", "AL03", "critical", 2, 0)
	save("5", "a.com", "AL01", "medium", 0, 0)
	save("6", "a.com", "AL04", "high", 4, 0)
	save("7", "a.com", "AL01", "critical", 0, 1)
	save("8", "b.com", "AL02", "info", 0, 2)
	save("9", "a.com", "AL05", "info", 1, 2)
	noError(t, db.Acknowledge(ctx, []string{"6"}, day0.AddDate(1, 0, 0), day0, "first"))
	noError(t, db.Acknowledge(ctx, []string{"6"}, day0.AddDate(1, 0, 0), day0.AddDate(0, 0, 1), "known"))
	noError(t, db.Accept(ctx, []string{"7"}, day0, "meant"))
	noError(t, db.Decide(ctx, []string{"4"}, day0, Decision{Accept: true, Owner: "Bob"}))
	noError(t, db.Decide(ctx, []string{"1", "2", "3", "7"}, day0, Decision{Assign: true, Owner: "Ann"}))
	noError(t, db.Decide(ctx, []string{"3"}, day0, Decision{Assign: true}))
	noError(t, db.Decide(ctx, []string{"2"}, day0, Decision{Until: day0.AddDate(0, 0, 3), Note: "x"})) // the owner stays
	now := day0.AddDate(0, 0, 2)
	for _, c := range []struct {
		filter AlertFilter
		want   string
	}{
		{AlertFilter{Limit: 100}, "2 4 3 6 5 1 8 9 7"},
		{AlertFilter{Limit: 7}, "2 4 3 6 5 1 8"},
		{AlertFilter{Limit: 2}, "2 4"},
		{AlertFilter{Open: true, Limit: 100}, "2 4 3 6 5 1"},
		{AlertFilter{Site: "a.com", Limit: 100}, "4 3 6 5 9 7"},
		{AlertFilter{Site: "b.com", Open: true, Limit: 100}, "2 1"},
		{AlertFilter{Site: "b.com", Open: true, Limit: 1}, "2"},
		{AlertFilter{Site: "c.com", Limit: 100}, ""},
		{AlertFilter{Site: "a.com", Raised: runID(3), Limit: 100}, "3"},
		{AlertFilter{Raised: runID(3), Open: true, Limit: 100}, "2 3"},
		{AlertFilter{Raised: runID(1), Limit: 100}, "1 9"},
		{AlertFilter{Raised: "none", Limit: 100}, ""},
		{AlertFilter{Least: "critical", Limit: 100}, "2 4 3 7"},
		{AlertFilter{Least: "high", Site: "a.com", Limit: 100}, "4 3 6 7"},
		{AlertFilter{Least: "info", Limit: 100}, "2 4 3 6 5 1 8 9 7"},
		{AlertFilter{After: testRun(3, "").Started, Limit: 100}, "2 3 6"},
		{AlertFilter{Before: testRun(2, "").Started, Limit: 100}, "5 1 8 9 7"},
		{AlertFilter{After: testRun(2, "").Started, Before: testRun(4, "").Started, Least: "high", Open: true, Limit: 100}, "2 4 3"},
		{AlertFilter{Condition: "AL01", Limit: 100}, "5 1 7"},
		{AlertFilter{Owner: "Ann", Limit: 100}, "2 1 7"},
		{AlertFilter{Owner: "Bob", Open: true, Limit: 100}, "4"},
		{AlertFilter{Owner: "ann", Limit: 100}, ""},
		{AlertFilter{Unowned: true, Limit: 100}, "3 6 5 8 9"},
		{AlertFilter{State: Unanswered, Now: now, Limit: 100}, "3 5 1"},
		{AlertFilter{State: Acknowledged, Now: now, Limit: 100}, "2 6"},
		{AlertFilter{State: Acknowledged, Now: day0.AddDate(0, 0, 3), Limit: 100}, "6"},
		{AlertFilter{State: Unanswered, Now: day0.AddDate(0, 0, 3), Limit: 100}, "2 3 5 1"},
		{AlertFilter{State: Accepted, Now: now, Limit: 100}, "4"},
		{AlertFilter{State: Resolved, Now: now, Limit: 100}, "8 9 7"},
		{AlertFilter{State: Unanswered, Now: now, Owner: "Ann", Condition: "AL01", Limit: 100}, "1"},
		{AlertFilter{Schedule: "daily", Condition: "AL03", Limit: 100}, "4"},
		{AlertFilter{Schedule: "other", Limit: 100}, ""},
		{AlertFilter{}, ""},
		{AlertFilter{Limit: -1}, ""},
	} {
		alerts, err := db.Alerts(ctx, c.filter)
		noError(t, err)
		var ids []string
		for _, a := range alerts {
			ids = append(ids, a.ID)
			one, err := db.Alert(ctx, a.ID)
			noError(t, err)
			if fmt.Sprint(one) != fmt.Sprint(a) {
				t.Errorf("%+v: %+v, and alone %+v", c.filter, a, one)
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.filter, got, c.want)
		}
	}
}

// A file that no program with owners has opened for writing has no owners, and can be read. Then it gets the table,
// and keeps the version that earlier programs read.
func TestOwnersOfEarlierFile(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, "daily"), Entry{Site: Site{Name: "a.com"}})
	noError(t, db.update(ctx, func(tx *Tx) error {
		if err := tx.SaveAlert(Alert{ID: "1", Site: "a.com", Condition: "AL01", Severity: "high", Raised: runID(0), Since: day0}); err != nil {
			return err
		}
		return tx.do("DROP VIEW alerts")
	}))
	_, err := db.write.Exec("DROP TABLE alert_owner")
	noError(t, err)
	noError(t, db.Close())
	reader, err := OpenReader(ctx, dir)
	noError(t, err)
	defer reader.Close()
	of := func(f AlertFilter) string {
		t.Helper()
		f.Limit = 10
		list, err := reader.Alerts(ctx, f)
		noError(t, err)
		owners, err := reader.AlertOwners(ctx, 10)
		noError(t, err)
		one, err := reader.Alert(ctx, "1")
		noError(t, err)
		return fmt.Sprint(len(list), owners, one.Owner)
	}
	if got := of(AlertFilter{Unowned: true}) + of(AlertFilter{Owner: "Ann"}); got != "1 []0 []" {
		t.Errorf("without the table: %s", got)
	}
	beside, err := OpenBeside(ctx, dir)
	noError(t, err)
	noError(t, beside.Decide(ctx, []string{"1"}, day0, Decision{Assign: true, Owner: "Ann"}))
	noError(t, beside.Close())
	if got := of(AlertFilter{Unowned: true}) + of(AlertFilter{Owner: "Ann"}); got != "0 [Ann]Ann1 [Ann]Ann" {
		t.Errorf("with the table: %s", got)
	}
	var version int
	if err := reader.read.QueryRow("SELECT user_version FROM pragma_user_version").Scan(&version); err != nil || version != 1 {
		t.Errorf("version %d (%v)", version, err)
	}
}

// What belongs to a severe alert is listed with it: the open ones of a change, or those that one run ended.
func TestAlertsOfAChange(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	for n := range 3 {
		enter(t, db, testRun(n, "daily"), Entry{Site: Site{Name: "a.com"}}, Entry{Site: Site{Name: "b.com"}})
	}
	save := func(id, site, severity string, ended int) {
		t.Helper()
		a := Alert{ID: id, Site: site, Condition: "AL" + id, Severity: severity, Raised: runID(1), Since: day0}
		if ended > 0 {
			a.EndedRun, a.Ended = runID(ended), testRun(ended, "").Started
		}
		noError(t, db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(a) }))
	}
	save("1", "a.com", "critical", 0)
	save("2", "a.com", "info", 0)
	save("3", "a.com", "medium", 2)
	save("4", "b.com", "info", 0)
	save("5", "b.com", "critical", 2)
	save("6", "b.com", "info", 2)
	alerts, err := db.Alerts(ctx, AlertFilter{Least: "critical", Limit: 100})
	noError(t, err)
	var ids []string
	for _, a := range alerts {
		ids = append(ids, a.ID)
	}
	if got := strings.Join(ids, " "); got != "1 2 5 6" {
		t.Errorf("with a critical one: %s", got)
	}
	if sites, err := db.AlertSites(ctx, 10); err != nil || fmt.Sprint(sites) != "[a.com b.com]" {
		t.Errorf("sites %v (%v)", sites, err)
	}
	if conditions, err := db.AlertConditions(ctx); err != nil || fmt.Sprint(conditions) != "[AL1 AL2 AL4]" {
		t.Errorf("conditions %v (%v)", conditions, err)
	}
	if sites, err := db.AlertSites(ctx, 1); err != nil || fmt.Sprint(sites) != "[a.com]" {
		t.Errorf("one site: %v (%v)", sites, err)
	}

	// An answer to several alerts is one to all of them, or to none.
	if err := db.Accept(ctx, []string{"1", "2", "nope"}, day0, "all"); !errors.Is(err, ErrNoAlert) {
		t.Errorf("accepted an alert that is not there: %v", err)
	}
	if a, err := db.Alert(ctx, "1"); err != nil || !a.Accepted.IsZero() {
		t.Errorf("one of two was accepted: %+v (%v)", a, err)
	}
	noError(t, db.Acknowledge(ctx, []string{"1", "2"}, day0.AddDate(0, 0, 7), day0, "both"))
	for id, note := range map[string]string{"1": "both", "2": "both", "4": ""} {
		if a, err := db.Alert(ctx, id); err != nil || a.Note != note || a.Acknowledged.IsZero() == (note != "") || !a.Accepted.IsZero() {
			t.Errorf("alert %s: %+v (%v)", id, a, err)
		}
	}
}

// An alert has an edit if its site's robots.txt was another one in its base run, and both texts are there.
func TestEdits(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	served := func(sum, body string) Entry {
		e := Entry{Site: Site{Name: "a.com", Answer: AnswerOK, SHA256: sum, Bytes: 4}, Settled: true}
		if body != "" {
			e.Site.Body = []byte(body)
		}
		return e
	}
	enter(t, db, testRun(0, "daily"), served("s0", "text"))
	enter(t, db, testRun(1, "daily"), served("s1", "next"))
	enter(t, db, testRun(2, "daily"), served("s2", ""))
	enter(t, db, testRun(3, "daily"), Entry{Site: Site{Name: "a.com", Answer: AnswerMissing, Status: 404}, Settled: true})
	enter(t, db, testRun(4, "daily"), served("s1", "next"))
	for i, c := range []struct {
		base, raised string
		ended        bool
	}{
		{runID(0), runID(1), false}, // an edit
		{runID(1), runID(0), false}, // the way back
		{runID(1), runID(2), false}, // its text was not kept
		{runID(1), runID(3), false}, // there is no file
		{runID(1), runID(4), false}, // it is the same
		{"", runID(1), false},       // there was nothing before
		{runID(0), runID(1), true},  // it is resolved
	} {
		a := Alert{ID: fmt.Sprint(i), Site: "a.com", Condition: fmt.Sprintf("AL%02d", i), Severity: "high", Base: c.base, Raised: c.raised, Since: day0}
		if c.ended {
			a.EndedRun, a.Ended = runID(4), day0
		}
		noError(t, db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(a) }))
	}
	edits, err := db.Edits(ctx)
	if err != nil || fmt.Sprint(edits) != "map[0:{s0 s1} 1:{s1 s0}]" {
		t.Errorf("edits %v (%v)", edits, err)
	}
}
