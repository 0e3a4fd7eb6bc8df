package audit

import "robots-audit/crawl"

// Types of package crawl that records include unchanged. With these names, readers of records, such
// as reports, do not need to import crawl.
type (
	Outcome = crawl.Outcome // result of requesting one URL
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

// Codes of request errors that reports distinguish; see crawl for their meaning.
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
