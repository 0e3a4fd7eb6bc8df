// Package crawls has what reports say about crawlers in access logs: answers in sentences, rows, and the columns
// of their tables. It knows no page and no sheet, so that a page, a workbook and the terminal say the same.
//
// Counts of a crawler are of its own requests, unless their name says otherwise. "Disobeyed" is only said about
// requests whose addresses prove who sent them.
package crawls
