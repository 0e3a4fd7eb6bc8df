package crawl

// Error is an error of fetching: one of the codes of this package and its
// cause.
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

// Codes of errors. They are stable, since scripts and reports use them: a code
// is never renamed and never reused for something else.
const (
	CodeDNSNotFound      = "dns_not_found"      // the host does not exist
	CodeDNSTemporary     = "dns_temp"           // the name could not be looked up now
	CodeConnectRefused   = "connect_refused"    // no server listens
	CodeConnectTimeout   = "connect_timeout"    // no connection within the time allowed
	CodeConnectFailed    = "connect_failed"     // any other error before the first byte
	CodeTLSInvalid       = "tls_invalid"        // the handshake failed for a reason other than the three below
	CodeTLSExpired       = "tls_expired"        // certificate out of date
	CodeTLSWrongHost     = "tls_wrong_host"     // certificate for another name
	CodeTLSUnknownCA     = "tls_unknown_ca"     // self-signed, or an untrusted authority
	CodeTimeout          = "timeout"            // connected, but too slow
	CodeConnectionReset  = "reset"              // closed or reset before the answer was whole
	CodeBadHTTP          = "bad_http"           // not HTTP
	CodeHeadersTooLarge  = "headers_too_large"  // response header over the limit
	CodeBodyIncomplete   = "body_incomplete"    // fewer bytes than promised, or broken chunks
	CodeBodyTooLarge     = "body_too_large"     // longer than the limit of decompressed bytes
	CodeBadEncoding      = "bad_encoding"       // compressed body that does not inflate
	CodeBadRedirect      = "bad_redirect"       // Location missing, invalid or of a scheme that is not supported
	CodeTooManyRedirects = "too_many_redirects" // more hops than are followed
	CodeRedirectLoop     = "redirect_loop"      // the chain came back to an earlier URL
	CodeBlockedAddress   = "blocked_address"    // a private, loopback, link-local or otherwise special address
	CodeBadURL           = "bad_url"            // not an absolute http or https URL
	CodeHTTPStatus       = "http_status"        // a final status other than 2xx
	CodeNotASitemap      = "not_a_sitemap"      // 2xx with something else, such as an HTML page
	CodeEmptyFile        = NoteEmptyFile        // a sitemap without content
	CodeSitemapBroken    = "sitemap_broken"     // read up to an error; the part before it counts
	CodeSitemapTooBig    = "sitemap_too_big"    // over the protocol's 50,000 URLs or 50 MB; processed all the same
	CodeSitemapLoop      = "sitemap_loop"       // an index that leads back to a sitemap already read
	CodeSitemapDepth     = "sitemap_depth"      // indexes nested deeper than the limit
	CodeSitemapBudget    = "sitemap_budget"     // more sitemaps than the budget allows
	CodeSitemapOrigins   = "sitemap_origins"    // sitemaps on more other hosts than one site's limit
	CodeURLBudget        = "url_budget"         // more URLs than the budget allows
	CodeSitemapNotFound  = "sitemap_not_found"  // no Sitemap line leads to one, and there is none at the usual places
	CodeDisallowed       = "disallowed"         // robots.txt blocks us from a page, a sitemap of another host, or a redirect on the way to one
	CodeOffSite          = "off_site"           // a page redirects to another host; not followed
	CodeBadHTML          = "bad_html"           // the HTML could not be parsed
	CodeCancelled        = "cancelled"          // the run was stopped
	CodeInternal         = "internal"           // an internal error while working on this site
)
