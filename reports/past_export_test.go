package reports

import (
	"strings"
	"testing"
)

// TestPastExports compares the dates and notes of the exports, in all formats, with the sheet
// Blocked: there, a date at the beginning of the history has ≤ before it. A site without history
// has none of them.
func TestPastExports(t *testing.T) {
	t.Parallel()
	dir := pastRun(t, 10, func(o *Options) { o.Formats = allFormats })
	sheets := map[string]map[string]string{} // of the sheet Blocked, by id and crawler
	for _, row := range perCrawler(t, shownRows(t, openBook(t, dir, "example.com.xlsx"), "Blocked")) {
		sheets[row["url_id"]+row["Crawler"]] = row
	}
	dates, notes := map[bool]int{}, 0 // dates, by whether they are the beginning of the history
	for _, row := range exported(t, dir, "example.com", false) {
		if row.HistoryBegins == nil || row.HistoryBegins.String() != "2026-03-01T05:00:00Z" {
			t.Fatalf("%s: the history begins at %v", row.URL, row.HistoryBegins)
		}
		if row.Verdict != "disallow" {
			if row.FirstBlocked != nil {
				t.Errorf("%s is not blocked for %s, and first seen so at %v", row.URL, row.Crawler, row.FirstBlocked)
			}
			continue
		}
		sheet := sheets[row.URLID+row.Crawler]
		for title, date := range map[string]string{"First seen blocked": told(row.FirstBlocked), "Last changed": told(row.LastChanged)} {
			want := sheet[title]
			bare, early := strings.CutPrefix(want, "≤ ")
			if got := strings.NewReplacer("T", " ", "Z", "").Replace(date); got != bare || early != (date == row.HistoryBegins.String()) {
				t.Errorf("%s: %s is %q, the sheet says %q", row.URL, title, got, want)
			}
			if want != "" {
				dates[early]++
			}
		}
		if note := told(row.OwnerNote); note != sheet["Owner note"] {
			t.Errorf("%s: the note is %q, the sheet says %q", row.URL, note, sheet["Owner note"])
		} else if note != "" {
			notes++
		}
	}
	if dates[true] == 0 || dates[false] == 0 || notes == 0 {
		t.Errorf("nothing was compared: %v, %d notes", dates, notes)
	}
	for _, row := range exported(t, dir, "example.org", false) {
		if row.FirstBlocked != nil || row.LastChanged != nil || row.OwnerNote != nil || row.HistoryBegins != nil {
			t.Errorf("%s has a past", row.URL)
		}
	}
}
