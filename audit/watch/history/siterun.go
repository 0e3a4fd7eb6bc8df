package history

import "context"

// SiteRun is what one run says of one site.
type SiteRun struct {
	Run     Run
	State   string // ok, warn, critical, unknown
	Answer  Answer
	Status  int    // of the last hop; 0 = no answer
	Code    string // of trouble, see package crawl; "" = the body was read whole
	Settled bool   // later runs are compared with this one
	SHA256  string // of robots.txt; "" = no file
	Known   int64  // known URLs
	Blocked int64  // known URLs blocked for at least one crawler
}

// Tells reports whether the run knows what the site's robots.txt says, be it that there is
// none: its answer is settled, and one from which crawlers know it, too.
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

// SiteRuns returns the runs of a site, of whatever schedule, at most limit, the newest
// first; none for a site that the history does not know.
func (db *DB) SiteRuns(ctx context.Context, site string, limit int) ([]SiteRun, error) {
	return list(ctx, db, func(r *SiteRun) []any {
		return append(r.Run.fields(), &r.State, &r.Answer, &r.Status, &r.Code, &r.Settled, &r.SHA256, &r.Known, &r.Blocked)
	}, siteRunsQuery, site, max(limit, 0))
}
