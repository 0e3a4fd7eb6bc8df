// Package site holds what is said of one site, as plain data: the verdicts with
// the rules responsible for them, key figures, directories, the rules and what
// each did, the lines of robots.txt, what crawlers that gather for AI may fetch,
// the classes that Clean-param makes, and why crawlers disagree. There is no cell
// and no markup in it: the workbook, the page and the exports make their files
// out of it, and so say the same.
//
// The records of an audit are added to a Site as they come (Site.AddRecord), which
// passes each on to every Output. At the site's end, with its audit.Done, methods
// give what can be told only of the whole: Figures, Sentences, Policy, FileLines and
// others. The memory of a Site does not grow with the number of URLs: it holds
// counts, bounded lists, an even sample of the pages; each bound is a constant
// beside what it bounds.
//
// A figure is a number, a bound ("at least 608: stopped at 500 pages"), or Unmeasured
// with the reason: where nothing was looked at there is no 0, no share, and no state
// that is OK (measured.go).
//
// What the records do not say, the engine is asked for with robots.txt as it was
// fetched: the runner-up of a verdict (VerdictDetails), the cause of a Disagreement,
// found by trying which point of the profiles makes the difference, and the classes
// of URLs that Clean-param lines make.
//
// A page, here, is a URL of the site that is one (IsPage), as opposed to images,
// videos and alternates; an HTML page of the report is always called that.
//
// # Ids
//
// Two runs are joined by audit.URLID and audit.RuleID: the first 16 hexadecimal digits of
// the SHA-256 of a URL (scheme and host in lower case, no default port, path and
// query as RFC 9309 compares them), and of a rule with the product tokens of its
// group. The line is no part of a rule's id, since lines move.
package site
