package book

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// cellCache has cells that many rows of a workbook share, so that each is made only once.
type cellCache struct {
	verdicts      []xlsx.Cell // by verdict
	joined        joinedCells
	joinedCount   int             // number of entries below joined
	last          []lastJoined    // by the first crawler of a row
	directory     *site.Directory // the last one
	directoryCell xlsx.Cell
	disagreements map[*site.Disagreement]*disagreementCells
}

// maxRemembered bounds the cells of details, and those of disagreements, in memory.
const maxRemembered = 4096

// verdicts are all verdicts, in the order of their numbers.
var verdicts = [...]engine.Verdict{engine.Unknown, engine.Allow, engine.Disallow, engine.Undefined}

// verdictName returns the cell of a verdict.
func (b *Site) verdictName(v engine.Verdict) xlsx.Cell {
	if b.cells.verdicts == nil {
		for _, v := range verdicts {
			b.cells.verdicts = append(b.cells.verdicts, b.Strings.Cell(v.Word()))
		}
	}
	return b.cells.verdicts[min(int(v), len(verdicts)-1)]
}

// verdictNameOf returns the cell of the verdict of the i-th crawler on a URL.
func (b *Site) verdictNameOf(u *site.URL, i int) xlsx.Cell {
	if i >= len(u.Verdicts) {
		return xlsx.Cell{}
	}
	return b.verdictName(u.Verdicts[i])
}

// directory returns the cell of a page's directory; blank if the URL is no page.
func (b *Site) directory(u *site.URL) xlsx.Cell {
	switch {
	case !u.Page:
		return xlsx.Cell{}
	case u.Directory == nil || u.Directory.Others: // nil: the records are read again
		return xlsx.Text(audit.TopDirectory(u.Loc))
	case u.Directory != b.cells.directory:
		b.cells.directory, b.cells.directoryCell = u.Directory, b.Strings.Cell(u.Directory.Name)
	}
	return b.cells.directoryCell
}

// lastModified is the lastmod of a sitemap: a date, a time in UTC, or the original text if it is
// neither.
func lastModified(s string) xlsx.Cell {
	if s == "" {
		return xlsx.Cell{}
	}
	if day, seconds, clock, ok := site.LastModDay(s); ok && day+xlsx.UnixDay >= firstSerial {
		if !clock {
			return xlsx.Day(day + xlsx.UnixDay)
		}
		return xlsx.Seconds((day+xlsx.UnixDay)*86400 + int64(seconds))
	}
	return xlsx.Text(s)
}

// firstSerial is 1901-01-01: spreadsheets disagree on earlier days.
const firstSerial = 367

// clicks and impressions are the numbers from the user's own list, including 0. They are empty if
// the list has none for the URL.
func clicks(u *site.URL) xlsx.Cell {
	if !u.HasClicks() {
		return xlsx.Cell{}
	}
	return xlsx.Number(u.Clicks)
}

// hitsOf are the requests of the i-th crawler; empty for none, because few crawlers request each URL.
func hitsOf(u *site.URL, i int) xlsx.Cell { return xlsx.NumberOrBlank(u.HitsOf(i)) }

func impressions(u *site.URL) xlsx.Cell {
	if !u.HasImpressions() {
		return xlsx.Cell{}
	}
	return xlsx.Number(u.Impressions)
}

// count is a counted number; measured = there was something to count.
func count(n int64, measured bool) xlsx.Cell {
	if !measured {
		return unmeasured
	}
	return xlsx.Number(n)
}

// unmeasured replaces a number if there was nothing to count.
var unmeasured = xlsx.TopAligned(site.Unmeasured)

// status is the status code of a response.
func status(n int) xlsx.Cell {
	if n == 0 {
		return unmeasured // there was no response
	}
	return xlsx.Identifier(n)
}

// figureValue is the cell of a key figure, which is never empty.
func figureValue(v site.Value) xlsx.Cell {
	if v.Kind == site.NoValue {
		return xlsx.TopAligned(site.Unmeasured)
	}
	return value(v)
}

// value is the cell of a value of a key figure.
func value(v site.Value) xlsx.Cell {
	switch v.Kind {
	case site.NumberValue:
		return xlsx.Cell{Kind: xlsx.KindNumber, Style: xlsx.StyleInt, Number: v.Num}
	case site.ShareValue:
		return xlsx.Cell{Kind: xlsx.KindNumber, Style: xlsx.StylePercent, Number: v.Num}
	}
	return xlsx.TopAligned(v.String())
}
