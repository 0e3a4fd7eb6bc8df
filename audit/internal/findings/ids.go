package findings

// Findings of an audit that do not come from verdicts, for [Collector.AddOccurrence]. They are keys
// of the engine's catalogue.
const (
	DiffersByUserAgent    = "FET008" // detail says how the answers differ
	DiffersByAddress      = "FET009" // likewise, on another address of the same site
	AskedWithCredentials  = "FET012"
	SitemapDiffers        = "FET014" // detail says how
	HomeDiffers           = "FET015" // likewise
	HomeUnindexed         = "FET016" // detail is a sentence
	RefusedSitemap        = "FET017" // likewise
	RefusedPage           = "FET018" // likewise
	RefusedResource       = "FET019" // likewise
	NoIndexUnseen         = "RUL021"
	IndexedSitemapBlocked = "SM002"
	SitemapUnreadable     = "SM003" // detail says why
	sitemapNotWellFormed  = "SM008"
	mediaBlocked          = "SM025" // also faults of entries, see sitemaps.tsv
	sitemapWrongBase      = "SM022"
)

// Findings of Lint to which an audit adds more.
const (
	SitemapNotAbsolute  = "SM001" // a sitemap line without an absolute URL
	SitemapLineUnread   = "SM020" // a line that should name a sitemap, but that readers ignore
	SitemapBeyondLimit  = "SM021" // a sitemap line beyond the part of the file that is read
	robotsClientError   = "FET002"
	ruleInNoGroup       = "GRP001"
	pathOtherEncoding   = "RUL014"
	pathTellsWhatToHide = "RUL022"
	noREP1994           = "RUL024" // Allow, or a wildcard, which readers of 1994 do not support
	ruleWithoutPath     = "RUL003"
	ruleAddsNothing     = "RUL005"
	ruleSamePath        = "RUL006" // the path equals that of another rule, which wins
	ruleShadowed        = "RUL009"
)

// Kinds of findings, by the first letters of their ids.
const (
	aboutFetch = "FET" // answers to requests
	aboutRules = "RUL"
)

// Findings of this package itself.
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

// changesVerdicts are the findings whose URLs would have another verdict without the fault.
var changesVerdicts = map[string]bool{groupHidesStar: true, caseDiffers: true, prefixTooWide: true, parameterMissed: true}
