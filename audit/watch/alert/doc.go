// Package alert says what is to be told of a site after a run: which conditions have
// come, got worse, or ended, in sentences that a person reads on a phone; and puts
// what a run has to tell into one message.
//
// # One condition on one site is one alert
//
// The conditions AL01 to AL13 are those that package compare finds between two runs.
// One that a run brings, against the site's last settled run, raises an alert. That
// last settled run is its base: from then on each run is compared with the base, too,
// and the alert holds as long as that comparison yields the condition. So it ends when
// the site is as it was, and not when it has merely stopped changing. It is told once;
// once more if it gets worse, which is a higher severity or a new subject (another
// crawler, another sitemap, another id of a finding); and as ended, with its length:
// that telling is AL14.
//
// # What comes again is news
//
// A subject that was told, has gone and comes again makes an alert worse once more. One
// that was there in the alert's base already, has gone and comes again, cannot be seen from that base:
// it is an alert of its own, whose base is the last settled run.
//
// AL10 and AL11 may be either way: the way back, which ends such an alert, raises no other one. Nor
// does the end of AL04, AL05 and AL09, since the rules of a file that is there again are no news,
// and of AL07 the errors that its URLs show (AL12). But what was told as ended meanwhile is told as raised again.
//
// # Who cannot be reached is not judged
//
// While robots.txt is unreachable (5xx, 429, no answer), only AL03 is judged, and
// tells what it means to each crawler. The other conditions are neither raised nor
// ended. AL03 alone needs no base: of a site that was never reached, it is told as well.
//
// # Hiccups
//
// The conditions of the answer itself, AL03 to AL06, are confirmed before anybody is
// woken: Questions names what is to be asked again, each robots.txt and each other asker for
// itself, and Decide says when enough was asked. What is not confirmed is a hiccup.
//
// A hiccup of the site's own robots.txt changes nothing at all: the run is not settled, and
// the next one is compared with the last settled one.
//
// A hiccup of another origin's robots.txt, or of another asker (AL06), leaves the run unsettled as
// well. But what does not rest on it is judged: nothing is told that the next run might take
// back, and what is held back is told by the next run, which is compared with the same one.
//
//   - AL01, AL09 and AL13 rest on the site's own robots.txt, and are judged as ever.
//   - AL03, AL04, AL05, AL08 and AL12 are told of every other origin. (No line of a file that
//     was not read is held against anything.) An alert ends unless it may be about the origin:
//     it was told of it, or the origin answered in the last settled run otherwise than in the
//     alert's base.
//   - AL06 is told of every asker who was confirmed, and does not end where one was not.
//   - AL02 is told where none of its URLs lies there; AL07 likewise of sitemaps. They end, and
//     AL11 and AL07 of all sitemaps together are judged, only where nothing of what
//     is counted depends on the origin: no page, no sitemap. So is AL10, which counts pages of
//     the site's own origin that a sitemap there may name.
//
// What is held back is neither raised nor ended, and an alert that is told once more meanwhile
// keeps what it was about.
//
// # Silence
//
// Within a maintenance window nothing is told. What came within it and still holds at
// the first run after it is told then; what has come and gone is not told at all. An
// alert that was told does not end within a window: its end is told, and dated, at the
// first run after it.
//
// Who acknowledges an alert until a date knows of it: new subjects of the same severity
// are not told before that date (and are told after it, if they still hold). A higher
// severity is told at once, and so is the end.
//
// An alert's severity, subjects, URLs and text are always those that were told last, but for
// subjects that have gone since, and its text is empty until it was told. Whether there is news is read off them alone.
//
// # What is meant
//
// A change that is as it should be would be an open alert for ever, and would keep the folder
// of its base run. Who accepts an alert ends it: the next run that can be judged says so, and
// is compared, for that condition too, with the last settled run; what it brings
// beside what was accepted is an alert of its own.
//
// # No clock, no file
//
// All of it is a function of runs: the time of a run is when it was started, and the
// same runs give the same alerts, whenever they are judged.
package alert
