// Package alert decides what to report about a site after a run: which conditions began, got worse
// or ended. Its sentences are made for reading on a phone. It puts all reports of a run into one
// message.
//
// # One condition on one site is one alert
//
// Package compare finds the conditions between two runs. A condition between a run and the site's
// last settled run raises an alert. That last settled run is the alert's base: each later run is
// compared with the base, too, and the alert is open as long as that comparison finds the
// condition. So it ends when the site is as before, not when it only stops changing. An alert is
// reported when it is raised; again when it gets worse, which is a higher severity or a new subject
// (another crawler, sitemap or id of a finding); and when it ends, with its length, as AL14.
//
// # The first run
//
// A site without a settled run is compared with a site on which nothing is wrong
// (compare.Options.Initial). What is wrong already raises alerts without a base: AL01 for crawlers that
// are watched, AL02 for URLs of the list, AL03 to AL09, AL15 to AL17, and AL18 where robots.txt allows what
// the server does not let in. Each later run is compared in the same
// way, so such an alert ends when its condition is gone. The end of AL01, AL02 or AL09 then raises
// neither AL10 nor AL11, because the site has never been otherwise. The message of the run says whose
// monitoring starts (Start), even if nothing is wrong.
//
// # Returning subjects are reported
//
// A reported subject that disappears and returns makes the alert worse again. If the subject also
// existed in the alert's base, that comparison cannot show its return. Then it is a separate alert,
// whose base is the last settled run.
//
// AL10 and AL11 work in both directions: the way back ends such an alert and raises no other one.
// The end of AL04, AL05 and AL09 also raises none, because the rules of a restored file are not
// new. Nor does the end of AL07 for the errors of its URLs (AL12). But a condition that was
// meanwhile reported as ended is reported as raised again.
//
// # A site that cannot be reached is not judged
//
// While robots.txt is unreachable (5xx, 429, no answer), only AL03 is judged. It says what that
// means to each crawler. The other conditions are neither raised nor ended.
//
// # Hiccups
//
// AL03 to AL06 and AL18, the conditions of the answer itself, are confirmed before they are reported:
// Questions lists what to request again, each robots.txt and each other asker separately. Decide
// says when the requests are enough. An answer that is not confirmed is a hiccup.
//
// A hiccup of the site's own robots.txt changes nothing at all: the run is not settled, and the
// next one is compared with the last settled one.
//
// A hiccup of another origin's robots.txt, or of another asker (AL06, AL18), also leaves the run
// unsettled. Conditions that do not depend on it are judged. Anything that the next run might
// revoke is not reported: the next run is compared with the same base, and reports it.
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
// # Access logs
//
// AL15 to AL17 depend on the access logs of the run. Without logs, or without the crawler in them,
// they are neither raised nor ended. The logs of two runs may have the same requests: what the logs
// of the last settled run could have is no news. Old requests may stay in the logs for weeks: AL15 ends
// a week after the last one, and AL17 with the first run without further errors. Logs that are cut
// each day do not reach back to a change: earlier runs show whether a crawler has read it since
// (AL16). If the configuration no longer names logs, these alerts end without a report.
//
// # Crawlers' names
//
// AL18 is about requests in the names of crawlers, which prove nothing about the crawlers themselves. An
// unclear answer is no news: an alert only ends if all answers to its crawlers are clear, and are as in its
// base, or those of a site that lets them in. Package compare looks up in earlier runs what was unclear in
// the base. If the configuration no longer names the crawlers, the alert ends without a report.
//
// # Silence
//
// Within a maintenance window nothing is reported. The first run after it reports conditions that
// began within it and still exist. Those that also ended within it are never reported. A reported
// alert does not end within a window: the first run after it reports, and dates, its end.
//
// If a user acknowledges an alert until a date, new subjects of the same severity are not reported
// before that date. They are reported after it if they still exist. A higher severity is reported
// at once, and so is the end.
//
// An alert's severity, subjects, URLs and text are those last reported, without subjects that have
// disappeared since. Its text is empty until it is reported. They alone decide whether there is
// something new to report.
//
// # Changes that are intended
//
// An intended change would stay an open alert for ever, and would keep the folder of its base run.
// So users can accept an alert. The next run that can be judged ends it, and is also compared with
// the last settled run for that condition. Other findings of that comparison are a separate alert.
//
// # No clock, no file
//
// Everything is a function of the runs. The time of a run is its start, so the same runs give the
// same alerts, whenever they are judged.
package alert
