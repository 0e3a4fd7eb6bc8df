package audit

import "robots-audit/crawl"

// What the fetching side says is part of the records as it is. These names
// let readers of records, such as reports, do without package crawl.
type (
	Outcome = crawl.Outcome // what came of asking for one URL
	Hop     = crawl.Hop     // one request of a redirect chain
	Note    = crawl.Note    // a remark on a sitemap that was read
	Kind    = crawl.Kind    // which element names a URL
)

// Kinds of URLs, see crawl.Kind.
const (
	KindLoc      = crawl.KindLoc
	KindHreflang = crawl.KindHreflang
	KindImage    = crawl.KindImage
	KindVideo    = crawl.KindVideo
	KindLink     = crawl.KindLink
	KindList     = crawl.KindList
)
