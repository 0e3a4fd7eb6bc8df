package crawl

import (
	"testing"
	"time"
)

// TestDatetimeBytes puts every byte in every place of a datetime and holds what
// is said of it to the time package, which has the same form for a time in
// whole seconds but knows no leap seconds.
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
