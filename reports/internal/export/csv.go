package export

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// byteOrderMark makes Excel read a file as UTF-8.
const byteOrderMark = "\uFEFF"

// newCSV returns a writer of RFC 4180, in UTF-8; null is an empty cell. A text that a spreadsheet
// could take for a formula, or that begins with an apostrophe, gets an apostrophe before it. So one
// apostrophe at the beginning of a cell is never part of the value. Characters that mislead, and
// bytes that are not UTF-8, are shown as \x0A and [U+202E].
func newCSV(out io.Writer, about *Metadata, of *table) writer {
	l := newLines(out, asCSV, of, "\r\n", appendCSV)
	if about.CSVMark {
		l.buf = append(l.buf, byteOrderMark...)
	}
	for i, name := range of.names {
		l.buf = append(append(l.buf, l.before[i]...), name...)
	}
	l.buf = append(l.buf, l.end...)
	return l
}

// appendCSV appends a cell.
func appendCSV(dst []byte, v value) []byte {
	switch v.kind {
	case null:
		return dst
	case text:
		return appendCSVText(dst, v.text)
	}
	return v.appendNumber(dst)
}

// appendCSVText appends a text as in CSVText, in quotation marks if it needs them.
func appendCSVText(dst []byte, s string) []byte {
	if isPlainCSV(s) {
		return append(dst, s...)
	}
	s = CSVText(s)
	if !needsQuotes(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return append(append(dst, s...), '"')
		}
		dst = append(append(dst, s[:i]...), `""`...)
		s = s[i+1:]
	}
}

// isPlainCSV reports whether a text can be a cell unchanged: it begins with a letter, a digit or a
// slash, and has only visible ASCII. It is the fast path for URLs.
func isPlainCSV(s string) bool {
	if s == "" || s[0] != '/' && s[0] < '0' || s[0] > '9' && s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == ',' {
			return false
		}
	}
	return true
}

// needsQuotes reports whether a cell needs quotation marks, as in package encoding/csv: also if it
// begins with a space, or is the end-of-file mark of some databases. Line feeds are already
// escaped.
func needsQuotes(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s == `\.` || s != "" && unicode.IsSpace(first) || strings.ContainsAny(s, "\",\r\n")
}

// CSVText makes text safe for spreadsheets.
func CSVText(s string) string {
	shown := escape.ShowFunc(s, escape.IsMisleading)
	if needsApostrophe(s) {
		return "'" + shown
	}
	return shown
}

// formulaStarts are the characters with which a formula can begin in spreadsheets (OWASP, CSV
// Injection), and the apostrophe. They include the wide and small forms that East Asian versions
// accept, and the minus sign.
const formulaStarts = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫−'"

// needsApostrophe reports whether text must get an apostrophe: its first character may begin a
// formula, possibly after spaces, quotation marks or characters without width.
func needsApostrophe(s string) bool {
	for _, r := range s {
		if strings.ContainsRune(formulaStarts, r) {
			return true
		}
		if r != '"' && !unicode.IsSpace(r) && !escape.IsHidden(r) {
			return false
		}
	}
	return false
}
