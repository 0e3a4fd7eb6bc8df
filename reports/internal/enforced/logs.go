package enforced

import (
	"cmp"
	"slices"

	"robots-audit/audit"
)

// logFacts are what access logs show about a crawler's requests.
type logFacts struct {
	audit.LogCrawler
	answers audit.LogAnswers
	recent  bool        // its requests reach to the time of the audit
	refusal audit.State // see audit.Logs.Refusal
}

// readLogs sets what the logs show about a crawler.
func (s *Site) readLogs(c *Crawler) {
	logs := cmp.Or(s.site.Crawls, &audit.Logs{})
	if i := slices.IndexFunc(logs.Crawlers, func(of audit.LogCrawler) bool { return of.Name == c.Name }); i >= 0 {
		of := &logs.Crawlers[i]
		c.log = logFacts{*of, of.Answers(), logs.AreRecent(of, s.done.Finished), logs.Refusal(of, s.done.Finished)}
		c.Logs = c.log.answers.Words()
	}
}

// refuse reports whether the logs prove that most of the genuine crawler's requests were refused.
func (f *logFacts) refuse() bool { return f.refusal == audit.Warn || f.refusal == audit.Critical }

// serve reports whether the logs prove that most of the genuine crawler's requests got pages.
func (f *logFacts) serve() bool {
	return f.recent && f.Proved() && f.answers.Served*2 > f.answers.Requests
}
