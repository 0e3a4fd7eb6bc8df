package site

import "robots-audit/audit"

// Figure is a key figure, of a site or of a run.
type Figure struct {
	Name           string
	Value          Value
	Share          Value       // share of the whole that Why names; none if Value is not part of a whole
	State          audit.State // "" = neither good nor bad
	Why            string      // why it matters
	Sheet          string      // sheet of summary.xlsx with its rows; none for a figure of a site
	First          bool        // it is on the first screen of the page, if there is space
	ShownElsewhere bool        // the HTML page shows it in its headline or its table of crawlers
}

// figure defines a key figure.
type figure struct {
	name           string
	first          bool
	shownElsewhere bool
	bounded        bool // it counts URLs found: a lower bound if the audit reached a limit
	logged         bool // only sites with access logs have it
	compute        func(*Site, *audit.Done) Figure
	perCrawler     func(*Site, *audit.Done, int) Figure // instead of compute: a figure for each crawler, whose label is added to the name
}

// figures are the key figures in their order. A new figure needs a line here, and its function.
var figures = []figure{
	{name: "State", shownElsewhere: true, compute: (*Site).stateFigure},
	{name: "Origin audited", shownElsewhere: true, compute: (*Site).originFigure},
	{name: "robots.txt, HTTP status", first: true, compute: (*Site).statusFigure},
	{name: "URLs found", first: true, bounded: true, compute: (*Site).knownFigure},
	{name: "Blocked for at least one crawler", first: true, bounded: true, compute: (*Site).blockedFigure},
	{name: "Blocked for ", shownElsewhere: true, perCrawler: (*Site).crawlerFigure},
	{name: "URLs without a clear verdict", bounded: true, compute: (*Site).unclearFigure},
	{name: "URLs whose verdict differs", bounded: true, compute: (*Site).differingFigure},
	{name: "Clicks on blocked URLs", first: true, bounded: true, compute: (*Site).clicksFigure},
	{name: "Requests for blocked URLs", bounded: true, logged: true, compute: (*Site).hitsFigure},
	{name: "Blocked URLs that are indexed", bounded: true, compute: (*Site).indexedFigure},
	{name: "Resources blocked", bounded: true, compute: (*Site).resourcesFigure},
	{name: "Blocked URLs that pages link to", compute: (*Site).linksFigure},
	{name: "Blocked, so its noindex is never seen", compute: (*Site).unseenFigure},
	{name: "In a sitemap but noindex", compute: (*Site).listedFigure},
	{name: "AI policy: crawlers named", compute: (*Site).policyFigure},
	{name: "Rules that decide nothing", compute: (*Site).idleFigure},
	{name: "Findings", compute: (*Site).findingsFigure},
	{name: "Sitemaps read", first: true, compute: (*Site).sitemapsFigure},
	{name: "URLs skipped", bounded: true, compute: (*Site).leftOutFigure},
	{name: "Errors", compute: (*Site).problemsFigure},
}

// Figures returns the key figures of a site at its end. Do not change them: workbook and page share
// them.
func (s *Site) Figures(d *audit.Done) []Figure {
	if s.figures == nil || s.figuresOf != d {
		s.figures, s.figuresOf = s.newFigures(d), d
	}
	return s.figures
}

func (s *Site) newFigures(d *audit.Done) []Figure {
	list := make([]Figure, 0, len(figures)+2*len(s.Crawlers))
	for i := range figures {
		def := &figures[i]
		if def.logged && s.Logs == nil {
			continue
		}
		if def.perCrawler == nil {
			f := def.compute(s, d)
			f.judge(d)
			if def.bounded {
				f.AtLeast(d.Bound())
			}
			f.Name, f.First, f.ShownElsewhere = def.name, def.first, def.shownElsewhere
			list = append(list, f)
			continue
		}
		for c := range s.Crawlers {
			f := def.perCrawler(s, d, c)
			f.judge(d)
			f.AtLeast(d.Bound())
			f.Name, f.ShownElsewhere = def.name+s.Crawlers[c].Label, def.shownElsewhere
			list = append(list, f)
		}
	}
	return list
}

// judge clears the unknown state of a figure if the site is OK without any URL found: its
// robots.txt blocks nothing, whatever its URLs are.
func (f *Figure) judge(d *audit.Done) {
	if d.URLs == 0 && d.State == audit.OK && f.State == audit.Undetermined {
		f.State = ""
	}
}

// AtLeast turns a number into a lower bound if a limit of the audit ended the count: "stopped at
// 500 pages"; "" = no limit. A bound is never green: unchecked URLs never count as fine.
func (f *Figure) AtLeast(bound string) {
	if bound == "" || f.Value.Kind != NumberValue {
		return
	}
	f.Value, f.Why = AtLeast(int64(f.Value.Num)), bound+"; "+f.Why
	if f.State == audit.OK {
		f.State = ""
	}
}
