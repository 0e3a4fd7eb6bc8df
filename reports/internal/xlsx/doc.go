// Package xlsx writes workbooks of Office Open XML (ISO/IEC 29500), row by row,
// in little memory. It knows tables, styles and charts, and nothing of what the
// rows say.
//
// A Design names the sheets of a kind of workbook; NewTemplate has it drawn once,
// for as many workbooks as are written after it. A Table is a sheet's columns,
// each with a title, a width and a function that takes its cell out of a row; a
// Sheet is one that is being written. So a workbook is made in four steps:
//
//	template := xlsx.NewTemplate(design)
//	w := xlsx.Workbook{Template: template, Sheets: []xlsx.AnySheet{&animals}, …}
//	animals.AddRow(&w, &animal{"cat", 4})
//	err = w.Finish("zoo.xlsx", summary)
//
// # What excelize does, and what is our own
//
// excelize draws everything but the rows: styles, widths, frozen panes, filters,
// conditional formats, links, charts, print settings. It does that without rows,
// once for each set of sheets that occurs; its parts are then put in the order
// that the standard's schema demands, where excelize's own order makes Excel
// offer a repair (schema_order.go), and freed of what nobody reads (compact.go, unread.go).
//
// The rows are our own: cells are appended as XML to a buffer, buffers are
// compressed into a deflate stream, and the streams are joined to a zip file,
// without a tree of cells and without a second pass. That is more than ten times
// as fast as excelize's stream writer (BenchmarkRows of package reports), and it
// is the reason for this package: excelize keeps up to 16 MiB a stream, and
// thousands of workbooks are in work at once.
//
// What is known only at the end stands in a workbook's middle: the number of a
// sheet's rows in its first bytes and in its filter, a chart's title. In the parts
// that are drawn, placeholders mark such places until a workbook's own values take
// them. Stretches that are the same everywhere are compressed once (fixed), and only where
// a workbook has such a sheet (sheetFrames).
//
// Rows are compressed in segments as they come, and put between those stretches. The number
// of rows is put before them uncompressed, and the checksum of the whole is worked out from
// those of its stretches (checksum.go). In the same way a file that is all in memory is
// written in one piece, and a larger one by archive/zip (archive.go).
//
// # Limits of the format
//
// A sheet holds MaxRows rows; a table goes on in a further sheet, "Blocked 2",
// up to MaxSheets of them, and says in its last row how many found no room. A
// cell holds MaxText UTF-16 units; a longer text is cut, and says so. Text is
// never a formula and never a link, whatever it begins with; control characters,
// which XML cannot hold, and bytes that are not UTF-8 are shown as \x0A, and what
// spreadsheets would read as an escape (_x0041_) is escaped itself. Times are in
// UTC, to the second. No meaning is carried by colour alone.
//
// The same rows give the same bytes: nothing in a file is a time but
// Design.Created.
//
// # Memory
//
// A workbook in work holds, for each sheet that has rows, up to 16 KiB of XML that
// is not compressed yet, and for all its sheets together about 16 KiB of what is;
// what is more goes to the file SpillName, in one write for all sheets. Texts that
// stand in many cells are kept once, up to 8,192 of them and 256 KiB
// (SharedStrings). Compressors, whose tables are large, and buffers are shared by
// all workbooks.
//
// A Workbook and its sheets are used by one goroutine at a time; a Template by any
// number.
package xlsx
