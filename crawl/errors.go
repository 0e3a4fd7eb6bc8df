package crawl

// Error is a trouble of fetching: one of the codes of this package and what
// lies behind it.
type Error struct {
	Code string // stable, for scripts
	Err  error  // the cause, for people; may be nil
}

// Error returns the cause in words, after the code.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Code
	}
	return e.Code + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Codes of a site's troubles. They are stable: scripts and reports name them,
// so a code is never renamed and never used again for something else.
const (
	CodeDNSNotFound      = "dns_not_found"      // the host does not exist
	CodeDNSTemporary     = "dns_temp"           // the name could not be looked up just now
	CodeConnectRefused   = "connect_refused"    // nobody listens
	CodeConnectTimeout   = "connect_timeout"    // no connection within the time allowed
	CodeConnectFailed    = "connect_failed"     // any other trouble before the first byte
	CodeTLSInvalid       = "tls_invalid"        // a handshake that failed for another reason than the three below
	CodeTLSExpired       = "tls_expired"        // certificate out of date
	CodeTLSWrongHost     = "tls_wrong_host"     // certificate of another name
	CodeTLSUnknownCA     = "tls_unknown_ca"     // self-signed, or an authority nobody trusts
	CodeTimeout          = "timeout"            // connected, but too slow
	CodeConnectionReset  = "reset"              // closed or reset before the answer was whole
	CodeBadHTTP          = "bad_http"           // bytes that are no HTTP
	CodeHeadersTooLarge  = "headers_too_large"  // response header over the limit
	CodeBodyIncomplete   = "body_incomplete"    // fewer bytes than promised, or broken chunks
	CodeBodyTooLarge     = "body_too_large"     // over the limit of decompressed bytes
	CodeBadEncoding      = "bad_encoding"       // compressed body that does not inflate
	CodeBadRedirect      = "bad_redirect"       // Location missing, unreadable or of a scheme that is not fetched
	CodeTooManyRedirects = "too_many_redirects" // more hops than are followed
	CodeRedirectLoop     = "redirect_loop"      // the chain came back to a URL that it had been at
	CodeBlockedAddress   = "blocked_address"    // a private, loopback, link-local or otherwise special address
	CodeBadURL           = "bad_url"            // not an absolute http or https URL
	CodeHTTPStatus       = "http_status"        // answered, but not with 2xx
	CodeNotASitemap      = "not_a_sitemap"      // 2xx with something else, such as an HTML page
	CodeSitemapBroken    = "sitemap_broken"     // read up to a break; what came before it counts
	CodeSitemapTooBig    = "sitemap_too_big"    // over the protocol's 50,000 URLs or 50 MB; processed all the same
	CodeSitemapLoop      = "sitemap_loop"       // an index that leads back to a sitemap already read
	CodeSitemapDepth     = "sitemap_depth"      // indexes nested deeper than the limit
	CodeSitemapBudget    = "sitemap_budget"     // more sitemaps than the budget allows
	CodeSitemapOrigins   = "sitemap_origins"    // sitemaps on more other hosts than one site may have asked
	CodeURLBudget        = "url_budget"         // more URLs than the budget allows
	CodeSitemapNotFound  = "sitemap_not_found"  // no Sitemap line that leads to one, and nothing at the usual places
	CodeDisallowed       = "disallowed"         // a page, a sitemap of another host, or a redirect on the way to one, that robots.txt keeps us from asking for
	CodeOffSite          = "off_site"           // a page's redirect that leads to another host; not followed
	CodeBadHTML          = "bad_html"           // a page that is too twisted to be parsed
	CodeCancelled        = "cancelled"          // the run was stopped
	CodeInternal         = "internal"           // a fault of ours while working on this site
)
