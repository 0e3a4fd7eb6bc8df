// Package site computes what reports say about one site, as plain data. These are the verdicts with
// their rules, key figures, directories, the effect of each rule, and the lines of robots.txt.
// Further data is the access of AI crawlers, the classes that Clean-param makes, and why crawlers
// disagree. It contains no cells and no markup: the workbook, the page and the exports use the same
// data, and so say the same.
//
// The records of an audit are added to a Site as they arrive (Site.AddRecord), which passes each on
// to every Output. At the site's end, with its audit.Done, methods return the results for the whole
// site: Figures, Sentences, Policy, FileLines and others. The memory of a Site does not grow with
// the number of URLs. It has counts, bounded lists and an even sample of the pages; each bound is a
// constant next to its use.
//
// A figure is a number, a bound ("at least 608: stopped at 500 pages"), or Unmeasured with the
// reason. If nothing was checked there is no 0, no share, and no state that is OK (measured.go).
//
// The engine computes the facts that are not in the records from the fetched robots.txt: the
// runner-up of a verdict (VerdictDetails), the cause of a Disagreement, found by testing which
// point of the profiles makes the difference, and the classes of URLs that Clean-param lines make.
//
// Here, a page is a URL of the site that is a page (IsPage), as opposed to images, videos and
// alternates; a page of the report is always called an HTML page.
//
// # Ids
//
// Two runs are joined by audit.URLID and audit.RuleID: the first 16 hexadecimal digits of the
// SHA-256 of a URL (scheme and host in lower case, no default port, path and query as RFC 9309
// compares them), and of a rule with the product tokens of its group. A rule's id does not include
// the line, since lines move.
package site
