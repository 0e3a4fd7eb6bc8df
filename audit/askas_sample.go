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

// choose chooses the URLs, but for the files of the home page.
func (a *asking) choose() {
	own := a.origins[0]
	if !own.file.Given {
		a.add(askTarget{url: own.name + "/robots.txt", kind: AskedRobots})
	}
	home := askTarget{url: own.name + "/", kind: AskedHome}
	if home.barred = !a.mayAsk(home.url, AskedHome); home.barred {
		a.limit(AskedLimitOwn)
		a.targets = append(a.targets, &home) // it is too important to be silent about it
	} else {
		a.add(home)
	}
	if a.samples.sitemap != "" {
		a.add(askTarget{url: a.samples.sitemap, kind: AskedSitemap})
	}
	groups, lacks := a.samples.largest()
	if lacks {
		a.limit(AskedLimitOwn)
	}
	for _, g := range groups {
		for _, of := range g.samples {
			a.add(askTarget{url: of.url, kind: AskedPage, template: g.name})
		}
	}
}

// add adds a URL of the site, unless robots.txt blocks this program.
func (a *asking) add(t askTarget) {
	head, _, reason := split([]byte(t.url))
	switch {
	case reason != "" || !a.isOwn(head) || slices.ContainsFunc(a.targets, func(of *askTarget) bool { return of.url == t.url }):
	case a.mayAsk(t.url, t.kind):
		a.targets = append(a.targets, &t)
	default:
		a.limit(AskedLimitOwn)
	}
}

// mayAsk reports whether a URL may be requested, also as the target of a redirect: on the site's own hosts,
// as far as robots.txt allows this program. The site's own sitemaps are always read.
func (a *asking) mayAsk(url string, kind AskedKind) bool {
	head, _, reason := split([]byte(url))
	switch {
	case reason != "" || !a.isOwn(head):
		return false
	case kind == AskedRobots:
		return true
	case kind == AskedSitemap:
		return a.mayRead(url) == nil
	}
	return a.mayFetch(url)
}

// isMissing reports whether there is no such URL, as far as we were told. A robots.txt may be missing.
func (t *askTarget) isMissing() bool {
	return t.kind != AskedRobots && len(t.ours) > 0 && t.ours[0].Missing()
}

// dropMissing drops URLs that do not exist: their answers show nothing. If there is no page, the home page is
// kept to say so.
func (a *asking) dropMissing() {
	exists := slices.ContainsFunc(a.targets, func(t *askTarget) bool { return (t.kind == AskedHome || t.kind == AskedPage) && !t.isMissing() })
	var targets []*askTarget
	var urls []AskedURL
	for i, t := range a.targets {
		if !t.isMissing() || t.kind == AskedHome && !exists {
			targets, urls = append(targets, t), append(urls, a.out.URLs[i])
		}
	}
	a.targets, a.out.URLs = targets, urls
}
