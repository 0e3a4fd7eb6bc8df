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
	{"GET /runs/{run}/search", ofRun((*Desk).viewSearch), "/runs/RUN/search?q=TEXT&site=SITE", "search in sites and URLs, with filters. Status 202: the index is being built"},
	{"GET /runs/{run}/search.csv", ofRun((*Desk).viewSearchCSV), "/runs/RUN/search.csv?q=TEXT", "all URLs of a search as CSV, with the same filters"},
	{"GET /runs/{run}/search.xlsx", ofRun((*Desk).viewSearchXLSX), "/runs/RUN/search.xlsx?q=TEXT", "the same as a workbook"},
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
	{"GET /runs/{run}/sites/{site}/proposals", ofSite((*Desk).viewProposals), "/runs/RUN/sites/SITE/proposals", "saved proposals of the site, newest first"},
	{"GET /runs/{run}/sites/{site}/proposals/{name}", ofSite((*Desk).viewProposal), "/runs/RUN/sites/SITE/proposals/NAME", "a proposal for review: its changes, findings and note"},
	{"GET /runs/{run}/sites/{site}/proposals/{name}/{file}", ofSite((*Desk).viewProposalFile), "/runs/RUN/sites/SITE/proposals/NAME/FILE", "robots.txt, robots.patch or pull-request.md of a proposal"},
	{"POST /runs/{run}/sites/{site}/try", ofEdited((*Desk).viewTry), "POST /runs/RUN/sites/SITE/try", "the URLs that a robots.txt would block and unblock"},
	{"POST /runs/{run}/sites/{site}/lint", ofEdited((*Desk).viewLint), "POST /runs/RUN/sites/SITE/lint", "the findings in a robots.txt"},
	{"POST /runs/{run}/sites/{site}/wish", ofEdited((*Desk).viewWish), "POST /runs/RUN/sites/SITE/wish", "the smallest edit that unblocks or blocks URLs"},
	{"POST /runs/{run}/sites/{site}/expect", ofEdited((*Desk).viewExpect), "POST /runs/RUN/sites/SITE/expect", "the changes as expectations for robots-audit verify"},
	{"POST /runs/{run}/sites/{site}/patch", ofEdited((*Desk).viewPatch), "POST /runs/RUN/sites/SITE/patch", "the changes as a patch for git apply"},
	{"POST /runs/{run}/sites/{site}/pull-request", ofEdited((*Desk).viewPull), "POST /runs/RUN/sites/SITE/pull-request", "the changes as the body of a pull request, in Markdown"},
	{"POST /runs/{run}/sites/{site}/shared", ofEdited((*Desk).viewShared), "POST /runs/RUN/sites/SITE/shared", "the changes on all sites of the run with the same robots.txt"},
	{"POST /runs/{run}/sites/{site}/save", ofEdited((*Desk).viewSave), "POST /runs/RUN/sites/SITE/save", "save a robots.txt as a proposal"},
	{"GET /runs/{run}/sites/{site}/url", ofSite((*Desk).viewURL), "/runs/RUN/sites/SITE/url?u=URL", "a URL with its verdicts, the reasons and the history"},
	{"GET /runs/{run}/url", ofRun((*Desk).viewPaste), "/runs/RUN/url?u=URL", "the same for the site of the URL, which it finds"},
	{"GET /url", (*Desk).viewPaste, "/url?u=URL", "the same in the newest run that has the site"},
	{"GET /runs/{run}/sites/{site}/versions", ofSite((*Desk).viewVersions), "/runs/RUN/sites/SITE/versions", "versions of robots.txt. ?old=SHA256&new=SHA256 or ?at=TIME compares two"},
	{"GET /time", (*Desk).viewTime, "/time?days=90&q=TEXT&only=critical", "all sites over 30, 90 or 365 days: states, blocked share, time to fix, changes"},
	{"GET /alerts", (*Desk).viewAlerts, "/alerts?site=NAME&severity=error&age=AGE", "alerts of a history by cause. Also condition=AL01, owner=NAME, state=open"},
	{"GET /alerts/answer", (*Desk).viewConfirm, "/alerts/answer", "the open alerts of the same filter, to answer all of them"},
	{"POST /alerts/{id}", (*Desk).viewAnswer, "POST /alerts/ID", "answer an alert. Form: do=acknowledge, accept or assign, until, note, owner, form_token"},
	{"POST /alerts", (*Desk).viewAnswer, "POST /alerts", "answer several alerts at once. The form has an id for each"},
	{"GET /comparisons/{run}/{file...}", (*Desk).viewComparison, "/comparisons/RUN/FILE", "changes since the run before: index.html or another file"},
	{"GET /openapi.json", (*Desk).viewOpenAPI, "/openapi.json", "all answers in JSON, described as OpenAPI 3.1"},
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
