package sitemap

import (
	"fmt"
	"slices"

	"robots-audit/crawl/internal/weburl"
)

// Codes of notes on one file. Reports and scripts use them, so a code is never
// renamed and never reused for something else.
const (
	NoteEmptyLoc         = "empty_loc"           // an entry whose loc or link is empty
	NoteMissingLoc       = "missing_loc"         // an entry without any URL
	NoteSeveralLocs      = "several_locs"        // an entry with more than one loc; all are read
	NoteMisplacedLoc     = "misplaced_loc"       // a URL outside of the entry's loc; read as its loc
	NoteMalformedXML     = "malformed_xml"       // tags that do not match, open quotes, a bare '<'; skipped
	NoteNotWellFormed    = "not_well_formed"     // a strict XML parser stops at Note.Byte; this one reads on
	NoteNesting          = "deep_nesting"        // elements nested deeper than 32, skipped
	NoteUnsupported      = "unsupported_format"  // a feed of another version than crawlers read, or a file of another kind
	NoteBeforeXML        = "content_before_xml"  // white space or text before the XML declaration; XML parsers reject it
	NoteNamespace        = "namespace"           // root without the protocol's namespace, or with another
	NoteExtension        = "extension_namespace" // an element of images, videos, news or links whose prefix has a wrong namespace
	NoteMixed            = "mixed_content"       // url and sitemap elements in one file
	NoteUndefinedEntity  = "undefined_entity"    // a reference to an entity or character that XML does not define; left as written
	NoteDeclaredEntity   = "declared_entity"     // a reference to an entity that the file's document type declares; left as written
	NoteRawAmpersand     = "raw_ampersand"       // '&' that should be &amp;
	NoteInvalidUTF8      = "invalid_utf8"        // bytes that are not UTF-8
	NoteControlCharacter = "control_character"   // a control character in a URL
	NoteSpaceInLoc       = "space_in_loc"        // white space inside a URL
	NoteInvisible        = "invisible_space"     // no-break or zero-width spaces and the like around a URL; removed
	NoteInvalidLastMod   = "invalid_lastmod"     // a lastmod that is not a W3C datetime
	NoteFutureLastMod    = "future_lastmod"      // a lastmod more than a day in the future
	NoteChangeFreq       = "invalid_changefreq"  // a changefreq that is not one of the protocol's seven words
	NotePriority         = "invalid_priority"    // a priority that is not a number from 0.0 to 1.0
	NoteSameLastMod      = "same_lastmod"        // all entries have the same lastmod, to the second
	NoteIncompleteNews   = "incomplete_news"     // news:news without a field that Google requires
	NoteIncompleteVideo  = "incomplete_video"    // video:video without a field that Google requires
	NoteIncompleteImage  = "incomplete_image"    // image:image without its loc
	NoteIncompleteLink   = "incomplete_link"     // a link of an entry without rel="alternate", hreflang or href
	NoteOldNews          = "old_news"            // news:news of an article older than two days, after which Google ignores it
	NoteNewsDate         = "invalid_news_date"   // a publication_date that Google cannot read
	NoteFutureNews       = "future_news_date"    // a publication_date more than a day in the future
	NoteNewsLanguage     = "news_language"       // a language of a publication that is no ISO 639 code
	NoteTooManyNews      = "too_many_news"       // over 1,000 news:news in one file
	NoteSeveralNews      = "several_news"        // a url with more than one news:news
	NoteTooManyImages    = "too_many_images"     // a url with over 1,000 images
	NoteVideoIsPage      = "video_is_page"       // a video or player with the URL of its page
	NoteComment          = "comment_line"        // a line of a text list that begins with '#'; skipped
	NoteNotUTF8          = "not_utf8"            // another charset than the protocol's UTF-8
	NoteUnknownCharset   = "unknown_charset"     // a charset that is unknown, or does not fit the bytes; read as UTF-8
	NoteNotGzip          = "not_gzip"            // named .gz without being gzipped
	NoteNestedGzip       = "nested_gzip"         // gzipped more than once
	NoteGzipGarbage      = "gzip_garbage"        // bytes after the last gzip member; skipped
)

// Note is a remark on a file that was read: a stable code and its count.
type Note struct {
	Code   string   `json:"code"`
	Count  int64    `json:"count"`
	Detail string   `json:"detail,omitempty"` // the first case, for people
	More   []string `json:"more,omitempty"`   // the next cases, as Detail: at most 4
	Line   int64    `json:"line,omitempty"`   // the line of the first case, with not_well_formed and by NewLocatingScanner; the first line is 1
	Byte   int64    `json:"byte,omitempty"`   // likewise, in the decompressed text in UTF-8; the first byte is 1
	Column int64    `json:"-"`                // likewise, in bytes of the line, by NewLocatingScanner
}

// maxMore bounds Note.More.
const maxMore = 4

// maxNote is the maximum length of a URL in a note, in bytes.
const maxNote = 200

// Notes are the notes on one file, one for each code, in the order of their
// first cases.
type Notes []Note

// Count adds one to the count of a code. It keeps the detail of the first one.
func (n *Notes) Count(code, detail string) {
	if one := n.note(code); one.Count == 1 {
		one.Detail = detail
	}
}

// CountURL is Count with the beginning of a URL as detail.
func (n *Notes) CountURL(code string, url []byte) {
	one := n.note(code)
	if one.Count > 1+maxMore {
		return
	}
	shown := ShortURL(url)
	if one.Count == 1 {
		one.Detail = shown
	} else {
		one.More = append(one.More, shown)
	}
}

// CountIn is CountURL with a remark after the URL, of which either may be empty.
func (n *Notes) CountIn(code string, url, remark []byte) {
	if !n.full(code) {
		remark = truncate(remark, maxNote/2)
		url = truncate(url, maxNote-len(remark)-len(" ()"))
		if len(url) == 0 || len(remark) == 0 {
			url = append(slices.Clip(url), remark...)
		} else {
			url = fmt.Appendf(nil, "%s (%s)", url, remark)
		}
	}
	n.CountURL(code, url)
}

// full reports whether further cases of a code are only counted.
func (n *Notes) full(code string) bool {
	return slices.ContainsFunc(*n, func(one Note) bool { return one.Code == code && one.Count > maxMore })
}

// ShortURL returns the beginning of a URL, as notes show it.
func ShortURL(url []byte) string { return string(truncate(url, maxNote)) }

// truncate is weburl.Truncate of long texts.
func truncate(text []byte, n int) []byte {
	return []byte(weburl.Truncate(string(text[:min(len(text), n+1)]), n))
}

// note returns the note of a code, after adding one to its count.
func (n *Notes) note(code string) *Note {
	for i := range *n {
		if one := &(*n)[i]; one.Code == code {
			one.Count++
			return one
		}
	}
	*n = append(*n, Note{Code: code, Count: 1})
	return &(*n)[len(*n)-1]
}
