// Package findings tells the owner of a robots.txt what it does to the URLs of
// the site.
//
// What the file alone shows, [engine.Lint] has said before: that a line is no
// rule, or that two rules contradict each other. Whether that matters, and much
// that no file shows, is a question of URLs: a rule that matches none of them, a
// path without its slash that blocks more than a directory, a style sheet that
// Google may not fetch. So a [Collector] stands beside the verdicts of one
// robots.txt's URLs:
//
//	c := findings.New(robots)
//	m, _ := c.Matrix()
//	for … { m.Verdicts(url, decisions); c.AddURL(url, listed, decisions) } // each URL
//	c.AddTarget(…); c.AddResource(…); c.AddOccurrence(…)                // and what else is met
//	list := c.Findings(repeated)
//
// It keeps counters and a few samples for each rule, so that it does not grow
// with the URLs (AddOccurrence is bounded too), and it looks at a URL only where
// a finding may come of it, since a site may have millions: what another
// spelling would have done is asked of the engine itself, and only of those URLs
// for which spelling can matter.
//
// The package knows no site, no network and no record: whoever audits a site
// decides what is asked and hands the answers in.
package findings
