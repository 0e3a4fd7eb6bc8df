// Package xlsx writes workbooks of Office Open XML (ISO/IEC 29500), row by row, in little memory.
// It has tables, styles and charts, and does not depend on the meaning of rows.
//
// A Design describes the sheets of a kind of workbook; NewTemplate has it drawn once for all
// workbooks that use it. A Table is a sheet's columns, each with a title, a width and a function
// that returns its cell for a row; a Sheet is a sheet during writing. So a workbook is made in four
// steps:
//
//	template := xlsx.NewTemplate(design)
//	w := xlsx.Workbook{Template: template, Sheets: []xlsx.AnySheet{&animals}, …}
//	animals.AddRow(&w, &animal{"cat", 4})
//	err = w.Finish("zoo.xlsx", summary)
//
// # Parts by excelize, and our own
//
// excelize draws everything except the rows: styles, widths, frozen panes, filters, conditional
// formats, links, charts, print settings. It does so without rows, once for each set of sheets that
// occurs. Its parts are then put in the order that the standard's schema requires, since excelize's
// own order makes Excel offer a repair (schema_order.go). Unused text is removed (compact.go,
// unread.go).
//
// The rows are our own: cells are appended as XML to a buffer, buffers are compressed into a
// deflate stream, and the streams are joined to a zip file, without a tree of cells and without a
// second pass. That is more than ten times as fast as excelize's stream writer (BenchmarkRows of
// package reports), and it is the reason for this package: excelize keeps up to 16 MiB for each
// stream, and thousands of workbooks are written at once.
//
// Some values are known only at the end but are in a workbook's middle: the number of a sheet's
// rows in its first bytes and in its filter, a chart's title. In the drawn parts, placeholders mark
// these positions until a workbook's own values replace them. Text that is the same everywhere is
// compressed once (fixed), and only if a workbook has such a sheet (sheetFrames).
//
// Rows are compressed in segments as they come, and put between those texts. The number of rows is
// put before them uncompressed, and the checksum of the whole is computed from the checksums of its
// parts (checksum.go). In the same way a file that is completely in memory is written at once, and
// a larger one by archive/zip (archive.go).
//
// # Limits of the format
//
// A sheet has at most MaxRows rows. A table continues in another sheet, "Blocked 2", up to
// MaxSheets of them, and its last row says how many rows are missing. A cell has at most MaxText
// UTF-16 units; a longer text is cut, and says so. Text is never a formula and never a link,
// whatever it begins with. Control characters, which XML cannot contain, and bytes that are not
// UTF-8 are shown as \x0A, and text that spreadsheets would read as an escape (_x0041_) is escaped
// itself. Times are in UTC, to the second. Colour alone never carries meaning.
//
// The same rows give the same bytes: the only time in a file is Design.Created.
//
// # Memory
//
// A workbook in progress keeps up to 16 KiB of uncompressed XML for each sheet with rows, and about
// 16 KiB of compressed data for all its sheets together. More data goes to the file SpillName, in
// one write for all sheets. Texts of many cells are kept once, up to 8,192 of them and 256 KiB
// (SharedStrings). All workbooks share compressors, whose tables are large, and buffers.
//
// Only one goroutine at a time uses a Workbook and its sheets; any number may use a Template.
package xlsx
