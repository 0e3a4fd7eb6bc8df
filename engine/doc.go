// Package engine reads robots.txt as its readers do, and says for each URL
// which of them may fetch it, by which line, and why.
//
// Robots.txt has no single meaning. RFC 9309, Google's pages of several years,
// Google's own matcher, Yandex's help and the standard of 1994 disagree on what
// a status code means, which lines count, whom they are for and which rule
// wins. What they disagree on is data here: a [Profile] is a struct of options,
// the zero Profile is RFC 9309, and [Profiles] lists the eight there are.
//
// # What to call
//
// Bytes go in, verdicts come out:
//
//	p, _ := engine.ProfileByName("google")
//	r := p.Read(engine.File{Status: 200, Body: body}) // or p.Parse(body)
//	c, _ := engine.ParseCrawler("Googlebot-Image")
//	g := r.Group(c)
//	d := g.Verdict("https://example.com/a?b")         // d.Verdict, d.Rule, d.Line()
//
// [Profile.Read] takes the whole outcome of asking for the file: status,
// redirects, error, body, how long it has been unreachable, the last good copy.
// What that means before any rule is read is [Robots].Access, with the
// reason in words. [Profile.Forecast] says what becomes of it in time.
//
// [Robots.Group] chooses what one crawler obeys: the group that names its
// product token, those of its further tokens where the reader knows such, the
// group of "*", or none, and says which of these it was. A [Crawler] is data
// too: [Crawlers] is the list, [ParseCrawler] finds one by name, and makes one
// of any other product token: "token:MyBot".
//
// [Group.Verdict] judges a URL or a path, in some hundred nanoseconds however
// many rules there are, without allocating, from any number of goroutines.
// [Group.Explain] adds the runner-up, the margin in octets and the verdict
// there would be without the deciding line. A [Matrix] judges one URL for many
// groups at once and counts what each rule does.
//
// What is read refers to the bytes it was read from, which are not copied and
// must stay as they are. [Share] has several profiles' readings of one body
// hold once what they have in common.
//
// [Robots.Lines] shows every line with what it counts for, or why it does not;
// [Robots.Sitemaps], [Robots.Host] and [Robots.Canonical] (Clean-param) read the
// fields that are no rules; [Governs] and [RobotsURL] tell which file is for
// which URL. [Lint] says what is wrong with a file, for whom, and what to do.
//
// # Verdicts
//
// A verdict is [Allow], [Disallow], [Undefined] where the reader's page itself
// leaves the outcome open, or [Unknown] where the file could not be had and the
// profile says nothing about that. Unknown is the zero value: a verdict that
// no one gave is never taken for a permission. "Disallow" means blocked from
// crawling; a blocked URL can still be indexed.
//
// # Bad input
//
// Reading cannot fail. Robots.txt has no syntax errors, only lines that count
// and lines that do not: HTML, binary bytes, a missing final line end, rules
// before any group, bytes that are no UTF-8. URLs may be absolute or paths, with
// or without escapes; a fragment is dropped. Nothing is unbounded: a profile
// reads 500 KiB of a body unless its reader says otherwise, lines are as long as
// the body at most, and no pair of pattern and path makes the matcher run away.
//
// The package is pure: no network, no files, no clock. Age and status are
// arguments.
package engine
