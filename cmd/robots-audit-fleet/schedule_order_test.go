package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	desk "robots-audit/reports/serve"
)

// TestScheduleOrder: index, summary.json, message and dashboard of a run have the sites in one
// order. Alerts are ordered by severity first.
func TestScheduleOrder(t *testing.T) {
	w := newEdited(t)
	w.once(t)
	for _, tw := range twists {
		w.wears(strings.ToLower(tw.condition)+".example.com", tw.face)
	}
	w.now = w.now.Add(time.Hour)
	w.once(t)
	ids := w.entered(t)
	folder := filepath.Join(w.dir, "history", "runs", ids[len(ids)-1])
	var summary struct {
		Sites []struct{ Domain, State string }
	}
	text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, s := range summary.Sites {
		order = append(order, s.Domain)
	}
	if len(order) != len(twists) || slices.IsSorted(order) {
		t.Fatalf("the sites are in the order of the list: %q", order)
	}

	d, err := desk.New(desk.Options{History: filepath.Join(w.dir, "history"), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	get := func(path, accept string) string {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		r.Header.Set("Accept", accept)
		rw := httptest.NewRecorder()
		d.ServeHTTP(rw, r)
		if rw.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, rw.Code, rw.Body)
		}
		return rw.Body.String()
	}
	index, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^,?\["([a-z0-9]+\.example\.com)",`) // of the table of sites
	for name, page := range map[string]string{"index.html": string(index), "the dashboard": get("/runs/"+filepath.Base(folder)+"/report/index.html", "text/html")} {
		var sites []string
		for _, m := range row.FindAllStringSubmatch(page, -1) {
			sites = append(sites, m[1])
		}
		if !slices.Equal(sites, order) {
			t.Errorf("%s has the order %q, summary.json %q", name, sites, order)
		}
	}

	events, _ := w.told(t)
	if len(events) < len(twists) {
		t.Fatalf("%d events", len(events))
	}
	place := func(e alert.Event) [2]int {
		return [2]int{slices.Index(alert.Severities, e.Severity), slices.Index(order, e.Site)}
	}
	if !slices.IsSortedFunc(events, func(a, b alert.Event) int { p, q := place(a), place(b); return slices.Compare(p[:], q[:]) }) {
		t.Errorf("the message has another order: %+v", events)
	}

	var alerts struct {
		Open []struct {
			Severity compare.Severity
			URLs     int64
		}
	}
	if err := json.Unmarshal([]byte(get("/alerts", "application/json")), &alerts); err != nil || len(alerts.Open) < len(twists) {
		t.Fatalf("%v: %+v", err, alerts)
	}
	for i, a := range alerts.Open[1:] {
		before := alerts.Open[i]
		if p, q := slices.Index(alert.Severities, before.Severity), slices.Index(alert.Severities, a.Severity); p > q || p == q && before.URLs < a.URLs {
			t.Errorf("the dashboard lists %+v before %+v", before, a)
		}
	}
}
