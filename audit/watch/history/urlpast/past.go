package urlpast

import (
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/engine"
)

// Past is what became of one URL for one crawler.
type Past struct {
	Crawler   string    // its label
	URL       string    // absolute, as a crawler asks for it
	Runs      int       // of the site, that were looked at
	First     time.Time // start of the first of them; zero = there are none
	Before    int       // runs before the first stretch, that could not tell
	Stretches []Stretch // the oldest first; none = no run could tell
	Hours     bool      // two runs lie within one day of UTC: dates are told with the hour
}

// Stretch are runs one after the other with the same verdict.
type Stretch struct {
	Verdict engine.Verdict
	Since   history.Run // the first run that found it
	Until   history.Run // the first run that found another one; zero = none did
	Runs    int         // that found it
	Unclear int         // between Since and Until, or the last run: runs that could not tell
	Late    int         // of Unclear: those after the last run that found it
	Reasons []Reason    // the oldest first, at least one: another begins where another line decides
}

// Reason is what a verdict rests on, in runs one after the other.
type Reason struct {
	Since  history.Run // the first run with it
	Runs   int
	Rule   engine.Rule // that decides; Line 0 = none
	Why    string      // where no rule decides: "no rule matches", "HTTP 404: …"
	SHA256 string      // of robots.txt in the first run; "" = there was no file
	Latest string      // of robots.txt in the last run; likewise
}

// Of says what became of a URL, for each of the crawlers. url is absolute, or a path.
// origin is that of the site's own robots.txt: "https://example.com". runs are those of
// the site, the newest first, as history.DB.SiteRuns has them, and versions what the site has
// served in them, in any order. What the versions lack is unknown. An error is one
// of the URL: that it is none, or that another file than the site's own governs it.
func Of(url, origin string, crawlers []audit.Crawler, runs []history.SiteRun, versions []history.Version) ([]Past, error) {
	url, err := ownURL(url, origin)
	if err != nil {
		return nil, err
	}
	j := newJudge(url, origin, crawlers, versions)
	pasts := make([]Past, len(crawlers))
	for i := range pasts {
		pasts[i] = Past{Crawler: crawlers[i].Label, URL: url, Runs: len(runs), Hours: twiceADay(runs)}
		if len(runs) > 0 {
			pasts[i].First = runs[len(runs)-1].Run.Started
		}
	}
	for _, run := range slices.Backward(runs) {
		if !run.Tells() {
			for i := range pasts {
				pasts[i].addUnclear()
			}
			continue
		}
		for i, v := range j.judge(&run) {
			pasts[i].add(&run, v)
		}
	}
	return pasts, nil
}

// Now is the stretch that goes on; nil = no run could tell.
func (p *Past) Now() *Stretch {
	if len(p.Stretches) == 0 {
		return nil
	}
	return &p.Stretches[len(p.Stretches)-1]
}

// addUnclear adds a run that could not tell.
func (p *Past) addUnclear() {
	if s := p.Now(); s != nil {
		s.Unclear++
		s.Late++
		return
	}
	p.Before++
}

// add adds a run with what it found.
func (p *Past) add(run *history.SiteRun, v audit.Verdict) {
	s := p.Now()
	if s == nil || s.Verdict != v.Verdict {
		if s != nil {
			s.Until = run.Run
		}
		p.Stretches = append(p.Stretches, Stretch{Verdict: v.Verdict, Since: run.Run})
		s = p.Now()
	}
	s.Runs++
	s.Late = 0
	r := s.Reason()
	if r == nil || r.Rule != v.Rule || r.Why != v.Why {
		s.Reasons = append(s.Reasons, Reason{Since: run.Run, Rule: v.Rule, Why: v.Why, SHA256: run.SHA256})
		r = s.Reason()
	}
	r.Runs++
	r.Latest = run.SHA256
}

// Reason is what the verdict rests on in the last run of the stretch.
func (s *Stretch) Reason() *Reason {
	if len(s.Reasons) == 0 {
		return nil
	}
	return &s.Reasons[len(s.Reasons)-1]
}

// twiceADay reports whether two runs lie within one day of UTC.
func twiceADay(runs []history.SiteRun) bool {
	for i := 1; i < len(runs); i++ {
		if runs[i-1].Run.Started.UTC().Format(time.DateOnly) == runs[i].Run.Started.UTC().Format(time.DateOnly) {
			return true
		}
	}
	return false
}
