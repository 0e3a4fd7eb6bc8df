// Package export writes a site's rows of URLs for programs: as CSV, as JSON Lines
// and as Apache Parquet, a verdict a row, with the same columns in each.
//
// The columns and their names are those of Row, a promise to which columns are added
// at the end. A format is a line in the list formats, with a writer of rows.
//
// Exports of a small site, whose records are all in memory, are written as its report is
// made. Those of a large one are made from its records once these are complete, which are
// read again: rows name the sitemap of a URL, and its record comes after its URLs; and so a
// site in work, of which there may be thousands, holds neither buffers nor compressors. To
// read records again is a tenth of what rows cost.
//
// Every row goes to all formats asked for, and is made once: what is said of a URL when the
// URL is at hand, and what is said of a verdict when it is the first of its kind. What is
// said of a verdict comes from package site; text is shown so that nothing in it misleads
// (package escape), and a cell of CSV never begins a formula.
package export
