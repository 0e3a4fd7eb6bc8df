package site

import (
	"strings"
	"testing"
	"time"
)

func TestLastModTime(t *testing.T) {
	for s, want := range map[string]string{
		"":                                "",
		"2026":                            "2026-01-01T00:00:00Z",
		"2026-03":                         "2026-03-01T00:00:00Z",
		"2026-03-04":                      "2026-03-04T00:00:00Z",
		" 2026-03-04\n":                   "2026-03-04T00:00:00Z",
		"1899-12-31":                      "1899-12-31T00:00:00Z",
		"0001-01-01":                      "0001-01-01T00:00:00Z",
		"0001-01-01T00:00:00+01:00":       "",
		"0000-01-01":                      "",
		"9999-12-31T23:59:59Z":            "9999-12-31T23:59:59Z",
		"9999-12-31T23:59:59-01:00":       "",
		"2026-13-01":                      "",
		"2026-02-30":                      "",
		"2026-00":                         "",
		"202a":                            "",
		"2026-01-02T03:04+01:00":          "2026-01-02T02:04:00Z",
		"2026-01-02T03:04:05Z":            "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.6Z":          "2026-01-02T03:04:05.6Z",
		"2026-01-02T03:04:05.6789+02:00":  "2026-01-02T01:04:05.678Z",
		"2026-01-02T00:30:00.5+01:00":     "2026-01-01T23:30:00.5Z",
		"2026-01-02T03:04:05":             "2026-01-02T03:04:05Z",
		"2026-01-02 03:04:05":             "2026-01-02T03:04:05Z",
		"2026-01-02T":                     "",
		"2026-01-02Z":                     "",
		"Fri, 02 Jan 2026 03:04:05 GMT":   "2026-01-02T03:04:05Z",
		"Fri, 02 Jan 2026 03:04:05 +0130": "2026-01-02T01:34:05Z",
		"2 Jan 2026 03:04 UTC":            "2026-01-02T03:04:00Z",
		"Fri, 02 Jan 2026 03:04:05 EST":   "",
		"02/01/2026":                      "",
		"yesterday":                       "",
		"\xff\x00":                        "",
		strings.Repeat("2026-01-02", 7):   "",
	} {
		got := ""
		if at, ok := LastModTime(s); ok {
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}

func TestTopDirectory(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com":            "/",
		"https://example.com/":           "/",
		"https://example.com/a":          "/",
		"https://example.com/a/b/c":      "/a/",
		"https://example.com/a?b=/c/":    "/",
		"https://example.com?a=/b/c":     "/",
		"https://example.com//a/":        "//",
		"no url":                         "/",
		"https://example.com/%D0%B0/b#c": "/%D0%B0/",
	} {
		if got := TopDirectory(loc); got != want {
			t.Errorf("TopDirectory(%q) = %q, want %q", loc, got, want)
		}
	}
}
