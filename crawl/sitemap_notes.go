package crawl

import "robots-audit/crawl/internal/sitemap"

// Codes of notes on a sitemap that was read. They are stable, like the codes of
// errors.go. Notes report what is unusual or against the protocol (sitemaps.org); the
// URLs in question are yielded anyway. Five error codes are notes too, with a count:
// CodeEmptyFile, CodeSitemapLoop, CodeSitemapDepth, CodeSitemapBudget and CodeSitemapTooBig.
//
// These notes are about the whole file, its request, and the locations of its URLs.
const (
	NoteEmptyFile    = "empty_file"         // no content, or only white space
	NoteEmptySitemap = "empty_sitemap"      // a sitemap without entries
	NoteEmptyNews    = "empty_news_sitemap" // a news sitemap without entries, as there may be no recent news
	NoteRelativeLoc  = "relative_loc"       // a relative URL; it is resolved and yielded
	NoteNoURL        = "not_a_url"          // neither an absolute URL nor, apparently, a relative one
	NoteUnresolved   = "unresolved_url"     // path or query differ from the form that crawlers request: dot segments, backslashes, blanks; Detail has both
	NoteNotHTTP      = "not_http"           // an absolute URL of another scheme, such as mailto:
	NoteNoHost       = "no_host"            // an http or https URL without a host
	NoteOutside      = "outside_directory"  // a URL outside the sitemap's directory
	NoteOtherHost    = "other_host"         // another host than the sitemap's
	NoteOtherScheme  = "other_scheme"       // https in a sitemap fetched over http, or the reverse
	NoteLongLoc      = "long_loc"           // 2,048 characters or more
	NoteBadEscape    = "bad_escape"         // a '%' without two hexadecimal digits
	NoteFragment     = "fragment"           // a URL with a fragment, which crawlers drop
	NoteNestedIndex  = "nested_index"       // an index that another index names
	NoteListedAsPage = "listed_as_page"     // a sitemap that a urlset names, which has only such entries
	NoteRepeated     = "sitemap_repeated"   // an index names a sitemap that it, or an earlier one, has already named
	NoteEmptyMembers = "empty_gzip_members" // skipped gzip members without content, from the second on: block formats end with one
)

// These notes are about the file's content. Package crawl/internal/sitemap finds and explains them.
const (
	NoteEmptyLoc         = sitemap.NoteEmptyLoc
	NoteMissingLoc       = sitemap.NoteMissingLoc
	NoteSeveralLocs      = sitemap.NoteSeveralLocs
	NoteMisplacedLoc     = sitemap.NoteMisplacedLoc
	NoteMalformedXML     = sitemap.NoteMalformedXML
	NoteNotWellFormed    = sitemap.NoteNotWellFormed
	NoteNesting          = sitemap.NoteNesting
	NoteUnsupported      = sitemap.NoteUnsupported
	NoteBeforeXML        = sitemap.NoteBeforeXML
	NoteNamespace        = sitemap.NoteNamespace
	NoteExtension        = sitemap.NoteExtension
	NoteMixed            = sitemap.NoteMixed
	NoteUndefinedEntity  = sitemap.NoteUndefinedEntity
	NoteDeclaredEntity   = sitemap.NoteDeclaredEntity
	NoteRawAmpersand     = sitemap.NoteRawAmpersand
	NoteInvalidUTF8      = sitemap.NoteInvalidUTF8
	NoteControlCharacter = sitemap.NoteControlCharacter
	NoteSpaceInLoc       = sitemap.NoteSpaceInLoc
	NoteInvisible        = sitemap.NoteInvisible
	NoteInvalidLastMod   = sitemap.NoteInvalidLastMod
	NoteFutureLastMod    = sitemap.NoteFutureLastMod
	NoteSameLastMod      = sitemap.NoteSameLastMod
	NoteChangeFreq       = sitemap.NoteChangeFreq
	NotePriority         = sitemap.NotePriority
	NoteIncompleteNews   = sitemap.NoteIncompleteNews
	NoteIncompleteVideo  = sitemap.NoteIncompleteVideo
	NoteIncompleteImage  = sitemap.NoteIncompleteImage
	NoteIncompleteLink   = sitemap.NoteIncompleteLink
	NoteOldNews          = sitemap.NoteOldNews
	NoteNewsDate         = sitemap.NoteNewsDate
	NoteFutureNews       = sitemap.NoteFutureNews
	NoteNewsLanguage     = sitemap.NoteNewsLanguage
	NoteTooManyNews      = sitemap.NoteTooManyNews
	NoteSeveralNews      = sitemap.NoteSeveralNews
	NoteTooManyImages    = sitemap.NoteTooManyImages
	NoteVideoIsPage      = sitemap.NoteVideoIsPage
	NoteComment          = sitemap.NoteComment
	NoteNotUTF8          = sitemap.NoteNotUTF8
	NoteUnknownCharset   = sitemap.NoteUnknownCharset
	NoteNotGzip          = sitemap.NoteNotGzip
	NoteNestedGzip       = sitemap.NoteNestedGzip
	NoteGzipGarbage      = sitemap.NoteGzipGarbage
)

// CodeSitemapFails is the code of an index whose rest is skipped, since too
// many of its sitemaps failed one after the other.
const CodeSitemapFails = "sitemap_fails"

// LeftOutTooLong is the SitemapURL.LeftOut of a URL of more than 64 KiB.
const LeftOutTooLong = "too_long"

// Note is a remark on a file that was read: a stable code, how often it
// occurred (Count), and the first case for people (Detail). not_well_formed
// also has the position in Line and Byte: both begin with 1, and Byte counts in
// the decompressed text in UTF-8.
type Note = sitemap.Note
