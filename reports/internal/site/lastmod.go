package site

import (
	"net/mail"
	"strings"
	"time"
)

// LastModDay parses the lastmod of a sitemap (W3C Datetime): the day in days since 1970 and, if
// there is a time of day (clock), the seconds since midnight UTC. ok is false if it cannot be
// parsed.
func LastModDay(s string) (day int64, seconds int, clock, ok bool) {
	if day, ok = isoDay(s); !ok {
		return 0, 0, false, false
	}
	if len(s) == len("2026-01-02") {
		return day, 0, false, true
	}
	seconds, _, ok = isoClock(s[len("2026-01-02"):])
	return day, seconds, true, ok
}

// LastModTime is a lastmod as a time, to the millisecond; false if it cannot be parsed. Missing
// parts of W3C Datetime mean the beginning: "2026" and "2026-01" are the first day, a day is
// midnight UTC. A time without a zone, which W3C Datetime does not allow, is read as UTC. RSS feeds
// use RFC 822.
func LastModTime(s string) (time.Time, bool) {
	if len(s) > 64 { // longer than any date
		return time.Time{}, false
	}
	switch s = strings.TrimSpace(s); len(s) {
	case len("2026"):
		s += "-01-01"
	case len("2026-01"):
		s += "-01"
	}
	days, ok := isoDay(s)
	if !ok {
		return mailTime(s)
	}
	seconds, millis := 0, 0
	if rest := s[len("2026-01-02"):]; rest != "" {
		if seconds, millis, ok = isoClock(rest); !ok {
			return time.Time{}, false
		}
	}
	return inRange(time.UnixMilli((days*86400+int64(seconds))*1000 + int64(millis)).UTC())
}

// mailTime parses "Fri, 02 Jan 2026 03:04:05 +0100". Of the named zones, only those of UTC mean the
// same everywhere.
func mailTime(s string) (time.Time, bool) {
	zone := s[strings.LastIndexByte(s, ' ')+1:]
	if zone == "" || zone[0] != '+' && zone[0] != '-' && zone != "GMT" && zone != "UTC" {
		return time.Time{}, false
	}
	t, err := mail.ParseDate(s)
	if err != nil {
		return time.Time{}, false
	}
	return inRange(t.UTC())
}

// inRange rejects years that are not written with four digits: readers of dates have no common
// format for them.
func inRange(t time.Time) (time.Time, bool) {
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, false
	}
	return t, true
}

// isoDay parses the "2026-01-02" at the beginning of s, in days since 1970.
func isoDay(s string) (day int64, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := digits(s[:4])
	m, ok2 := digits(s[5:7])
	d, ok3 := digits(s[8:10])
	if !ok1 || !ok2 || !ok3 || y < 1 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d {
		return 0, false // 30 February
	}
	return t.Unix() / 86400, true
}

// isoClock parses "T03:04Z", "T03:04:05Z", "T03:04:05.678+02:00" as seconds after midnight UTC of
// the given day, and milliseconds after these.
func isoClock(s string) (seconds, millis int, ok bool) {
	if len(s) < 6 || s[0] != 'T' && s[0] != 't' && s[0] != ' ' || s[3] != ':' {
		return 0, 0, false
	}
	h, ok1 := digits(s[1:3])
	m, ok2 := digits(s[4:6])
	if !ok1 || !ok2 || h > 24 || m > 59 {
		return 0, 0, false
	}
	seconds = h*3600 + m*60
	s = s[6:]
	if len(s) >= 3 && s[0] == ':' {
		sec, ok := digits(s[1:3])
		if !ok || sec > 60 {
			return 0, 0, false
		}
		seconds += sec
		s = s[3:]
		if s != "" && s[0] == '.' {
			i := 1
			for unit := 100; i < len(s) && s[i]-'0' <= 9; unit /= 10 {
				millis += unit * int(s[i]-'0')
				i++
			}
			s = s[i:]
		}
	}
	switch {
	case s == "Z" || s == "z" || s == "":
		return seconds, millis, true
	case s[0] == '+' || s[0] == '-':
		zone := strings.ReplaceAll(s[1:], ":", "")
		if len(zone) != 4 {
			return 0, 0, false
		}
		zh, ok1 := digits(zone[:2])
		zm, ok2 := digits(zone[2:])
		if !ok1 || !ok2 || zh > 14 || zm > 59 {
			return 0, 0, false
		}
		offset := zh*3600 + zm*60
		if s[0] == '-' {
			offset = -offset
		}
		return seconds - offset, millis, true
	}
	return 0, 0, false
}

func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return n, true
}
