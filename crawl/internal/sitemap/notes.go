package sitemap

import "robots-audit/crawl/internal/weburl"

// Codes of notes on one file. Reports and scripts name them, so a code is never
// renamed and never used again for something else.
const (
	NoteEmptyLoc         = "empty_loc"          // an entry whose loc or link is empty
	NoteMissingLoc       = "missing_loc"        // an entry that names no URL at all
	NoteMisplacedLoc     = "misplaced_loc"      // a URL in another place than the entry's loc; read as that
	NoteMalformedXML     = "malformed_xml"      // tags that do not match, quotes left open, a bare '<'; read past
	NoteNotWellFormed    = "not_well_formed"    // no XML to a strict parser, which stops at Note.Byte; read on all the same
	NoteNesting          = "deep_nesting"       // elements nested deeper than 32, passed over
	NoteBeforeXML        = "content_before_xml" // white space or text before the XML declaration: XML parsers refuse it
	NoteNamespace        = "namespace"          // root without the protocol's namespace, or with another
	NoteMixed            = "mixed_content"      // url and sitemap elements in one file
	NoteUndefinedEntity  = "undefined_entity"   // a reference to an entity or character that XML does not know; left as written
	NoteDeclaredEntity   = "declared_entity"    // a reference to an entity that the file's document type declares; left as written
	NoteRawAmpersand     = "raw_ampersand"      // '&' that should be &amp;
	NoteInvalidUTF8      = "invalid_utf8"       // bytes that are no UTF-8
	NoteControlCharacter = "control_character"  // a control character in a URL
	NoteSpaceInLoc       = "space_in_loc"       // white space inside a URL
	NoteInvisible        = "invisible_space"    // no-break or zero-width spaces and the like around a URL; left away
	NoteInvalidLastMod   = "invalid_lastmod"    // a lastmod that is no W3C datetime
	NoteIncompleteNews   = "incomplete_news"    // news:news without a field that Google demands
	NoteIncompleteVideo  = "incomplete_video"   // video:video without a field that Google demands
	NoteIncompleteImage  = "incomplete_image"   // image:image without its loc
	NoteComment          = "comment_line"       // a line of a text list that begins with '#'; passed over
	NoteNotUTF8          = "not_utf8"           // another charset than the protocol's UTF-8
	NoteUnknownCharset   = "unknown_charset"    // a charset that nobody knows, or that the bytes contradict; read as UTF-8
	NoteNotGzip          = "not_gzip"           // named .gz without being gzipped
	NoteNestedGzip       = "nested_gzip"        // gzipped more than once
	NoteGzipGarbage      = "gzip_garbage"       // bytes after the last gzip member; passed over
)

// Note is a remark on a file that was read: a stable code and how often.
type Note struct {
	Code   string `json:"code"`
	Count  int64  `json:"count"`
	Detail string `json:"detail,omitempty"` // the first case, for people
	Line   int64  `json:"line,omitempty"`   // where it is, with not_well_formed; the first line is 1
	Byte   int64  `json:"byte,omitempty"`   // likewise, in the text unpacked and in UTF-8; the first byte is 1
}

// maxNote is how much of a URL a note holds, in bytes.
const maxNote = 200

// Notes are the notes on one file, one for each code, in the order in which
// they were first met.
type Notes []Note

// Count counts one more of a code. The detail of the first one is kept.
func (n *Notes) Count(code, detail string) {
	if one := n.note(code); one.Count == 1 {
		one.Detail = detail
	}
}

// CountURL is Count with the beginning of a URL as detail.
func (n *Notes) CountURL(code string, url []byte) {
	if one := n.note(code); one.Count == 1 {
		one.Detail = weburl.Truncate(string(url[:min(len(url), maxNote+1)]), maxNote)
	}
}

// note returns the note of a code, counted once more.
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
