package sitemap

import (
	"strings"
	"testing"
	"time"
)

// TestDatetimeBytes puts every byte in every place of a datetime, and compares
// the result with the time package. That has the same form for a time in whole
// seconds, but no leap seconds.
func TestDatetimeBytes(t *testing.T) {
	for _, whole := range []string{"2026-02-28T23:59:59Z", "2024-02-29T00:00:00Z", "1999-12-31T09:30:15Z", "2026-10-01T10:20:30Z", "2025-01-19T12:05:09Z"} {
		for place := range len(whole) {
			for c := range 256 {
				b := []byte(whole)
				b[place] = byte(c)
				_, err := time.Parse("2006-01-02T15:04:05Z", string(b))
				leap := place == 17 && c == '6' && b[18] == '0'
				if got := isDatetime(b); got != (err == nil) && !leap {
					t.Errorf("%q: %v, but %v", b, got, err)
				}
			}
		}
	}
}

// TestDatetime checks the forms of the W3C's note.
func TestDatetime(t *testing.T) {
	for _, good := range strings.Fields(`2026 2026-11 2026-11-22 2024-02-29 2000-02-29 2026-11-22T04:05Z 2026-11-22T04:05+01:00
		2026-11-22T04:05:06Z 2026-11-22T04:05:06.7-14:00 2026-11-22T04:05:06.123456789+00:00 2016-12-31T23:59:60Z 2026-04-30`) {
		if !isDatetime([]byte(good)) {
			t.Errorf("%s is none", good)
		}
	}
	for _, bad := range strings.Split(`x|26|20261122|2026-|2026-13|2026-00|2026-1|2026-11-|2026-11-31|2026-11-00|2026-02-29|1900-02-29|2026-11-22T|2026-11-22 04:05:06|2026-11-22T24:00Z|2026-11-22T04|`+
		`2026-11-22T04:60Z|2026-11-22T04:05:61Z|2026-11-22T04:05:06.Z|2026-11-22T04:05:06z|2026-11-22t04:05:06Z|2026-11-22T04:05:06+1:00|2026-11-22T04:05:06+0100|2026-11-22T04:05+15:00|`+
		`2026-11-22T04:05+01:60|2026-11-22T04:05ZZ|2026/11/22|22.11.2026|Tue, 10 Nov 2026 04:00:00 GMT|2026-11-22Z|2026-11-22T04:05|2026-11-22T04:05:06|2026-11-22T04:05:06.123|`, "|") {
		if isDatetime([]byte(bad)) {
			t.Errorf("%q is one", bad)
		}
	}
}
