// Package engine reads robots.txt by the rules of RFC 9309, Google, Yandex,
// Bing and others. For each URL it says which crawlers may fetch it, which
// line decides, and why.
//
// Robots.txt has no single meaning. RFC 9309, Google's pages of several years,
// Google's own matcher, Yandex's help and the standard of 1994 disagree. They
// disagree on status codes, on the lines that count, on the crawlers a group
// applies to, and on the rule that wins. These differences are data here: a
// [Profile] is a struct of options, and the zero Profile is RFC 9309. [Profiles]
// lists all nine.
//
// # What to call
//
// The input is bytes, the output is verdicts:
//
//	p, _ := engine.ProfileByName("google")
//	r := p.Read(engine.File{Status: 200, Body: body}) // or p.Parse(body)
//	c, _ := engine.ParseCrawler("Googlebot-Image")
//	g := r.Group(c)
//	d := g.Verdict("https://example.com/a?b")         // d.Verdict, d.Rule, d.Line()
//
// [Profile.Read] takes the whole result of the request for the file: status,
// redirects, error, body, how long it has been unreachable, the last good copy.
// [Robots].Access says what this result means before any rule is read, with the
// reason in words. [Profile.Forecast] says how that changes over time.
//
// [Robots.Group] chooses the group that one crawler obeys, and says why. It is the
// group that names its product token, one that names another of its tokens, the
// "*" group, or none. A [Crawler] is data too: [Crawlers] is the list, and
// [ParseCrawler] finds one by name. "token:MyBot" makes a crawler of any other
// product token.
//
// [Group.Verdict] judges a URL or a path in a few hundred nanoseconds, even with
// many rules. It does not allocate, and several goroutines can call it.
// [Group.Explain] adds the second-best rule, the margin in bytes, and the verdict
// without the deciding line. A [Matrix] judges one URL for many groups at once and
// counts what each rule does.
//
// Results refer to the bytes they were read from. These are not copied and must
// not change. [Share] lets the readings of one body by several profiles share
// memory.
//
// [Robots.Lines] shows how the profile reads every line, or why it ignores it.
// [Robots.Sitemaps], [Robots.Host] and [Robots.Canonical] (Clean-param) read the
// fields that are not rules. [Governs] and [RobotsURL] say which file applies to
// which URL. [Lint] says what is wrong with a file, for which crawlers, and what
// to do.
//
// # Verdicts
//
// A verdict is [Allow], [Disallow], [Undefined] or [Unknown]. Undefined means that
// the profile's own page leaves the outcome open. Unknown means that the file
// could not be fetched and the profile does not say what follows. Unknown is the
// zero value, so a missing verdict is never taken for a permission. "Disallow"
// means blocked from crawling; a blocked URL can still be indexed.
//
// # Bad input
//
// Reading cannot fail. Robots.txt has no syntax errors, only lines that count and
// lines that do not. HTML, binary bytes, a missing final line end, rules before
// any group and invalid UTF-8 are all accepted. URLs may be absolute or paths,
// with or without escapes; a fragment is dropped. Time and memory are bounded: a
// profile reads 500 KiB of a body unless its documentation says otherwise. A line
// is at most as long as the body, and no pattern makes the matcher slow.
//
// The package is pure: no network, no files, no clock. Age and status are
// arguments.
package engine
