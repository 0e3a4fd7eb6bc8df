package audit

import "testing"

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
