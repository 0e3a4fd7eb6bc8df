package audit

import (
	"bytes"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// checkListed notes a page of a sitemap that redirects, is an error, has noindex or another canonical URL.
func (s *site) checkListed(p *Page) {
	own := s.origins[0].findings
	if own == nil || p.Refused() || s.unseen(p) {
		return
	}
	switch {
	case p.Location != "" && p.Location != p.URL && p.Depth == 0: // a home page may redirect by language
	case p.Location != "" && p.Location != p.URL:
		own.AddListed(findings.ListedRedirect, "to "+difference(p.URL, p.Location), p.URL)
	case p.Code == crawl.CodeHTTPStatus && p.Status >= 400:
		if notFound(p.Status) { // other errors may be temporary, or only for this audit
			own.AddListed(findings.ListedError, statusText(p.Status), p.URL)
		}
	case !p.Answered():
	case p.NoIndex:
		own.AddListed(findings.ListedNoIndex, "for all crawlers", p.URL)
	case p.ListedNoIndex():
		own.AddListed(findings.ListedNoIndex, "for "+s.auditor.Crawlers[p.NoIndexFor[0]].Label, p.URL)
	case p.Canonical != "":
		if how := difference(p.URL, p.Canonical); how != "" {
			own.AddListed(findings.ListedCanonical, how, p.URL)
		}
	}
}

// unseen reports whether a page is blocked for all crawlers that find pages. Other findings say so, and they do
// not see what else is wrong with it.
func (s *site) unseen(p *Page) bool {
	seen := len(p.Verdicts) == 0
	for i, v := range p.Verdicts {
		seen = seen || v != engine.Disallow && s.auditor.Crawlers[i].FindsPages()
	}
	return !seen
}

// difference says how another URL differs from url, the least difference that explains it; "" = not at all.
func difference(url, other string) string {
	head, path, _ := split([]byte(url))
	otherHead, otherPath, reason := split([]byte(other))
	if reason != "" {
		return findings.AnotherPage
	}
	from, to := originName(head), originName(otherHead)
	a, b := sameEscapes(pathOrRoot(path)), sameEscapes(pathOrRoot(otherPath))
	scheme, host, _ := strings.Cut(from, "://")
	otherScheme, otherHost, _ := strings.Cut(to, "://")
	switch {
	case !sameSite(from, to):
		return "another host"
	case scheme == otherScheme && strings.TrimPrefix(host, "www.") != strings.TrimPrefix(otherHost, "www."):
		return "another port"
	case strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/"):
		switch {
		case a == b && from == to:
			return ""
		case host != otherHost && len(host) < len(otherHost):
			return "the host with www"
		case host != otherHost:
			return "the host without www"
		case scheme != otherScheme:
			return otherScheme
		case len(a) < len(b):
			return "the URL with a slash at its end"
		}
		return "the URL without a slash at its end"
	case strings.EqualFold(a, b):
		return "the URL in another case"
	}
	before, _, query := strings.Cut(a, "?")
	if after, _, _ := strings.Cut(b, "?"); query && before == after {
		return "the URL with another query"
	}
	return findings.AnotherPage
}

// sameEscapes writes the digits of escapes in upper case, since %d0 and %D0 are the same (RFC 3986 6.2.2.1).
func sameEscapes(path string) string {
	b := []byte(path)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToUpper(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// pathOrRoot returns the path and query of a URL, which is "/" where there is none.
func pathOrRoot(path []byte) string {
	if len(path) == 0 {
		return "/"
	}
	return string(path)
}
