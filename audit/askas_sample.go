package audit

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"robots-audit/audit/pattern"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// askTemplates is the number of the largest templates with sample pages to request.
const askTemplates = 8

// askSamples collects the URLs to request in the names of crawlers while the pages of a site are judged.
// Its memory does not grow with their number.
type askSamples struct {
	groups  pattern.Groups[*askGroup]
	sitemap string // the first one of the site's own hosts that was read
}

// askGroup has the sample pages of one template.
type askGroup struct {
	name    string
	pages   int64 // of the template that this program may fetch
	blocked int64 // that robots.txt blocks for it
	samples []askSample
}

// askSample is a page with its hash. The pages with the lowest hashes are taken, so that most runs request
// the same ones.
type askSample struct {
	hash uint64
	url  string
}

func (a askSample) compare(b askSample) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.url, b.url))
}

func newAskSamples(most int) *askSamples {
	return &askSamples{groups: pattern.Groups[*askGroup]{
		New: func() *askGroup { return &askGroup{samples: make([]askSample, 0, most)} },
		Merge: func(into, from *askGroup) {
			into.pages, into.blocked = into.pages+from.pages, into.blocked+from.blocked
			for _, of := range from.samples {
				into.add(of)
			}
		},
		Size: func(g *askGroup) int64 { return g.pages + g.blocked },
	}}
}

// add takes a page into account.
func (a *askSamples) add(o *origin, url string) {
	if a == nil || !o.own || isHome(url) || len(url) > maxSampleURL {
		return
	}
	g := a.groups.Of(url)
	if o.self.Verdict(url).Verdict != engine.Allow {
		g.blocked++
		return
	}
	g.pages++
	hash := fnv.New64a()
	hash.Write([]byte(url))
	g.add(askSample{hash.Sum64(), url})
}

// add keeps a sample if it is one of the first.
func (g *askGroup) add(of askSample) {
	most, full := cap(g.samples), len(g.samples) == cap(g.samples)
	if full && (most == 0 || of.compare(g.samples[most-1]) >= 0) {
		return
	}
	if full {
		g.samples = g.samples[:most-1]
	}
	at, _ := slices.BinarySearchFunc(g.samples, of, askSample.compare)
	of.url = strings.Clone(of.url) // not the batch
	g.samples = slices.Insert(g.samples, at, of)
}

// noteSitemap keeps the first sitemap that was read, of those on the site's own hosts.
func (a *askSamples) noteSitemap(file *crawl.SitemapFile) {
	if a != nil && a.sitemap == "" && file.Status/100 == 2 && file.Format != "" {
		a.sitemap = file.URL
	}
}

// largest returns the largest templates, largest first, and whether robots.txt blocks this program from so
// many of their pages that samples are missing.
func (a *askSamples) largest() (list []*askGroup, lacks bool) {
	for name, g := range a.groups.All() {
		if g.name = name; name != "" {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b *askGroup) int { return cmp.Compare(b.pages+b.blocked, a.pages+a.blocked) })
	list = list[:min(len(list), askTemplates)]
	return list, slices.ContainsFunc(list, func(g *askGroup) bool { return g.blocked > 0 && len(g.samples) < cap(g.samples) })
}
