package site

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// Site is what is known of one site while its records come in. It takes every
// record with Take, and once it has taken Done it knows all that the site's
// files say.
type Site struct {
	*audit.Site
	Directories Directories
	Differing   int64          // pages on which the crawlers' verdicts differ
	Unclear     []int64        // pages without a clear verdict, for each crawler
	Evidence    map[int]string // file in the run's folder that has the bytes of a robots.txt, by its index

	origins        []*audit.Robots // by index, without bodies
	answers        audit.Answers
	parsed         map[int]*parsed
	rules          []*audit.Rules // what the rules did, as it is counted
	findings       findingIDs
	details        detailsCache
	disagreements  disagreements
	policy         *Policy
	sample         *audit.PolicySample // where the records do not tell the policy
	policyRecorded bool                // they do
	clean          []*cleanParam       // by origin; nil = no Clean-param lines
	sitemaps       []string            // addresses by index, the first maxSitemapURLs of them
	leftOut        map[string]int64
	urls           []URL // of the batch at hand
	number         int64 // of URLs so far
}

// New returns a site without records. body returns the bytes of a robots.txt
// that was taken, nil where there are none; it is asked for them seldom.
func New(site *audit.Site, body func(index int) []byte) *Site {
	s := &Site{
		Site: site, Unclear: make([]int64, len(site.Crawlers)), Evidence: map[int]string{},
		details: newDetailsCache(len(site.Crawlers)), disagreements: disagreements{budget: maxExperiments},
	}
	s.answers.Body = body
	return s
}

// Output is what makes files of a site's records. It is told of each record
// after the site has taken it. What a record holds is the auditor's: it is used
// again once the method returns.
type Output interface {
	URLs([]URL)
	Robots(*audit.Robots)
	Sitemap(*audit.Sitemap)
	Problem(*audit.Problem)
	Findings(*audit.Findings)
}

// AddRecord takes a record, and tells the outputs of it in their order. This is the
// one place that asks what a record is.
func (s *Site) AddRecord(rec audit.Record, outputs ...Output) {
	switch {
	case rec.URLs != nil:
		s.addURLs(rec.URLs)
		for _, out := range outputs {
			out.URLs(s.urls)
		}
	case rec.Robots != nil:
		s.addRobots(rec.Robots)
		for _, out := range outputs {
			out.Robots(rec.Robots)
		}
	case rec.Sitemap != nil:
		s.addSitemap(rec.Sitemap)
		for _, out := range outputs {
			out.Sitemap(rec.Sitemap)
		}
	case rec.Problem != nil:
		for _, out := range outputs {
			out.Problem(rec.Problem)
		}
	case rec.Findings != nil:
		s.findings.addFindings(rec.Findings)
		for _, out := range outputs {
			out.Findings(rec.Findings)
		}
	case rec.Rules != nil:
		s.rules = append(s.rules, rec.Rules)
	}
}

// addRobots takes the robots.txt of one origin.
func (s *Site) addRobots(r *audit.Robots) {
	kept := *r
	kept.File.Body, kept.File.Hops = nil, nil
	for len(s.origins) <= r.Index {
		s.origins = append(s.origins, nil)
	}
	file := r.File
	file.Body = nil // see s.answers.Body
	s.answers.Add(r.Index, r.Origin, &file)
	s.policyRecorded = s.policyRecorded || r.Index == 0 && r.Policy != nil && r.Policy.Covers()
	s.origins[r.Index] = &kept
}

// AllRobots yields what is known of the robots.txt of each origin, in the order
// of their indices.
func (s *Site) AllRobots(yield func(*audit.Robots) bool) {
	for _, r := range s.origins {
		if r != nil && !yield(r) {
			return
		}
	}
}

// OriginCount is one more than the highest index of an origin.
func (s *Site) OriginCount() int { return len(s.origins) }

// Robots returns what is known of an origin's robots.txt.
func (s *Site) Robots(index int) *audit.Robots {
	if index >= 0 && index < len(s.origins) && s.origins[index] != nil {
		return s.origins[index]
	}
	return &audit.Robots{Index: index}
}

// Body returns the bytes of an origin's robots.txt; nil where there are none.
func (s *Site) Body(index int) []byte {
	if body := s.answers.Held(index); body != nil {
		return body
	}
	return s.answers.Body(index)
}

// Read returns what a crawler makes of an origin's robots.txt.
func Read(r *audit.Robots, crawler int) *audit.Read {
	if crawler < len(r.Reads) {
		return &r.Reads[crawler]
	}
	return &audit.Read{GroupReason: engine.None, Why: "robots.txt was not asked for"}
}

// BlockedFor returns the pages that are blocked for the i-th crawler.
func BlockedFor(d *audit.Done, i int) int64 {
	if i < len(d.Blocked) {
		return d.Blocked[i]
	}
	return 0
}

// Total sums counts up.
func Total(counts map[string]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Labels are the labels of crawlers, in their order.
func Labels(crawlers []audit.Crawler) (list []string) {
	for _, c := range crawlers {
		list = append(list, c.Label)
	}
	return list
}

// Specs are the crawlers with their profiles, as a user asks for them:
// "Googlebot@google".
func Specs(crawlers []audit.Crawler) []string {
	list := make([]string, len(crawlers))
	for i, c := range crawlers {
		list[i] = c.Name + "@" + c.Profile
	}
	return list
}
