package audit

import (
	"slices"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// Lint lints an origin's robots.txt. crawlers are those whose readings count:
// a profile's reading is theirs that read by it, or of all of them where none does;
// nil = the reading of whoever has no group of its own. Of the options, File,
// Reading and HopBlocked are set here.
func (a *Answers) Lint(origin int, crawlers []engine.Crawler, o engine.LintOptions) []engine.Finding {
	of := a.of(origin)
	if of == nil {
		return nil
	}
	f := a.file(of, false)
	o.File = &f
	if of.file.Error == "" && !of.given { // else what a reading says of itself is in other words, see read
		o.Reading = func(p *engine.Profile, hopBlocked bool) *engine.Robots {
			return a.readings[readingKey{of, p, hopBlocked}]
		}
	}
	for _, c := range crawlers { // those that read otherwise than the list says, or that it does not have
		if listed, err := engine.ParseCrawler(c.Name); err != nil || listed.Profile != c.Profile {
			o.Own = append(o.Own, c)
		}
	}
	if of.chain != nil {
		o.HopBlocked = func(p *engine.Profile, c engine.Crawler) bool {
			readers := []engine.Crawler{c}
			if c.Tokens == nil && crawlers != nil {
				readers = slices.DeleteFunc(slices.Clone(crawlers), func(c engine.Crawler) bool { return c.Profile != p.Name })
				if len(readers) == 0 {
					readers = crawlers
				}
			}
			return !slices.ContainsFunc(readers, func(c engine.Crawler) bool { return !a.hopBlocked(of, p, c) })
		}
	}
	return engine.Lint(f.Body, o)
}

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
