package audit

import (
	"bytes"
	"fmt"

	"robots-audit/crawl"
)

// Codes of a robots.txt that was received completely, but that crawlers read differently from what
// its author intended.
const (
	CodeRobotsNotText = "robots_not_text" // UTF-16 or binary: crawlers ignore all lines
	CodeRobotsHTML    = "robots_html"     // an HTML page; some crawlers follow lines that happen to look like rules
	CodeRobotsTooBig  = "robots_too_big"  // longer than 500 KiB, the minimum that crawlers must read by RFC 9309 2.5
)

// minimumLimit is the number of bytes that every crawler must be able to parse (RFC 9309 2.5), and
// Google's limit.
const minimumLimit = 500 << 10

// CheckBody checks the body as a whole, if the status is a success. code is one of
// CodeRobotsNotText, CodeRobotsHTML and CodeRobotsTooBig, and detail describes it; "" = no problem.
func CheckBody(file crawl.RobotsFile) (code, detail string) {
	if file.Status/100 != 2 {
		return "", ""
	}
	body := file.Body
	head := bytes.ToLower(bytes.TrimLeft(body[:min(len(body), 1024)], "\xef\xbb\xbf \t\r\n"))
	switch {
	case bytes.HasPrefix(body, []byte{0xff, 0xfe}), bytes.HasPrefix(body, []byte{0xfe, 0xff}):
		return CodeRobotsNotText, "encoded in UTF-16; crawlers read UTF-8 and find no rule in it"
	case bytes.Count(body, []byte{0}) > len(body)/10:
		return CodeRobotsNotText, "binary content; crawlers find no rule in it"
	case bytes.HasPrefix(head, []byte("<!doctype")), bytes.HasPrefix(head, []byte("<html")), bytes.Contains(head, []byte("<head>")):
		return CodeRobotsHTML, "an HTML page instead of a text file; crawlers follow only lines that look like rules"
	case len(body) > minimumLimit, file.Truncated: // the stored part ends with a whole line, and may be shorter
		return CodeRobotsTooBig, fmt.Sprintf("longer than %d bytes: Google ignores the rest, Yandex the whole file", minimumLimit)
	}
	return "", ""
}
