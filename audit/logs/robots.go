package logs

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"robots-audit/audit"
)

// versions are the versions of the robots.txt of an origin.
func (s *siteCount) versions(origin int) []audit.LogVersion {
	return s.lines[origin].Versions()
}

// At returns the version that a request for robots.txt with an answer of some status got; false = it
// is not known.
func (t *Timeline) At(at int64, status int) (version int, ok bool) {
	c := t.during(at, at)
	version = -1
	for i := c.from; i <= c.to; i++ {
		if t.versions[i].served() != gives(status) {
			continue
		}
		if version >= 0 {
			return -1, false
		}
		version = i
	}
	return version, version >= 0 && !c.unknown
}

// robots says when a crawler read the robots.txt of the site's own origin.
func (s *siteCount) robots(crawler int) (r audit.LogRobots) {
	r = audit.LogRobots{MedianDays: -1, Answers: []audit.LogAnswer{}, Learned: []audit.LogLearnt{}}
	if len(s.own) == 0 {
		return r
	}
	reads := s.own[0][crawler]
	slices.SortFunc(reads, func(a, b read) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.status, b.status)) }) // in whatever order files are
	timeline, versions := s.lines[0], s.versions(0)
	for i := range reads {
		of := &reads[i]
		r.Last, r.LastStatus = utc(of.at), int(of.status)
		if n := len(r.Answers); n == 0 || r.Answers[n-1].Status != r.LastStatus {
			r.Answers = append(r.Answers, audit.LogAnswer{Status: r.LastStatus, First: r.Last})
		}
		answer := &r.Answers[len(r.Answers)-1]
		answer.Last = r.Last
		answer.Requests += int64(of.n)
		if informs(int(of.status)) {
			r.Read = utc(of.at)
			r.Knows = ""
			if v, ok := timeline.At(of.at, int(of.status)); ok {
				r.Knows = versions[v].Name
			}
		}
	}
	if more := len(r.Answers) - maxAnswers; more > 0 {
		s.limit(audit.LogLimitAnswers)
		r.Answers = r.Answers[more:]
	}
	if s.lost { // nor is it known what it has not read
		s.limit(audit.LogLimitReads)
		r.Knows = ""
		return r
	}
	if s.of.Source != audit.LogHistory {
		return r
	}
	var days []float64
	for i := 1; i < len(versions); i++ {
		v := &versions[i]
		if v.First.Unix() < s.from || v.First.Unix() > s.to {
			continue
		}
		learnt := audit.LogLearnt{Version: v.Name, Changed: v.First}
		if at := slices.IndexFunc(reads, func(of read) bool { return of.at >= timeline.first[i] && informs(int(of.status)) }); at >= 0 {
			learnt.Read = utc(reads[at].at)
			days = append(days, learnt.Read.Sub(v.First).Hours()/24)
		}
		r.Learned = append(r.Learned, learnt)
		between := func(of read) bool { return of.at > timeline.last[i-1] && informs(int(of.status)) } // it may have read either version
		r.Waiting = learnt.Read.IsZero() && !slices.ContainsFunc(reads, between)
	}
	if len(days) > 0 {
		slices.Sort(days)
		r.MedianDays = (days[(len(days)-1)/2] + days[len(days)/2]) / 2
	}
	return r
}

// logs returns the counts of a site.
func (s *siteCount) logs() (audit.Logs, error) {
	out := audit.Logs{Site: s.of.Name, Judged: s.of.Source, Others: s.others, Scaled: s.scaled, Repeated: s.repeated, DNS: s.dns, Versions: []audit.LogVersion{}, Crawlers: []audit.LogCrawler{}, Limits: []audit.LogLimit{}}
	out.Ranges, out.Believed = s.set.Dated()
	if len(s.judges) > 0 {
		out.Versions = s.versions(0)
	}
	if len(s.by) == 0 {
		return out, nil
	}
	out.From, out.To = utc(s.from), utc(s.to)
	out.Listed, out.Found = s.known.inSitemaps, s.known.found
	ids := []int{}
	for id, c := range s.by {
		out.Crawlers = append(out.Crawlers, c.logs(id))
		ids = append(ids, id)
	}
	if err := s.addNever(ids, out.Crawlers); err != nil {
		return out, err
	}
	slices.SortFunc(out.Crawlers, func(a, b audit.LogCrawler) int {
		return cmp.Or(cmp.Compare(own(&b), own(&a)), strings.Compare(a.Name, b.Name))
	})
	for _, limit := range audit.LogLimits {
		if s.limits[limit] {
			out.Limits = append(out.Limits, limit)
		}
	}
	return out, nil
}

// limit notes that something is not complete.
func (s *siteCount) limit(what audit.LogLimit) { s.limits[what] = true }

// own is the number of requests that may be a crawler's own.
func own(c *audit.LogCrawler) int64 { return c.Genuine.Requests + c.Unknown.Requests }

// addNever adds samples of the URLs of sitemaps that crawlers never requested although they may.
func (s *siteCount) addNever(ids []int, crawlers []audit.LogCrawler) error {
	for u, err := range s.of.urls() {
		if err != nil {
			return err
		}
		if !u.Listed {
			continue
		}
		hash, waiting := maphash.String(s.known.seed, u.Loc), false
		for i, id := range ids {
			c := &crawlers[i]
			most := int64(maxSamples)
			if audit.Searches(c.Purpose) {
				most = maxNever
			}
			if int64(len(c.Never)) >= min(c.NeverFetched-c.NeverBlocked, most) {
				continue
			}
			waiting = true
			if u.blocks(s.by[id].audited) {
				continue
			}
			if has, known := s.by[id].urls.has(hash); known && !has && !slices.Contains(c.Never, u.Loc) {
				c.Never = append(c.Never, u.Loc)
			}
		}
		if !waiting {
			return nil
		}
	}
	return nil
}
