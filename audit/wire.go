package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Records travel as JSON Lines: one record a line, except that a batch of URLs is one line a URL,
// so that common tools can search a file of records. A URL line that names no domain belongs to the
// domain of the line before. A URL is written with short keys, because there may be millions:
//
//	{"url":{"loc":"https://example.com/a","kind":2,"sm":3,"o":1,"lastmod":"2026-01-02","v":"add","l":[0,7,7]}}
//
//	loc      the URL as a crawler asks for it; loc_b64 (base64) instead where it is not UTF-8
//	kind     crawl.Kind as a number; not given = 0, a loc entry
//	sm       Sitemap.Index; -1 = found on a page
//	o        Robots.Index; not given = 0, the site's own
//	lastmod  as written; lastmod_b64 where it is not UTF-8; not given = none
//	v        one letter a crawler: a(llow), d(isallow), u(ndefined), ? (unknown)
//	written  the URL as the site has it; written_b64 where it is not UTF-8; not given = as loc
//	clicks, impressions  of the user's own list; not given = not known
//	indexed  true where the user's own list of indexed URLs names it
//	listed   true where the important list of a schedule names it
//	l        deciding line for each crawler; not given = 0 for all, no rule decided
//	h        hits of each crawler; zeros at the end are not written, not given = 0 for all
type wireURL struct {
	Loc         *string    `json:"loc,omitempty"`
	LocB64      []byte     `json:"loc_b64,omitempty"`
	Kind        crawl.Kind `json:"kind,omitempty"`
	Sitemap     int        `json:"sm"`
	Origin      int        `json:"o,omitempty"`
	LastMod     string     `json:"lastmod,omitempty"`
	LastModB64  []byte     `json:"lastmod_b64,omitempty"`
	Written     string     `json:"written,omitempty"`
	WrittenB64  []byte     `json:"written_b64,omitempty"`
	Verdicts    string     `json:"v"`
	Clicks      *int64     `json:"clicks,omitempty"`
	Impressions *int64     `json:"impressions,omitempty"`
	Indexed     bool       `json:"indexed,omitempty"`
	Listed      bool       `json:"listed,omitempty"`
	Lines       *[]int32   `json:"l,omitempty"`
	Hits        []int64    `json:"h,omitempty"`
}

// wireRecord is any line.
type wireRecord struct {
	Record
	URL *wireURL `json:"url,omitempty"`
}

// verdictLetters are the letters of "v", by verdict.
const verdictLetters = "?adu"

// Encode appends a record to dst as JSON Lines, each line with its newline. Only the first line of
// a batch of URLs names the domain. If JSON cannot represent a record (because of NaN, for
// example), a Problem replaces it, so that no loss goes unnoticed.
func Encode(dst []byte, rec Record) []byte {
	if rec.URLs != nil {
		domain := rec.Domain
		for i := range rec.URLs.List {
			dst = appendURLLine(dst, domain, &rec.URLs.List[i])
			domain = ""
		}
		return dst
	}
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rec); err != nil {
		buf.Truncate(len(dst))
		problem := &Problem{Stage: StageReport, Code: crawl.CodeInternal, Detail: "record not written: " + err.Error()}
		if err := enc.Encode(Record{Domain: rec.Domain, Problem: problem}); err != nil {
			return dst // cannot happen: a Problem has only strings
		}
	}
	return buf.Bytes()
}

// appendURLLine writes one URL without encoding/json, which would take eight times as long. These
// lines are most of a run's output.
func appendURLLine(dst []byte, domain string, u *URL) []byte {
	dst = append(dst, '{')
	if domain != "" {
		dst = append(dst, `"domain":`...)
		dst = appendString(dst, domain)
		dst = append(dst, ',')
	}
	dst = append(dst, `"url":{`...)
	dst = appendText(dst, `"loc":`, `"loc_b64":`, u.Loc)
	if u.Kind != 0 {
		dst = append(dst, `,"kind":`...)
		dst = strconv.AppendUint(dst, uint64(u.Kind), 10)
	}
	dst = append(dst, `,"sm":`...)
	dst = strconv.AppendInt(dst, int64(u.Sitemap), 10)
	if u.Origin != 0 {
		dst = append(dst, `,"o":`...)
		dst = strconv.AppendInt(dst, int64(u.Origin), 10)
	}
	if u.LastMod != "" {
		dst = append(dst, ',')
		dst = appendText(dst, `"lastmod":`, `"lastmod_b64":`, u.LastMod)
	}
	if u.Written != "" {
		dst = append(dst, ',')
		dst = appendText(dst, `"written":`, `"written_b64":`, u.Written)
	}
	dst = append(dst, `,"v":"`...)
	for _, v := range u.Verdicts {
		if int(v) >= len(verdictLetters) {
			v = engine.Unknown
		}
		dst = append(dst, verdictLetters[v])
	}
	dst = append(dst, '"')
	if !allZero(u.Lines) || len(u.Lines) != len(u.Verdicts) {
		dst = appendNumbers(dst, `,"l":[`, u.Lines)
	}
	if n := lastHit(u.Hits); n > 0 {
		dst = appendNumbers(dst, `,"h":[`, u.Hits[:n])
	}
	if u.HasClicks() {
		dst = append(dst, `,"clicks":`...)
		dst = strconv.AppendInt(dst, u.Clicks, 10)
	}
	if u.HasImpressions() {
		dst = append(dst, `,"impressions":`...)
		dst = strconv.AppendInt(dst, u.Impressions, 10)
	}
	if u.Indexed {
		dst = append(dst, `,"indexed":true`...)
	}
	if u.Listed {
		dst = append(dst, `,"listed":true`...)
	}
	return append(dst, "}}\n"...)
}

func allZero(lines []int32) bool {
	for _, l := range lines {
		if l != 0 {
			return false
		}
	}
	return true
}

// appendNumbers writes a key with its bracket, and numbers.
func appendNumbers[T int32 | int64](dst []byte, key string, list []T) []byte {
	dst = append(dst, key...)
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

// appendText writes a key and text. Text that is not UTF-8 becomes base64 under the second key,
// because JSON cannot represent such bytes.
func appendText(dst []byte, key, keyB64, s string) []byte {
	if !utf8.ValidString(s) {
		dst = append(dst, keyB64...)
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, []byte(s))
		return append(dst, '"')
	}
	return appendString(append(dst, key...), s)
}

// appendString writes UTF-8 text as a JSON string. Package escape makes text safe to show to
// people. A record is for this program, so it escapes only what JSON requires, which keeps URLs
// short.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		n := plainPrefix(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		switch c := s[n]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		s = s[n+1:]
	}
}

const hexDigits = "0123456789abcdef"

// plainPrefix returns how many leading bytes of s need no escape in a JSON string.
func plainPrefix[T string | []byte](s T) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}
