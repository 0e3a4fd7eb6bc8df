// Package book makes changes.xlsx, the workbook of a comparison.
//
// Behind the summary it has a sheet for each question: which sites have changed
// (Sites), which URLs flip and by which lines (Flips), which of those that have
// appeared are blocked (Appeared), what each changed line of a robots.txt does
// (Robots.txt), what else is different (Changes), where in the sites it is
// (Directories), and what was compared with what (Runs). A sheet without rows is
// left out, and the summary says so.
//
// # Memory
//
// A comparison may have millions of flips, and what some cells say of them is
// known at the end of their site; and those with most clicks are to stand first. So
// their rows go to a temporary file as they come (spool), and to the workbook at the
// end: first the maxFirst of them with most clicks (ranked), then the others in their
// order. Changes, which stand in the order of their severity, do likewise. In memory
// is a row a site, for the sheet Sites, and what package xlsx keeps.
package book
