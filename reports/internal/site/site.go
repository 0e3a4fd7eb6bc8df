package site

import (
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Site collects the facts about one site while its records arrive: every record is added with
// AddRecord. Methods with an *audit.Done are for the site's end, when all its records have been
// added. Only one goroutine at a time uses a Site.
type Site struct {
	*audit.Site           // its Past is nil if there is no history
	RunStarted  time.Time // start of the run, as in the points of Past; a site begins later
	Directories Directories
	Templates   Templates
	Crawls      *audit.Logs    // what access logs say; nil = none were given
	Asked       *audit.Asked   // answers to requests in the names of crawlers; nil = not asked
	Lead        Lead           // of the to-do list
	Differing   int64          // pages for which the crawlers' verdicts differ
	Unclear     []int64        // pages without a clear verdict, for each crawler
	Evidence    map[int]string // file with the bytes of a robots.txt, "evidence/…/robots.txt", by its index

	origins                   []*audit.Robots // by index, without bodies
	NotesEdited               bool            // the owner notes differ from the records: people have written others
	answers                   audit.Answers
	answer                    string // class of the site's own response, for its timeline; "" = none
	parsed                    map[int]*parsed
	ruleIDs                   map[originLine]string // see RuleIDAt
	rules                     []*audit.Rules        // effects of the rules, by origin and group
	ruleLines                 ruleLines             // of the last call
	knownLines                knownLines            // of the last file
	topRules                  []RuleRow             // see TopRules; nil = not computed yet
	figures                   []Figure              // see Figures; nil = not computed yet
	figuresOf                 *audit.Done
	blocking                  map[originLine]*lineBlocks // pages that lines block
	segments                  *segmentCounts             // nil = pages are not counted by segment
	exampleBytes              int                        // of blocking
	repeats                   map[originLine]int         // lines with the rule of an earlier line: see noteRepeats
	lines                     []int32                    // buffer of firstLines
	listed, linked, canonical int64                      // blocked pages in a sitemap, or else linked from a page, or else a page's canonical
	hitter                    int                        // audit.Site.HitsCrawler
	leads                     []bool                     // for each crawler: it is among audit.Leading
	changing                  []changing
	faults                    faults
	noSitemapLine             bool // robots.txt names no sitemap
	troubles                  sitemapTroubles
	toDo                      *ToDo // nil = not computed yet
	toDoOf                    *audit.Done
	findings                  LineNotes // ids of findings
	details                   detailsCache
	disagreements             disagreements
	policy                    *Policy
	sample                    *audit.PolicySample // sample of the pages, if the records do not contain the policy
	policyRecorded            bool                // the records contain the policy
	clean                     []*cleanParam       // by origin; nil = no Clean-param lines
	tested                    []int64             // number of pages, by the origin of their robots.txt
	sitemapsRead              int64               // sitemaps that were read at least in part
	sitemapsTried             int64               // sitemaps that are declared nowhere and could not be read
	sitemaps                  []string            // addresses by index, the first maxSitemapURLs of them
	leftOut                   map[string]int64
	pages                     pageCauses // facts about the requested pages
	indexed                   []string   // examples of blocked URLs that are indexed
	urls                      []URL      // of the current batch
	number                    uint32     // see URL.number
}

// New returns a site without records. body returns the bytes of a robots.txt that was added, by its
// index; nil = none. It is called to parse the file again, and for its lines.
func New(site *audit.Site, body func(index int) []byte) *Site {
	s := &Site{
		Site: site, Unclear: make([]int64, len(site.Crawlers)), Evidence: map[int]string{}, blocking: map[originLine]*lineBlocks{}, repeats: map[originLine]int{}, Templates: Templates{crawlers: len(site.Crawlers)},
		details: newDetailsCache(len(site.Crawlers)), disagreements: disagreements{budget: maxExperiments},
	}
	s.hitter = site.HitsCrawler()
	s.leads = make([]bool, len(site.Crawlers))
	for _, i := range audit.Leading(site.Crawlers) {
		s.leads[i] = true
	}
	s.answers.Body = body
	return s
}

// Output makes files of a site's records. It gets each record after it has been added to the site.
// An output must not keep pointers into a record: the memory is reused once the method returns.
type Output interface {
	URLs([]URL)               // a batch of tested URLs
	Robots(*audit.Robots)     // the robots.txt of one origin
	Sitemap(*audit.Sitemap)   // a sitemap; its URLs came before
	Page(*audit.Page)         // a URL that was requested while links were followed
	Problem(*audit.Problem)   // a file that could not be fetched or read
	Findings(*audit.Findings) // the findings on one robots.txt
}

// AddRecord adds a record and passes it on to the outputs, in their order. Only this method checks
// the kind of a record.
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
			s.noteFinding(rec.Findings.Origin, &rec.Findings.List[i])
		}
		for _, out := range outputs {
			out.Findings(rec.Findings)
		}
	case rec.Logs != nil:
		s.Crawls = rec.Logs
	case rec.Asked != nil:
		s.Asked = rec.Asked
	case rec.Rules != nil:
		s.rules, s.ruleLines, s.topRules = append(s.rules, rec.Rules), ruleLines{}, nil
	}
}

// addRobots adds the robots.txt of one origin. Its body is not kept: see New.
func (s *Site) addRobots(r *audit.Robots) {
	if s.Past != nil && r.Index == 0 { // while its body is available
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

// AllRobots yields the facts about the robots.txt of each origin, in the order of their indices.
func (s *Site) AllRobots(yield func(*audit.Robots) bool) {
	for _, r := range s.origins {
		if r != nil && !yield(r) {
			return
		}
	}
}

// Files yields the facts about each robots.txt once: it skips origins that serve the same file as
// an earlier one (audit.Robots.SameAs), usually http in addition to https.
func (s *Site) Files(yield func(*audit.Robots) bool) {
	for r := range s.AllRobots {
		if s.FileOf(r.Index) == r && !yield(r) {
			return
		}
	}
}

// FileOf returns the robots.txt of the first origin that serves the same file, which has the data of its
// lines; never nil.
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

// OriginsOf returns the origins that serve a file, with commas, the first one first.
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

// Robots returns the facts about an origin's robots.txt, without its body; never nil.
func (s *Site) Robots(index int) *audit.Robots {
	if index >= 0 && index < len(s.origins) && s.origins[index] != nil {
		return s.origins[index]
	}
	return &audit.Robots{Index: index}
}

// Body returns the bytes of an origin's robots.txt; nil = none.
func (s *Site) Body(index int) []byte {
	if body := s.answers.Held(index); body != nil {
		return body
	}
	return s.answers.Body(index)
}

// Read returns how the crawler with this index reads an origin's robots.txt.
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

// Specs returns the crawlers with their profiles, in the form that users write: "Googlebot@google".
func Specs(crawlers []audit.Crawler) []string {
	list := make([]string, len(crawlers))
	for i, c := range crawlers {
		list[i] = c.Name + "@" + c.Profile
	}
	return list
}
