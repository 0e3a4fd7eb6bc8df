// Package findings shows the owner of a robots.txt its effects on the URLs of the site.
//
// [engine.Lint] reports what the file alone shows: that a line is no rule, or that two rules
// contradict each other. URLs show whether that matters, and much more: a rule that matches none of
// them, a path without its slash that blocks more than a directory, a style sheet that is blocked
// for Google. So a [Collector] collects data while the URLs of one robots.txt are judged:
//
//	c := findings.New(robots)
//	m, _ := c.Matrix()
//	for … { m.Verdicts(url, decisions); c.AddURL(url, listed, decisions) } // each URL
//	c.AddTarget(…); c.AddResource(…); c.AddOccurrence(…)                // and other events
//	list := c.Findings(repeated)
//
// It keeps counters and a few samples for each rule, so that its memory does not grow with the
// number of URLs (AddOccurrence is bounded too). A site may have millions of URLs, so it examines a
// URL only if a finding is possible. The effect of another spelling is judged by the engine itself,
// and only for URLs for which spelling can matter.
//
// The package does not know sites, networks or records: its caller decides what to test and adds
// the results.
package findings
