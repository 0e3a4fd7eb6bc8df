package audit

import (
	"slices"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// lint lints a robots.txt and prepares the collector for the URLs of its origin. readings are the
// file as each crawler's profile reads it.
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

// makeMatrix makes the matrix that judges the URLs of o. It is called for the first URL, or by the
// findings if there is none.
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

// FindsPages reports whether a crawler helps people find a site's pages. Blocking crawlers that
// collect for AI, or tokens that control the use of pages, is a policy that many sites choose.
func (c *Crawler) FindsPages() bool {
	return !c.forAI() && c.Purpose != "control token" && c.Purpose != "user fetch"
}
