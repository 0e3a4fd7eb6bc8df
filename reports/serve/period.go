package serve

import (
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/watch/history"
	"robots-audit/engine/wording"
)

// period is a series of runs that found one version, without another answer in between.
type period struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Now   bool      `json:"now"` // the newest run found it too
}

// maxPeriods limits the periods in a name.
const maxPeriods = 3

// periods finds when each version was served, oldest first. Runs are newest first. A run that could not fetch
// robots.txt ends no period, but the last one is then not known to go on.
func (v *versions) periods(runs []history.SiteRun) {
	last := ""
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		if r.SHA256 == "" && !r.Tells() {
			continue
		}
		if of := v.find(r.SHA256); of != nil {
			if n := len(of.Periods); n == 0 || last != r.SHA256 {
				of.Periods = append(of.Periods, period{First: r.Run.Started})
			}
			p := &of.Periods[len(of.Periods)-1]
			p.Last, p.Now = r.Run.Started, i == 0
		}
		last = r.SHA256
	}
	for i := range v.Versions {
		switch of := &v.Versions[i]; {
		case len(of.Periods) == 0: // its runs are older than those that were read
			of.Periods = []period{{First: of.First, Last: of.Last}}
		case v.Further && of.SHA256 == runs[len(runs)-1].SHA256:
			of.Periods[0].First = of.First
		}
	}
}

// name names the versions by the time when they were served. No two have the same name.
func (v *versions) name() {
	on := map[string]map[int]bool{} // versions that begin or end on a day
	for i := range v.Versions {
		for _, p := range v.Versions[i].Periods {
			for _, t := range []time.Time{p.First, p.Last} {
				if on[dayOf(t)] == nil {
					on[dayOf(t)] = map[int]bool{}
				}
				on[dayOf(t)][i] = true
			}
		}
	}
	shared := func(t time.Time) bool { return len(on[dayOf(t)]) > 1 }
	named := map[string]int{}
	for i := range slices.Backward(v.Versions) { // the newest gets a number last
		of := &v.Versions[i]
		of.Name = servedWords(of.Periods, shared)
		if named[of.Name]++; named[of.Name] > 1 {
			of.Name += fmt.Sprintf(" (%d)", named[of.Name])
		}
	}
}

// servedWords name some periods: "3 to 10 Nov 2026 and since 12 Nov 2026". Days that other versions share have times.
func servedWords(list []period, shared func(time.Time) bool) string {
	n := len(list)
	if n > maxPeriods {
		whole := period{First: list[0].First, Last: list[n-1].Last}
		if list[n-1].Now {
			return fmt.Sprintf("%s and in %d earlier periods", list[n-1].words(shared), n-1)
		}
		return fmt.Sprintf("%s, in %d periods", whole.words(shared), n)
	}
	var words []string
	for i := range list {
		words = append(words, list[i].words(shared))
	}
	return wording.And(words)
}

// words name a period: "3 to 17 Nov 2026", "since 17 Nov 2026, 06:00".
func (p *period) words(shared func(time.Time) bool) string {
	first, last := p.First.UTC(), p.Last.UTC()
	at := func(t time.Time) string {
		if shared(t) {
			return t.Format("2 Jan 2006, 15:04")
		}
		return t.Format("2 Jan 2006")
	}
	switch {
	case p.Now:
		return "since " + at(first)
	case at(first) == at(last):
		return at(first)
	case dayOf(first) == dayOf(last):
		return at(first) + last.Format(" to 15:04")
	case shared(first) || shared(last) || first.Year() != last.Year():
		return at(first) + " to " + at(last)
	case first.Month() == last.Month():
		return first.Format("2 to ") + at(last)
	}
	return first.Format("2 Jan to ") + at(last)
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
