// Package site holds what is said of one site, as plain data: the verdicts with
// the rules responsible for them, key figures, directories, the rules and what
// each did, the lines of robots.txt, what crawlers that gather for AI may fetch,
// the classes that Clean-param makes, and why crawlers disagree. There is no cell
// and no markup in it: the workbook, the page and the exports make their files
// out of it, and say the same since they say it from here.
//
// A Site takes the records of an audit as they come (see Site.Take), and tells
// each Output of them. Once Done is there it can be asked for all that needs the
// whole. What it keeps does not grow with the number of URLs: counts, bounded
// lists, an even sample of the pages; each bound stands beside what it bounds.
//
// What the records do not say, the engine is asked again, by robots.txt as it
// was fetched: the runner-up of a verdict, the cause of a disagreement (found by
// trying which point of the profiles makes the difference), the rules that
// Clean-param lines make.
//
// # Ids
//
// Two runs are joined by URLID and RuleID: the first 16 hexadecimal digits of
// the SHA-256 of a URL (scheme and host in lower case, no default port, path and
// query as RFC 9309 compares them), and of a rule with the product tokens of its
// group. The line is no part of a rule's id, since lines move.
package site
