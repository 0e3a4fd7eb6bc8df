package history

import (
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
	noError(t, db.Acknowledge(ctx, "6", day0.AddDate(1, 0, 0), day0, "first"))
	noError(t, db.Acknowledge(ctx, "6", day0.AddDate(1, 0, 0), day0.AddDate(0, 0, 1), "known"))
	noError(t, db.Accept(ctx, "7", day0, "meant"))
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
