package engine

import "strings"

// isText reports whether an answer is a text file: by its Content-Type where
// one was sent, and by its first bytes. HTML is not what robots.txt is meant by.
func isText(contentType string, body []byte) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(trim(kind))
	if kind != "" && (!strings.HasPrefix(kind, "text/") || kind == "text/html") {
		return false
	}
	head := string(body[:min(len(body), 1024)])
	if strings.IndexByte(head, 0) >= 0 {
		return false
	}
	head = trim(strings.TrimPrefix(head, "\xEF\xBB\xBF"))
	return !hasPrefixFold(head, "<!doctype html") && !hasPrefixFold(head, "<html")
}
