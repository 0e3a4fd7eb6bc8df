// Package book makes the workbooks: one for each site, and summary.xlsx. It
// knows which sheets there are and what their columns are called; what stands in
// them comes from packages site and summary, and how a workbook is written is
// package xlsx's affair.
//
// The sheets of a site are one ordered list, siteSheets: each has its columns,
// the sentence that stands in place of rows, and hooks that say with which
// records it gets rows. Rows are written as the records come.
package book
