// Package escape writes text from other sources so that nothing in it is hidden or
// misleading.
//
// Text of a site, file names and URLs may contain characters that are invisible or change
// how the text around them is read. Some control a terminal (C0 and C1 controls), or change
// the writing direction (Unicode Standard Annex 9). Others end a line, have no width, or are
// not characters at all. Only this package defines these characters (IsHidden, IsMisleading)
// and how each is written:
//
//   - in text for people, an ASCII control and a byte that is not UTF-8
//     as \x0A, other hidden characters as [U+202E]: Show, ShowFunc, ShowInvalid, Quoted
//   - in JSON, as the escape \u202e, which parsers read as the same character:
//     JSON, TerminalJSON, AppendString, AppendTerminalString
//   - on a terminal, where columns must stay aligned, as U+FFFD: Printable
//
// The reader decides which set applies. A terminal gets only what unicode.IsPrint allows. A
// page shows the joiners of Persian words, but may have spaces of any width. A CSV file
// keeps what others may use again.
//
// Three places have their own rules for such text. The workbook has those of XML and of
// spreadsheets: they are in the package that writes workbooks and share HexByte with this
// one. The records (audit.Encode) keep every byte, since reports are made from them again,
// and escape only what JSON requires. Findings and errors quote parts of a file as Go does
// ("a\u202eb").
package escape
