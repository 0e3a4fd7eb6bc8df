// Package escape writes text that came from elsewhere so that nothing in it
// hides or misleads.
//
// What a site says, and the name of a file or a URL, may hold characters that
// no one sees or that change how the text around them is read: they steer a
// terminal (C0 and C1 controls), turn the direction of writing (Unicode Standard
// Annex 9), end a line where none ends, have no width, or are no characters at
// all. This package is the one place that knows which they are (IsHidden,
// IsMisleading) and how each is written:
//
//   - in text that people read, an ASCII control and a byte that is not UTF-8
//     as \x0A, every other hidden character as [U+202E]: Show, ShowFunc, ShowInvalid, Quoted
//   - in JSON, as the escape \u202e, which means the same to whoever parses it:
//     JSON, TerminalJSON, AppendString, AppendTerminalString
//   - on a terminal, where the text has to stay in its columns, as U+FFFD: Printable
//
// Which of them applies is a matter of the reader: a terminal takes only what
// unicode.IsPrint allows, a page needs the joiners of Persian words shown but may
// have spaces of any width, and a file of CSV keeps what others may use again.
//
// Three places write such text by rules of their own. The workbook has those of XML
// and of spreadsheets; they are in the package that writes workbooks and share
// HexByte with this one. The records (audit.Encode) keep every byte, since reports
// are made from them again, and escape what JSON demands alone. Sentences that quote
// a piece of a file, in findings and errors, quote it as Go does ("a\u202eb").
package escape
