package audit

import (
	"bytes"

	"robots-audit/crawl"
)

// AnswerClass tells what a site's own robots.txt was answered with, as the strip of a
// timeline shows it: one of the classes that package history names (history.Answer). The
// file needs its body; where that is missing, a file that is not empty counts as text.
func AnswerClass(f crawl.RobotsFile) string {
	whole := f.Code == "" || f.Code == CodeBodyTooLarge
	switch {
	case f.Status == 0 && f.Tries == 0 && len(f.Hops) == 0:
		return "not asked"
	case f.Status == 0 || f.Status/100 == 2 && !whole:
		return "unreachable"
	case f.Status == 429:
		return "429"
	case f.Status >= 500:
		return "5xx"
	case f.Status >= 400:
		return "4xx"
	case f.Status/100 != 2:
		return "3xx"
	case f.Bytes == 0:
		return "empty"
	}
	switch code, _ := CheckBody(f); {
	case code == CodeRobotsNotText:
		return "binary"
	case code == CodeRobotsHTML:
		return "html"
	case f.Body != nil && len(f.Body) == int(f.Bytes) && len(bytes.TrimSpace(bytes.TrimPrefix(f.Body, []byte("\xEF\xBB\xBF")))) == 0:
		return "empty"
	}
	return "200"
}
