package urlpast

import (
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/engine"
)

// Past is the past of one URL for one crawler.
type Past struct {
	Crawler   string    // its label
	URL       string    // absolute, as a crawler requests it
	Runs      int       // number of runs of the site that were examined
	First     time.Time // start of the first of them; zero = none
	Before    int       // runs without a clear answer before the first stretch
	Stretches []Stretch // oldest first; none = no run had a clear answer
	Hours     bool      // two runs were on one day of UTC, so dates include the hour
}

// Stretch is a series of runs with the same verdict.
type Stretch struct {
	Verdict engine.Verdict
	Since   history.Run // the first run with it
	Until   history.Run // the first run with another verdict; zero = none
	Runs    int         // number of runs with it
	Unclear int         // runs without a clear answer, between Since and Until or the last run
	Late    int         // number of Unclear runs after the last clear one
	Reasons []Reason    // oldest first, at least one; a new one begins if another line decides
}

// Reason is the reason for a verdict, in a series of runs.
type Reason struct {
	Since  history.Run // the first run with it
	Runs   int
	Rule   engine.Rule // the deciding rule; Line 0 = none
	Why    string      // if no rule decides: "no rule matches", "HTTP 404: …"
	SHA256 string      // of robots.txt in the first run; "" = there was no file
	Latest string      // of robots.txt in the last run; likewise
}

// Of returns the past of a URL for each of the crawlers. url is absolute, or a path. origin is that
// of the site's own robots.txt: "https://example.com". runs are those of the site, newest first, as
// from history.DB.SiteRuns. versions are the files that the site served in them, in any order;
// missing ones are unknown. It returns an error if the URL is invalid, or if another file than the
// site's own applies to it.
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

// Now is the current stretch; nil = no run had a clear answer.
func (p *Past) Now() *Stretch {
	if len(p.Stretches) == 0 {
		return nil
	}
	return &p.Stretches[len(p.Stretches)-1]
}

// addUnclear adds a run without a clear answer.
func (p *Past) addUnclear() {
	if s := p.Now(); s != nil {
		s.Unclear++
		s.Late++
		return
	}
	p.Before++
}

// add adds a run with its verdict.
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

// Reason is the reason for the verdict in the last run of the stretch.
func (s *Stretch) Reason() *Reason {
	if len(s.Reasons) == 0 {
		return nil
	}
	return &s.Reasons[len(s.Reasons)-1]
}

// twiceADay reports whether two runs were on one day of UTC.
func twiceADay(runs []history.SiteRun) bool {
	for i := 1; i < len(runs); i++ {
		if runs[i-1].Run.Started.UTC().Format(time.DateOnly) == runs[i].Run.Started.UTC().Format(time.DateOnly) {
			return true
		}
	}
	return false
}
