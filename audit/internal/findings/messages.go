package findings

import (
	"fmt"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// messages say, by id, how a count that is not one of a rule's own becomes a finding. n is a number
// of URLs, detail is that of the subject.
var messages = map[string]struct {
	least    int64 // with fewer URLs nothing is reported
	severity engine.Severity
	touched  string // description of the URLs
	what     func(n int64, detail string) string
}{
	DiffersByUserAgent: {1, engine.Warning, "", func(_ int64, detail string) string { return "robots.txt depends on the User-Agent: " + detail }},
	DiffersByAddress:   {1, engine.Warning, "", func(_ int64, detail string) string { return "robots.txt differs: " + detail }},
	SitemapDiffers: {1, engine.Warning, "", func(n int64, detail string) string {
		return wording.Plural(n, "sitemap") + wording.Verb(n, " differs ", " differ ") + detail
	}},
	HomeDiffers:     {1, engine.Warning, "", func(_ int64, detail string) string { return "the home page differs " + detail }},
	HomeUnindexed:   {1, engine.Warning, "", detailAlone},
	RefusedSitemap:  {1, engine.Warning, "", detailAlone},
	RefusedPage:     {1, engine.Warning, "", detailAlone},
	RefusedResource: {1, engine.Warning, "", detailAlone},
	AskedWithCredentials: {1, engine.Info, "", func(int64, string) string {
		return "the site was tested with a name and password; without them it may answer differently"
	}},
	parameterMissed: {1, engine.Warning, "with the parameter in its other place", func(n int64, _ string) string {
		return urls(n, "has", "have") + " the parameter in its other place, which this rule misses"
	}},
	targetBlocked: {1, engine.Error, "blocked by this line", func(n int64, detail string) string {
		switch detail {
		case HomePage:
			return "the home page is blocked"
		case HomeTarget:
			return "the home page redirects to a URL that this line blocks"
		}
		return "this line blocks " + wording.Plural(n, detail)
	}},
	resourceBlocked: {1, engine.Error, "blocked by this line", func(n int64, detail string) string {
		return "this line blocks " + wording.Plural(n, resourceNouns[detail]) + " that pages need to be rendered"
	}},
	NoIndexUnseen: {1, engine.Warning, "blocked by this line", func(n int64, _ string) string {
		return "this line blocks " + wording.Plural(n, "page") + " with noindex"
	}},
	IndexedSitemapBlocked: {1, engine.Error, "sitemaps blocked by this line", func(n int64, _ string) string {
		return "this line blocks " + wording.Plural(n, "sitemap")
	}},
	SitemapUnreadable: {1, engine.Warning, "affected sitemaps", func(n int64, detail string) string {
		return wording.Plural(n, "sitemap") + ": " + detail
	}},
	mediaBlocked: {1, engine.Warning, "blocked by this line", func(n int64, detail string) string {
		kind, crawler, _ := strings.Cut(detail, " ")
		return "this line blocks " + wording.Plural(n, kind) + " in sitemaps for " + crawler
	}},
	cleanParamBlocked: {1, engine.Warning, "blocked by this line", func(n int64, _ string) string {
		return "this line blocks " + wording.URLs(n) + " that Clean-param would merge with others"
	}},
	trackingParameter: {10, engine.Warning, "not blocked, with this parameter", func(n int64, detail string) string {
		return fmt.Sprintf("%s the parameter %s, which no Clean-param line names", urls(n, "that is not blocked has", "that are not blocked have"), detail)
	}},
}

func detailAlone(_ int64, detail string) string { return detail }

// refused are the findings whose fix ends with the advice for the product in front of the server.
var refused = map[string]bool{RefusedSitemap: true, RefusedPage: true, RefusedResource: true}

// SetAdvice sets what to check at the product in front of the server, if it refuses a crawler.
func (c *Collector) SetAdvice(sentences string) { c.advice = sentences }

// resourceNouns name kinds of files that pages need.
var resourceNouns = map[string]string{crawl.KindCSS.String(): "style sheet", crawl.KindJS.String(): "script"}

// addCounts adds the findings from counts that are not those of one rule.
func (b *builder) addCounts() {
	for _, key := range b.subjects() {
		t, message := b.counts[key], messages[key.id]
		if message.what == nil || t.n < message.least || key.id == targetBlocked && key.detail != HomeTarget && b.blocksSite(int(key.line)) {
			continue
		}
		found := b.addFinding(key.id, key.line, t, max(message.severity, t.severity), message.what(t.n, key.detail), message.touched)
		if found != nil && strings.HasPrefix(key.id, aboutFetch) { // the URLs are no pages that count
			found.Counted, found.URLs = false, 0
			if refused[key.id] && b.advice != "" {
				found.Fix += " " + b.advice
			}
		}
	}
}

// blocksSite reports whether Lint says that a line blocks the whole site. Then blocked parts of it
// are not reported, except that the home page leads there, perhaps from another host.
func (b *builder) blocksSite(line int) bool {
	for _, found := range b.lint {
		if found.ID == siteBlocked && found.Line == line {
			return true
		}
	}
	return false
}
