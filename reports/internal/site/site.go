package site

import (
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Site is what is known of one site while its records come in: every record is
// added with AddRecord. Methods that take an *audit.Done are for the site's end,
// when all its records have been added. A Site is used by one goroutine at a time.
type Site struct {
	*audit.Site           // its Past is nil where there is no history
	RunStarted  time.Time // of the run, as the points of Past have it; a site begins later
	Directories Directories
	Templates   Templates
	Differing   int64          // pages on which the crawlers' verdicts differ
	Unclear     []int64        // pages without a clear verdict, for each crawler
	Evidence    map[int]string // file that has the bytes of a robots.txt, "evidence/…/robots.txt", by its index

	origins                   []*audit.Robots // by index, without bodies
	NotesEdited               bool            // the owner notes are not those of the records: people have written others
	answers                   audit.Answers
	answer                    string // class of the site's own, for its timeline; "" = there is none
	parsed                    map[int]*parsed
	ruleIDs                   map[originLine]string // see RuleIDAt
	rules                     []*audit.Rules        // what the rules did, by origin and group
	ruleLines                 ruleLines             // asked for last
	knownLines                knownLines            // read last
	topRules                  []RuleRow             // see TopRules; nil = not asked for
	figures                   []Figure              // see Figures; likewise
	figuresOf                 *audit.Done
	blocking                  map[originLine]*lineBlocks // pages
	segments                  *segmentCounts             // nil = pages are not counted by segment
	exampleBytes              int                        // of blocking
	repeats                   map[originLine]int         // lines whose rule an earlier line has: see noteRepeats
	lines                     []int32                    // memory of firstLines
	listed, linked, canonical int64                      // blocked pages that a sitemap names, or else a page links to, or else names as its canonical
	leads                     []bool                     // of each crawler: it is among audit.Leading
	changing                  []changing
	troubles                  sitemapTroubles
	toDo                      *ToDo // nil = not asked for
	toDoOf                    *audit.Done
	findings                  LineNotes // ids
	details                   detailsCache
	disagreements             disagreements
	policy                    *Policy
	sample                    *audit.PolicySample // of the pages, where the records do not hold the policy
	policyRecorded            bool                // the records hold the policy
	clean                     []*cleanParam       // by origin; nil = no Clean-param lines
	tested                    []int64             // pages, by the origin whose robots.txt gives their verdicts
	sitemapsRead              int64               // of which something could be read
	sitemapsTried             int64               // that nobody names, and of which nothing could be read
	sitemaps                  []string            // addresses by index, the first maxSitemapURLs of them
	leftOut                   map[string]int64
	pages                     pageCauses // what pages say that were asked for
	indexed                   []string   // examples of blocked URLs that are indexed
	urls                      []URL      // of the batch at hand
	number                    uint32     // see URL.number
}

// New returns a site without records. body returns the bytes of a robots.txt
// that was added, by its index, nil where there are none. It is called when the
// file has to be parsed again, and for its lines.
func New(site *audit.Site, body func(index int) []byte) *Site {
	s := &Site{
		Site: site, Unclear: make([]int64, len(site.Crawlers)), Evidence: map[int]string{}, blocking: map[originLine]*lineBlocks{}, repeats: map[originLine]int{}, Templates: Templates{crawlers: len(site.Crawlers)},
		details: newDetailsCache(len(site.Crawlers)), disagreements: disagreements{budget: maxExperiments},
	}
	s.leads = make([]bool, len(site.Crawlers))
	for _, i := range audit.Leading(site.Crawlers) {
		s.leads[i] = true
	}
	s.answers.Body = body
	return s
}

// Output makes files of a site's records. It gets each record after it has been
// added to the site. An output must not keep what a record points to: the memory
// is used again once the method returns.
type Output interface {
	URLs([]URL)               // a batch of tested URLs
	Robots(*audit.Robots)     // the robots.txt of one origin
	Sitemap(*audit.Sitemap)   // a sitemap; the URLs that it names came before
	Page(*audit.Page)         // a URL that was asked for while links were followed
	Problem(*audit.Problem)   // what could not be fetched or read
	Findings(*audit.Findings) // what is wrong with one robots.txt
}

// AddRecord adds a record and passes it on to the outputs, in their order. This is
// the one place that asks what kind of record it is.
func (s *Site) AddRecord(rec audit.Record, outputs ...Output) {
	s.figures = nil
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
	case rec.Page != nil:
		s.addPage(rec.Page)
		for _, out := range outputs {
			out.Page(rec.Page)
		}
	case rec.Problem != nil:
		for _, out := range outputs {
			out.Problem(rec.Problem)
		}
	case rec.Findings != nil:
		s.addFindingIDs(rec.Findings)
		for i := range rec.Findings.List {
			s.noteChanging(rec.Findings.Origin, &rec.Findings.List[i])
		}
		for _, out := range outputs {
			out.Findings(rec.Findings)
		}
	case rec.Rules != nil:
		s.rules, s.ruleLines, s.topRules = append(s.rules, rec.Rules), ruleLines{}, nil
	}
}

// addRobots adds the robots.txt of one origin. Its body is not kept: see New.
func (s *Site) addRobots(r *audit.Robots) {
	if s.Past != nil && r.Index == 0 { // while its body is at hand
		s.answer = compare.AnswerName(&r.File)
	}
	stored := *r
	stored.File.Body = nil
	for len(s.origins) <= r.Index {
		s.origins = append(s.origins, nil)
	}
	file := r.File
	file.Body = nil
	s.answers.Add(r.Index, r.Origin, &file)
	s.policyRecorded = s.policyRecorded || r.Index == 0 && r.Policy != nil && r.Policy.Covers()
	s.origins[r.Index] = &stored
	s.noteRepeats(r)
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

// Files yields what is known of each robots.txt once: not of the origins that serve
// the very same file as an earlier one (audit.Robots.SameAs), http beside https mostly.
func (s *Site) Files(yield func(*audit.Robots) bool) {
	for r := range s.AllRobots {
		if s.FileOf(r.Index) == r && !yield(r) {
			return
		}
	}
}

// FileOf returns the data of an origin's robots.txt together with the first origin that serves it, which
// has the data of its lines; never nil.
func (s *Site) FileOf(index int) *audit.Robots {
	r := s.Robots(index)
	if r.SameAs == "" {
		return r
	}
	for _, first := range s.origins[:index] {
		if first != nil && first.Origin == r.SameAs {
			return first
		}
	}
	return r
}

// OriginsOf are the origins that serve a file, with commas, the first one first.
func (s *Site) OriginsOf(file *audit.Robots) string {
	names := file.Origin
	for r := range s.AllRobots {
		if r != file && s.FileOf(r.Index) == file {
			names = wording.Join(names, r.Origin)
		}
	}
	return names
}

// OriginCount is one more than the highest index of an origin.
func (s *Site) OriginCount() int { return len(s.origins) }

// Robots returns what is known of an origin's robots.txt, without its body; never nil.
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

// Read returns what the crawler of an index makes of an origin's robots.txt.
func Read(r *audit.Robots, crawler int) *audit.Read {
	if crawler < len(r.Reads) {
		return &r.Reads[crawler]
	}
	return &audit.Read{GroupReason: engine.None, Why: "robots.txt was not asked for"}
}

// BlockedFor returns the number of pages that are blocked for the i-th crawler.
func BlockedFor(d *audit.Done, i int) int64 {
	if i < len(d.Blocked) {
		return d.Blocked[i]
	}
	return 0
}

// Total is the sum of counts.
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
