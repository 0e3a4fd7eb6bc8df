// Package urlpast shows the past of one URL over the runs of its site: since when it is blocked, by
// which line, and its earlier verdicts. It takes runs and versions of robots.txt as the history has
// them, and returns one Past per crawler. It uses no database and no clock.
//
// All versions are judged again, by the current engine and each crawler's profile. So an upgrade of
// the program is never reported as a change of the site.
//
// # Limits
//
// The results are about robots.txt in the runs. Whether the URL itself was known then, for example
// to a sitemap, is unknown.
//
// The history keeps only the robots.txt of a site's own origin. Of an answer it keeps the status,
// the error and the body, but neither redirects nor the Content-Type. So a profile that uses these
// may have had another verdict in the run. Examples are a profile that allows everything after a
// redirect, or one that requires a text Content-Type.
//
// A run without a settled answer (a server error, no answer, an unconfirmed one) does not know the
// content of robots.txt. A stretch continues over such runs, as in the history. They are counted,
// but never as OK. The behaviour of crawlers during a failure is in the reports of its run. A
// version whose text was not kept counts as a different, unknown file: a stretch of its own, with
// the verdict unknown.
package urlpast
