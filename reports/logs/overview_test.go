package logs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit"
)

// TestOverview writes an overview of more sites than its page shows, one of which cannot be read. What was read is not
// known.
func TestOverview(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	sites := func(yield func(audit.Logs, error) bool) {
		for i := range overviewRows + 3 {
			name := fmt.Sprintf("site%d.example", i)
			of, err := audit.Logs{Site: name, From: at(1, 0), To: at(26, 23), Judged: audit.LogHistory}, error(nil)
			switch i {
			case 1:
				of = shop(name, hostile)
			case 2:
				err = errors.New("damaged")
			}
			if !yield(of, err) {
				return
			}
		}
	}
	if err := Overview(dir, Head{Version: "test", Made: at(27, 0)}, func(site string) string { return "../" + site }, sites); err != nil {
		t.Fatal(err)
	}
	page := string(read(t, dir, pageName))
	if n := strings.Count(page, `<a href="../site`); n != overviewRows {
		t.Errorf("%d links to sites", n)
	}
	for _, want := range []string{`<a href="../site1.example">`, "2 more sites are in", "The records of 1 site could not be read: site2.example.", "1 Nov 2026 to 26 Nov 2026", "13,255 requests of crawlers for 1,002 sites."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	for _, not := range []string{"What was read", "Log files", "Requests in the name of crawlers", bookName, "0001", "alert(1)"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	var got struct {
		Head  map[string]any
		Sites []audit.Logs
	}
	if err := json.Unmarshal(read(t, dir, jsonName), &got); err != nil || len(got.Sites) != overviewRows+2 || len(got.Head) != 2 {
		t.Errorf("%d sites, head %v, %v", len(got.Sites), got.Head, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestUnknownInput writes the page of a site without saying which files were read.
func TestUnknownInput(t *testing.T) {
	dir, s := write(t, Head{Version: "test"}, shop("shop.example", ""))
	page := pageText(t, read(t, dir, pageName)) + strings.Join(s.Lines(), "\n") + cells(t, filepath.Join(dir, bookName))
	for _, not := range []string{"What was read", "Log files", "0 lines", "0 files", "visitors"} {
		if strings.Contains(page, not) {
			t.Errorf("%q", not)
		}
	}
	if !strings.Contains(page, "1 Nov 2026 to 26 Nov 2026") {
		t.Error("the period is missing")
	}
}
