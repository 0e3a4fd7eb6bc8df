package serve

import (
	"net/url"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports"
)

// maxPasted limits the runs that are searched for the site of a URL.
const maxPasted = 100

// address is a URL as a user pastes it: the scheme may be missing. ok = false if it names no host.
func address(text string) (u *url.URL, ok bool) {
	host, _, _ := strings.Cut(text, "/")
	if !strings.Contains(text, "://") && strings.Contains(host, ".") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		// A path may have characters that url.Parse refuses.
		scheme, rest, whole := strings.Cut(text, "://")
		host, _, _ := strings.Cut(rest, "/")
		if u, err = url.Parse(scheme + "://" + host); !whole || err != nil || u.Host == "" {
			return nil, false
		}
	}
	return u, true
}

// plainHost is a host in lower case, without a default port and "www.". Hosts that are equal by it mostly serve one site.
func plainHost(host string) string {
	host = strings.ToLower(host)
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	return strings.TrimPrefix(host, "www.")
}

// siteOf finds the site of a URL: best one with its host and scheme, or else one that differs by these or "www.".
func siteOf(sites []reports.StoredSite, u *url.URL) (best *reports.StoredSite) {
	want, most := plainHost(u.Host), 0
	for i := range sites {
		host := audit.HostName(sites[i].Name)
		if len(host) < len(want) || plainHost(host) != want {
			continue
		}
		score := 1
		if strings.EqualFold(host, u.Host) {
			score += 2
		}
		if strings.HasPrefix(sites[i].Name, u.Scheme+"://") {
			score++
		}
		if score > most {
			best, most = &sites[i], score
		}
	}
	return best
}

// viewPaste finds the site of a URL in the run of the path, or else in the newest run that has it, and shows the URL.
func (d *Desk) viewPaste(e *exchange) error {
	text := e.query("u")
	switch {
	case len(text) > maxQuery:
		return badRequest("the URL is too long")
	case text == "":
		return e.show("url.html", "Test a URL", "", urlView{Run: e.r.PathValue("run"), By: []explainedView{}, Known: []knownView{}, Past: []pastView{}, Link: d.pasteAt(e.frame("", ""))})
	}
	keys := []string{e.r.PathValue("run")}
	if e.run == nil {
		list, err := d.runs.list()
		if err != nil {
			return err
		}
		keys = nil
		for _, l := range list {
			if l.readable() && len(keys) < maxPasted {
				keys = append(keys, l.Run)
			}
		}
	}
	u, hasHost := address(text)
	for _, key := range keys {
		r, err := d.runs.find(key)
		if err != nil {
			continue // removed meanwhile
		}
		stored, err := r.open()
		if err != nil {
			continue
		}
		var site *reports.StoredSite
		if hasHost {
			if site = siteOf(stored.Sites, u); site == nil {
				site = d.siteOfKnown(e, r, stored, text)
			}
		} else if len(stored.Sites) == 1 {
			site = &stored.Sites[0]
		}
		if site != nil {
			e.run, e.stored, e.site = r, stored, *site
			return e.showPasted(text)
		}
	}
	switch {
	case !hasHost:
		return badRequest("expected a whole URL, as https://www.example.com/page")
	case e.run != nil:
		return notFound("the run " + e.run.Key + " has no site with the host " + short(u.Host))
	}
	return notFound("no run here has a site with the host " + short(u.Host))
}

// siteOfKnown finds a site in whose sitemaps or links the run found a URL of another host; nil = none is known.
func (d *Desk) siteOfKnown(e *exchange, r *run, stored *reports.StoredRun, loc string) *reports.StoredSite {
	index, _, err := d.indexes.find(e.r.Context(), r, stored, false)
	if err != nil || index == nil {
		return nil
	}
	defer index.Close()
	found, err := index.Find(loc)
	if err != nil || len(found) == 0 || int(found[0].Site) >= len(stored.Sites) {
		return nil
	}
	return &stored.Sites[found[0].Site]
}

// showPasted shows a URL at its own address, and for the name of a site its page.
func (e *exchange) showPasted(text string) error {
	switch {
	case e.wantsJSON():
		return e.desk.viewURL(e)
	case !strings.ContainsAny(text, "/?#"):
		return e.redirect(e.desk.o.pageLink(e.run.Key, e.site.Base))
	}
	return e.redirect(e.desk.o.urlLink(e.run.Key, e.site.Base, text))
}

// pasteAt is the address of the form that tests a URL, on a page.
func (d *Desk) pasteAt(f frame) string {
	switch {
	case f.Run == nil:
		return d.o.link("/url")
	case f.Base == "":
		return d.o.runLink(f.Run.Key) + "/url"
	}
	return d.o.siteLink(f.Run.Key, f.Base) + "/url"
}
