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
	{"/runs/RUN/sites?q=TEXT", "sites of the run, by a part of their names (JSON alone)"},
	{"/runs/RUN/sites/SITE", "the site; SITE is the name of its files"},
	{"/runs/RUN/report/FILE", "a file of the run's folder"},
	{"/comparisons/RUN/FILE", "a file of the comparison that a history keeps of a run with the one before"},
}

// Manual is what "robots-audit help serve" says of the desk's URLs, a line each.
func Manual() string {
	var b strings.Builder
	for _, r := range resources {
		fmt.Fprintf(&b, "  %-40s %s\n", r.path, r.about)
	}
	return b.String()
}
