// Package table reads the tables and lists that people have: exports of Search Console and other
// tools, sheets, redirect maps, lists of URLs and of sites.
//
// [Open] looks at a file before it reads it. The first bytes decide the form: a text, a workbook
// (.xlsx, .ods), a ZIP of these, or a compressed text. Bytes and titles decide the encoding of a
// text, and its lines the delimiter. Titles decide what the columns mean: titles.tsv has those of
// known exports. If two readings are possible, Open refuses the file and says what to name: a wrong
// guess would be a wrong URL.
//
// Rows are read one at a time, within limits: a small file must not be able to take much memory or
// time. Workbooks have their own reader for that. A general one keeps an element for each open tag,
// and whole parts as structs: 150 KB packed took it a minute and gigabytes.
package table
