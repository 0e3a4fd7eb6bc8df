//go:build readers

package reports

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
)

// TestReadersOwnerNotes reads owner notes from a workbook that LibreOffice has opened and saved.
func TestReadersOwnerNotes(t *testing.T) {
	name := filepath.Join(pastRun(t, 40, func(o *Options) { o.RowLimit = 9 }), "example.com.xlsx")
	known := testPast().Notes
	added := audit.NoteKey{Kind: "url", ID: urlID("/search?q=35")} // on a sheet that continues another
	edit(t, name, func(f *excelize.File) error {
		return setBeside(t, f, "All URLs 5", added.ID, "=1+1 ünïcödé 漢字 <&>")
	})
	want, err := OwnerNotes(filepath.Dir(name), filepath.Base(name), known)
	if err != nil || len(want) != len(known)+1 {
		t.Fatalf("%d notes, %v", len(want), err)
	}
	dir := t.TempDir()
	cmd := exec.Command("soffice", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", dir, name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	saved := filepath.Join(dir, "example.com.xlsx")
	if got, err := OwnerNotes(filepath.Dir(saved), filepath.Base(saved), known); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, (-want +got)\n%s", err, cmp.Diff(want, got))
	}
	for _, at := range []struct{ row, shown string }{{"/search?q=0", "≤ 2026-03-01 05:00:00"}, {"/a/1", "2026-03-04 05:06:07"}} {
		if shown, raw := cellBeside(t, saved, "Blocked", "url_id", urlID(at.row), "First seen blocked"); shown != at.shown || len(raw) < 8 || raw[:3] != "460" {
			t.Errorf("%s: %q (%s), want %q", at.row, shown, raw, at.shown)
		}
	}
}
