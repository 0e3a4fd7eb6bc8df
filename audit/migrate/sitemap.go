package migrate

import (
	"context"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// listed has the URLs in the new site's sitemaps.
type listed struct {
	urls   *audit.HashSet
	states map[string]listState // of the origins whose sitemaps should be read
}

// listState is the state of an origin's sitemaps.
type listState int

const (
	listUnread listState = iota // none was read, or not to the end
	listNone                    // there is none
	listWhole                   // all were read to the end
)

// has reports whether a sitemap has a URL: "yes", "no", "unknown", or "" if the origin has no
// sitemap.
func (l *listed) has(url string) string {
	if l.urls.HasHash(l.urls.Hash(0, []byte(url))) {
		return "yes"
	}
	switch l.states[originOf(url)] {
	case listWhole:
		return "no"
	case listNone:
		return ""
	}
	return "unknown"
}

// Bounds of reading the new site's sitemaps.
const (
	maxListed        = 20_000_000 // URLs
	maxSitemapOrigin = 64         // origins of new URLs whose sitemaps are read
)

// readSitemaps reads the sitemaps named by the robots.txt of the new URLs' origins, or the one at
// the usual address if none is named.
func (r *run) readSitemaps(ctx context.Context) *listed {
	l := &listed{urls: audit.NewHashSet(), states: map[string]listState{}}
	for i, name := range r.m.NewOrigins() {
		if i == maxSitemapOrigin {
			break
		}
		declared, at := r.declared(ctx, name)
		r.hosts.ask(ctx, at, func(s *crawl.Site) bool {
			l.states[name] = r.readDeclared(ctx, s, l.urls, declared)
			return false
		})
	}
	return l
}

// declared returns the sitemaps of an origin, and the origin from which to request them.
func (r *run) declared(ctx context.Context, name string) (list []crawl.DeclaredSitemap, at string) {
	names := r.origins.get(ctx, name)
	at = name
	if r.isNew(name) && r.staging != nil {
		names, at = r.staging, r.Staging
	}
	if r.isNew(name) && r.proposed != nil {
		names = r.proposed
	}
	if names == nil {
		return nil, at
	}
	for _, line := range names.readers[0].Robots.Sitemaps() {
		url, err := crawl.ResolveURL(line.Value)
		if err != nil {
			continue
		}
		if r.isNew(url) && r.staging != nil {
			url = r.staged(url)
		}
		list = append(list, crawl.DeclaredSitemap{URL: url, Line: line.Line})
	}
	if list == nil {
		list = append(list, crawl.DeclaredSitemap{URL: at + "/sitemap.xml"})
	}
	return list, at
}

// readDeclared reads sitemaps. A missing one at the usual address does not count.
func (r *run) readDeclared(ctx context.Context, s *crawl.Site, urls *audit.HashSet, declared []crawl.DeclaredSitemap) listState {
	budget := r.Sitemaps
	if budget.URLs == 0 {
		budget.URLs = maxListed
	}
	state := listNone
	for item := range s.Sitemaps(ctx, declared, budget) {
		if f := item.File; f != nil {
			switch {
			case f.Line == 0 && f.Depth == 0 && f.Status/100 == 4: // not declared, and missing
			case f.Code != "" && f.Code != crawl.CodeSitemapTooBig:
				state = listUnread // final
			case state == listNone:
				state = listWhole
			}
			continue
		}
		if item.URL.Kind == crawl.KindLoc {
			loc := item.URL.Loc
			if r.Staging != "" {
				loc = []byte(r.unstaged(string(loc)))
			}
			urls.AddBytes(0, loc)
		}
	}
	return state
}
