package reports

import (
	"os"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Bounds of the lists of a site's page; the workbook has them whole.
const (
	pageSitemaps = 300
	pageHops     = 100
	pageProblems = 200
	pageLines    = 3000 // lines of robots.txt files
	pageRules    = 30
	pageFindings = 150
)

// sitePage is the page of one site while its records come in.
type sitePage struct {
	run  *Run
	base string

	blocked  blockedRows
	hops     bounded[pageHop]
	sitemaps bounded[pageSitemap]
	problems bounded[audit.Problem]
	findings bounded[pageFinding]
	lint     map[originLine][]string // what is said about a line, of those in findings
}

// bounded is a list that counts what is too much for it.
type bounded[T any] struct {
	List []T
	More int
}

func (b *bounded[T]) add(v T, limit int) {
	if len(b.List) >= limit {
		b.More++
		return
	}
	b.List = append(b.List, v)
}

// pageHop is one request for a robots.txt.
type pageHop struct {
	Origin, URL, Location, Address, Trouble string
	Step, Status                            int
	Millis                                  float64
	Type                                    string // of the last answer
	Bytes                                   int64
	Last                                    bool
	Means                                   []pageMeaning
}

// pageMeaning is what an answer means to some crawlers.
type pageMeaning struct {
	Crawlers, Words string
	Later           string // what becomes of it in time; "" = the same
}

// pageSitemap is a sitemap that was read.
type pageSitemap struct {
	No, Status                                 int
	URL, NamedBy, Trouble, Format, Self, Notes string
	Entries, Tested, LeftOut, Blocked          int64 // Blocked: for the crawler for which most are
}

func newSitePage(r *Run, base string, book *siteBook) *sitePage {
	p := &sitePage{run: r, base: base}
	p.blocked = blockedRows{rowFiles: rowFiles{disk: r.disk, dir: r.temp(base + ".rows"), inline: inlineRows}, origin: book.origin}
	p.blocked.foot = p.blocked.endReadings
	return p
}

// write takes a record; the site's book has it already.
func (p *sitePage) write(rec audit.Record, crawlers []audit.Crawler) error {
	switch {
	case rec.URLs != nil:
		p.blocked.addURLs(rec.URLs)
	case rec.Robots != nil:
		p.addHops(rec.Robots, crawlers)
	case rec.Sitemap != nil:
		p.addSitemap(rec.Sitemap, crawlers)
	case rec.Findings != nil:
		p.addFindings(rec.Findings)
	case rec.Problem != nil:
		p.problems.add(*rec.Problem, pageProblems)
	}
	return p.blocked.err
}

func (p *sitePage) addHops(r *audit.Robots, crawlers []audit.Crawler) {
	hops := r.File.Hops
	if len(hops) == 0 { // nothing was ever sent
		hops = []audit.Hop{{URL: r.File.URL, Status: r.File.Status, Millis: r.File.Millis}}
	}
	for i, hop := range hops {
		h := pageHop{Origin: r.Origin, Step: i + 1, URL: hop.URL, Status: hop.Status, Location: hop.Location, Address: hop.Address, Trouble: hop.Code, Millis: hop.Millis}
		if h.Last = i == len(hops)-1; h.Last {
			h.Type, h.Bytes, h.Means = r.File.Type, r.File.Bytes, meanings(r, crawlers)
			if r.File.Code != "" {
				h.Trouble = trouble(r.File.Code, r.File.Detail)
			}
		}
		p.hops.add(h, pageHops)
	}
}

// meanings says what an answer means, crawlers to which it means the same together.
func meanings(r *audit.Robots, crawlers []audit.Crawler) []pageMeaning {
	var list []pageMeaning
	f := answer(r)
next:
	for i := range crawlers {
		words, later := accessWords(read(r, i)), forecast(crawlers[i].Profile, &f)
		if later == sameAtAnyTime {
			later = ""
		}
		for k := range list {
			if list[k].Words == words && list[k].Later == later {
				list[k].Crawlers += ", " + crawlers[i].Label
				continue next
			}
		}
		list = append(list, pageMeaning{crawlers[i].Label, words, later})
	}
	return list
}

func (p *sitePage) addSitemap(s *audit.Sitemap, crawlers []audit.Crawler) {
	line := pageSitemap{
		No: s.Index + 1, Status: s.Status, URL: s.URL, NamedBy: namedBy(s), Trouble: trouble(s.Code, s.Detail), Format: s.Format,
		Self: selfBlocked(s, crawlers), Notes: notes(s.Notes), Entries: s.URLs, Tested: s.Tested, LeftOut: total(s.LeftOut),
	}
	for _, n := range s.Blocked {
		line.Blocked = max(line.Blocked, n)
	}
	p.sitemaps.add(line, pageSitemaps)
}

// pageFinding is a finding about a robots.txt.
type pageFinding struct {
	audit.Finding
	State   string // the state that its severity looks like
	OfGroup string // profiles
}

// findingStates are the states whose looks the severities have.
var findingStates = map[engine.Severity]audit.State{engine.Critical: audit.Critical, engine.Error: audit.Critical, engine.Warning: audit.Warn}

func (p *sitePage) addFindings(f *audit.Findings) {
	if p.lint == nil {
		p.lint = map[originLine][]string{}
	}
	p.findings.List = slices.Grow(p.findings.List, min(len(f.List), pageFindings-len(p.findings.List)))
	for i := range f.List {
		found := pageFinding{Finding: f.List[i], State: "info", OfGroup: strings.Join(f.List[i].Profiles, ", ")}
		if state, ok := findingStates[found.Severity]; ok {
			found.State = string(state)
		}
		found.Samples = found.Samples[:min(len(found.Samples), 3)]
		if len(p.findings.List) < pageFindings {
			at := originLine{f.Origin, found.Line}
			p.lint[at] = append(p.lint[at], found.ID+", "+found.Severity.String()+": "+found.What)
		}
		p.findings.add(found, pageFindings)
	}
}

func (p *sitePage) tempPage() string { return p.run.temp(p.base + ".html") }

// done writes the page. The site's book is done, and tells what it knows.
func (p *sitePage) done(d *audit.Done, book *siteBook, buffers *buffers, evidence map[int]string, body func(index int) []byte) error {
	rows := p.blocked.end()
	if p.blocked.err != nil {
		return p.blocked.err
	}
	return buffers.writePage(p.run.disk, p.tempPage(), pageSet().site, p.view(d, book, evidence, body, rows))
}

// place puts the page's files where they belong, what it refers to first, and
// returns the size of the page.
func (p *sitePage) place() (int64, error) {
	d, rows := p.run.disk, p.run.path("pages", p.base+".rows")
	info, err := os.Stat(p.tempPage())
	if err != nil {
		return 0, err
	}
	if err := d.Remove(rows); err != nil {
		return 0, err
	}
	if p.blocked.files > 0 {
		if err := d.Rename(p.run.temp(p.base+".rows"), rows); err != nil {
			return 0, err
		}
	}
	return info.Size(), d.Rename(p.tempPage(), p.run.path("pages", p.base+".html"))
}

// drop removes what the page has on disk beside its finished files.
func (p *sitePage) drop() {
	p.blocked.drop()
	p.run.disk.Remove(p.tempPage()) // best effort: the folder is emptied when the run ends
}
