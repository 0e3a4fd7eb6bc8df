package crawl

import "robots-audit/crawl/internal/truncate"

// Codes of notes on a sitemap that was read. Like the codes of codes.go they
// are stable. Notes say what is odd or against the protocol (sitemaps.org);
// the URLs that they speak of are handed out all the same, as written. Four
// codes of troubles are notes as well, with a count: CodeSitemapLoop,
// CodeSitemapDepth, CodeSitemapBudget and CodeSitemapTooBig.
const (
	NoteEmptyFile        = "empty_file"         // nothing in it, or white space only
	NoteEmptySitemap     = "empty_sitemap"      // a sitemap without a single entry
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
	NoteRelativeLoc      = "relative_loc"       // not an absolute URL
	NoteNotHTTP          = "not_http"           // an absolute URL of another scheme, such as mailto:
	NoteNoHost           = "no_host"            // an http or https URL without a host
	NoteOutside          = "outside_directory"  // a URL that lies beside or above the sitemap's directory
	NoteOtherHost        = "other_host"         // another host than the sitemap's
	NoteOtherScheme      = "other_scheme"       // https in a sitemap had over http, or the other way round
	NoteLongLoc          = "long_loc"           // 2,048 characters or more
	NoteRepeated         = "sitemap_repeated"   // an index names a sitemap that it, or an earlier one, has named
)

// CodeSitemapFails is the code of an index whose rest is given up, since so
// many of its sitemaps failed one after the other.
const CodeSitemapFails = "sitemap_fails"

// NoteEmptyMembers is the code of a note on a sitemap in which gzip members
// without content were passed over. One is no note: block formats end so.
const NoteEmptyMembers = "empty_gzip_members"

// LeftOutTooLong is SitemapURL.LeftOut of a URL of more than 64 KiB.
const LeftOutTooLong = "too_long"

// notes collects the notes on one file.
type notes []Note

// add counts a note. The detail of the first one is kept.
func (n *notes) add(code, detail string) {
	if one := n.count(code); one.Count == 1 {
		one.Detail = detail
	}
}

// first is add for a note on a URL, which is kept if it is the first.
func (n *notes) first(code string, url []byte) {
	if one := n.count(code); one.Count == 1 {
		one.Detail = truncate.String(string(url[:min(len(url), maxDetail)]), 200)
	}
}

// count counts one more of a code.
func (n *notes) count(code string) *Note {
	for i := range *n {
		if one := &(*n)[i]; one.Code == code {
			one.Count++
			return one
		}
	}
	*n = append(*n, Note{Code: code, Count: 1})
	return &(*n)[len(*n)-1]
}
