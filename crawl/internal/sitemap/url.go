package sitemap

// URL is one URL in a sitemap. Its bytes are in the scanner's own buffer: they
// are valid until the next call of Scanner.Next.
type URL struct {
	Loc     []byte // as written, references resolved, surrounding white space removed
	LastMod []byte // of its entry, as written; nil = not given, or neither a page nor a sitemap
	Lang    []byte // hreflang of an Alternate, as written; nil = not given
	Kind    Kind
	TooLong bool // longer than 64 KiB: Loc has its beginning
	First   bool // no other URL of its entry was yielded before
}

// Kind says what a URL of a sitemap leads to.
type Kind uint8

// The kinds.
const (
	Page      Kind = iota // urlset/url/loc, a line of a text list, an RSS or Atom link
	Child                 // sitemapindex/sitemap/loc
	Alternate             // xhtml:link rel="alternate"
	Image                 // image:loc, video:thumbnail_loc
	Video                 // video:content_loc, video:player_loc, and the parts of one
)
