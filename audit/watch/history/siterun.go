package history

import "context"

// SiteRun has the results of one run for one site.
type SiteRun struct {
	Run     Run
	State   string // ok, warn, critical, unknown
	Answer  Answer
	Status  int    // of the last hop; 0 = no answer
	Code    string // of an error, see package crawl; "" = the body was read completely
	Settled bool   // later runs are compared with this one
	SHA256  string // of robots.txt; "" = no file
	Known   int64  // known URLs
	Blocked int64  // known URLs blocked for at least one crawler
}

// Tells reports whether the run knows the content of the site's robots.txt, or that there is none.
// The answer must be settled, and crawlers must be able to use it.
func (r *SiteRun) Tells() bool {
	switch r.Answer {
	case AnswerBusy, AnswerServerError, AnswerNone, AnswerNotAsked:
		return false
	}
	return r.Settled
}

const siteRunsQuery = "SELECT " + runFields + `, l.state, l.answer, l.status, l.code, l.settled, coalesce(v.sha256, ''), l.known, l.blocked
FROM site_run l JOIN run r ON r.run = l.run LEFT JOIN robots_version v ON v.version = l.version
WHERE l.site = (SELECT site FROM site WHERE name = ?) ORDER BY l.run DESC LIMIT ?`

// SiteRuns returns the runs of a site, of all schedules, at most limit, newest first; none for an
// unknown site.
func (db *DB) SiteRuns(ctx context.Context, site string, limit int) ([]SiteRun, error) {
	return list(ctx, db, func(r *SiteRun) []any {
		return append(r.Run.fields(), &r.State, &r.Answer, &r.Status, &r.Code, &r.Settled, &r.SHA256, &r.Known, &r.Blocked)
	}, siteRunsQuery, site, max(limit, 0))
}
