// Package book makes the workbooks: one for each site (Site), and summary.xlsx
// (Run). It knows which sheets there are and what their columns are called. What
// stands in them comes from packages site and summary; how a workbook is written
// is known to package xlsx.
//
// A site's workbook begins with the summary sheet, which is made last. The sheets
// behind it are one ordered list, siteSheets. Each has its columns, hooks that say
// with which records it gets rows, and the sentence that stands where it gets none.
// To add a sheet takes a file with its columns and hooks, and its line in the list.
//
// Rows are written as the records come, so a workbook in work takes the memory of
// package xlsx's buffers, and of cells that many rows share, bounded by
// maxRemembered. Where pages have clicks, those with most of them stand first: the
// workbook holds some of them, bounded by maxClicked, and reads the records again
// (rowsByClicks). All workbooks of the run's sites have one template (Sites).
package book
