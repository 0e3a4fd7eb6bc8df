package serve

import (
	"fmt"
	"net/http"
	"strings"
)

// route is a URL of the desk.
type route struct {
	pattern     string // of http.ServeMux
	view        view
	path, about string // as the manual has it; "" = the manual leaves it out
}

// routes are all URLs of the desk, in the order of the manual.
var routes = []route{
	{"GET /{$}", (*Desk).viewRuns, "/", "all runs, the newest first, with how far those are that go on"},
	{"GET /runs/{run}", ofRun((*Desk).viewRun), "/runs/RUN", "the run: as JSON its summary.json"},
	{"GET /runs/{run}/progress", ofRun((*Desk).viewProgress), "/runs/RUN/progress", "how far a run is that goes on: as JSON once, else as server-sent events"},
	{"GET /runs/{run}/sites", ofRun((*Desk).viewSites), "/runs/RUN/sites?q=TEXT", "sites of the run, by a part of their names (JSON alone)"},
	{"GET /runs/{run}/search", ofRun((*Desk).viewSearch), "/runs/RUN/search?q=TEXT&site=SITE", "sites and URLs of the run, with their verdicts; 202 while the index is made"},
	{"GET /runs/{run}/sites/{site}", ofSite((*Desk).viewSite), "/runs/RUN/sites/SITE", "the site; SITE is the name of its files"},
	{"GET /runs/{run}/report/{file...}", ofRun((*Desk).viewReport), "/runs/RUN/report/FILE", "a page of the run, made from its records, or a file of its folder"},
	{"GET /runs/{run}/sites/{site}/edit", ofSite((*Desk).viewEdit), "/runs/RUN/sites/SITE/edit", "the editor: as JSON the robots.txt of the run, and what may be begun with"},
	{"GET /runs/{run}/sites/{site}/start", ofSite((*Desk).viewStart), "/runs/RUN/sites/SITE/start?key=KEY", "a text to begin with: live, empty, version:SHA256, proposal:NAME"},
	{"POST /runs/{run}/sites/{site}/try", ofEdited((*Desk).viewTry), "POST /runs/RUN/sites/SITE/try", "what a robots.txt would flip of all URLs"},
	{"POST /runs/{run}/sites/{site}/lint", ofEdited((*Desk).viewLint), "POST /runs/RUN/sites/SITE/lint", "what is wrong with a robots.txt"},
	{"POST /runs/{run}/sites/{site}/wish", ofEdited((*Desk).viewWish), "POST /runs/RUN/sites/SITE/wish", "the smallest change of it that allows or blocks URLs, or all that begin so"},
	{"POST /runs/{run}/sites/{site}/expect", ofEdited((*Desk).viewExpect), "POST /runs/RUN/sites/SITE/expect", "what flips, as expectations for robots-audit verify"},
	{"POST /runs/{run}/sites/{site}/save", ofEdited((*Desk).viewSave), "POST /runs/RUN/sites/SITE/save", "save it as a proposal"},
	{"GET /runs/{run}/sites/{site}/url", ofSite((*Desk).viewURL), "/runs/RUN/sites/SITE/url?u=URL", "one URL: its verdicts explained, and its history"},
	{"GET /runs/{run}/sites/{site}/versions", ofSite((*Desk).viewVersions), "/runs/RUN/sites/SITE/versions", "versions of robots.txt; ?old=SHA256&new=SHA256 compares two on all URLs"},
	{"GET /alerts", (*Desk).viewAlerts, "/alerts?site=NAME", "alerts of a history, those that hold first"},
	{"POST /alerts/{id}", (*Desk).viewAnswer, "POST /alerts/ID", "answer an alert: a form with do=acknowledge, until and note, or do=accept, and form_token"},
	{"GET /comparisons/{run}/{file...}", (*Desk).viewComparison, "/comparisons/RUN/FILE", "what changed from the run before, as a history keeps it: index.html is a page, the others are its files"},
	{"GET /assets/{name}", (*Desk).viewAsset, "", ""},
}

// Manual lists the desk's URLs for "robots-audit help serve", one a line.
func Manual() string {
	var b strings.Builder
	for _, r := range routes {
		if r.path != "" {
			fmt.Fprintf(&b, "  %-40s %s\n", r.path, r.about)
		}
	}
	return b.String()
}

// newMux answers each URL by its view.
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
		return notFound("the desk is below " + d.o.link("/") + ": a proxy must pass paths on whole, with " + d.o.BasePath)
	}
	return notFound("nothing is served there")
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
