package reports

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"
)

// Every row and cell of every sheet has its reference, in order, and the dimension covers the
// cells: some readers use nothing else.
func TestReferences(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	o.RowLimit, o.Rows = 9, "all"
	dir := writeRun(t, o, siteRecords("example.com", 0, 45), shutRecords("example.org", 1), siteRecords("example.net", 2, 0))
	for _, name := range []string{"example.com", "example.org", "example.net", "summary"} {
		name := filepath.Join(dir, name+".xlsx")
		f := openBook(t, name)
		for i, sheet := range f.GetSheetList() {
			var part struct {
				Dimension struct {
					Ref string `xml:"ref,attr"`
				} `xml:"dimension"`
				Rows []struct {
					R     int `xml:"r,attr"`
					Cells []struct {
						R string `xml:"r,attr"`
					} `xml:"c"`
				} `xml:"sheetData>row"`
			}
			noError(t, xml.Unmarshal([]byte(zipPart(t, name, fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))), &part))
			lastColumn, lastRow := 0, 0
			for _, row := range part.Rows {
				if row.R <= lastRow {
					t.Errorf("%s: row %d after row %d", sheet, row.R, lastRow)
				}
				lastRow = row.R
				before := 0
				for _, c := range row.Cells {
					x, y, err := excelize.CellNameToCoordinates(c.R)
					if err != nil || y != row.R || x <= before {
						t.Errorf("%s: cell %q in row %d after column %d", sheet, c.R, row.R, before)
					}
					before = x
				}
				lastColumn = max(lastColumn, before)
			}
			corner, err := excelize.CoordinatesToCellName(lastColumn, lastRow)
			if want := "A1:" + corner; err != nil || part.Dimension.Ref != want {
				t.Errorf("%s of %s: dimension %q, want %q", sheet, filepath.Base(name), part.Dimension.Ref, want)
			}
		}
	}
}
