package summary

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// figure defines a key figure of a run.
type figure struct {
	name  string
	sheet string
	of    func(*Run) site.Figure
}

// figures are the key figures of a run in their order. A new figure needs a line here.
var figures = []figure{
	{"Sites", "Sites", func(r *Run) site.Figure {
		return site.Figure{Value: site.Number(int64(r.Totals.Sites)), Why: "started " + r.Started.Format("2006-01-02 15:04") + " UTC, asked for " + strings.Join(audit.Labels(r.Crawlers), ", ")}
	}},
	{"Critical", "Sites", func(r *Run) site.Figure { return r.sites(r.Totals.Critical, StateMeaning(audit.Critical)) }},
	{"Warnings", "Sites", func(r *Run) site.Figure {
		return r.sites(r.Totals.Warn, StateMeaning(audit.Warn))
	}},
	{"Unknown", "Sites", func(r *Run) site.Figure {
		return r.sites(r.Totals.Unknown, StateMeaning(audit.Undetermined))
	}},
	{"OK", "Sites", func(r *Run) site.Figure { return r.sites(r.Totals.OK, StateMeaning(audit.OK)) }},
	{"URLs tested", "Sites", func(r *Run) site.Figure {
		f := site.Figure{Value: site.Number(r.Totals.URLs), Why: "found in sitemaps, links or your list"}
		return r.tested(f)
	}},
	{"Blocked for at least one crawler", "Sites", func(r *Run) site.Figure {
		t, f := r.Totals, site.Figure{Why: "a blocked URL can still be indexed"}
		switch {
		case t.URLs == 0:
			f.Why = "not measured: no URL was tested"
		case t.Blocked == 0 && r.Overview.Unclear == t.URLs:
			f.Why = "not measured: no URL has a clear verdict"
		default:
			f.Value, f.Share = site.Number(t.Blocked), site.Share(t.Blocked, t.URLs)
		}
		return r.tested(f)
	}},
	{"URLs skipped", "Skipped", func(r *Run) site.Figure {
		if r.Overview.Found == 0 {
			return site.Figure{Why: "not measured: no URL was found"}
		}
		f := site.Figure{Value: site.Number(r.Overview.LeftOut), Why: site.LeftOutWhy}
		return r.bounded(f)
	}},
	{"Errors", "Errors", func(r *Run) site.Figure {
		if r.Totals.Sites == 0 {
			return site.Figure{Why: noSite}
		}
		return site.Figure{Value: site.Number(r.Overview.Problems), Why: "what could not be fetched or read"}
	}},
	{"Findings", "Issues across sites", func(r *Run) site.Figure {
		const what = "issues in robots.txt files, with a fix"
		if r.Overview.Searched == 0 && r.Totals.Findings.Total() == 0 {
			return site.Figure{Why: "not measured: no robots.txt was read"}
		}
		f := site.Figure{Value: site.Number(r.Totals.Findings.Total()), Why: site.DescribeSeverities(r.Totals.Findings) + ": " + what}
		if n := r.Totals.UnknownCritical; n > 0 {
			f.Why += fmt.Sprintf("; of the critical ones, %s about %s unknown", wording.Thousands(n)+wording.Verb(n, " is", " are"), wording.Verb(n, "a site that is", "sites that are"))
		}
		if n := r.Overview.Searched; n < r.Totals.Sites {
			f.Why += fmt.Sprintf("; %d of %s have a robots.txt that could be read", n, wording.Plural(r.Totals.Sites, "site"))
		}
		return f
	}},
}

// sites is a figure that counts sites.
func (r *Run) sites(n int, why string) site.Figure {
	if r.Totals.Sites == 0 {
		return site.Figure{Why: noSite}
	}
	return site.Figure{Value: site.Number(int64(n)), Share: site.Share(int64(n), int64(r.Totals.Sites)), Why: why}
}

const noSite = "not measured: no site is finished"

// tested completes a figure that is a sum over the sites with URLs: it adds the number of these
// sites.
func (r *Run) tested(f site.Figure) site.Figure {
	t := r.Totals
	if t.URLs > 0 && t.Tested < t.Sites {
		f.Why += fmt.Sprintf("; tested on %d of %s, because the other %d have no URLs to test", t.Tested, wording.Plural(t.Sites, "site"), t.Sites-t.Tested)
	}
	return r.bounded(f)
}

// bounded makes a sum a lower bound if the audit reached a limit.
func (r *Run) bounded(f site.Figure) site.Figure {
	if n := r.Overview.Limited; n > 0 {
		f.AtLeast("on " + wording.Plural(n, "site") + " the audit stopped at a limit")
	}
	return f
}

// StateMeaning explains a state of a site.
func StateMeaning(s audit.State) string {
	switch s {
	case audit.Critical:
		return "the home page or a large share of the URLs is blocked for a search crawler, or robots.txt is an HTML page"
	case audit.Warn:
		return "URLs in sitemaps are blocked, or something could not be checked"
	case audit.OK:
		return "nothing is blocked that sitemaps or your list have"
	}
	return "could not be checked; not counted as OK"
}

// Figures returns the key figures of a run.
func (r *Run) Figures() (list []site.Figure) {
	for i := range figures {
		f := figures[i].of(r)
		f.Name, f.Sheet = figures[i].name, figures[i].sheet
		list = append(list, f)
	}
	return list
}

// FigureSheets returns the sheets of the key figures of a run, in their order.
func FigureSheets() (list []string) {
	for i := range figures {
		list = append(list, figures[i].sheet)
	}
	return list
}
