package serve

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/serve/internal/urlindex"
)

// quickly limits how long a page reads the records of a large site, so that it stays quick.
const quickly = 250 * time.Millisecond

// notStored says what no run can tell about a URL.
const notStored = "Other sitemaps with the same URL, and the pages that link to it, are not stored."

// knownView is where the run found a URL.
type knownView struct {
	Site    string `json:"site"`
	Kind    string `json:"kind"`
	URL     string `json:"url,omitempty"`     // as it was found, if the scheme or "www." differs
	Sitemap string `json:"sitemap,omitempty"` // the first one that lists it
	Listed  bool   `json:"listed"`            // the user's own list has it
	Indexed bool   `json:"indexed,omitempty"` // the user's own list of indexed URLs has it
	Clicks  *int64 `json:"clicks,omitempty"`  // of the user's own list; left out = unknown
	Depth   *int   `json:"depth,omitempty"`   // clicks away from the home page; left out = links did not lead to it
	Status  int    `json:"status,omitempty"`  // of the page, if it was requested
	NoIndex bool   `json:"noindex,omitempty"` // the page has a noindex

	Logs     *audit.LogPeriod `json:"logs,omitempty"` // access logs with Requests; left out = the run has none of this site
	Requests []requestsView   `json:"requests,omitempty"`
	Link     string           `json:"link,omitempty"` // the URL in the other site that has it
}

// requestsView are a crawler's requests for a URL, by the access logs.
type requestsView struct {
	Crawler  string `json:"crawler"`
	Requests int64  `json:"requests"`
}

// Period is the time of the logs.
func (k *knownView) Period() string { return crawls.Period(k.Logs.From, k.Logs.To) }

// knownURL finds a URL in the run: in its index, if there is one, and in the records of the site.
func (e *exchange) knownURL(quick context.Context, v *urlView) error {
	ctx := e.r.Context()
	index, building, err := e.desk.indexes.find(ctx, e.run, e.stored, false)
	indexed := building == nil && err == nil && index != nil
	here := true // the site may have it
	if indexed {
		defer index.Close()
		found, err := findLike(index, v.URL)
		if err != nil {
			return err
		}
		here = false
		for _, u := range found {
			if int(u.Site) >= len(e.stored.Sites) {
				continue // the run has just changed
			}
			s := &e.stored.Sites[u.Site]
			k := knownView{Site: s.Name, Kind: site.KindName(u.Kind), URL: other(u.Loc, v.URL), Listed: u.Listed}
			if s.Base == e.site.Base {
				here = true
			} else {
				k.Link = e.desk.o.urlLink(e.run.Key, s.Base, v.URL)
			}
			v.Known = append(v.Known, k)
		}
	}
	if here {
		known, err := findIn(e.records(quick), v.URL)
		switch {
		case err == nil:
			v.addKnown(e.site.Name, known)
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			v.Slow = true
		default:
			return err
		}
	}
	switch {
	case len(v.Known) > 0:
		v.NotStored = notStored
	case v.Slow:
		v.Unknown = "Not looked up yet: this site has many URLs."
	case indexed:
		v.Unknown = "Not found in this run: no sitemap, link or list contains this URL."
	default:
		v.Unknown = "Not found on this site: no sitemap, link or list contains this URL."
	}
	return nil
}

// addKnown puts what the records of a site say in place of what the index says.
func (v *urlView) addKnown(name string, known []knownView) {
	list := known
	for _, k := range v.Known {
		if k.Site != name {
			list = append(list, k)
		}
	}
	for i := range known {
		known[i].Site = name
	}
	v.Known = append([]knownView{}, list...)
}

// records are the records of the site, from memory if they are there. From disk they end with quick.
func (e *exchange) records(quick context.Context) iter.Seq2[audit.Record, error] {
	if held := e.desk.held.peek(siteKey(e.run, &e.site)); held != nil {
		return audit.Until(e.r.Context(), held.Records())
	}
	return audit.Until(quick, e.site.Records())
}

// findIn finds a URL in the records of a site: one for each of its kinds.
func findIn(records iter.Seq2[audit.Record, error], loc string) (list []knownView, err error) {
	var of *audit.Site
	var page *audit.Page
	var from []int // sitemaps of list
	likes := alike(loc)
	sitemaps := map[int]string{}
	for rec, err := range records {
		switch {
		case err != nil:
			return nil, err
		case rec.Site != nil:
			of = rec.Site
		case rec.Sitemap != nil:
			sitemaps[rec.Sitemap.Index] = rec.Sitemap.URL
		case rec.Page != nil && rec.Page.URL == loc:
			page = rec.Page
		}
		if rec.URLs == nil || of == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			if len(u.Loc) < len(likes[0])-maxAlike || !slices.Contains(likes, u.Loc) {
				continue
			}
			exact := u.Loc == loc
			if has := len(list) > 0 && list[0].URL == ""; has && !exact {
				continue
			} else if !has && exact {
				list, from = nil, nil
			}
			list, from = append(list, knownFrom(of, u)), append(from, u.Sitemap)
			list[len(list)-1].URL = strings.Clone(other(u.Loc, loc))
		}
	}
	for i := range list {
		list[i].Sitemap = sitemaps[from[i]]
		if page != nil {
			list[i].Depth, list[i].Status, list[i].NoIndex = &page.Depth, page.Status, page.NoIndex
		}
	}
	return list, nil
}

// maxAlike is how much two URLs that are alike may differ in length.
const maxAlike = len("swww.")

// alike are a URL, and those that differ from it only by the scheme or "www.".
func alike(loc string) []string {
	list := []string{loc}
	_, rest, _ := strings.Cut(loc, "://")
	rest = strings.TrimPrefix(rest, "www.")
	for _, scheme := range []string{"https://", "http://"} {
		for _, www := range []string{"", "www."} {
			if like := scheme + www + rest; like != loc {
				list = append(list, like)
			}
		}
	}
	return list
}

// findLike finds a URL in an index, or else those that are alike.
func findLike(index *urlindex.Index, loc string) (found []urlindex.URL, err error) {
	for i, like := range alike(loc) {
		list, err := index.Find(like)
		if err != nil {
			return nil, err
		}
		if found = append(found, list...); i == 0 && len(found) > 0 {
			break
		}
	}
	return found, nil
}

// other is the URL that was found if it is not the requested one.
func other(found, loc string) string {
	if found == loc {
		return ""
	}
	return found
}

// knownFrom is what the record of a URL says.
func knownFrom(of *audit.Site, u *audit.URL) knownView {
	k := knownView{Kind: site.KindName(u.Kind), Listed: u.Indexed || u.Listed || u.HasClicks() || u.HasImpressions(), Indexed: u.Indexed, Logs: of.Logs}
	if u.HasClicks() {
		k.Clicks = new(u.Clicks)
	}
	for c := range of.Crawlers {
		if n := u.HitsOf(c); n > 0 && of.Logs != nil {
			k.Requests = append(k.Requests, requestsView{of.Crawlers[c].Label, n})
		}
	}
	return k
}
