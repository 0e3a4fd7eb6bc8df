// Package urlpast says what became of one URL over the runs of its site: since when is
// it blocked, by which line, and what was before that. Runs and versions of robots.txt go
// in, as the history has them, and one Past a crawler comes out. It opens no database and
// has no clock.
//
// All versions are judged anew, by today's engine and each crawler's profile, so that no
// upgrade of the program is told as a change of the site.
//
// # What it does not know
//
// It speaks of what the runs knew of robots.txt. Whether the URL itself was known at
// that time, to a sitemap or to anybody, it does not know.
//
// The history keeps the robots.txt of a site's own origin alone, and of an answer its status,
// its trouble and its body. It knows neither the redirects before it nor its Content-Type.
// So a profile that makes something of these may have had another verdict in the run: one
// for which a redirected answer leaves the site open, or to which a text counts only where it
// is said to be one.
//
// A run without a settled answer (a server error, no answer, one that was not confirmed)
// does not say what robots.txt says. A stretch goes on over such runs, as those of the history
// do, and they are counted, never as fine. What crawlers make of a failure while it
// lasts stands in the reports of its run. A version whose text was not kept is another
// file, of which nothing is known: a stretch of its own, with the verdict unknown.
package urlpast
