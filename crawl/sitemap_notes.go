package crawl

import "robots-audit/crawl/internal/sitemap"

// Codes of notes on a sitemap that was read. Like the codes of errors.go they
// are stable. Notes say what is odd or against the protocol (sitemaps.org);
// the URLs that they speak of are handed out all the same. Four
// codes of troubles are notes as well, with a count: CodeSitemapLoop,
// CodeSitemapDepth, CodeSitemapBudget and CodeSitemapTooBig.
//
// These speak of the file as a whole, of how it was asked for, and of where its URLs lie.
const (
	NoteEmptyFile    = "empty_file"         // nothing in it, or white space only
	NoteEmptySitemap = "empty_sitemap"      // a sitemap without a single entry
	NoteRelativeLoc  = "relative_loc"       // a relative URL; handed out as the one that it stands for
	NoteNoURL        = "not_a_url"          // neither an absolute URL nor, by the look of it, a relative one
	NoteUnresolved   = "unresolved_url"     // path or query are not written as a crawler asks for them: dot segments, back slashes, blanks; Detail has both
	NoteNotHTTP      = "not_http"           // an absolute URL of another scheme, such as mailto:
	NoteNoHost       = "no_host"            // an http or https URL without a host
	NoteOutside      = "outside_directory"  // a URL that lies beside or above the sitemap's directory
	NoteOtherHost    = "other_host"         // another host than the sitemap's
	NoteOtherScheme  = "other_scheme"       // https in a sitemap had over http, or the other way round
	NoteLongLoc      = "long_loc"           // 2,048 characters or more
	NoteRepeated     = "sitemap_repeated"   // an index names a sitemap that it, or an earlier one, has named
	NoteEmptyMembers = "empty_gzip_members" // gzip members without content that were passed over, from the second on: block formats end with one
)

// These notes are about the file's content. Package crawl/internal/sitemap, which finds them, explains
// each.
const (
	NoteEmptyLoc         = sitemap.NoteEmptyLoc
	NoteMissingLoc       = sitemap.NoteMissingLoc
	NoteMisplacedLoc     = sitemap.NoteMisplacedLoc
	NoteMalformedXML     = sitemap.NoteMalformedXML
	NoteNotWellFormed    = sitemap.NoteNotWellFormed
	NoteNesting          = sitemap.NoteNesting
	NoteBeforeXML        = sitemap.NoteBeforeXML
	NoteNamespace        = sitemap.NoteNamespace
	NoteMixed            = sitemap.NoteMixed
	NoteUndefinedEntity  = sitemap.NoteUndefinedEntity
	NoteDeclaredEntity   = sitemap.NoteDeclaredEntity
	NoteRawAmpersand     = sitemap.NoteRawAmpersand
	NoteInvalidUTF8      = sitemap.NoteInvalidUTF8
	NoteControlCharacter = sitemap.NoteControlCharacter
	NoteSpaceInLoc       = sitemap.NoteSpaceInLoc
	NoteInvisible        = sitemap.NoteInvisible
	NoteInvalidLastMod   = sitemap.NoteInvalidLastMod
	NoteIncompleteNews   = sitemap.NoteIncompleteNews
	NoteIncompleteVideo  = sitemap.NoteIncompleteVideo
	NoteIncompleteImage  = sitemap.NoteIncompleteImage
	NoteComment          = sitemap.NoteComment
	NoteNotUTF8          = sitemap.NoteNotUTF8
	NoteUnknownCharset   = sitemap.NoteUnknownCharset
	NoteNotGzip          = sitemap.NoteNotGzip
	NoteNestedGzip       = sitemap.NoteNestedGzip
	NoteGzipGarbage      = sitemap.NoteGzipGarbage
)

// CodeSitemapFails is the code of an index whose rest is given up, since so
// many of its sitemaps failed one after the other.
const CodeSitemapFails = "sitemap_fails"

// LeftOutTooLong is SitemapURL.LeftOut of a URL of more than 64 KiB.
const LeftOutTooLong = "too_long"

// Note is a remark on a file that was read: a stable code, how often it was
// met (Count), and the first case for people (Detail). With not_well_formed
// there are Line and Byte of the place as well: both begin with 1, and Byte
// counts in the text unpacked and in UTF-8.
type Note = sitemap.Note
