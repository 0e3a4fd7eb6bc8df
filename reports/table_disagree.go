package reports

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/xlsx"
)

// disagreementRow is a page on which the crawlers' verdicts differ.
type disagreementRow struct {
	url *audit.URL
	*disagreement
	verdicts              []xlsx.Cell // by verdict
	source, directory, id xlsx.Cell
}

// disagreement is all that rows say but the URL: the same for all URLs on which
// the same lines decide for the same crawlers.
type disagreement struct {
	class, words xlsx.Cell
	rules        []xlsx.Cell // the deciding rule for each crawler
}

func disagreementTable(crawlers []audit.Crawler) *xlsx.Table[disagreementRow] {
	columns := []xlsx.Column[disagreementRow]{
		{Title: "URL", Width: 72, Value: func(r *disagreementRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "Cause", Width: 18, Value: func(r *disagreementRow) xlsx.Cell { return r.class }},
		{Title: "In words", Width: 100, Value: func(r *disagreementRow) xlsx.Cell { return r.words }},
	}
	var marks []xlsx.ConditionalFormat
	for i, c := range crawlers {
		marks = append(marks, xlsx.ConditionalFormat{Column: len(columns), Highlights: verdictColours})
		columns = append(columns, xlsx.Column[disagreementRow]{Title: c.Label, Width: 14, Value: func(r *disagreementRow) xlsx.Cell {
			if i >= len(r.url.Verdicts) {
				return xlsx.Cell{}
			}
			return r.verdicts[min(int(r.url.Verdicts[i]), len(r.verdicts)-1)]
		}})
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[disagreementRow]{Title: "Rule for " + c.Label, Width: 36, Value: func(r *disagreementRow) xlsx.Cell {
			if i >= len(r.rules) {
				return xlsx.Cell{}
			}
			return r.rules[i]
		}})
	}
	columns = append(columns,
		xlsx.Column[disagreementRow]{Title: "Source", Width: 46, Value: func(r *disagreementRow) xlsx.Cell { return r.source }},
		xlsx.Column[disagreementRow]{Title: "Directory", Width: 22, Value: func(r *disagreementRow) xlsx.Cell { return r.directory }},
		xlsx.Column[disagreementRow]{Title: "Clicks", Width: 10, Value: func(r *disagreementRow) xlsx.Cell { return clicks(r.url) }},
		xlsx.Column[disagreementRow]{Title: "url_id", Width: 18, Value: func(r *disagreementRow) xlsx.Cell { return r.id }},
	)
	return xlsx.NewTable("Disagreements", columns, marks...)
}

// differ reports whether the crawlers' verdicts on a URL differ.
func differ(verdicts []engine.Verdict) bool {
	for _, v := range verdicts {
		if v != verdicts[0] {
			return true
		}
	}
	return false
}

// addDisagreement writes the row of a page on which verdicts differ.
func (b *siteBook) addDisagreement(row *verdictRow) {
	b.differing++
	b.disagreeRow = disagreementRow{row.url, b.disagreement(row.url), b.verdictWords(), row.source, row.directory, row.id}
	b.disagreements.AddRow(&b.Workbook, &b.disagreeRow)
}

// maxExperiments bounds the bytes of robots.txt that are read once more for a
// site to find out why its crawlers disagree.
const maxExperiments = 32 << 20

// disagreement returns what is to be said about a URL on which verdicts differ.
func (b *siteBook) disagreement(u *audit.URL) *disagreement {
	b.disagreeKey = binary.AppendVarint(b.disagreeKey[:0], int64(u.Origin))
	for c, v := range u.Verdicts {
		b.disagreeKey = append(b.disagreeKey, byte(v))
		if c < len(u.Lines) {
			b.disagreeKey = binary.AppendVarint(b.disagreeKey, int64(u.Lines[c]))
		}
	}
	if b.lastDisagreement != nil && bytes.Equal(b.disagreeKey, b.lastDisagreeKey) {
		return b.lastDisagreement
	}
	d := b.disagreementsKnown[string(b.disagreeKey)]
	if d == nil {
		d = b.newDisagreement(u)
		if b.disagreementsKnown == nil || len(b.disagreementsKnown) >= maxReadings {
			b.disagreementsKnown = map[string]*disagreement{}
		}
		b.disagreementsKnown[string(b.disagreeKey)] = d
	}
	b.lastDisagreement, b.lastDisagreeKey = d, append(b.lastDisagreeKey[:0], b.disagreeKey...)
	return d
}

func (b *siteBook) newDisagreement(u *audit.URL) *disagreement {
	d := &disagreement{}
	robots := b.origin(u.Origin)
	for c := range min(len(u.Verdicts), len(u.Lines), len(b.site.Crawlers)) {
		rule := xlsx.Cell{}
		if line := int(u.Lines[c]); line > 0 {
			rule = b.Strings.Cell("line " + itoa(line) + ": " + escape.Cut(ruleAt(robots, line), 2000))
		}
		d.rules = append(d.rules, rule)
	}
	var classes, words []string
	seen := map[engine.Verdict]bool{}
	for c := 1; c < len(d.rules); c++ {
		if v := u.Verdicts[c]; v != u.Verdicts[0] {
			if len(words) >= 3 && seen[v] {
				continue
			}
			seen[v] = true
			why := b.cause(u.Origin, 0, c, u.Loc, v)
			if !slices.Contains(classes, why.class) {
				classes = append(classes, why.class)
			}
			if !slices.Contains(words, why.words) {
				words = append(words, why.words)
			}
		}
	}
	d.class, d.words = b.Strings.Cell(strings.Join(classes, ", ")), b.Strings.Cell(strings.Join(words, "; "))
	return d
}
