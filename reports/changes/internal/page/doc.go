// Package page makes index.html of a comparison: what changed, for those who would
// rather look than open a workbook. What is said in it comes from package model; head,
// style and the script of its table from package layout.
//
// The page is one file, whatever the number of sites. Its table has a row for each of the
// 5,000 gravest sites that have changed; the 200 gravest have a part of their own, with
// bars by directory, robots.txt side by side, sample URLs and whatever else changed, in
// this order: what flips and by which line comes before the rest. A rule that decided
// about a sample leads to its line. The first of these have theirs in full. When lines and samples come to what a browser and a mail
// take easily, those that follow have a few of each, and the workbook has the rest.
//
// While sites come, the parts of the 200 gravest so far are in memory, as what the
// template shows of them, within the bounds of one part.
package page
