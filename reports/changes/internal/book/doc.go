// Package book makes changes.xlsx, the workbook of a comparison.
//
// After the summary it has a sheet for each question: which sites have changed (Sites), for which
// URLs the verdict changed and by which lines (Flips), which new URLs are blocked (Appeared), the
// effect of each changed line of a robots.txt (Robots.txt), other differences (Changes), the
// directories with changed verdicts (Directories), and which runs were compared (Runs). A sheet
// without rows is omitted, and the summary says so.
//
// # Memory
//
// A comparison may have millions of changed URLs. Some of their cells are known only at the end of
// their site, and those with most clicks must come first. So their rows go to a temporary file as
// they come (spool), and to the workbook at the end: first the maxFirst of them with most clicks
// (ranked), then the others in their order. Changes, which are sorted by severity, work the same
// way. Memory contains one row for each site, for the sheet Sites, and the buffers of package xlsx.
package book
