// Package alert decides what to report about a site after a run: which conditions began, got
// worse or ended, in sentences that a person reads on a phone. It puts all reports of a run
// into one message.
//
// # One condition on one site is one alert
//
// Package compare finds the conditions between two runs. A condition between a run and the site's
// last settled run raises an alert. That last settled run is the alert's base: each later run is
// compared with the base, too, and the alert is open as long as that comparison finds the
// condition. So it ends when the site is as it was before, and not when it has merely stopped
// changing. An alert is reported when it is raised; again when it gets worse, which is a
// higher severity or a new subject (another crawler, sitemap or id of a finding); and when it
// ends, with its length, as AL14.
//
// # What comes again is news
//
// A reported subject that goes and comes again makes the alert worse once more. A subject that
// was there in the alert's base, goes and comes again is invisible from that base: it is an alert
// of its own, whose base is the last settled run.
//
// AL10 and AL11 work in both directions: the way back ends such an alert and raises no other one.
// The end of AL04, AL05 and AL09 raises none either, since the rules of a file that is back are no
// news; nor does the end of AL07 for the errors that its URLs show (AL12). But a condition that was
// meanwhile reported as ended is reported as raised again.
//
// # A site that cannot be reached is not judged
//
// While robots.txt is unreachable (5xx, 429, no answer), only AL03 is judged, and says what that
// means to each crawler. The other conditions are neither raised nor ended. AL03 alone needs no
// base: it is also reported for a site that was never reached.
//
// # Hiccups
//
// AL03 to AL06, the conditions of the answer itself, are confirmed before they are reported:
// Questions names what to ask again, each robots.txt and each other asker by itself, and Decide
// says when enough was asked. An answer that is not confirmed is a hiccup.
//
// A hiccup of the site's own robots.txt changes nothing at all: the run is not settled, and
// the next one is compared with the last settled one.
//
// A hiccup of another origin's robots.txt, or of another asker (AL06), leaves the run unsettled as
// well. Conditions that do not depend on it are judged. Nothing is reported that the next run might
// take back: the next run, which is compared with the same one, reports it.
//
//   - AL01, AL09 and AL13 depend on the site's own robots.txt, and are judged as always.
//   - AL03, AL04, AL05, AL08 and AL12 are reported for every other origin. (No line counts of a
//     file that was not read.) An alert ends unless it may be about the origin: it was reported
//     for it, or the origin answered in the last settled run otherwise than in the alert's base.
//   - AL06 is reported for every asker who was confirmed, and does not end where one was not.
//   - AL02 is reported where none of its URLs is on the origin; AL07 likewise for sitemaps. They
//     end, and AL11 and AL07 of all sitemaps together are judged, only where no page and no sitemap
//     that is counted depends on the origin. So is AL10, which counts pages of the site's own
//     origin that a sitemap there may name.
//
// A condition that waits for the next run is neither raised nor ended, and an alert that is
// reported again meanwhile keeps its subjects.
//
// # Silence
//
// Within a maintenance window nothing is reported. The first run after it reports what began
// within it and is still there; what came and went is not reported at all. A reported alert does
// not end within a window: the first run after it reports, and dates, its end.
//
// Whoever acknowledges an alert until a date knows of it: new subjects of the same severity are
// not reported before that date, and are reported after it if they are still there. A higher
// severity is reported at once, and so is the end.
//
// An alert's severity, subjects, URLs and text are those that were last reported, but for
// subjects that have gone since. Its text is empty until it is reported. Whether there is news
// follows from them alone.
//
// # Changes that are intended
//
// An intended change would be an open alert for ever, and would keep the folder of its base run.
// Whoever accepts an alert ends it: the next run that can be judged says so, and is compared with
// the last settled run for that condition, too. Whatever it finds beside what was accepted is an
// alert of its own.
//
// # No clock, no file
//
// All of it is a function of runs: the time of a run is when it was started, and the
// same runs give the same alerts, whenever they are judged.
package alert
