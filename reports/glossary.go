package reports

import "strings"

// glossary says in words what the stable codes of problems, and the reasons
// why a URL was left out, mean.
var glossary = map[string]string{
	"dns_not_found":      "the host does not exist",
	"dns_temp":           "the name could not be looked up just now",
	"connect_refused":    "nobody listens at this address",
	"connect_timeout":    "no connection within the time allowed",
	"connect_failed":     "no connection came about",
	"tls_invalid":        "no secure connection could be agreed on",
	"tls_expired":        "the certificate is out of date",
	"tls_wrong_host":     "the certificate belongs to another name",
	"tls_unknown_ca":     "the certificate is self-signed, or signed by an authority nobody trusts",
	"timeout":            "connected, but the answer took too long",
	"reset":              "the connection was closed before the answer was whole",
	"bad_http":           "the answer is not HTTP",
	"headers_too_large":  "the response header is larger than allowed",
	"body_incomplete":    "fewer bytes than the server promised",
	"body_too_large":     "larger than the limit; reading stopped there",
	"bad_encoding":       "compressed, but cannot be unpacked",
	"bad_redirect":       "a redirect that leads nowhere, or to a scheme that is not fetched",
	"too_many_redirects": "more redirects than are followed",
	"redirect_loop":      "the redirects go round in a circle",
	"blocked_address":    "a private or special address, which is not fetched unless allowed",
	"bad_url":            "not an absolute http or https URL",
	"http_status":        "answered, but not with success",
	"not_a_sitemap":      "answered with something else, such as an HTML page",
	"sitemap_broken":     "broken off or malformed; what came before the break counts",
	"sitemap_too_big":    "over the protocol's 50,000 URLs or 50 MB; processed all the same",
	"sitemap_loop":       "an index that leads back to a sitemap already read",
	"sitemap_depth":      "sitemap indexes nested deeper than the limit",
	"sitemap_budget":     "more sitemaps than the limit of this audit",
	"url_budget":         "more URLs than the limit of this audit",
	"sitemap_fails":      "so many sitemaps of one index failed that the rest of it was given up",
	"sitemap_blocked":    "the sitemap is itself blocked from crawling",
	"robots_html":        "robots.txt answers with an HTML page; only lines that happen to look like rules count",
	"robots_not_text":    "robots.txt is UTF-16 or binary: none of its lines counts",
	"robots_too_big":     "robots.txt is longer than 500 KiB: crawlers need not read what lies beyond",
	"disallowed":         "robots.txt keeps this audit from asking for the page",
	"off_site":           "a redirect to another host, which is not followed",
	"bad_html":           "a page that is too twisted to be parsed",
	"more":               "further problems of the same site",
	"sitemap_not_found":  "robots.txt names no sitemap, and there is none at the usual place",
	"site_timeout":       "the site took longer than the time allowed for one site; what was read until then is reported",
	"cancelled":          "the run was stopped",
	"internal":           "a fault of the auditor while working on this site",
	"bad_domain":         "a line of the list that names no site",

	"empty":        "an entry without text",
	"relative":     "not an absolute URL, as the sitemap protocol demands",
	"other_scheme": "neither http nor https",
	"invalid":      "no readable host",
	"other_origin": "on a host past the limit of hosts for one site",
	"too_long":     "longer than the limit of a URL",
	"over_budget":  "past the limit of URLs for one site",

	codeDiskFull:    "no space left for the site's report",
	codeReadOnly:    "the place of the site's report may not be written",
	codeWriteFailed: "the site's report could not be written",
}

// meaning returns a code in words.
func meaning(code string) string {
	if words := glossary[code]; words != "" {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}
