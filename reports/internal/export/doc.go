// Package export writes a site's rows of URLs for programs: as CSV, as JSON Lines
// and as Apache Parquet, a verdict a row, with the same columns in each.
//
// The columns and their names are those of Row, a promise to which columns are added
// at the end. A format is a line in the list formats, with a writer of rows.
//
// Exports are made from a site's records once these are complete: they are read
// again, and every row goes to all formats asked for. So a site in work needs no
// memory for them, and a row is made once. What is said of a verdict comes from
// package site; text is shown so that nothing in it misleads (package escape), and a
// cell of CSV never begins a formula.
package export
