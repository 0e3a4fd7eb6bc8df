package crawl

// SitemapURL is one URL in a sitemap. Its strings point into the reader's own
// buffer: they are valid until the next step of the iteration.
type SitemapURL struct {
	Loc     []byte // in the form that a crawler requests, see ResolveURL; as written if it is not an http or https URL
	Written []byte // as written, entities resolved, surrounding white space removed; nil = as Loc, except perhaps for a fragment
	LastMod []byte // as written; nil = not given
	Lang    []byte // hreflang of an alternate, as written; nil = not given
	Kind    Kind   // the element it is from
	LeftOut string // "" or why the URL could not be yielded whole ("too_long"); Loc then has its beginning
	First   bool   // no other URL of its entry was yielded before
}

// Kind is the element of a sitemap or page that has a URL.
type Kind uint8

const (
	KindLoc       Kind = iota // urlset/url/loc, a line of a text list, an RSS or Atom link
	KindHreflang              // xhtml:link rel="alternate"
	KindImage                 // image:loc, video:thumbnail_loc
	KindVideo                 // video:content_loc, video:player_loc
	KindLink                  // a link found on a page
	KindList                  // the user's own list
	KindCSS                   // a style sheet that a page needs to be rendered
	KindJS                    // a script that it needs
	KindFont                  // a font that it needs
	KindMedia                 // video or sound on it
	KindFrame                 // a document within it
	KindCanonical             // the canonical URL of a page
	kindsEnd
)

// kindNames are the names of the kinds, in order.
var kindNames = [kindsEnd + 1]string{"loc", "hreflang", "image", "video", "link", "list", "css", "js", "font", "media", "frame", "canonical", "unknown"}

// String returns "loc", "hreflang", "image", "video", "link", "list", "css",
// "js", "font", "media", "frame" or "canonical".
func (k Kind) String() string { return kindNames[min(k, kindsEnd)] }

// SitemapFile is the result of reading one sitemap.
//
// Its Code is that of the Outcome, or the error of the content, most severe first:
// body_too_large, empty_file, not_a_sitemap, sitemap_broken, url_budget, sitemap_loop,
// sitemap_depth, sitemap_budget, sitemap_too_big. The last four are also in Notes,
// with their count. Bytes is the inflated size of a gzipped sitemap; SHA256 is that
// of the gzipped file.
//
// Some files are reported without a request, and so without Status. They are invalid
// URLs (bad_url), sitemaps that SitemapBudget.Allowed refuses, and three kinds of
// summaries: the skipped rest of an index (sitemap_fails), sitemaps beyond the budget
// of files (sitemap_budget), and sitemaps on too many hosts (sitemap_origins). For
// these three, URL is the first sitemap that was not read, Detail has their number,
// and Unread counts the others.
type SitemapFile struct {
	Outcome
	Index  int    `json:"index"`            // 0-based, in the order of reading; SitemapItem.Sitemap refers to it
	Parent int    `json:"parent"`           // Index of the sitemap index that names it; -1: a Sitemap line or the default location
	Line   int    `json:"line,omitempty"`   // 1-based line of robots.txt that declares it
	Depth  int    `json:"depth"`            // 0 = declared, 1 = child of an index, …
	Format string `json:"format,omitempty"` // "urlset", "index", "text", "rss", "atom"; "" = not recognised
	Gzip   bool   `json:"gzip,omitempty"`   // the file itself is gzipped
	URLs   int64  `json:"urls"`             // loc entries read (for an index: its sitemaps)
	Unread int64  `json:"unread,omitempty"` // other sitemaps that were not requested because of a limit or the end of the walk
	Notes  []Note `json:"notes,omitempty"`  // warnings: limits of the protocol, encodings, oddities; one per code

	Own    int64       `json:"-"` // loc entries on the sitemap's own host
	Others []OtherHost `json:"-"` // other hosts of loc entries, in the order of their first entries
}

// OtherHost counts the loc entries of a sitemap on an origin whose host is not the sitemap's.
type OtherHost struct {
	Origin string   // scheme, host and port in lower case: "https://example.com:8443"; "" = all further ones
	URLs   int64    // entries
	First  []string // the first of them, at most 5, cut as in notes
}

// SitemapItem is one step of reading a site's sitemaps: either URL or File is
// set. A file's own item follows its last URL.
type SitemapItem struct {
	URL     *SitemapURL
	Sitemap int // Index of the file with the URL
	File    *SitemapFile
}

// DeclaredSitemap is a sitemap to start from.
type DeclaredSitemap struct {
	URL  string // absolute
	Line int    // 1-based line of robots.txt; 0 = one of the usual locations, such as /sitemap.xml
}

// SitemapBudget limits the reading of one site's sitemaps. A zero field means
// the default in brackets.
type SitemapBudget struct {
	Files int   // sitemaps fetched in total [10,000]
	Depth int   // nested indexes [5]
	URLs  int64 // URLs yielded [50,000,000]
	Bytes int64 // bytes of one file, decompressed, and as many compressed [52,428,800 x 4]; the protocol's own limit is 52,428,800
	Fails int   // children of one index that may fail one after the other before the rest is skipped [100]

	Agent string // User-Agent header [the client's]

	// Allowed is called before each request, including those of redirects. A refused
	// sitemap is not requested, and gets the code of the error. Refusals with the
	// codes sitemap_origins and sitemap_fails are counted and reported together at
	// the end, except for redirects. nil = all are allowed.
	Allowed func(url string) *Error

	// Page is called, after Allowed, for a page of a urlset that may be a sitemap. nil = all are requested.
	Page func(url string) bool
}
