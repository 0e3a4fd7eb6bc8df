package site

import (
	"fmt"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Words of the sheet "Pages" and of texts about its rows, the same everywhere.
const (
	blockedNoIndex = "blocked, so its noindex is never seen"
	listedNoIndex  = "in a sitemap but noindex"
)

// PagesRead reports whether a page was read, so that some content of pages is known.
func PagesRead(d *audit.Done) bool {
	l := d.Links
	return l != nil && (l.Read() > 0 || l.NoIndexUnseen+l.ListedNoIndex > 0)
}

// NoIndexWords lists the agents that a page asks not to index it, by meta or by header: "robots,
// googlebot", where robots means all crawlers; "not fetched" and "–" if it is not known.
func NoIndexWords(p *audit.Page, agents []string) string {
	switch {
	case p.Refused():
		return audit.NotFetched
	case !p.Answered() || len(p.Verdicts) == 0: // the latter in records of versions that did not record it
		return Unmeasured
	case len(agents) == 0:
		return "no"
	}
	return strings.Join(agents, ", ")
}

// CanonicalWords describes how a page's canonical URL relates to it; "" = it has none.
func CanonicalWords(p *audit.Page, crawlers []audit.Crawler) string {
	switch {
	case p.Canonical == "":
		return ""
	case p.Canonical == p.URL:
		return "the page itself"
	}
	words := "another page"
	if host := p.OtherHost(p.Canonical); host != "" {
		words = "another host: " + host
	}
	if len(p.CanonicalBlocked) > 0 {
		words += ", blocked for " + labelsAt(crawlers, p.CanonicalBlocked)
	}
	return words
}

// BlockedForWords lists the crawlers for which a page is blocked.
func BlockedForWords(p *audit.Page, crawlers []audit.Crawler) string {
	if len(p.Verdicts) == 0 {
		return Unmeasured
	}
	return labelsAt(crawlers, p.BlockedFor())
}

// BlockingLines lists the lines that block a page, each once: "3", "3, 17".
func BlockingLines(p *audit.Page) string {
	var lines []string
	told := map[int32]bool{}
	for _, i := range p.BlockedFor() {
		if i < len(p.Lines) && p.Lines[i] > 0 && !told[p.Lines[i]] {
			told[p.Lines[i]] = true
			lines = append(lines, strconv.Itoa(int(p.Lines[i])))
		}
	}
	return strings.Join(lines, ", ")
}

// WorthKnowing says how a page contradicts itself or its sitemap; "" = it does not.
func WorthKnowing(p *audit.Page, crawlers []audit.Crawler) string {
	var list []string
	add := func(words string) { list = append(list, words) }
	if unseen := p.NoIndexUnseen(); len(unseen) > 0 {
		add(blockedNoIndex + " (" + labelsAt(crawlers, unseen) + ")")
	}
	for _, rules := range p.Undefined {
		add(`"` + rules + `" lacks a comma, so it may not count as noindex`)
	}
	if p.ListedNoIndex() {
		add(listedNoIndex)
	}
	if len(p.CanonicalBlocked) > 0 {
		add("its canonical is blocked (" + labelsAt(crawlers, p.CanonicalBlocked) + ")")
	}
	switch {
	case !p.Listed:
	case p.Location != "":
		add("in a sitemap but redirects")
	case p.Status >= 400:
		add("in a sitemap but answers with HTTP " + strconv.Itoa(p.Status))
	case len(p.BlockedFor()) > 0:
		add("in a sitemap but blocked")
	}
	if p.Refused() {
		add("noindex unknown: " + audit.NotFetched)
	}
	return strings.Join(list, "; ")
}

// labelsAt names crawlers by their indices.
func labelsAt(crawlers []audit.Crawler, indices []int) string {
	var names []string
	for _, i := range indices {
		if i >= 0 && i < len(crawlers) {
			names = append(names, crawlers[i].Label)
		}
	}
	return strings.Join(names, ", ")
}

// pagesFigure is a number of pages among those that were requested.
func (s *Site) pagesFigure(d *audit.Done, n func(*audit.LinkCount) int64, why string) Figure {
	l := d.Links
	switch {
	case l == nil:
		return Figure{Why: "not measured: no pages were requested"}
	case l.Pages == 0:
		return Figure{State: audit.Undetermined, Why: "not measured: no page was requested"}
	case !PagesRead(d):
		return Figure{State: audit.Undetermined, Why: "not measured: no page could be read"}
	}
	f := Figure{Value: Number(n(l)), State: stateIf(n(l) > 0, audit.Warn), Why: fmt.Sprintf("of %s; %s", wording.Plural(l.Pages, "page")+" requested", why)}
	if l.Kept > 0 {
		f.Why += fmt.Sprintf("; %s %s unknown, because robots.txt blocks %s for this audit", wording.Plural(l.Kept, "more page"), wording.Verb(l.Kept, "is", "are"), wording.Verb(l.Kept, "it", "them"))
		if f.State == audit.OK {
			f.State = ""
		}
	}
	f.AtLeast(d.LinksBound())
	return f
}

func (s *Site) unseenFigure(d *audit.Done) Figure {
	return s.pagesFigure(d, func(l *audit.LinkCount) int64 { return l.NoIndexUnseen }, "a crawler that may not fetch a page does not see its noindex")
}

func (s *Site) listedFigure(d *audit.Done) Figure {
	return s.pagesFigure(d, func(l *audit.LinkCount) int64 { return l.ListedNoIndex }, "the sitemap asks for indexing, but the page forbids it")
}
