package sitemap

// name is an element that the scanner knows, by local name.
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
	nameFallback // common mistakes for "loc"
	nameGUID
	nameContentSegmentLoc
	nameGalleryLoc
	nameNews
	namePublication
	nameName
	nameLanguage
	namePublicationDate
	nameTitle
	nameDescription
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
	case "guid":
		return nameGUID
	case "content_segment_loc":
		return nameContentSegmentLoc
	case "gallery_loc":
		return nameGalleryLoc
	case "news":
		return nameNews
	case "publication":
		return namePublication
	case "name":
		return nameName
	case "language":
		return nameLanguage
	case "publication_date":
		return namePublicationDate
	case "title":
		return nameTitle
	case "description":
		return nameDescription
	case "location", "uri", "href", "Loc", "LOC":
		return nameFallback
	}
	return nameOther
}

// field is the meaning of an element's content.
type field uint8

const (
	fieldNone     field = iota
	fieldLoc            // a page
	fieldChild          // a sitemap of an index
	fieldImage          // an image, or the thumbnail of a video
	fieldVideo          // a video or its player
	fieldMore           // a part of a video, or a page with more of them
	fieldLastMod        // when the page or sitemap changed
	fieldHreflang       // href of a link with rel="alternate"
	fieldHref           // href of a link without rel, or with rel="alternate"
	fieldFallback       // perhaps a page or sitemap, if the entry has no loc
	fieldGUID           // a page, if the item has no link

	// Google requires these for news and videos; only their presence is checked.
	fieldTitle
	fieldDescription
	fieldName
	fieldLanguage
	fieldDate

	// Google ignores these two; only their values are checked.
	fieldChangeFreq
	fieldPriority
)

// fieldSet is a set of fields.
type fieldSet uint32

func (f field) set() fieldSet { return 1 << f }

// fieldKinds are the fields' kinds of URL.
var fieldKinds = [...]Kind{fieldChild: Child, fieldHreflang: Alternate, fieldImage: Image, fieldVideo: Video, fieldMore: Video, fieldGUID: Page}

// fields is the meaning of an element's content, by its parent and its own
// name: sitemaps.org's protocol, Google's image, video and hreflang extensions,
// RSS 1.0 and 2.0, Atom 0.3 and 1.0.
var fields = [names][names]field{
	nameURL: {
		nameLoc: fieldLoc, nameLastMod: fieldLastMod, nameLink: fieldHreflang, nameChangeFreq: fieldChangeFreq, namePriority: fieldPriority,
		nameContentLoc: fieldVideo, namePlayerLoc: fieldVideo, nameThumbnailLoc: fieldImage,
		nameContentSegmentLoc: fieldMore, nameGalleryLoc: fieldMore, nameFallback: fieldFallback,
	},
	nameSitemap: {nameLoc: fieldChild, nameLastMod: fieldLastMod, nameFallback: fieldFallback},
	nameLoc:     {nameURL: fieldFallback},
	nameImage:   {nameLoc: fieldImage},
	nameVideo: {
		nameContentLoc: fieldVideo, namePlayerLoc: fieldVideo, nameThumbnailLoc: fieldImage,
		nameContentSegmentLoc: fieldMore, nameGalleryLoc: fieldMore, nameTitle: fieldTitle, nameDescription: fieldDescription,
	},
	nameNews:        {nameTitle: fieldTitle, namePublicationDate: fieldDate},
	namePublication: {nameName: fieldName, nameLanguage: fieldLanguage},
	nameItem:        {nameLink: fieldLoc, nameGUID: fieldGUID, namePubDate: fieldLastMod, nameDate: fieldLastMod},
	nameEntry:       {nameLink: fieldHref, nameUpdated: fieldLastMod, nameModified: fieldLastMod},
}

// requirements are the fields that Google's extensions require in an entry
// (developers.google.com/search/docs/crawling-indexing/sitemaps: news-sitemap,
// video-sitemaps, image-sitemaps), in the order in which notes list them.
var requirements = [names]struct {
	note   string
	fields []requirement
}{
	nameNews:  {NoteIncompleteNews, []requirement{{fieldName, "publication name"}, {fieldLanguage, "language"}, {fieldDate, "publication_date"}, {fieldTitle, "title"}}},
	nameVideo: {NoteIncompleteVideo, []requirement{{fieldImage, "thumbnail_loc"}, {fieldTitle, "title"}, {fieldDescription, "description"}, {fieldVideo, "content_loc or player_loc"}}},
	nameImage: {NoteIncompleteImage, []requirement{{fieldImage, "loc"}}},
}

// requirement is a field and its name in notes.
type requirement struct {
	field field
	label string
}

// role is an element's part in the structure of a file.
type role struct {
	format    string // SitemapFile.Format of a file that begins with it, or has it outside of all others
	group     bool   // contains fields: an open field ends where it begins
	extension bool   // one of requirements
	entry     bool   // one page or sitemap: its URLs are yielded together, with its lastmod
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
	nameImage:        {group: true, extension: true},
	nameVideo:        {group: true, extension: true},
	nameNews:         {group: true, extension: true},
}
