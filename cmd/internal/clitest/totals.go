package clitest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Totals reads a run's summary.json: its totals, and every site once.
func Totals(t *testing.T, out string) (sum struct{ Sites, URLs, Blocked int }, names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Totals struct {
			Sites, URLs int
			Blocked     int `json:"blocked_urls"`
		}
		Sites []struct{ Domain string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, site := range s.Sites {
		names = append(names, site.Domain)
	}
	return struct{ Sites, URLs, Blocked int }{s.Totals.Sites, s.Totals.URLs, s.Totals.Blocked}, names
}

// Clocks matches the values in which two runs over the same sites differ.
var Clocks = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"|"(millis|id|checksum|out)": ?("[^"]*"|[0-9.e-]+)`)
