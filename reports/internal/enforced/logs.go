package enforced

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/engine/wording"
)

// logFacts are what access logs show about a crawler's requests, those for robots.txt aside.
type logFacts struct {
	requests, served int64
	refused          int64  // answers that refuse
	code             string // the most frequent of them: "403"
	others           bool   // there are others
	blocked          int64  // requests to URLs that robots.txt blocks
	disobeyed        int64  // see audit.LogTally
	proved           bool   // all requests came from the crawler's own addresses
	recent           bool   // the logs reach to the time of the audit
}

// refusals are the statuses of servers and firewalls that refuse or challenge a client. A 404 is none.
var refusals = []string{"401", "402", "403", "405", "406", "429", "444", "451", "503"}

// maxLogAge is how long before the audit the logs may end to say something about now.
const maxLogAge = 30 * 24 * time.Hour

// readLogs sets what the logs show about a crawler.
func (s *Site) readLogs(c *Crawler) {
	if s.site.Crawls == nil {
		return
	}
	for i := range s.site.Crawls.Crawlers {
		of := &s.site.Crawls.Crawlers[i]
		if of.Name != c.Name {
			continue
		}
		f := &c.log
		robots := map[string]int64{}
		for _, n := range of.Robots.Statuses {
			robots[n.Name] = n.Requests
			if strings.HasPrefix(n.Name, "2") {
				robots["2xx"] += n.Requests
			}
		}
		for _, n := range of.Statuses {
			if f.requests += n.Requests; n.Name == "2xx" {
				f.served = max(0, n.Requests-robots["2xx"])
			}
		}
		f.requests = max(0, f.requests-of.Robots.Requests)
		worst := int64(0)
		for _, n := range of.Codes {
			pages := n.Requests - robots[n.Name]
			if !slices.Contains(refusals, n.Name) || pages <= 0 {
				continue
			}
			f.others = f.refused > 0
			if f.refused += pages; pages > worst {
				worst, f.code = pages, n.Name
			}
		}
		f.blocked, f.disobeyed = of.Waste.Blocked, of.Genuine.Disobeyed
		f.proved = of.Genuine.Requests > 0 && of.Unknown.Requests == 0
		f.recent = s.site.Started.Sub(s.site.Crawls.To) <= maxLogAge
		c.Logs = f.words()
		return
	}
}

// words say what most requests got; "" = there is none.
func (f *logFacts) words() string {
	switch {
	case f.requests == 0:
		return ""
	case f.refused > 0 && f.refused >= f.served:
		return fmt.Sprintf("HTTP %s in %s of %s", f.codes(), wording.Thousands(f.refused), wording.Plural(f.requests, "request"))
	}
	return fmt.Sprintf("success in %s of %s", wording.Thousands(f.served), wording.Plural(f.requests, "request"))
}

// codes names the statuses that refuse.
func (f *logFacts) codes() string {
	if f.others {
		return f.code + " or another error"
	}
	return f.code
}

// refuse reports whether the logs prove that most of the genuine crawler's requests were refused, and not only
// requests to blocked URLs.
func (f *logFacts) refuse() bool {
	return f.proved && f.recent && f.refused*2 >= f.requests && f.refused > f.blocked
}

// serve reports whether the logs prove that most of the genuine crawler's requests got pages.
func (f *logFacts) serve() bool { return f.proved && f.recent && f.served*2 > f.requests }

// servedBlocked is the least number of requests to blocked URLs that got a page.
func (f *logFacts) servedBlocked() int64 { return max(0, f.disobeyed-(f.requests-f.served)) }
