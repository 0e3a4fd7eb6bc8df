package page

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// TestIndexBeyond: the rows of sites that index.html has no room for are in a file beside it.
func TestIndexBeyond(t *testing.T) {
	dir := t.TempDir()
	p := NewIndex(&disk.Folder{FS: disk.OS{}, Dir: dir, Temp: dir}, nil)
	for i := range inlineSites + 1 {
		if err := p.AddSite(&summary.Site{Line: &summary.Line{Name: fmt.Sprintf("site-%d.example", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	first := p.rows.end()
	beside, err := os.ReadFile(filepath.Join(dir, indexRows, "1.js"))
	if err != nil || p.rows.err != nil {
		t.Fatal(err, p.rows.err)
	}
	var found struct{ Rows [][]any }
	if err := json.Unmarshal(first, &found); err != nil || len(found.Rows) != inlineSites {
		t.Errorf("%d rows in index.html, %v", len(found.Rows), err)
	}
	if text := string(beside); !strings.HasPrefix(text, `robotsAuditRows(1,{"rows":[`+"\n"+`["site-5000.example",`) || strings.Count(text, "site-") != 1 {
		t.Errorf("beside it: %.200s", text)
	}
}
