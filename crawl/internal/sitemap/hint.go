package sitemap

import "bytes"

// isHint reports whether b is a value that the protocol allows for changefreq or priority.
func isHint(f field, b []byte) bool {
	if f == fieldPriority {
		return isPriority(b)
	}
	switch string(b) {
	case "always", "hourly", "daily", "weekly", "monthly", "yearly", "never":
		return true
	}
	return false
}

// isPriority reports whether b is a decimal number from 0.0 to 1.0, as the schema of the protocol defines it:
// with a sign, or without digits on one side of the point, too.
func isPriority(b []byte) bool {
	if len(b) == 3 && b[0] == '0' && b[1] == '.' { // the usual form
		return isDigit(b[2])
	}
	minus := bytes.HasPrefix(b, []byte("-"))
	if minus || bytes.HasPrefix(b, []byte("+")) {
		b = b[1:]
	}
	whole, fraction, _ := bytes.Cut(b, []byte("."))
	if len(whole)+len(fraction) == 0 || len(bytes.TrimLeft(whole, "0123456789"))+len(bytes.TrimLeft(fraction, "0123456789")) > 0 {
		return false
	}
	whole, fraction = bytes.TrimLeft(whole, "0"), bytes.TrimLeft(fraction, "0")
	return len(whole)+len(fraction) == 0 || !minus && (len(whole) == 0 || string(whole) == "1" && len(fraction) == 0)
}

// checkHint notes a changefreq or priority that the protocol does not allow.
func (s *Scanner) checkHint(f field, value []byte) {
	if isHint(f, value) {
		return
	}
	code := NoteChangeFreq
	if f == fieldPriority {
		code = NotePriority
	}
	if len(value) == 0 {
		value = []byte("empty")
	}
	s.Notes.CountIn(code, s.entryLoc(), value[:min(len(value), maxNote)])
}
