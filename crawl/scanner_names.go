package crawl

// name is an element that the scanner tells apart, by local name.
type name uint8

const (
	nameOther name = iota
	nameURLSet
	nameURL
	nameLoc
	nameLastMod
	nameChangeFreq
	namePriority
	nameSitemapIndex
	nameSitemap
	nameImage
	nameVideo
	nameContentLoc
	namePlayerLoc
	nameThumbnailLoc
	nameRSS
	nameRDF
	nameItem
	nameLink
	namePubDate
	nameDate
	nameFeed
	nameEntry
	nameUpdated
	nameModified
	nameHTML
	names
)

// known returns the element of a local name.
func known(local []byte) name {
	switch string(local) {
	case "url":
		return nameURL
	case "loc":
		return nameLoc
	case "lastmod":
		return nameLastMod
	case "changefreq":
		return nameChangeFreq
	case "priority":
		return namePriority
	case "image":
		return nameImage
	case "link":
		return nameLink
	case "urlset":
		return nameURLSet
	case "sitemapindex":
		return nameSitemapIndex
	case "sitemap":
		return nameSitemap
	case "video":
		return nameVideo
	case "content_loc":
		return nameContentLoc
	case "player_loc":
		return namePlayerLoc
	case "thumbnail_loc":
		return nameThumbnailLoc
	case "rss":
		return nameRSS
	case "RDF":
		return nameRDF
	case "item":
		return nameItem
	case "pubDate":
		return namePubDate
	case "date":
		return nameDate
	case "feed":
		return nameFeed
	case "entry":
		return nameEntry
	case "updated":
		return nameUpdated
	case "modified":
		return nameModified
	case "html", "HTML":
		return nameHTML
	}
	return nameOther
}

// field is what an element holds for us.
type field uint8

const (
	fieldNone     field = iota
	fieldLoc            // a page
	fieldChild          // a sitemap of an index
	fieldImage          // an image, or the one that stands for a video
	fieldVideo          // a video or its player
	fieldLastMod        // when the page or sitemap changed
	fieldHreflang       // href of a link with rel="alternate"
	fieldHref           // href of a link without rel, or with rel="alternate"
)

// kinds are the fields' kinds of URL.
var kinds = [...]Kind{fieldHreflang: KindHreflang, fieldImage: KindImage, fieldVideo: KindVideo, fieldHref: KindLoc}

// fields says what an element holds for us, by its parent and its own name:
// sitemaps.org's protocol, Google's image, video and hreflang extensions,
// RSS 1.0 and 2.0, Atom 0.3 and 1.0.
var fields = [names][names]field{
	nameURL: {
		nameLoc: fieldLoc, nameLastMod: fieldLastMod, nameLink: fieldHreflang,
		nameContentLoc: fieldVideo, namePlayerLoc: fieldVideo, nameThumbnailLoc: fieldImage,
	},
	nameSitemap: {nameLoc: fieldChild, nameLastMod: fieldLastMod},
	nameImage:   {nameLoc: fieldImage},
	nameVideo:   {nameContentLoc: fieldVideo, namePlayerLoc: fieldVideo, nameThumbnailLoc: fieldImage},
	nameItem:    {nameLink: fieldLoc, namePubDate: fieldLastMod, nameDate: fieldLastMod},
	nameEntry:   {nameLink: fieldHref, nameUpdated: fieldLastMod, nameModified: fieldLastMod},
}

// role is an element's part in the structure of a file.
type role struct {
	format string // SitemapFile.Format of a file that begins with it, or has it outside all others
	group  bool   // holds fields: a field left open ends where it begins
	entry  bool   // one page or sitemap: its URLs are handed out together, with its lastmod
}

var roles = [names]role{
	nameURLSet:       {format: "urlset"},
	nameSitemapIndex: {format: "index"},
	nameRSS:          {format: "rss"},
	nameRDF:          {format: "rss"},
	nameFeed:         {format: "atom"},
	nameURL:          {format: "urlset", group: true, entry: true},
	nameSitemap:      {format: "index", group: true, entry: true},
	nameItem:         {format: "rss", group: true, entry: true},
	nameEntry:        {format: "atom", group: true, entry: true},
	nameImage:        {group: true},
	nameVideo:        {group: true},
}

// leafEnds are the end tags of elements that hold text only, and no attribute
// of interest.
var leafEnds = [names]string{nameLoc: "</loc>", nameLastMod: "</lastmod>", nameChangeFreq: "</changefreq>", namePriority: "</priority>"}
