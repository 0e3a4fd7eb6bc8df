package crawl

// SitemapURL is one URL that a sitemap names. Its strings point into the
// reader's own buffer: they hold until the next step of the iteration.
type SitemapURL struct {
	Loc     []byte // as a crawler asks for it, see ResolveURL; as written where that is no http or https URL
	Written []byte // as written, entities resolved, surrounding white space removed; nil = as Loc, but perhaps for a fragment
	LastMod []byte // as written; nil = not given
	Kind    Kind   // what named it
	LeftOut string // "" or why the URL cannot be handed out whole ("too_long"); Loc then holds its beginning
}

// Kind says which element of a sitemap names a URL.
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
	KindCanonical             // what a page names as its canonical URL
	kindsEnd
)

// kindNames are the names of the kinds, in their order.
var kindNames = [kindsEnd + 1]string{"loc", "hreflang", "image", "video", "link", "list", "css", "js", "font", "media", "frame", "canonical", "unknown"}

// String returns "loc", "hreflang", "image", "video", "link", "list", "css",
// "js", "font", "media", "frame" or "canonical".
func (k Kind) String() string { return kindNames[min(k, kindsEnd)] }

// SitemapFile is what came of reading one sitemap.
//
// Its Code is the Outcome's, or says what is wrong with what was read, the
// gravest first: body_too_large, not_a_sitemap, sitemap_broken, url_budget,
// sitemap_loop, sitemap_depth, sitemap_budget, sitemap_too_big; the last four
// stand in Notes as well, with their count. Bytes counts what a gzipped
// sitemap inflates to; SHA256 is that of the gzipped file.
//
// Some things are reported as a file without ever being asked for, and so
// without Status: a Sitemap line or child that is no http or https URL
// (bad_url), what SitemapBudget.Allowed refuses, the rest of an index that is
// given up (sitemap_fails), what is beyond the budget of files (sitemap_budget),
// and what lies on more hosts than are asked (sitemap_origins). For the latter three,
// URL is the first sitemap that was not read, Detail says how many there are, and
// Unread counts the others.
type SitemapFile struct {
	Outcome
	Index  int    `json:"index"`            // 0-based, in the order of reading; SitemapItem.Sitemap refers to it
	Parent int    `json:"parent"`           // Index of the sitemap index that names it; -1: a Sitemap line or the default place
	Line   int    `json:"line,omitempty"`   // 1-based line of robots.txt that declares it
	Depth  int    `json:"depth"`            // 0 = declared, 1 = child of an index, …
	Format string `json:"format,omitempty"` // "urlset", "index", "text", "rss", "atom"; "" = nothing recognised
	Gzip   bool   `json:"gzip,omitempty"`   // the content itself was gzipped
	URLs   int64  `json:"urls"`             // loc entries read (for an index: children named)
	Unread int64  `json:"unread,omitempty"` // further sitemaps that were not asked for because of a bound that was come to here, or since the walk ended
	Notes  []Note `json:"notes,omitempty"`  // warnings: limits of the protocol, encodings, oddities; one each code
}

// SitemapItem is one step of reading a site's sitemaps: exactly one of the
// two is set. A file's own item follows its last URL.
type SitemapItem struct {
	URL     *SitemapURL
	Sitemap int // Index of the file that URL stands in
	File    *SitemapFile
}

// DeclaredSitemap is a place to start reading from.
type DeclaredSitemap struct {
	URL  string // absolute
	Line int    // 1-based line of robots.txt; 0 = one of the usual places, such as /sitemap.xml
}

// SitemapBudget bounds the reading of one site's sitemaps. A zero field means
// the default in brackets.
type SitemapBudget struct {
	Files int   // sitemaps fetched in all [10,000]
	Depth int   // nested indexes [5]
	URLs  int64 // URLs handed out [50,000,000]
	Bytes int64 // bytes of one file, decompressed, and as many compressed [52,428,800 x 4]; the protocol's own limit is 52,428,800
	Fails int   // children of one index that fail one after the other before the rest is given up [100]

	// Allowed is asked before each request, those that redirects lead to included.
	// What it refuses is not asked for, and has its error's code. Those of the codes
	// sitemap_origins and sitemap_fails are counted and reported together at the end,
	// but for redirects. nil = all are allowed.
	Allowed func(url string) *Error
}
