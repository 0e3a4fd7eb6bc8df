package engine

import (
	"strings"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// TestPlain compares plain, which tests eight bytes at a time, with the table
// octets, each byte at each offset.
func TestPlain(t *testing.T) {
	for size := range 20 {
		text := []byte(strings.Repeat("a", size))
		if !EncodingRFC.plain(string(text)) {
			t.Errorf("%q is not plain", text)
		}
		for at := range text {
			for c := range 256 {
				text[at] = byte(c)
				if got, want := EncodingRFC.plain(string(text)), octets[c]&octetRewrite == 0; got != want {
					t.Errorf("plain(%q) = %v", text, got)
				}
			}
			text[at] = 'a'
		}
	}
}

// TestPlainEscapes checks that plain texts are not rewritten by any encoding,
// in URLs and in rules, and that escapes as browsers write them are plain.
func TestPlainEscapes(t *testing.T) {
	parts := []string{"a", "/", "?", "%", "%D0%B0", "%d0", "%2", "%2F", "%41", "%7F", "%80", "%Fa", "%8", "%C3%A9", "abcdefgh"}
	seen := 0
	for _, text := range matchtest.Texts(4, parts...) {
		if !EncodingRFC.plain(text) {
			continue
		}
		seen++
		for e := EncodingRFC; e <= EncodingNone; e++ {
			if path, _ := e.url(text, nil); path != text {
				t.Errorf("%d writes the URL %q as %q", e, text, path)
			}
			for _, rule := range []bool{false, true} {
				if got := e.normalise(nil, text, rule); string(got) != text && e != EncodingNone {
					t.Errorf("%d writes %q as %q", e, text, got)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d texts are plain", seen)
	}
	for text, want := range map[string]bool{"/a/%D0%BA%D0%B0?x=%C3%A9": true, "/%d0": false, "/%D0%B": false, "/%2F": false, "%FF": true, "%F": false, "%8G": false, "/*%D0": false} {
		if EncodingRFC.plain(text) != want {
			t.Errorf("plain(%q) = %v", text, !want)
		}
	}
}
