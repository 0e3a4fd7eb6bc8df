package audit

import (
	"slices"

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
