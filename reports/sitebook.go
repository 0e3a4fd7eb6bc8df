package reports

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// siteBook is the workbook of one site while its records come in.
type siteBook struct {
	xlsx.Workbook
	tables  *siteTables
	site    *audit.Site
	allRows bool
	exports bool // rows are exported in further formats as well

	blocked       xlsx.Sheet[verdictRow]
	undecided     xlsx.Sheet[verdictRow]
	urls          xlsx.Sheet[urlRow]
	resources     xlsx.Sheet[verdictRow]
	disagreements xlsx.Sheet[disagreementRow]
	policies      xlsx.Sheet[policyRow]
	clean         xlsx.Sheet[cleanRow]
	rules         xlsx.Sheet[ruleRow]
	agents        xlsx.Sheet[agentRow]
	file          xlsx.Sheet[fileRow]
	lint          xlsx.Sheet[lintRow]
	sitemaps      xlsx.Sheet[audit.Sitemap]
	hosts         xlsx.Sheet[hopRow]
	leftOut       xlsx.Sheet[leftOutRow]
	problems      xlsx.Sheet[audit.Problem]
	evidence      xlsx.Sheet[evidenceRow]

	robots      []*audit.Robots // by index, without bodies
	answers     []engine.File   // likewise
	body        func(index int) []byte
	readers     map[int]*reader
	lastReader  *reader
	lastOrigin  int
	counts      []*audit.Rules
	lintIDs     map[originLine][]string
	unclear     []int64 // URLs without a clear verdict, for each crawler
	readings    map[readingKey]*reading
	lastReading []*reading   // of each crawler
	lastKey     []readingKey // likewise
	contested   []int64      // likewise, verdictRow.number of the URL whose rival lastKey holds
	scratch     []byte

	sitemapURLs []string // by index, where exports need them

	policy                       *policy
	cleaners                     []*cleaner // by origin; nil = no Clean-param lines
	differing                    int64      // pages on which verdicts differ
	experiments                  int        // bytes of robots.txt that may still be read again to find causes
	disagreementsKnown           map[string]*disagreement
	disagreeKey, lastDisagreeKey []byte
	lastDisagreement             *disagreement
	disagreeRow                  disagreementRow

	sources      sources
	directories  directories
	row          verdictRow // the one being written
	urlRow       urlRow     // likewise
	verdictCells []xlsx.Cell
	left         map[string]int64 // URLs left out, of those that a sitemap's record counts
}

func newSiteBook(r *Run, s *xlsx.Scratch, spillName string, site *audit.Site, body func(index int) []byte) *siteBook {
	t := r.tables
	b := &siteBook{
		Workbook: xlsx.Workbook{Template: t.Template, Disk: r.disk, Scratch: s, SpillName: spillName, RowLimit: r.RowLimit},
		tables:   t,
		site:     site,
		allRows:  r.Rows == "all", experiments: maxExperiments,
		unclear: make([]int64, len(site.Crawlers)), body: body,
		lastReading: make([]*reading, len(site.Crawlers)), lastKey: make([]readingKey, len(site.Crawlers)), contested: make([]int64, len(site.Crawlers)),
	}
	b.blocked.Table, b.undecided.Table, b.urls.Table, b.resources.Table = t.blocked, t.undecided, t.urls, t.resources
	b.rules.Table, b.agents.Table, b.file.Table = t.rules, t.agents, t.file
	b.lint.Table = t.lint
	b.disagreements.Table, b.policies.Table, b.clean.Table = t.differ, t.policies, t.clean
	b.sitemaps.Table, b.hosts.Table, b.leftOut.Table = t.sitemaps, t.hosts, t.leftOut
	b.problems.Table, b.evidence.Table = t.problems, t.evidence
	b.Sheets = []xlsx.AnySheet{
		&b.blocked, &b.undecided, &b.urls, &b.disagreements, &b.rules, &b.agents, &b.policies, &b.file, &b.lint,
		&b.sitemaps, &b.hosts, &b.clean, &b.resources, &b.leftOut, &b.problems, &b.evidence,
	}
	return b
}

// addRobots takes the robots.txt of one origin; evidence is the name of the
// file in the evidence folder that has its bytes, "" where there are none.
func (b *siteBook) addRobots(r *audit.Robots, evidence string) {
	kept := *r
	kept.File.Body, kept.File.Hops = nil, nil
	for len(b.robots) <= r.Index {
		b.robots, b.answers = append(b.robots, nil), append(b.answers, engine.File{})
	}
	b.answers[r.Index] = answer(r)
	b.robots[r.Index] = &kept
	b.addHops(r)
	b.evidence.AddRow(&b.Workbook, &evidenceRow{"robots.txt of " + r.Origin, &r.File.Outcome, evidence})
}

// origin returns what is known of an origin's robots.txt.
func (b *siteBook) origin(index int) *audit.Robots {
	if index >= 0 && index < len(b.robots) && b.robots[index] != nil {
		return b.robots[index]
	}
	return &audit.Robots{Index: index}
}

// read returns what a crawler makes of an origin's robots.txt.
func read(r *audit.Robots, crawler int) *audit.Read {
	if crawler < len(r.Reads) {
		return &r.Reads[crawler]
	}
	return &audit.Read{Access: "unknown", GroupReason: "none", Why: "robots.txt was not asked for"}
}

// maxSitemapURLs bounds the sitemaps that exports name; the others have a number.
const maxSitemapURLs = 10000

// addSitemap takes a sitemap that was read.
func (b *siteBook) addSitemap(s *audit.Sitemap) {
	b.sources.name(&b.Strings, s)
	if b.exports && s.Index >= 0 && s.Index < maxSitemapURLs {
		for len(b.sitemapURLs) <= s.Index {
			b.sitemapURLs = append(b.sitemapURLs, "sitemap no. "+itoa(len(b.sitemapURLs)+1))
		}
		b.sitemapURLs[s.Index] = s.URL
	}
	b.sitemaps.AddRow(&b.Workbook, s)
	b.addLeftOut(s)
	b.evidence.AddRow(&b.Workbook, &evidenceRow{"sitemap", &s.Outcome, ""})
}

// done takes the site's end, writes what can be told only now, and puts the
// workbook together in the file named path.
func (b *siteBook) done(d *audit.Done, path string) error {
	b.addRules(d)
	b.addAgents(d)
	b.addPolicy()
	b.addClean()
	b.addFile(b.body)
	b.addRemainder(d)
	b.fillEmpty(d)
	return b.Finish(path, b.summary(d))
}
