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
	SitemapURLsUnresolved = "SM010" // detail is the first of them, written and asked for; counted are entries
	SitemapURLsRelative   = "SM011" // detail is the first of them; counted are entries
)

// Findings of Lint on which an audit says more than Lint does.
const (
	SitemapNotAbsolute  = "SM001" // a sitemap line without an absolute URL
	SitemapLineUnread   = "SM020" // a line that means a sitemap, and is none that readers take
	SitemapBeyondLimit  = "SM021" // a sitemap line beyond what is read of the file
	robotsClientError   = "FET002"
	ruleInNoGroup       = "GRP001"
	pathOtherEncoding   = "RUL014"
	pathTellsWhatToHide = "RUL022"
	noREP1994           = "RUL024" // Allow, or a wildcard, which readers of 1994 do not know
	ruleWithoutPath     = "RUL003"
	ruleAddsNothing     = "RUL005"
	ruleSamePath        = "RUL006" // as another rule, which wins
	ruleShadowed        = "RUL009"
)

// Kinds of findings, by the letters that their ids begin with.
const (
	aboutFetch = "FET" // what robots.txt was answered with
	aboutRules = "RUL"
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

// changesVerdicts are the findings whose URLs would have another verdict without the
// fault that the finding speaks of.
var changesVerdicts = map[string]bool{groupHidesStar: true, caseDiffers: true, prefixTooWide: true, parameterMissed: true}
