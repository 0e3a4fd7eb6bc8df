package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"robots-audit/audit/internal/hreflang"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// Stages of an audit in which a Problem can arise.
const (
	StageList    = "list"    // reading the list of sites
	StageURLs    = "urls"    // the user's own list of URLs
	StageRobots  = "robots"  // asking for robots.txt
	StageSitemap = "sitemap" // reading sitemaps
	StageCrawl   = "crawl"   // following links
	StageAudit   = "audit"   // our own work on the site
	StageReport  = "report"  // writing the site's report
)

// stageNames name the subject of each stage, for use within a sentence.
var stageNames = map[string]string{
	StageRobots: "robots.txt", StageSitemap: "a sitemap", StageCrawl: "a page", StageAudit: "the audit", StageReport: "the report",
}

// CodeBadDomain marks an invalid line of the list.
const CodeBadDomain = "bad_domain"

// CodeSiteTimeout marks a site that took longer than Auditor.SiteTimeout.
const CodeSiteTimeout = "site_timeout"

// errStalled stops a site that is far too slow; see crawl.Site.OnStall.
var errStalled = errors.New("the site answered too slowly")

// site is the audit of one domain by one worker. Its memory does not grow with the number of URLs,
// except for the set that detects repeated ones.
type site struct {
	conclusion
	auditor *Auditor
	ctx     context.Context
	domain  Domain
	ordinal int
	send    func(Record) bool
	inLoop  *bool     // whether the loop of Auditor.Site is running; nil = there is none
	stopped bool      // a record was not taken, because the run is being stopped
	judging semaphore // bounds the sites that judge URLs at a time; nil = no bound
	fetch   *crawl.Site

	answers    Answers       // their robots.txt
	policy     *PolicySample // nil until the site's own robots.txt was read
	heads      map[string]*origin
	lastHead   []byte
	lastOrigin *origin
	distinct   *HashSet
	lastHash   uint64            // hash in distinct of the URL that addURL took last, as a page; 0 = it was skipped
	lastOwn    bool              // that URL is on the site's own host
	hreflang   *hreflang.Checker // nil until there is a URL
	resolver   crawl.Resolver    // of known URLs
	weights    map[uint64]Weight // of known URLs, by their hash in distinct; nil = none
	decisions  []engine.Decision
	hits       []int64 // buffer of addHits; nil = no access logs have the site

	perSitemap   map[int]*Sitemap // counts for sitemaps whose record was not sent yet
	submitted    submission
	wrongHosts   map[string]bool // by origin, see isWrongHost
	lastWrong    string          // the last head of which isWrongHost was true
	lastRight    string          // and false
	testHosts    int             // hosts that isPublished has judged by their robots.txt
	search       sitemapSearch
	second       *secondLook     // nil = none
	samples      *askSamples     // nil = no URLs are requested in the names of crawlers
	whole        bool            // all else was done in time: only requests in these names may be missing
	linkedListed int64           // URLs of sitemaps that pages link to
	unlisted     *HashSet        // pages of distinct that no sitemap names; nil = none
	waitingPages int64           // found, but not requested before the site's time was over
	seen         map[uint64]bool // URLs seen by checks such as those of links, by hash: see firstSeen
}

func newSite(ctx context.Context, a *Auditor, d Domain, ordinal int, send func(Record) bool) *site {
	trusted := d.Host
	if d.Port != "" {
		trusted += ":" + d.Port
	}
	return &site{
		conclusion: newConclusion(a), auditor: a, ctx: ctx, domain: d, ordinal: ordinal, send: send, fetch: a.Client.Site(trusted),
		heads: map[string]*origin{}, distinct: NewHashSet(), perSitemap: map[int]*Sitemap{}, decisions: make([]engine.Decision, len(a.Crawlers)),
	}
}

// run does the steps of the site's audit one after the other.
func (s *site) run() {
	s.begin()
	if s.auditor.SecondLook != nil {
		s.second = new(secondLook)
	}
	if s.auditor.AskAs != nil {
		s.samples = newAskSamples(s.auditor.AskAs.Pages)
	}
	if c := s.domain.Credentials; c != nil {
		if err := s.fetch.Authenticate(s.domain.Origin(s.domain.Scheme), *c); err != nil {
			panic(err) // cannot happen: ParseDomain has made this origin
		}
	}
	if s.auditor.Links != nil {
		s.done.Links = new(LinkCount) // no page yet, and none if there is no answer
	}
	file := s.findOrigin()
	s.read(s.origins[0], file)
	s.noteCredentials()
	s.askAgain(file)
	s.loadWeights()
	if silent(&file.Outcome) {
		s.addKnown()
		s.judgeAll()
		return // nothing else would answer either
	}
	s.walk(s.declared())
	if s.done.SitemapsRead == 0 && s.domain.Scheme != "ftp" { // sitemaps need http or https
		// A missing or broken Sitemap line does not mean that there is no sitemap.
		s.searchSitemap()
	}
	s.judgeAll()
	if s.auditor.Links != nil && s.domain.Scheme != "ftp" { // pages need http or https
		s.followLinks()
		s.judgeAll()
	}
	s.lookAgain()
	s.checkReturnLinks()
	s.addKnown()
	s.judgeAll()
	s.askAs()
}

// begin emits the first record of a site.
func (s *site) begin() {
	s.emit(Record{Site: &Site{Name: s.domain.Name, Line: s.domain.Line, Ordinal: s.ordinal, Crawlers: s.auditor.Crawlers, Started: s.now(), Logs: s.findHits(), Asked: s.auditor.AskAs.names()}})
}

// findOrigin decides which origin is audited, and returns its robots.txt. A bare host means https,
// or http if https does not answer. An invalid certificate is an answer: it is reported, not
// bypassed.
func (s *site) findOrigin() *crawl.RobotsFile {
	own := &origin{name: s.domain.Origin(firstScheme(s.domain)), own: true}
	s.origins = []*origin{own}
	file := s.fetch.Robots(s.ctx, own.name)
	if s.domain.Scheme == "" && s.domain.Port == "" && noAnswer(file.Code) && silent(&file.Outcome) {
		plain := s.fetch.Robots(s.ctx, s.domain.Origin("http"))
		if !noAnswer(plain.Code) {
			s.problem(StageRobots, file.Code, file.URL, "https does not answer, http is audited instead: "+file.Detail)
			own.name, file = s.domain.Origin("http"), plain
		}
	}
	s.done.Origin = own.name
	return file
}

// noAnswer reports whether a code means that no connection was made.
func noAnswer(code string) bool {
	switch code {
	case crawl.CodeConnectRefused, crawl.CodeConnectTimeout, crawl.CodeConnectFailed:
		return true
	}
	return false
}

// unreachable reports whether a code means that the host does not answer at all.
func unreachable(code string) bool {
	return noAnswer(code) || strings.HasPrefix(code, "dns_") || strings.HasPrefix(code, "tls_") || code == crawl.CodeCancelled ||
		code == crawl.CodeBlockedAddress
}

// silent reports whether the site itself does not answer. A server that accepts the request and
// hangs also counts as silent. A site that redirects its robots.txt to a silent host has answered
// itself.
func silent(file *crawl.Outcome) bool {
	return (unreachable(file.Code) || file.Code == crawl.CodeTimeout) && (len(file.Hops) == 0 || file.Hops[0].Status == 0)
}

// finish emits the counts of the rules and the last record.
func (s *site) finish() {
	switch cause := context.Cause(s.ctx); {
	case s.whole: // Asked has its own limit
	case cause == errStalled:
		s.addLimit(LimitWaiting, "waiting", s.waitingPages)
		s.problem(StageAudit, CodeSiteTimeout, "", cause.Error()+"; the report has what was read until then")
	case cause == context.DeadlineExceeded:
		s.addLimit(LimitSiteTime, orDefault(s.auditor.SiteTimeout, 2*time.Hour).String(), s.waitingPages)
		s.problem(StageAudit, CodeSiteTimeout, "", "the site took longer than the time allowed for one site; the report has what was read until then")
	}
	for _, o := range s.origins {
		if o.matrix != nil {
			if o.twin == nil {
				s.emitRules(o)
			}
			o.matrix, o.groups, o.media, o.self = nil, nil, nil, nil
		}
	}
	if s.policy != nil {
		s.done.Policy = s.policy.Reach()
	}
	s.answers, s.policy = Answers{}, nil
	s.done.State, s.done.Ground, s.done.Why = s.state()
	s.blocking = nil
	s.done.Finished = s.now()
	if len(s.done.LeftOut) == 0 {
		s.done.LeftOut = nil
	}
	s.emit(Record{Done: &s.done})
}

// emitRules emits the effects of each set of rules that was tested as one. Sets with equal results
// share a record, which is common for one group read by different profiles. This saves counting,
// writing and reading it several times.
func (s *site) emitRules(o *origin) {
	var records []*Rules
	var counted [][]engine.RuleCount // for each record, in memory that is reused
	memory := ruleCounts.Get().(*[]engine.RuleCount)
	list := *memory
	defer func() {
		clear(list[:cap(list)]) // to free texts of the file
		if *memory = list[:0]; cap(list) <= keptCounts {
			ruleCounts.Put(memory)
		}
	}()
	for i, g := range o.groups {
		if o.matrix.Same(i) != i || len(g.Rules) == 0 {
			continue
		}
		var crawlers []int
		for j := range o.groups {
			if o.matrix.Same(j) == i {
				crawlers = append(crawlers, j)
			}
		}
		start := len(list)
		list = o.matrix.AppendCounts(list, i)
		counts := list[start:]
		s.addBlockers(o, crawlers, counts)
		if k := slices.IndexFunc(counted, func(of []engine.RuleCount) bool { return slices.Equal(of, counts) }); k >= 0 {
			records[k].Crawlers = append(records[k].Crawlers, crawlers...)
			list = list[:start]
			continue
		}
		records = append(records, &Rules{Origin: o.index, Crawlers: crawlers})
		counted = append(counted, counts)
	}
	for k, rec := range records {
		slices.Sort(rec.Crawlers)
		rec.Counts = make([]RuleCount, 0, len(counted[k]))
		for _, c := range counted[k] {
			rec.Counts = append(rec.Counts, RuleCount{
				Line: c.Rule.Line, Rule: c.Rule.String(), Matched: c.Matched, Decided: c.Decided, Frees: c.Frees, Blocks: c.Blocks,
				Join: c.Join, Unknown: c.Unknown,
			})
		}
		s.emit(Record{Rules: rec})
	}
}

// keptCounts bounds the length of lists in ruleCounts, which emitRules reuses.
const keptCounts = 4096

var ruleCounts = sync.Pool{New: func() any { return new([]engine.RuleCount) }}

// emit sends a record. After a record that was not taken, it sends no more: a site with a gap must
// not look complete.
func (s *site) emit(rec Record) {
	rec.Domain = s.domain.Name
	if s.stopped = s.stopped || !s.send(rec); s.stopped {
		rec.release()
	}
}

// harmless are the codes of problems that do not prevent reading any known URLs.
var harmless = map[string]bool{crawl.CodeSitemapNotFound: true, crawl.CodeSitemapTooBig: true}

func (s *site) problem(stage, code, url, detail string) {
	s.done.Problems++
	if code == CodeAnswerDiffers || stage != StageCrawl && !harmless[code] {
		if s.grave++; s.grave == 1 {
			words := detail
			if words == "" || strings.HasPrefix(words, "dial ") { // of the system
				words = Meaning(code)
			}
			s.firstProblem = stageNames[stage] + ": " + words
		}
	}
	s.emit(Record{Problem: &Problem{Stage: stage, Code: code, URL: url, Detail: detail}})
}

func (s *site) now() time.Time {
	if s.auditor.Now != nil {
		return s.auditor.Now().UTC()
	}
	return time.Now().UTC()
}

// notFound reports whether a status says that there is no such file.
func notFound(status int) bool { return status == http.StatusNotFound || status == http.StatusGone }

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))
}

// mergeRules adds the rules of one profile's reading to the lines known so far.
func mergeRules(lines []RuleLine, rules []engine.Rule) []RuleLine {
	for _, r := range rules {
		i, found := slices.BinarySearchFunc(lines, r.Line, func(l RuleLine, line int) int { return l.Line - line })
		if !found {
			lines = slices.Insert(lines, i, RuleLine{Line: r.Line, Rule: r.String()})
		}
	}
	return lines
}

func mergeSitemaps(lines []SitemapLine, more []engine.Line) []SitemapLine {
	for _, l := range more {
		i, found := slices.BinarySearchFunc(lines, l.Line, func(s SitemapLine, line int) int { return s.Line - line })
		if !found {
			lines = slices.Insert(lines, i, SitemapLine{Line: l.Line, URL: strings.Clone(l.Value)}) // a copy, to free the file
		}
	}
	return lines
}
