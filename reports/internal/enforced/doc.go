// Package enforced joins what a site writes for crawlers with what its server does, as data: rows, sentences and the
// columns of their tables. It knows no page and no sheet, so that both say the same.
//
// There are six sources: the rules of robots.txt, its lines with preferences, statements of pages, files with a
// policy, the answers to requests in the names of crawlers, and access logs. A copied name proves only what we were
// answered; only the logs prove what a crawler gets. What is not known is never counted as fine.
package enforced
