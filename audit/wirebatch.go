package audit

import (
	"unicode/utf8"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// urlBatch collects URLs. Text, verdicts and lines share one buffer each, which is cut up at the
// end of the batch, so that a URL needs no allocation of its own.
type urlBatch struct {
	domain   string
	urls     URLs
	marks    []urlMark
	text     []byte
	verdicts []engine.Verdict
	lines    []int32
	hits     []int64
}

// urlMark says where in the buffers the parts of one URL end.
type urlMark struct{ loc, lastMod, written, verdicts, lines, hits int }

func (b *urlBatch) full() bool { return len(b.marks) == batchSize || len(b.text) > 1<<20 }

// ends reports whether a line that names domain belongs to another batch.
func (b *urlBatch) ends(domain string) bool {
	return domain != "" && domain != b.domain && len(b.marks) > 0
}

// cut cuts the buffers up into the URLs and empties them.
func (b *urlBatch) cut() *URLs {
	text := string(b.text)
	t, v, l, h := 0, 0, 0, 0
	for i, m := range b.marks {
		u := &b.urls.List[i]
		u.Loc, u.LastMod, u.Written = text[t:m.loc], text[m.loc:m.lastMod], text[m.lastMod:m.written]
		u.Verdicts, u.Lines = b.verdicts[v:m.verdicts:m.verdicts], b.lines[l:m.lines:m.lines]
		u.Hits = nil
		if m.hits > h {
			u.Hits = b.hits[h:m.hits:m.hits]
		}
		t, v, l, h = m.written, m.verdicts, m.lines, m.hits
	}
	batch := &b.urls
	batch.List = batch.List[:len(b.marks)]
	b.marks, b.text, b.verdicts, b.lines, b.hits = b.marks[:0], b.text[:0], b.verdicts[:0], b.lines[:0], b.hits[:0]
	return batch
}

// next returns the element of the list for the next URL.
func (b *urlBatch) next() *URL {
	n := len(b.marks)
	if n < cap(b.urls.List) {
		b.urls.List = b.urls.List[:n+1]
	} else {
		b.urls.List = append(b.urls.List[:n], URL{})
	}
	return &b.urls.List[n]
}

// addURL adds a URL that encoding/json has read.
func (b *urlBatch) addURL(domain string, w *wireURL) {
	if domain != "" {
		b.domain = domain
	}
	u := b.next()
	u.Kind, u.Sitemap, u.Origin, u.Weight = w.Kind, w.Sitemap, w.Origin, Weight{Indexed: w.Indexed, Listed: w.Listed}
	if w.Clicks != nil {
		u.Clicks, u.ClicksGiven = *w.Clicks, true
	}
	if w.Impressions != nil {
		u.Impressions, u.ImpressionsGiven = *w.Impressions, true
	}
	var m urlMark
	if w.Loc != nil {
		b.text = append(b.text, *w.Loc...)
	}
	b.text = append(b.text, w.LocB64...)
	m.loc = len(b.text)
	b.text = append(append(b.text, w.LastMod...), w.LastModB64...)
	m.lastMod = len(b.text)
	b.text = append(append(b.text, w.Written...), w.WrittenB64...)
	m.written = len(b.text)
	start := len(b.verdicts)
	for i := range len(w.Verdicts) {
		b.verdicts = append(b.verdicts, letterVerdict(w.Verdicts[i]))
	}
	m.verdicts = len(b.verdicts)
	if w.Lines != nil {
		b.lines = append(b.lines, *w.Lines...)
	} else {
		b.lines = append(b.lines, make([]int32, len(w.Verdicts))...)
	}
	m.lines = len(b.lines)
	b.hits = append(b.hits, w.Hits...)
	m.hits = b.endHits(m.verdicts - start)
	b.marks = append(b.marks, m)
}

// letterVerdict reads a letter of "v"; any other than Encode's is unknown.
func letterVerdict(c byte) engine.Verdict {
	switch c {
	case 'a':
		return engine.Allow
	case 'd':
		return engine.Disallow
	case 'u':
		return engine.Undefined
	}
	return engine.Unknown
}

// addLine adds a URL line in the exact form that Encode writes. For any other line it returns false
// and leaves the batch unchanged.
func (b *urlBatch) addLine(line []byte) bool {
	c := cursor{rest: line}
	var domain []byte
	if c.skip(`{"domain":"`) {
		domain = c.text()
		if c.bad || !c.skip(`,"url":{"loc":"`) || (len(b.marks) > 0 && string(domain) != b.domain) {
			return false
		}
	} else if !c.skip(`{"url":{"loc":"`) {
		return false
	}
	loc := c.text()
	kind, sitemap, origin := 0, 0, 0
	if c.skip(`,"kind":`) {
		kind = c.number()
	}
	if c.skip(`,"sm":`) {
		sitemap = c.number()
	}
	if c.skip(`,"o":`) {
		origin = c.number()
	}
	var lastMod, written []byte
	if c.skip(`,"lastmod":"`) {
		lastMod = c.text()
	}
	if c.skip(`,"written":"`) {
		written = c.text()
	}
	if !c.skip(`,"v":"`) || kind < 0 || kind > 255 {
		return false
	}
	letters := c.text()
	before, hitsBefore := len(b.lines), len(b.hits)
	if c.skip(`,"l":[`) {
		b.lines = readNumbers(&c, b.lines)
	} else {
		for range letters {
			b.lines = append(b.lines, 0)
		}
	}
	if c.skip(`,"h":[`) {
		b.hits = readNumbers(&c, b.hits)
	}
	if c.bad || string(c.rest) != "}}" {
		b.lines, b.hits = b.lines[:before], b.hits[:hitsBefore]
		return false
	}
	if len(domain) > 0 && string(domain) != b.domain {
		b.domain = string(domain)
	}
	u := b.next()
	u.Kind, u.Sitemap, u.Origin, u.Weight = crawl.Kind(kind), sitemap, origin, Weight{}
	b.addTexts(loc, lastMod, written, letters)
	return true
}

// endHits completes the hits of the URL whose hits have just been added, if any, to one for each
// crawler, and returns where they end.
func (b *urlBatch) endHits(crawlers int) int {
	start := 0
	if n := len(b.marks); n > 0 {
		start = b.marks[n-1].hits
	}
	if len(b.hits) > start {
		for len(b.hits) < start+crawlers {
			b.hits = append(b.hits, 0)
		}
	}
	return len(b.hits)
}

// addTexts adds the texts and verdicts of the URL whose deciding lines have just
// been added, and marks where its parts end.
func (b *urlBatch) addTexts(loc, lastMod, written, letters []byte) {
	var m urlMark
	b.text = append(b.text, loc...)
	m.loc = len(b.text)
	b.text = append(b.text, lastMod...)
	m.lastMod = len(b.text)
	b.text = append(b.text, written...)
	m.written = len(b.text)
	for _, letter := range letters {
		b.verdicts = append(b.verdicts, letterVerdict(letter))
	}
	m.verdicts, m.lines, m.hits = len(b.verdicts), len(b.lines), b.endHits(len(letters))
	b.marks = append(b.marks, m)
}

// cursor reads along a line; bad stays true after the first error.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) at(b byte) bool { return len(c.rest) > 0 && c.rest[0] == b }

func (c *cursor) skip(literal string) bool {
	if len(c.rest) < len(literal) || string(c.rest[:len(literal)]) != literal {
		return false
	}
	c.rest = c.rest[len(literal):]
	return true
}

// text reads up to the closing quote; it leaves escapes and bytes that are not UTF-8 to
// encoding/json.
func (c *cursor) text() []byte {
	n := plainPrefix(c.rest)
	if n == len(c.rest) || c.rest[n] != '"' || !utf8.Valid(c.rest[:n]) {
		c.bad, c.rest = true, nil
		return nil
	}
	text := c.rest[:n]
	c.rest = c.rest[n+1:]
	return text
}

// number reads a JSON integer of at most ten digits; it leaves longer ones to encoding/json.
func (c *cursor) number() int {
	negative := c.skip("-")
	n, i := 0, 0
	for i < len(c.rest) && i < 10 && c.rest[i]-'0' <= 9 {
		n = n*10 + int(c.rest[i]-'0')
		i++
	}
	if i == 0 || (i > 1 && c.rest[0] == '0') {
		c.bad = true
	}
	c.rest = c.rest[i:]
	if negative {
		return -n
	}
	return n
}

// readNumbers reads the numbers of a list after its opening bracket, and the closing bracket.
func readNumbers[T int32 | int64](c *cursor, dst []T) []T {
	for !c.bad && !c.skip("]") {
		n := c.number()
		if n != int(T(n)) {
			c.bad = true
		}
		dst = append(dst, T(n))
		if c.skip(",") == c.at(']') { // exactly one of the two, and no comma before the end
			c.bad = true
		}
	}
	return dst
}
