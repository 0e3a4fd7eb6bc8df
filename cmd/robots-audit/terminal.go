package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/audit"
)

// This file owns what may reach a terminal. Names of files, URLs and what is
// fetched from elsewhere may hold control characters, characters that turn the
// direction of writing and others without width: they must not move the cursor,
// hide themselves, or show a line otherwise than it is.

// printable makes a text safe for a terminal: what it must not hold becomes U+FFFD.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' || unicode.IsPrint(c) {
			return c
		}
		return '\uFFFD'
	}, s)
}

// onOneLine is printable for the columns of a table.
func onOneLine(s string) string { return strings.ReplaceAll(printable(s), "\t", " ") }

// named is onOneLine for the name of a file or a URL as it was given: without
// the name and password that it may hold.
func named(s string) string { return onOneLine(audit.HideCredentials(s)) }

// complain tells what went wrong, on lines of its own.
func complain(w io.Writer, form string, args ...any) {
	for line := range strings.SplitSeq(audit.HideCredentials(fmt.Sprintf(form, args...)), "\n") {
		fmt.Fprintf(w, "%s\n", printable(line))
	}
}

// escaped writes JSON so that it is safe for a terminal, too: whatever
// printable replaces is written as \u202e instead, which is the same JSON, since
// none of it stands outside of strings. A Write holds whole characters.
type escaped struct{ w io.Writer }

func (e escaped) Write(p []byte) (int, error) {
	if !needsEscape(p) {
		return e.w.Write(p)
	}
	if _, err := e.w.Write(appendEscaped(nil, p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// mustEscape says whether a character of JSON is none for a terminal. Those of
// ASCII are either markup or escaped already, but for DEL.
func mustEscape(c rune) bool {
	return c == 0x7f || c >= utf8.RuneSelf && !unicode.IsPrint(c) && c != utf8.RuneError
}

func needsEscape(p []byte) bool {
	return bytes.IndexByte(p, 0x7f) >= 0 || !utf8.Valid(p) || bytes.ContainsFunc(p, mustEscape)
}

func appendEscaped(dst, p []byte) []byte {
	for len(p) > 0 {
		c, size := utf8.DecodeRune(p)
		switch {
		case c == utf8.RuneError && size == 1: // no character at all
			dst = append(dst, `\ufffd`...)
		case !mustEscape(c):
			dst = append(dst, p[:size]...)
		case c > 0xFFFF:
			c -= 0x10000
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, 0xD800+c>>10, 0xDC00+c&0x3FF)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
		p = p[size:]
	}
	return dst
}
