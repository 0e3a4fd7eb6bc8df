package export

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// byteOrderMark tells Excel that a file is UTF-8.
const byteOrderMark = "\uFEFF"

// newCSV returns a writer of RFC 4180, in UTF-8; null is an empty cell. What a spreadsheet
// would take for a formula, and what begins with an apostrophe, gets another
// before it: so one apostrophe at the beginning of a cell is never part of the
// value. Characters that mislead, and bytes that are not UTF-8, are shown as
// \x0A and [U+202E].
func newCSV(out io.Writer, about *Metadata) writer {
	l := newLines(out, asCSV, "\r\n", appendCSV)
	if about.CSVMark {
		l.buf = append(l.buf, byteOrderMark...)
	}
	for i, c := range columns {
		l.buf = appendCSV(l.buf, i, textValue(c.name))
	}
	l.buf = append(l.buf, l.end...)
	return l
}

// appendCSV appends a cell, with the comma before it.
func appendCSV(dst []byte, column int, v value) []byte {
	if column > 0 {
		dst = append(dst, ',')
	}
	switch v.kind {
	case null:
		return dst
	case text:
		return appendCSVText(dst, v.text)
	}
	return v.appendNumber(dst)
}

// appendCSVText appends a text as CSVText has it, in quotation marks where it needs some.
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

// isPlainCSV reports whether a text is a cell as it is: it begins with a letter, a figure
// or a slash, and has nothing but ASCII that anyone can see. It is the quick way for URLs.
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

// needsQuotes reports whether a cell stands in quotation marks, as package encoding/csv has
// it: also where it begins with a space, and where it is what some databases end a file with.
// Line feeds are escaped by then.
func needsQuotes(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s == `\.` || s != "" && unicode.IsSpace(first) || strings.ContainsAny(s, "\",\r\n")
}

// CSVText makes text harmless.
func CSVText(s string) string {
	shown := escape.ShowFunc(s, escape.IsMisleading)
	if needsApostrophe(s) {
		return "'" + shown
	}
	return shown
}

// formulaStarts are the characters with which spreadsheets let a formula begin
// (OWASP, CSV Injection), also as those that East Asian versions take for them,
// the small forms of these and the minus sign; and the apostrophe.
const formulaStarts = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫−'"

// needsApostrophe reports whether text is to begin with an apostrophe: what it begins
// with may begin a formula, or does where spaces, quotation marks or characters
// without width before it are left out.
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
