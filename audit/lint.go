package audit

import (
	"slices"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// lint lints a robots.txt and prepares for what the URLs of its origin will show
// about it. readings are what the crawlers' profiles make of the file.
func (s *site) lint(o *origin, file crawl.RobotsFile, readings []*engine.Robots) {
	options := engine.LintOptions{URL: o.name + "/robots.txt"}
	if n := len(file.Hops); n > 0 {
		options.Cache = file.Hops[n-1].Header.Get("Cache-Control")
	}
	readers := make([]findings.Reader, len(s.auditor.Crawlers))
	robots := make([]engine.Crawler, len(readers))
	for i, c := range s.auditor.Crawlers {
		readers[i] = findings.Reader{
			Label: c.Label, Name: c.Name, Crawler: &s.auditor.Crawlers[i].robot, FindsPages: c.FindsPages(), Profile: c.profile, Robots: readings[i], Group: o.groups[i],
		}
		robots[i] = c.robot
		if !slices.Contains(options.Profiles, c.profile) {
			options.Profiles = append(options.Profiles, c.profile)
		}
	}
	o.findings = findings.New(findings.Robots{
		Readers: readers, Lint: s.answers.Lint(o.index, robots, options), Missing: notFound(file.Status), Bytes: len(file.Body), Foreign: s.isForeign(o),
	})
}

// makeMatrix makes what judges the URLs of o, at the first of them, or for the findings
// where there is none.
func (s *site) makeMatrix(o *origin) {
	if o.matrix != nil || o.findings == nil {
		return
	}
	var groups int
	apart(func() { o.matrix, groups = o.findings.Matrix() })
	if groups > len(s.decisions) {
		s.decisions = make([]engine.Decision, groups)
	}
}

// FindsPages reports whether a crawler is there to have a site's pages found. To
// keep out those that gather for AI, or to set a token that controls the use
// of pages, is a policy that many sites choose.
func (c *Crawler) FindsPages() bool {
	return !c.forAI() && c.Purpose != "control token" && c.Purpose != "user fetch"
}
