package findings

// Findings that an audit meets outside of the URLs' verdicts, for
// [Collector.AddOccurrence]: keys into the engine's catalogue.
const (
	DiffersByUserAgent    = "FET008" // detail says how the answers differ
	DiffersByAddress      = "FET009" // likewise, on another address of the same site
	AskedWithCredentials  = "FET012"
	NoIndexUnseen         = "RUL021"
	IndexedSitemapBlocked = "SM002"
	SitemapUnreadable     = "SM003" // detail says why
	SitemapNotWellFormed  = "SM008" // detail says where; "" = not known
	SitemapEntriesFaulty  = "SM009" // detail says what is wrong with entries
)

// Those that the package finds itself.
const (
	groupHidesStar     = "GRP005"
	readersDiffer      = "RUL007"
	unusedRule         = "RUL008"
	caseDiffers        = "RUL012"
	prefixTooWide      = "RUL013"
	parameterMissed    = "RUL017"
	siteBlocked        = "RUL018"
	resourceBlocked    = "RUL019"
	targetBlocked      = "RUL020"
	sitemapURLsBlocked = "SM005"
	cleanParamBlocked  = "YA007"
	trackingParameter  = "YA008"
)
