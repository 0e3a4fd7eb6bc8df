package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// entry returns the site's entry of summary.json.
func (s *siteRun) entry(line *summary.Line, d *audit.Done) json.RawMessage {
	e := summary.Entry{
		Domain: s.site.Name, Origin: d.Origin, State: line.State, Ground: line.Ground, Why: line.Why, Lead: line.Why, Sitemaps: d.Sitemaps, URLs: d.URLs, BlockedURLs: d.BlockedAny,
		Blocked: summary.BlockedByLabel(s.site.Crawlers, d), Unknown: d.Unknown, LeftOut: site.Total(d.LeftOut), Differing: line.Differing, Policy: line.Policy, Findings: d.Findings, Errors: s.errors.List, ErrorsMore: s.errors.More,
		Robots: summary.Robots{Access: "unknown"}, Number: line.Ordinal + 1, Clicks: d.Clicks, BlockedClicks: d.BlockedClicks,
		Hits: summary.HitsByLabel(s.site.Crawlers, d.Hits), BlockedHits: summary.HitsByLabel(s.site.Crawlers, d.HitsBlocked),
	}
	if line.Worst.Crawler != "" {
		e.Worst = &line.Worst
	}
	if d.Indexed != nil {
		e.BlockedIndexed = &d.Indexed.Blocked
	}
	if site.PagesRead(d) {
		e.NoIndexUnseen, e.ListedNoIndex = &d.Links.NoIndexUnseen, &d.Links.ListedNoIndex
	}
	if s.data != nil {
		e.NotMeasured, e.AtLeast, e.Segments = s.data.NotMeasured(d), d.Bound(), summary.SegmentsOf(s.data)
		e.ToDo, e.ToDoMore = summary.Causes(s.data.ToDo(d))
	} else { // only the loss of the report is known
		e.NotMeasured = map[string]string{}
		for _, key := range []string{"sitemaps", "urls", "blocked_urls", "blocked", "unknown_urls", "left_out", "differing_urls", "findings"} {
			e.NotMeasured[key] = line.Why
		}
	}
	if s.data != nil {
		if policy := enforced.New(s.data, d); policy != nil {
			addAsked(&e, line.Asked, policy)
		}
	}
	if e.Errors == nil {
		e.Errors = []summary.Error{}
	}
	if line.Records > 0 {
		e.Records = recordsName(s.base)
		if !s.leftOut && s.run.writes(kindWorkbook) {
			e.Workbook = s.base + ".xlsx"
		}
	}
	if r := s.robots; r != nil {
		e.Robots = summary.Robots{
			Status: r.File.Status, Access: site.Read(r, 0).Access.String(), Error: r.File.Code, Hops: s.hops,
			Bytes: r.File.Bytes, SHA256: r.File.SHA256, Given: r.File.Given,
		}
	}
	text, err := json.Marshal(e)
	if err != nil { // cannot happen: strings and whole numbers
		text, _ = json.Marshal(summary.Entry{Domain: s.site.Name, State: audit.Undetermined, Why: err.Error()})
	}
	return text
}

// decodeLine reads a line of the journal. A line that this program cannot have written, such as one
// whose files would be elsewhere, is an error.
func decodeLine(text []byte, l *summary.Line) error {
	_, err := decodeSite(text, l)
	return err
}

// decodeSite is decodeLine plus the line's entry of summary.json.
func decodeSite(text []byte, l *summary.Line) (*summary.Site, error) {
	object, err := sealedObject(bytes.TrimSpace(text))
	var of *summary.Site
	switch {
	case err != nil:
		return nil, err
	case object != nil:
		of, err = summary.ReadSite(object, l)
		disk.PutBuffer(object)
	default:
		if err = unseal(text, l); err == nil {
			of, err = summary.NewSite(l)
		}
	}
	if err = cmp.Or(err, checkLine(l)); err == nil && of.Entry.Domain != l.Name {
		err = errors.New("the summary is of another site")
	}
	return of, err
}

// checkLine returns an error for a line that this program cannot have written.
func checkLine(l *summary.Line) error {
	if l.Name == "" || l.Base != fileBase(l.Name) || l.Ordinal < 0 || l.Ordinal > math.MaxInt32 {
		return errors.New("no line of a site")
	}
	return nil
}
