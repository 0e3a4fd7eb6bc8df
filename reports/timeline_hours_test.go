package reports

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

// TestTimelineHours: if several runs are on one day, the axes of page and workbook have the hour;
// otherwise only the day.
func TestTimelineHours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		every      time.Duration
		runs       int
		format     string // of the workbook's axis
		first, mid string // dates of the page's
	}{
		{24 * time.Hour, 12, "d mmm yyyy", "20 Feb", "23 Feb"},
		{23 * time.Hour, 4, "d mmm yyyy", "28 Feb", ""}, // clocks have changed
		{6 * time.Hour, 12, "d mmm yyyy hh:mm", "1 Mar 05:06", "1 Mar 23:06"},
		{time.Minute, 8, "d mmm yyyy hh:mm", "4 Mar 04:58", "4 Mar 05:00"},
	} {
		dir := t.TempDir()
		o := testOptions(dir)
		past := &audit.Past{}
		for i := c.runs; i > 0; i-- {
			past.Points = append(past.Points, audit.Point{Started: start.Add(-time.Duration(i) * c.every), Answer: "200", Status: 200, SHA256: sumOf(testRobots), Known: 10, Blocked: map[string]int64{"Googlebot": 2}})
		}
		past.Begins = past.Points[0].Started
		o.Past = func(string) (*audit.Past, error) { return past, nil }
		writeRun(t, o, siteRecords("example.com", 0, 10))
		var dates []string
		for _, label := range regexp.MustCompile(`<text[^>]* text-anchor="(?:start|middle|end)">(\d[^<]*[a-z:][^<]*)</text>`).FindAllStringSubmatch(readText(t, dir, "pages/example.com.html"), -1) {
			dates = append(dates, label[1])
		}
		if len(dates) == 0 || dates[0] != c.first || c.mid != "" && dates[1] != c.mid || len(slices.Compact(slices.Clone(dates))) != len(dates) {
			t.Errorf("every %v: the page has %q, want %q, %q …", c.every, dates, c.first, c.mid)
		}
		if format := axisFormat(t, filepath.Join(dir, "example.com.xlsx")); format != c.format {
			t.Errorf("every %v: the workbook's axis has the format %q, want %q", c.every, format, c.format)
		}
	}
}

// axisFormat is the format of the times below the line chart of a workbook.
func axisFormat(t *testing.T, name string) string {
	for n := 1; ; n++ {
		text := zipPart(t, name, fmt.Sprintf("xl/charts/chart%d.xml", n))
		_, axis, _ := strings.Cut(text, "catAx>")
		if format := regexp.MustCompile(`numFmt formatCode="([^"]*)"`).FindStringSubmatch(axis); format != nil && strings.Contains(text, "lineChart>") {
			return format[1]
		}
	}
}
