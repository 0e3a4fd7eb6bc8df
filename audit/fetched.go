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
	KindLoc       = crawl.KindLoc
	KindHreflang  = crawl.KindHreflang
	KindImage     = crawl.KindImage
	KindVideo     = crawl.KindVideo
	KindLink      = crawl.KindLink
	KindList      = crawl.KindList
	KindCanonical = crawl.KindCanonical
)

// Codes of the troubles of a request that reports tell apart; crawl says what they mean.
const (
	CodeBadRedirect      = crawl.CodeBadRedirect
	CodeBadURL           = crawl.CodeBadURL
	CodeBlockedAddress   = crawl.CodeBlockedAddress
	CodeBodyTooLarge     = crawl.CodeBodyTooLarge
	CodeCancelled        = crawl.CodeCancelled
	CodeHTTPStatus       = crawl.CodeHTTPStatus
	CodeInternal         = crawl.CodeInternal
	CodeRedirectLoop     = crawl.CodeRedirectLoop
	CodeSitemapBudget    = crawl.CodeSitemapBudget
	CodeSitemapDepth     = crawl.CodeSitemapDepth
	CodeSitemapFails     = crawl.CodeSitemapFails
	CodeSitemapLoop      = crawl.CodeSitemapLoop
	CodeSitemapOrigins   = crawl.CodeSitemapOrigins
	CodeTooManyRedirects = crawl.CodeTooManyRedirects
	CodeURLBudget        = crawl.CodeURLBudget
)
