package treatment

import (
	"mime"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine/escape"
)

// Facts are the parts of an answer that are compared.
type Facts struct {
	Status    int
	Code      string // one of crawl's codes
	Where     string // the URL that answered, or to which it redirects
	Type      string // media type: "text/html"
	Bytes     int64
	Title     string
	NoIndex   []string          // crawlers with noindex, of those that were asked for; "" = all
	Challenge string            // product whose challenge it is
	Pays      bool              // it asks for payment
	Evidence  map[string]string // header fields that show the product or its terms
	Sum       string            // checksum of a robots.txt or sitemap; "" = a page

	moved   bool   // the server redirects from the URL
	links   int    // of an HTML page
	changes bool   // Sum may change at any time
	widget  string // product of a page that may be a challenge
}

// Kind is the kind of a URL, as far as its content is compared.
type Kind int

// Kinds of URLs.
const (
	Page    Kind = iota // or any other file: its content is not compared
	Robots              // every byte counts
	Sitemap             // every byte counts, unless it changes at each request
)

// evidence are the header fields that are reported if an answer is no page.
var evidence = []string{
	"Akamai-Grn", "Cf-Mitigated", "Cf-Ray", "Crawler-Max-Price", "Crawler-Price", "Payment-Required", "Retry-After", "Server", "Www-Authenticate",
	"X-Amzn-Waf-Action", "X-Datadome", "X-Iinfo", "X-Sucuri-Block", "X-Sucuri-Id", "X-Vercel-Mitigated",
}

// Bytes of texts that are kept.
const (
	maxWhere    = 2000
	maxEvidence = 200
)

// Read returns the facts of an answer. tokens are the names of crawlers in directives, in lower case.
func Read(a *crawl.Answer, kind Kind, tokens []string) *Facts {
	page, title := a.Page()
	f := &Facts{Status: a.Status, Code: a.Code, Where: strings.Clone(escape.Prefix(a.Final(), maxWhere)), Type: mediaType(a.Type), Bytes: a.Bytes, Title: title, Evidence: map[string]string{}, links: len(page.Links), changes: kind == Sitemap}
	f.moved = a.Final() != a.URL || f.strays()
	if kind != Page {
		f.Sum = a.SHA256
	}
	for _, d := range page.Directives {
		if d.SaysNoIndex() && (d.Agent == "" || slices.Contains(tokens, d.Agent)) && !slices.Contains(f.NoIndex, d.Agent) {
			f.NoIndex = append(f.NoIndex, d.Agent)
		}
	}
	var by string
	if f.Challenge, by, f.widget = challenge(a, len(page.Links)); by == "body" {
		f.Evidence[by] = f.Challenge
	}
	f.Pays = a.Status == 402 || a.Status >= 400 && (len(a.Header["Crawler-Price"]) > 0 || asksForLicence(a.Header["Www-Authenticate"]))
	for _, field := range evidence {
		if values := a.Header[field]; len(values) > 0 {
			f.Evidence[field] = strings.Clone(escape.Prefix(values[0], maxEvidence))
		}
	}
	return f
}

// asksForLicence reports whether WWW-Authenticate asks for a licence, as Really Simple Licensing (RSL) does.
func asksForLicence(schemes []string) bool {
	return slices.ContainsFunc(schemes, func(s string) bool {
		scheme, _, _ := strings.Cut(strings.TrimSpace(s), " ")
		return strings.EqualFold(scheme, "License")
	})
}

// mediaType returns the media type of a Content-Type.
func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

// NoIndexFor reports whether a crawler with these tokens must not index the page.
func (f *Facts) NoIndexFor(tokens []string) bool {
	return slices.ContainsFunc(f.NoIndex, func(name string) bool { return name == "" || slices.Contains(tokens, name) })
}
