package page

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// Bounds of texts in a page.
const (
	longestRule    = 400 // bytes of a rule, or of the reason if no rule decides
	longestLastMod = 40
)

// blockedRows are the rows of a site's page for blocked URLs and for URLs with an unknown or undefined
// verdict: one row for each URL. A row reuses the beginning of the URL before it, and refers to a reading:
// the verdicts that are the same for all URLs with the same deciding lines for the same crawlers.
//
//	{"rows":[
//	0,"https://example.com/search?q=1",0,0,"2026-01-02",0,
//	29,"2",0,0,"",17
//	],"readings":[[0,["disallow",2,"disallow: /search",[0,2]]]]}
//
// A row is flat: number of reused bytes, rest of the URL, reading, source, last modification, clicks, and
// the hits of the leading crawler if there are access logs. A
// reading is the first origin that serves the file and, for each verdict: verdict, line, rule (or the
// reason, if line is 0) and crawlers. A source is the 0-based number of a sitemap, -1 a link on a page, -2
// the user's own list, -3 a page's canonical.
type blockedRows struct {
	rowFiles
	hits       func(*audit.URL) int64         // requests of the leading crawler, also in rows; nil = there are no access logs
	file       func(origin int) *audit.Robots // the robots.txt that judges the URLs of an origin
	previous   []byte
	key        []byte // of the current reading
	lastKey    []byte // of the previous reading
	lastID     int
	readingIDs map[string]int
	readings   []byte
}

// addURLs writes the rows of pages that are blocked or undecided.
func (b *blockedRows) addURLs(list []site.URL) {
	for i := range list {
		if u := &list[i]; u.Page && (u.Blocked || u.Unclear) { // other URLs have their own sheet, and are in none of the figures
			b.writeURL(u.URL)
		}
	}
}

// writeURL writes a row.
func (b *blockedRows) writeURL(u *audit.URL) {
	if !b.next() {
		return
	}
	if b.inFile == 1 {
		b.previous = b.previous[:0]
	}
	same := 0
	for same < len(u.Loc) && same < len(b.previous) && u.Loc[same] == b.previous[same] && escape.IsPlain(u.Loc[same]) {
		same++
	}
	b.previous = append(b.previous[:same], u.Loc[same:]...)
	buf := strconv.AppendInt(b.buf, int64(same), 10)
	buf = append(buf, `,"`...)
	buf = escape.AppendStringPart(buf, u.Loc[same:])
	buf = append(buf, `",`...)
	buf = strconv.AppendInt(buf, int64(b.reading(u)), 10)
	buf = append(buf, ',')
	source := int64(u.Sitemap)
	switch {
	case u.Kind == audit.KindList:
		source = -2
	case u.Kind == audit.KindCanonical:
		source = -3
	case u.Sitemap < 0:
		source = -1
	}
	buf = strconv.AppendInt(buf, source, 10)
	buf = append(buf, ',')
	buf = escape.AppendString(buf, escape.Cut(u.LastMod, longestLastMod))
	buf = append(buf, ',')
	buf = strconv.AppendInt(buf, u.Clicks, 10)
	if b.hits != nil {
		buf = strconv.AppendInt(append(buf, ','), b.hits(u), 10)
	}
	b.buf = buf
}

// reading returns the number of the reading for a URL's verdicts.
func (b *blockedRows) reading(u *audit.URL) int {
	b.key = binary.AppendVarint(b.key[:0], int64(b.file(u.Origin).Index))
	for c, v := range u.Verdicts {
		b.key = append(b.key, byte(v))
		if v != engine.Allow && c < len(u.Lines) {
			b.key = binary.AppendVarint(b.key, int64(u.Lines[c]))
		}
	}
	if bytes.Equal(b.key, b.lastKey) {
		return b.lastID
	}
	id, ok := b.readingIDs[string(b.key)]
	if !ok {
		if b.readingIDs == nil {
			b.readingIDs = map[string]int{}
		}
		id = len(b.readingIDs)
		b.readingIDs[string(b.key)] = id
		b.describe(u)
	}
	b.lastKey, b.lastID = append(b.lastKey[:0], b.key...), id
	return id
}

// describe writes a reading.
func (b *blockedRows) describe(u *audit.URL) {
	r := b.readings
	if len(r) > 0 {
		r = append(r, ",\n"...)
	}
	r = append(r, '[')
	robots := b.file(u.Origin)
	r = strconv.AppendInt(r, int64(robots.Index), 10)
	line := func(c int) int32 {
		if c < len(u.Lines) {
			return u.Lines[c]
		}
		return 0
	}
	alike := func(c, e int) bool {
		return u.Verdicts[c] == u.Verdicts[e] && line(c) == line(e) && (line(c) > 0 || site.Read(robots, c).Why == site.Read(robots, e).Why)
	}
	for c, v := range u.Verdicts {
		if v == engine.Allow {
			continue
		}
		written := false // already written with an earlier crawler
		for e := range c {
			written = written || alike(c, e)
		}
		if written {
			continue
		}
		rule := site.RuleAt(robots, int(line(c)))
		if rule == "" {
			rule = site.Read(robots, c).Why
		}
		r = append(r, `,["`...)
		r = append(r, v.String()...)
		r = append(r, `",`...)
		r = strconv.AppendInt(r, int64(line(c)), 10)
		r = append(r, ',')
		r = escape.AppendString(r, escape.Cut(rule, longestRule))
		r = append(r, ",["...)
		r = strconv.AppendInt(r, int64(c), 10)
		for e := c + 1; e < len(u.Verdicts); e++ {
			if alike(c, e) {
				r = append(r, ',')
				r = strconv.AppendInt(r, int64(e), 10)
			}
		}
		r = append(r, "]]"...)
	}
	b.readings = append(r, ']')
}

// endReadings returns the readings of a part and forgets them.
func (b *blockedRows) endReadings() []byte {
	foot := append([]byte(`,"readings":[`), b.readings...)
	b.readings, b.lastKey = b.readings[:0], b.lastKey[:0]
	clear(b.readingIDs)
	return append(foot, ']')
}
