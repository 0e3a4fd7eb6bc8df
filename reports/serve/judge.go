package serve

import (
	"context"
	"slices"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports"
)

// judge computes the verdicts of a run's robots.txt for URLs of one site, with today's engine and the
// answers that the run has stored.
type judge struct {
	mu       sync.Mutex
	state    string // state of the site's records
	whole    bool   // all records were read: there are no other origins
	own      string // origin of the site's own robots.txt
	crawlers []audit.Crawler
	origins  map[string]*audit.Robots
	answers  audit.Answers
	readers  map[string][]*engine.Explainer // one per crawler, by origin
}

// judges are the judges of the sites that were last used.
type judges struct {
	mu sync.Mutex
	by map[string]*judge // by run and site
}

// maxJudges limits them: each has the texts of a site's robots.txt, which crawl limits.
const maxJudges = 64

// of returns the judge of a site with the robots.txt of origins, if the run has them. It reads the records
// until it has found all of them; the first is that of the site itself.
func (j *judges) of(ctx context.Context, r *run, site *reports.StoredSite, origins ...string) (*judge, error) {
	key, state := r.Key+"\x00"+site.Base, site.State()
	j.mu.Lock()
	known := j.by[key]
	j.mu.Unlock()
	if known != nil && known.state == state && (known.whole || known.has(origins)) {
		return known, nil
	}
	if site.Damage != nil {
		return nil, site.Damage
	}
	of := &judge{state: state, origins: map[string]*audit.Robots{}, readers: map[string][]*engine.Explainer{}, whole: true}
	for rec, err := range audit.Until(ctx, site.Records()) {
		if err != nil {
			return nil, err
		}
		switch {
		case rec.Site != nil:
			of.crawlers = rec.Site.Crawlers
		case rec.Robots != nil:
			if of.own == "" {
				of.own = rec.Robots.Origin
			}
			of.origins[rec.Robots.Origin] = rec.Robots
			of.answers.Add(rec.Robots.Index, rec.Robots.Origin, &rec.Robots.File)
		}
		if rec.URLs != nil && of.has(origins) { // only the first origins are read with them
			of.whole = false
			break
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.by == nil || len(j.by) >= maxJudges {
		j.by = map[string]*judge{}
	}
	j.by[key] = of
	return of, nil
}

// has reports whether the judge has the robots.txt of origins, and the site's own.
func (j *judge) has(origins []string) bool {
	return j.own != "" && !slices.ContainsFunc(origins, func(origin string) bool { return j.origins[origin] == nil })
}

// originOf is the origin whose robots.txt applies to a URL.
func originOf(url string) string {
	at, _ := engine.RobotsURL(url)
	return strings.TrimSuffix(at, "/robots.txt")
}

// lacking says why URLs of an origin have no verdict; "" = they have one.
func (j *judge) lacking(origin string) string {
	of := j.origins[origin]
	switch {
	case of == nil && j.own == "":
		return "this run has no answer for the site's robots.txt"
	case of == nil:
		return "this run did not fetch " + origin + "/robots.txt"
	case of.LacksBody():
		return "the text of " + origin + "/robots.txt is missing in this run"
	}
	return ""
}

// same reports whether an origin has the same robots.txt as the site's own.
func (j *judge) same(origin string) bool {
	of, own := j.origins[origin], j.origins[j.own]
	return of != nil && own != nil && of.File.SHA256 != "" && of.File.SHA256 == own.File.SHA256
}

// readersOf returns how each crawler reads the robots.txt of an origin; nil = this program does not know
// the crawler's profile, or something is missing.
func (j *judge) readersOf(origin string) []*engine.Explainer {
	j.mu.Lock()
	defer j.mu.Unlock()
	list, ok := j.readers[origin]
	if ok {
		return list
	}
	list = make([]*engine.Explainer, len(j.crawlers))
	if j.lacking(origin) == "" {
		for i := range j.crawlers {
			robot, profile, known := j.crawlers[i].Robot()
			if !known || profile == nil {
				continue
			}
			list[i] = engine.NewExplainer(robot, j.answers.Read(j.origins[origin].Index, profile, robot))
		}
	}
	j.readers[origin] = list
	return list
}
