package sitemap

import (
	"bytes"
	"fmt"
	"time"

	"robots-audit/engine/wording"
)

// Google's limits for its extensions (developers.google.com/search/docs/crawling-indexing/sitemaps:
// news-sitemap, image-sitemaps).
const (
	maxNews   = 1000 // news:news of one file
	maxImages = 1000 // images of one url
)

// newsAge is the age after which an article does not belong in a news sitemap any more: Google's two
// days, and half a day because no site writes its sitemap every minute.
const newsAge = 60 * time.Hour

// news counts the elements of Google's extensions.
type news struct {
	oldest  time.Time // older news are noted
	n       int       // news:news of the file
	inEntry int       // news:news of the current entry
	images  int       // images of the current entry
}

// countExtension counts an element of an extension that begins in a url.
func (s *Scanner) countExtension(parent, nm name) {
	switch {
	case parent != nameURL:
	case nm == nameNews:
		s.news.n++
		if s.news.inEntry++; s.news.inEntry == 2 {
			s.Notes.CountURL(NoteSeveralNews, s.entryLoc())
		}
	case nm == nameImage:
		if s.news.images++; s.news.images == maxImages+1 {
			s.Notes.CountURL(NoteTooManyImages, s.entryLoc())
		}
	}
}

// noteManyNews notes that a file has too many news.
func (s *Scanner) noteManyNews() {
	if s.news.n > maxNews {
		s.Notes = append(s.Notes, Note{Code: NoteTooManyNews, Count: 1, Detail: fmt.Sprintf("%s news entries, but only %s are allowed", wording.Thousands(int64(s.news.n)), wording.Thousands(maxNews))})
	}
	s.news.n = 0 // Finish may be called twice
}

// entryLoc returns the loc of the current entry, nil if it was not read yet or was yielded already.
func (s *Scanner) entryLoc() []byte {
	if len(s.found) == 0 || s.found[0].field != fieldLoc || s.delivered > 0 {
		return nil
	}
	return s.text[s.found[0].from:s.found[0].to]
}

// checkNews notes a date or language of news that Google cannot use.
func (s *Scanner) checkNews(f field, value []byte) {
	switch {
	case f == fieldLanguage:
		if !isNewsLanguage(value) {
			s.Notes.CountIn(NoteNewsLanguage, s.entryLoc(), value)
		}
	case len(value) < len(time.DateOnly) || !isDatetime(value):
		s.Notes.CountIn(NoteNewsDate, s.entryLoc(), value)
	case string(value[:len(time.DateOnly)]) > s.tomorrow:
		s.Notes.CountIn(NoteFutureNews, s.entryLoc(), value)
	case instant(value).Before(s.news.oldest):
		s.Notes.CountIn(NoteOldNews, s.entryLoc(), value)
	}
}

// isNewsLanguage reports whether b has the form of a language of a publication: two or three letters,
// or one of two codes for Chinese (the schema of Google's news sitemaps).
func isNewsLanguage(b []byte) bool {
	if bytes.EqualFold(b, []byte("zh-cn")) || bytes.EqualFold(b, []byte("zh-tw")) {
		return true
	}
	for _, c := range b {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return len(b) == 2 || len(b) == 3
}

// instant returns the time of a datetime, to the minute. A day without a time counts until its end.
func instant(b []byte) time.Time {
	year, b, _ := digits(b, 4)
	month, b, _ := part(b, '-')
	day, b, _ := part(b, '-')
	if len(b) == 0 {
		return time.Date(year, time.Month(month), day+1, 0, 0, 0, 0, time.UTC)
	}
	hour, b, _ := part(b, 'T')
	minute, b, _ := part(b, ':')
	if at := bytes.LastIndexAny(b, "+-"); at >= 0 {
		sign := b[at]
		hours, rest, _ := part(b[at:], sign)
		minutes, _, _ := part(rest, ':')
		if sign == '+' {
			hours, minutes = -hours, -minutes
		}
		hour, minute = hour+hours, minute+minutes
	}
	return time.Date(year, time.Month(month), day, hour, minute, 0, 0, time.UTC)
}
