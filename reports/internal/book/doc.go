// Package book makes the workbooks: one for each site (Site), and summary.xlsx (Run). It defines
// the sheets and their columns. Their content comes from packages site and summary; package xlsx
// writes the workbook.
//
// A site's workbook begins with the summary sheet, which is made last. The other sheets are one
// ordered list, siteSheets. Each has its columns, hooks that say which records give it rows, and
// the sentence that replaces missing rows. A new sheet needs a file with its columns and hooks, and
// a line in the list.
//
// Rows are written as records arrive. So an unfinished workbook takes only the memory of package
// xlsx's buffers, and of cells that many rows share, bounded by maxRemembered. If pages have
// clicks, those with most of them come first: the workbook keeps some of them, bounded by
// maxClicked, and reads the records again (rowsByClicks). All workbooks of the run's sites share
// one template (Sites).
package book
