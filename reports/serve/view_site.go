package serve

import (
	"strings"
	"time"

	"robots-audit/audit"
)

// siteListed is a site in the list of a run's sites.
type siteListed struct {
	Site string `json:"site"`
	Link string `json:"link"`
	Base string `json:"-"`
}

// sitesView are the sites of a run whose names contain a text.
type sitesView struct {
	Query string       `json:"query,omitempty"`
	Sites []siteListed `json:"sites"`
	Total int          `json:"total"`
}

// maxSites limits the sites that are shown at once.
const maxSites = 200

// viewSites finds sites of a run by a part of their names.
func (d *Desk) viewSites(e *exchange) error {
	if _, err := e.run.open(); err != nil {
		return err
	}
	v := d.findSites(e.run, e.query("q"))
	return e.json(200, v)
}

// findSites returns the sites of a run whose names contain a text, most severe first.
func (d *Desk) findSites(r *run, query string) sitesView {
	v := sitesView{Query: query, Sites: []siteListed{}}
	part := strings.ToLower(query)
	for _, s := range r.ordered() {
		if part != "" && !strings.Contains(strings.ToLower(s.Name), part) {
			continue
		}
		if v.Total++; v.Total <= maxSites {
			v.Sites = append(v.Sites, siteListed{s.Name, d.o.siteLink(r.Key, s.Base), s.Base})
		}
	}
	return v
}

// siteView is a site and the dashboard's links for it.
type siteView struct {
	Site     string       `json:"site"`
	Run      string       `json:"run"`
	Started  time.Time    `json:"started,omitzero"`
	Crawlers []string     `json:"crawlers"`
	Origins  []originView `json:"origins"`
	Links    siteLinks    `json:"links"`
}

// siteLinks are the addresses of a site's pages.
type siteLinks struct {
	Edit     string `json:"edit"`
	Report   string `json:"report"`
	URL      string `json:"url"` // needs ?u=URL
	Versions string `json:"versions"`
}

// originView is a robots.txt of a site.
type originView struct {
	Origin string `json:"origin"`
	Status int    `json:"status"`
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int64  `json:"bytes"`
	SameAs string `json:"same_as,omitempty"`
}

// siteJSON sends the facts in the first records of a site.
func (e *exchange) siteJSON() error {
	link := e.siteLink()
	v := siteView{Site: e.site.Name, Run: e.run.Key, Crawlers: []string{}, Origins: []originView{}, Links: siteLinks{link + "/edit", e.desk.o.pageLink(e.run.Key, e.site.Base), link + "/url", link + "/versions"}}
	for rec, err := range e.site.Records() {
		switch {
		case err != nil:
			return err
		case rec.Site != nil:
			v.Started, v.Crawlers = rec.Site.Started, audit.Labels(rec.Site.Crawlers)
		case rec.Robots != nil:
			f := &rec.Robots.File
			v.Origins = append(v.Origins, originView{rec.Robots.Origin, f.Status, f.SHA256, f.Bytes, rec.Robots.SameAs})
		case rec.URLs != nil && len(v.Origins) > 0:
			return e.json(200, v)
		}
	}
	return e.json(200, v)
}
