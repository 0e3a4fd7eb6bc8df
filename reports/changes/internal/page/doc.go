// Package page makes index.html of a comparison: the changes, for readers who do not want to open a workbook. Its texts come from
// package model; head, style and the script of its table come from package layout.
//
// The page is one file, whatever the number of sites. Its table has a row for each of the 5,000 sites with the most severe changes.
// The first 200 have a section of their own, with bars by directory, robots.txt side by side, sample URLs and other changes, in
// this order: changed verdicts and their lines come first. A rule that decided for a sample links to its line. The first sections
// are complete. When lines and samples reach a size that browsers and mail handle easily, later sections have a few of each, and
// the workbook has the rest.
//
// While sites come, the 200 most important sections so far are in memory, as data for the template, within the bounds of one
// section.
package page
