// Package export writes a site's rows of URLs for programs: as CSV, as JSON Lines and as Apache
// Parquet, one verdict in each row, with the same columns in all formats. A site with access logs
// has further tables: its crawlers, and their rules, days and parts of the site.
//
// The columns and their names are those of Row, and of logTables. They are stable, and new columns
// are added at the end. A format is a line in the list formats, with a writer of rows.
//
// Exports of a small site, whose records are all in memory, are written while its report is made.
// Those of a large one are made from its records once these are complete, by reading them again.
// Rows name the sitemap of a URL, and its record comes after its URLs; and sites in progress, of
// which there may be thousands, then need neither buffers nor compressors. Reading records again
// takes a tenth of the time for the rows.
//
// Every row goes to all requested formats, and is made once: the part of a URL when the URL comes,
// and the part of a verdict when it is the first of its kind. The data on a verdict comes from
// package site; text is escaped so that it cannot mislead (package escape), and a cell of CSV never
// begins a formula.
package export
