package serve

import (
	"fmt"
	"strings"
)

// resource is a URL of the desk, as its manual has it.
type resource struct{ path, about string }

var resources = []resource{
	{"/", "all runs, the newest first, with how far those are that go on"},
	{"/runs/RUN", "the run: as JSON its summary.json"},
	{"/runs/RUN/progress", "how far a run is that goes on: as JSON once, else as server-sent events"},
	{"/runs/RUN/sites?q=TEXT", "sites of the run, by a part of their names (JSON alone)"},
	{"/runs/RUN/search?q=TEXT&site=SITE", "sites and known URLs of the run, with their verdicts; 202 while the index is made"},
	{"/runs/RUN/sites/SITE", "the site; SITE is the name of its files"},
	{"/runs/RUN/report/FILE", "a page of the run, made from its records, or a file of its folder"},
	{"/runs/RUN/sites/SITE/edit", "the editor: as JSON the robots.txt of the run, and what may be begun with"},
	{"/runs/RUN/sites/SITE/start?key=KEY", "a text to begin with: live, empty, version:SHA256, proposal:NAME"},
	{"POST /runs/RUN/sites/SITE/try", "what a robots.txt would flip of all known URLs"},
	{"POST /runs/RUN/sites/SITE/lint", "what is wrong with a robots.txt"},
	{"POST /runs/RUN/sites/SITE/wish", "the smallest change of it that allows or blocks URLs, or all that begin so"},
	{"POST /runs/RUN/sites/SITE/expect", "what flips, as expectations for robots-audit verify"},
	{"POST /runs/RUN/sites/SITE/save", "save it as a proposal"},
	{"/runs/RUN/sites/SITE/url?u=URL", "one URL: its verdicts explained, and its history"},
	{"/runs/RUN/sites/SITE/versions", "versions of robots.txt; ?old=SHA256&new=SHA256 compares two on all known URLs"},
	{"/alerts?site=NAME", "alerts of a history, those that hold first"},
	{"POST /alerts/ID", "answer an alert: a form with do=acknowledge, until and note, or do=accept, and form_token"},
	{"/comparisons/RUN/FILE", "what changed from the run before, as a history keeps it: index.html is a page, the others are its files"},
}

// Manual is what "robots-audit help serve" says of the desk's URLs, a line each.
func Manual() string {
	var b strings.Builder
	for _, r := range resources {
		fmt.Fprintf(&b, "  %-40s %s\n", r.path, r.about)
	}
	return b.String()
}
