package book

import (
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// verdictCells are all cells of a row on a verdict except the URL, for the crawlers with the same
// deciding line.
type verdictCells struct {
	crawlers, profile, verdict, rule, line, group, why xlsx.Cell
	runnerUp, runnerUpLine, margin, without            xlsx.Cell
}

// writeVerdicts writes the rows of a URL: one for each line with one of the wanted verdicts,
// however many crawlers it decides for.
func writeVerdicts(s *sheet[verdictRow], row *urlRow, wanted func(engine.Verdict) bool) {
	b, u := s.workbook, row.url
	verdicts := u.Verdicts[:min(len(u.Verdicts), len(b.site.Crawlers))]
	for i, v := range verdicts {
		if !wanted(v) || alikeFrom(u, 0, i) < i {
			continue
		}
		details := append(b.details[:0], b.site.VerdictDetails(u, i))
		for j := alikeFrom(u, i+1, i); j < len(verdicts); j = alikeFrom(u, j+1, i) {
			details = append(details, b.site.VerdictDetails(u, j))
		}
		b.details = details
		if row.url.Page {
			b.setPattern(row)
		}
		b.verdictRow = verdictRow{row, b.verdictCells(i), b.pastOfVerdict(row, i)}
		s.write(&b.verdictRow)
	}
}

// alikeFrom returns the first crawler, from index from on, that has the i-th crawler's verdict by
// the same line; the number of verdicts = none.
func alikeFrom(u *site.URL, from, i int) int {
	for ; from < len(u.Verdicts); from++ {
		if u.Verdicts[from] == u.Verdicts[i] && lineOf(u, from) == lineOf(u, i) {
			return from
		}
	}
	return from
}

// lineOf is the deciding line for a crawler; 0 = none.
func lineOf(u *site.URL, i int) int32 {
	if i >= len(u.Lines) {
		return 0
	}
	return u.Lines[i]
}

// joinedCells is a tree of cells by the details of a row's crawlers, one level for each crawler.
type joinedCells struct {
	cells *verdictCells // nil = no row has had these crawlers
	with  map[*site.VerdictDetails]*joinedCells
}

// lastJoined has the details and the cells of the last row with a first crawler.
type lastJoined struct {
	details []*site.VerdictDetails
	cells   *verdictCells
}

// verdictCells returns the cells of the row that b.details describes; its first crawler is the
// i-th.
func (b *Site) verdictCells(i int) *verdictCells {
	c := &b.cells
	if c.last == nil {
		c.last = make([]lastJoined, len(b.site.Crawlers))
	}
	last := &c.last[i]
	if slices.Equal(last.details, b.details) {
		return last.cells
	}
	if c.joinedCount+len(b.details) > maxRemembered {
		c.joined, c.joinedCount = joinedCells{}, 0
	}
	at := &c.joined
	for _, d := range b.details {
		next := at.with[d]
		if next == nil {
			if at.with == nil {
				at.with = map[*site.VerdictDetails]*joinedCells{}
			}
			next = new(joinedCells)
			at.with[d] = next
			c.joinedCount++
		}
		at = next
	}
	if at.cells == nil {
		at.cells = b.newVerdictCells(b.details)
	}
	last.details, last.cells = append(last.details[:0], b.details...), at.cells
	return at.cells
}

// newVerdictCells makes the cells of a row of crawlers. They share its line and verdict, and
// usually the other values.
func (b *Site) newVerdictCells(list []*site.VerdictDetails) *verdictCells {
	var crawlers, profiles []string
	for _, d := range list {
		crawlers = append(crawlers, d.Crawler)
		if !slices.Contains(profiles, d.Profile) {
			profiles = append(profiles, d.Profile)
		}
	}
	text := func(of func(*site.VerdictDetails) string) xlsx.Cell { return b.Strings.Cell(joinValues(list, of)) }
	number := func(of func(*site.VerdictDetails) int) xlsx.Cell {
		said := joinValues(list, func(d *site.VerdictDetails) string {
			if d.RunnerUpLine == 0 {
				return ""
			}
			return strconv.Itoa(of(d))
		})
		if n, err := strconv.Atoi(said); err == nil {
			return xlsx.Identifier(n)
		}
		return b.Strings.Cell(said)
	}
	return &verdictCells{
		crawlers: b.Strings.Cell(strings.Join(crawlers, ", ")), profile: b.Strings.Cell(strings.Join(profiles, ", ")),
		verdict: b.verdictName(list[0].Verdict), line: xlsx.Identifier(list[0].Line),
		rule:         text(func(d *site.VerdictDetails) string { return d.Rule }),
		group:        text(func(d *site.VerdictDetails) string { return d.Group }),
		why:          text(func(d *site.VerdictDetails) string { return d.Why }),
		without:      text(func(d *site.VerdictDetails) string { return d.Without }),
		runnerUp:     text(func(d *site.VerdictDetails) string { return d.RunnerUp }),
		runnerUpLine: number(func(d *site.VerdictDetails) int { return d.RunnerUpLine }),
		margin:       number(func(d *site.VerdictDetails) int { return d.Margin }),
	}
}

// joinValues joins the values for all crawlers of a row. If they differ, each value is followed by
// its crawlers: "allow by line 3 (Googlebot, Bingbot); none (YandexBot)".
func joinValues(list []*site.VerdictDetails, of func(*site.VerdictDetails) string) string {
	var values []string
	crawlers := map[string][]string{}
	for _, d := range list {
		value := of(d)
		if crawlers[value] == nil {
			values = append(values, value)
		}
		crawlers[value] = append(crawlers[value], d.Crawler)
	}
	if len(values) == 1 {
		return values[0]
	}
	for i, value := range values {
		who := crawlers[value]
		if value == "" {
			value = "none"
		}
		values[i] = value + " (" + strings.Join(who, ", ") + ")"
	}
	return strings.Join(values, "; ")
}
