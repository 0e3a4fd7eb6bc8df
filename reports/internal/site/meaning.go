package site

import (
	"strings"

	"robots-audit/audit"
)

// glossary says in words what stable codes mean: those of problems, of notes on
// sitemaps, and of the reasons why a URL was left out. The codes without a constant
// here are crawl's, which no report imports (crawl/codes.go, crawl/sitemap_notes.go).
var glossary = map[string]string{
	"dns_not_found":         "the host does not exist",
	"dns_temp":              "the name could not be looked up just now",
	"connect_refused":       "nobody listens at this address",
	"connect_timeout":       "no connection within the time allowed",
	"connect_failed":        "no connection came about",
	"tls_invalid":           "no secure connection could be agreed on",
	"tls_expired":           "the certificate is out of date",
	"tls_wrong_host":        "the certificate belongs to another name",
	"tls_unknown_ca":        "the certificate is self-signed, or signed by an authority nobody trusts",
	"timeout":               "connected, but the answer took too long",
	"reset":                 "the connection was closed before the answer was whole",
	"bad_http":              "the answer is not HTTP",
	"headers_too_large":     "the response header is larger than allowed",
	"body_incomplete":       "fewer bytes than the server promised",
	"body_too_large":        "larger than the limit; reading stopped there",
	"bad_encoding":          "compressed, but cannot be unpacked",
	"bad_redirect":          "a redirect that leads nowhere, or to a scheme that is not fetched",
	"too_many_redirects":    "more redirects than are followed",
	"redirect_loop":         "the redirects go round in a circle",
	"blocked_address":       "a private or special address, which is not fetched unless allowed",
	"bad_url":               "not an absolute http or https URL",
	"http_status":           "answered, but not with success",
	"not_a_sitemap":         "answered with something else, such as an HTML page",
	"sitemap_broken":        "broken off or malformed; what came before the break counts",
	"sitemap_too_big":       "over the protocol's 50,000 URLs or 50 MB; processed all the same",
	"sitemap_loop":          "an index that leads back to a sitemap already read",
	"sitemap_depth":         "sitemap indexes nested deeper than the limit",
	"sitemap_budget":        "more sitemaps than the limit of this audit",
	"sitemap_origins":       "sitemaps on more other hosts than this audit asks for one site",
	"url_budget":            "more URLs than the limit of this audit",
	"sitemap_fails":         "so many sitemaps of one index failed that the rest of it was given up",
	"sitemap_blocked":       "the sitemap is itself blocked from crawling",
	audit.CodeRobotsHTML:    "robots.txt answers with an HTML page; only lines that happen to look like rules count",
	audit.CodeRobotsNotText: "robots.txt is UTF-16 or binary: none of its lines counts",
	audit.CodeRobotsTooBig:  "robots.txt is longer than 500 KiB: crawlers need not read what lies beyond",
	"disallowed":            "robots.txt keeps this audit from asking for the page, or the sitemap on another host",
	"off_site":              "a redirect to another host, which is not followed",
	"bad_html":              "a page that is too twisted to be parsed",
	CodeMore:                "further problems of the same site",
	"sitemap_not_found":     "robots.txt names no sitemap, and there is none at the usual places",
	"sitemap_line_unread":   "robots.txt names sitemaps only in lines that crawlers do not take, and there is none at the usual places",
	"site_timeout":          "the site took longer than the time allowed for one site; what was read until then is reported",
	"cancelled":             "the run was stopped",
	"internal":              "a fault of the auditor while working on this site",
	"bad_domain":            "a line of the list that names no site",

	"empty_file":         "nothing in the file",
	"empty_sitemap":      "a sitemap without a single entry",
	"empty_loc":          "an entry whose loc or link is empty",
	"missing_loc":        "an entry that names no URL",
	"misplaced_loc":      "a URL in another place than the entry's loc, read as if it stood there",
	"not_well_formed":    "strict XML parsers, such as the one behind Search Console, stop at the place named; this audit read on",
	"malformed_xml":      "tags that do not match, quotes left open or a bare '<', read past",
	"deep_nesting":       "elements nested deeper than 32, passed over",
	"content_before_xml": "white space or text before the XML declaration",
	"namespace":          "the first tag lacks the sitemap protocol's namespace",
	"mixed_content":      "pages and sitemaps in one file",
	"undefined_entity":   "a reference to an entity or character that XML does not know, left as written",
	"declared_entity":    "a reference to an entity of the file's own document type, left as written: crawlers need not read document types",
	"raw_ampersand":      "'&' where &amp; should stand",
	"invalid_utf8":       "bytes in a URL that are no UTF-8",
	"control_character":  "a control character in a URL",
	"space_in_loc":       "white space inside a URL",
	"invisible_space":    "no-break or zero-width spaces around a URL, left away",
	"invalid_lastmod":    "a lastmod that is no date as the protocol has it, such as 2026-11-22",
	"incomplete_news":    "a news entry without something that Google demands",
	"incomplete_video":   "a video without something that Google demands",
	"incomplete_image":   "an image without its loc",
	"comment_line":       "a comment in a text list, passed over",
	"not_utf8":           "another charset than the protocol's UTF-8",
	"unknown_charset":    "a charset that nobody knows, or that the bytes contradict; read as UTF-8",
	"not_gzip":           "named .gz without being gzipped",
	"nested_gzip":        "gzipped more than once",
	"gzip_garbage":       "bytes after the end of the gzipped content, passed over",
	"relative_loc":       "a relative URL, where the protocol demands a whole one; it was resolved against the sitemap's own and tested",
	"not_a_url":          "text that is no URL",
	"unresolved_url":     "a URL that is not written as crawlers ask for it",
	"not_http":           "a URL that is neither http nor https",
	"no_host":            "a URL without a host",
	"outside_directory":  "URLs beside or above the sitemap's own directory, and the robots.txt of their host does not name the sitemap",
	"other_host":         "URLs of another host than the sitemap's",
	"cross_submitted":    "URLs of other hosts, whose robots.txt names this sitemap",
	"long_loc":           "a URL of 2,048 characters or more",
	"sitemap_repeated":   "a sitemap that was named before",

	audit.LeftEmpty:    "an entry without text",
	audit.LeftRelative: "not an absolute URL, as the sitemap protocol demands",
	audit.LeftScheme:   "neither http nor https",
	audit.LeftInvalid:  "no readable host",
	audit.LeftOrigins:  "on a host past the limit of hosts for one site",
	audit.LeftTooLong:  "longer than the limit of a URL",
	audit.LeftBudget:   "past the limit of URLs for one site, where reading stopped: at least so many",

	audit.CodeNotListed: "URLs of your own list whose host is none of the sites in the list",
	audit.CodeNoURL:     "rows of your own list without an absolute http or https URL",
	audit.CodeLongRow:   "rows of your own list that are too long",

	CodeDiskFull:    "no space left for the site's report",
	CodeReadOnly:    "the place of the site's report may not be written",
	CodeWriteFailed: "the site's report could not be written",

	CodeRecordsMissing: "the file of the site's records is not there any more; what was made of it stays as it was",
	CodeRecordsDamaged: "the file of the site's records is not as it was written; what was made of it stays as it was",
	CodeReportDamaged:  "a file of the site's report is not as it was written",
}

// Meaning says what a code means; of one that is not known, the code itself with spaces.
func Meaning(code string) string {
	if words := glossary[code]; words != "" {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}
