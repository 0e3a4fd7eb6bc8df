package serve

import (
	"fmt"
	"net/http"
	"strings"
)

// route is a URL of the dashboard.
type route struct {
	pattern     string // pattern of http.ServeMux
	view        view
	path, about string // text for the manual; "" = not in the manual
}

// routes are all URLs of the dashboard, in the order of the manual.
var routes = []route{
	{"GET /{$}", (*Desk).viewRuns, "/", "all runs, newest first, with the progress of running ones"},
	{"GET /runs/{run}", ofRun((*Desk).viewRun), "/runs/RUN", "the report of a run. JSON: its summary.json"},
	{"GET /runs/{run}/progress", ofRun((*Desk).viewProgress), "/runs/RUN/progress", "progress of a running run, as server-sent events. JSON: once"},
	{"GET /runs/{run}/sites", ofRun((*Desk).viewSites), "/runs/RUN/sites?q=TEXT", "sites whose names contain TEXT. JSON only"},
	{"GET /runs/{run}/search", ofRun((*Desk).viewSearch), "/runs/RUN/search?q=TEXT&site=SITE", "search in sites and URLs. Status 202: the index is being built"},
	{"GET /runs/{run}/sites/{site}", ofSite((*Desk).viewSite), "/runs/RUN/sites/SITE", "the page of a site. SITE is the name of its files"},
	{"GET /runs/{run}/report/{file...}", ofRun((*Desk).viewReport), "/runs/RUN/report/FILE", "a page or a file of the run"},
	{"GET /runs/{run}/{file...}", ofRun((*Desk).viewFile), "/runs/RUN/FILE", "the same by its path in the history, as in mails. It redirects"},
	{"GET /runs/{run}/crawlers", ofRun((*Desk).viewCrawlers), "/runs/RUN/crawlers", "how the sites treat the names of crawlers, with -ask-as. Also as JSON"},
	{"GET /runs/{run}/logs", ofRun((*Desk).viewLogs), "/runs/RUN/logs", "what crawlers did, by the access logs of the run. JSON: logs.json of all sites"},
	{"GET /runs/{run}/logs/{file}", ofRun((*Desk).viewLogs), "", ""},
	{"GET /runs/{run}/sites/{site}/logs", ofSite((*Desk).viewSiteLogs), "/runs/RUN/sites/SITE/logs", "the same of a site, with logs.xlsx. JSON: its logs.json"},
	{"GET /runs/{run}/sites/{site}/logs/{file}", ofSite((*Desk).viewSiteLogs), "", ""},
	{"GET /runs/{run}/sites/{site}/edit", ofSite((*Desk).viewEdit), "/runs/RUN/sites/SITE/edit", "the editor. JSON: robots.txt of the run, and other texts to load"},
	{"GET /runs/{run}/sites/{site}/start", ofSite((*Desk).viewStart), "/runs/RUN/sites/SITE/start?key=KEY", "a text to load. KEY is live, empty, version:SHA256 or proposal:NAME"},
	{"POST /runs/{run}/sites/{site}/try", ofEdited((*Desk).viewTry), "POST /runs/RUN/sites/SITE/try", "the URLs that a robots.txt would block and unblock"},
	{"POST /runs/{run}/sites/{site}/lint", ofEdited((*Desk).viewLint), "POST /runs/RUN/sites/SITE/lint", "the findings in a robots.txt"},
	{"POST /runs/{run}/sites/{site}/wish", ofEdited((*Desk).viewWish), "POST /runs/RUN/sites/SITE/wish", "the smallest edit that unblocks or blocks URLs"},
	{"POST /runs/{run}/sites/{site}/expect", ofEdited((*Desk).viewExpect), "POST /runs/RUN/sites/SITE/expect", "the changes as expectations for robots-audit verify"},
	{"POST /runs/{run}/sites/{site}/save", ofEdited((*Desk).viewSave), "POST /runs/RUN/sites/SITE/save", "save a robots.txt as a proposal"},
	{"GET /runs/{run}/sites/{site}/url", ofSite((*Desk).viewURL), "/runs/RUN/sites/SITE/url?u=URL", "a URL with its verdicts, the reasons and the history"},
	{"GET /runs/{run}/sites/{site}/versions", ofSite((*Desk).viewVersions), "/runs/RUN/sites/SITE/versions", "versions of robots.txt. ?old=SHA256&new=SHA256 compares two"},
	{"GET /time", (*Desk).viewTime, "/time?days=90&q=TEXT&page=2", "all sites over 30, 90 or 365 days: states, blocked share, time to fix, changes"},
	{"GET /alerts", (*Desk).viewAlerts, "/alerts?site=NAME&severity=error&age=AGE", "alerts of a history, open alerts first. AGE is day, week, month or older"},
	{"POST /alerts/{id}", (*Desk).viewAnswer, "POST /alerts/ID", "answer an alert. Form: do=acknowledge or do=accept, until, note, form_token"},
	{"POST /alerts", (*Desk).viewAnswer, "POST /alerts", "answer several alerts at once. The form has an id for each"},
	{"GET /comparisons/{run}/{file...}", (*Desk).viewComparison, "/comparisons/RUN/FILE", "changes since the run before: index.html or another file"},
	{"GET /assets/{name}", (*Desk).viewAsset, "", ""},
}

// Manual lists the dashboard's URLs for "robots-audit help serve", one a line.
func Manual() string {
	var b strings.Builder
	for _, r := range routes {
		if r.path != "" {
			fmt.Fprintf(&b, "  %-40s %s\n", r.path, r.about)
		}
	}
	return b.String()
}

// newMux maps each URL to its view.
func (d *Desk) newMux() *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range routes {
		method, path, _ := strings.Cut(r.pattern, " ")
		mux.Handle(method+" "+d.o.link(path), d.answer(r.view))
	}
	mux.Handle("/", d.answer((*Desk).viewNothing))
	return mux
}

// viewNothing answers for all other paths.
func (d *Desk) viewNothing(e *exchange) error {
	if !strings.HasPrefix(e.r.URL.Path, d.o.link("/")) {
		return notFound("the dashboard is below " + d.o.link("/") + ". The proxy must pass on the whole path, with " + d.o.BasePath)
	}
	return notFound("there is no such page")
}

// ofRun is a view that needs the run of its path.
func ofRun(v view) view {
	return func(d *Desk, e *exchange) error {
		if err := e.findRun(); err != nil {
			return err
		}
		return v(d, e)
	}
}

// ofSite is a view that needs the run and the site of its path.
func ofSite(v view) view {
	return func(d *Desk, e *exchange) error {
		if err := e.findSite(); err != nil {
			return err
		}
		return v(d, e)
	}
}

// ofEdited is a view that needs what the editor sends.
func ofEdited(v func(*Desk, *exchange, *edited) error) view {
	return func(d *Desk, e *exchange) error {
		of, err := e.edited()
		if err != nil {
			return err
		}
		return v(d, e, of)
	}
}
