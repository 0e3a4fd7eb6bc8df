// Package export writes a site's rows of URLs for programs: as CSV, as JSON Lines
// and as Apache Parquet, a verdict a row, with the same columns in each.
//
// Exports are made from a site's records once these are complete, one site
// after the other: so the sites in flight hold nothing for them. The columns and
// their names are those of Row, a promise to which columns are added at the end.
package export
