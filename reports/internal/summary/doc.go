// Package summary holds what is said of a run as a whole, as plain data: a
// Line for every finished site, the Totals over all of them, the Overview that
// the summaries open with, and what sites have in Common. Nothing of it grows
// with the number of sites, but for the lines, which stand in the journal on
// disk and go through one at a time.
//
// The files made of it are those of packages book and page, and summary.json
// and summary.md, which package reports writes itself.
package summary
