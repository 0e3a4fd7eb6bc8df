package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// LintOptions says what Lint knows besides the file itself. The zero value
// lints a file at hand for the readers of today.
type LintOptions struct {
	Profiles []*Profile // whose readings count; nil = google, yandex and rfc9309
	Crawlers []Crawler  // crawlers that findings are about; nil = the crawler list
	Own      []Crawler  // crawlers besides those of the list, and before them
	File     *File      // the outcome of the fetch, but for its Body; nil = the file is at hand, as if answered with 200
	URL      string     // address that the file was asked for at; "" = not known
	Cache    string     // the answer's Cache-Control header; "" = not known or none
	MaxPerID int        // findings of one id that are kept; 0 = 100, -1 = all

	// Reading returns what Profile.Read has made of File, with HopBlocked as told, and the body, so that
	// it is read once; nil = it is not at hand. nil = none is.
	Reading func(p *Profile, hopBlocked bool) *Robots

	// HopBlocked reports whether a URL of the redirect chain of File is disallowed
	// for a crawler, its robots.txt being read by a profile. The zero Crawler stands
	// for all who read by that profile. nil = as File.HopBlocked says, for everybody.
	HopBlocked func(*Profile, Crawler) bool
}

// defaultProfiles are the readers of today.
var defaultProfiles = []string{"google", "yandex", "bing", "rfc9309"}

// Lint reports what is wrong with a robots.txt, for whom, and what to do. It is
// pure, gives the same findings for the same input in the order of the lines,
// and takes time nearly in proportion to the file. Findings about the file as
// a whole (Line 0) come first.
//
// Lint does not guess: that a rule is shadowed or adds nothing is proved by
// comparing patterns, that an edit changes no verdict (Finding.Harmless) for every
// chosen profile, and that readers disagree is shown by a path on which their
// verdicts differ. Findings of the catalogue (FindingKinds) that need the
// URLs of a site are not given here.
func Lint(body []byte, o LintOptions) []Finding {
	if o.Own != nil {
		return lint(body, o, newCrawlerIndex(withOwn(o.Own)))
	}
	return lint(body, o, listedCrawlers)
}

func lint(body []byte, o LintOptions, listed *crawlerIndex) []Finding {
	l := newLinter(body, o, listed)
	l.check()
	l.settleEdits()
	l.settleFixes()
	return l.found
}

// check sets found.
func (l *linter) check() {
	lintFetch(l)
	if l.hasLines {
		for _, check := range fileChecks {
			check(l)
		}
		for i := range l.lines {
			for _, check := range lineChecks {
				check(l, &l.lines[i])
			}
		}
	}
	l.reportLeftOut()
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Column, b.Column), cmp.Compare(a.ID, b.ID))
	})
}

// The checks, in the order in which they run. One that is not here is called by another one of
// its file (lint_….go).
var (
	// fileChecks check the lines of a file together.
	fileChecks = []func(*linter){
		lintFormat, lintLeadingStars, lintGroups, lintSite, lintOwnGroups, lintProofs, lintReaders,
		lintLeftovers, lintSitemaps, lintYandex, lintDelays, lintSignals, lintAI, lintParsers,
	}
	// lineChecks check one line.
	lineChecks = []func(*linter, *lintLine){lintJoined, lintCharacters, lintField, lintAgent, lintPath, lintUnusualCharacter, lintPathText}
)

// linter is one run of Lint.
type linter struct {
	LintOptions
	listed      *crawlerIndex
	asked       bool // Crawlers were chosen
	anyone      bool // crawlers of any name may read by each profile
	body        []byte
	text        string     // the same
	hasLines    bool       // the body is text with lines that can be those of a robots.txt
	lines       []lintLine // see readLines: not the file's lines one by one
	groups      []lintGroup
	joined      map[int]*joined      // by line: those that hold a directive that does not begin them
	robots      map[*Profile]*Robots // as each profile reads it
	closed      map[*Profile]*Robots // as it is to crawlers that may not follow the redirects to it
	readers     map[*Profile]*reader // what proves that edits change no verdict
	found       []Finding
	lastOf      map[string]int // by id: index into found of its last finding
	counts      map[string]int
	groupCache  map[groupKey]*Group
	ignored     ignoredPart // what lies beyond the limit that was asked for last
	proofs      proofs
	distinct    []Crawler               // see distinctCrawlers; nil = not asked for yet
	obediences  map[*Profile]*obedience // see obedienceTo
	delayObeyed map[*lintGroup]bool     // see mayObeyDelay

	sitemapEnds map[string]bool // whole URLs of sitemap lines, their paths, and what follows their scheme; nil = not asked for yet
}

func newLinter(body []byte, o LintOptions, listed *crawlerIndex) *linter {
	l := &linter{LintOptions: o, listed: listed, asked: o.Crawlers != nil, body: body, text: stringView(body), robots: map[*Profile]*Robots{}, closed: map[*Profile]*Robots{}, readers: map[*Profile]*reader{}, lastOf: map[string]int{}, counts: map[string]int{}, groupCache: map[groupKey]*Group{}}
	if l.Profiles == nil {
		for _, name := range defaultProfiles {
			p, _ := ProfileByName(name)
			l.Profiles = append(l.Profiles, p)
		}
	}
	if l.Crawlers == nil {
		l.Crawlers = listed.all
	}
	if l.MaxPerID == 0 {
		l.MaxPerID = 100
	}
	for _, p := range l.Profiles {
		if l.reading(p).source == fromCopy { // then none of them reads the body
			l.body, l.text = l.File.Cached, stringView(l.File.Cached)
		}
	}
	return l
}

// reading is the file as a profile reads it: the answer first, and the lines only
// where they count.
func (l *linter) reading(p *Profile) *Robots {
	if r := l.robots[p]; r != nil {
		return r
	}
	f := File{Status: 200, SiteAvailable: true}
	if l.File != nil {
		f = *l.File
	}
	f.Body = l.body
	if l.HopBlocked != nil {
		f.HopBlocked = p.BlockedHopOpen && l.HopBlocked(p, Crawler{})
	}
	var r *Robots
	if l.Reading != nil {
		r = l.Reading(p, f.HopBlocked)
	}
	if r != nil && r.source == fromBody {
		r = r.anew()
	} else {
		r = p.Read(f)
	}
	l.robots[p] = r
	return r
}

// readingFor is the file as a crawler has it that reads by a profile.
func (l *linter) readingFor(p *Profile, c Crawler) *Robots {
	r := l.reading(p)
	if l.HopBlocked == nil || !p.BlockedHopOpen || r.source != fromBody || !l.HopBlocked(p, c) {
		return r
	}
	if l.closed[p] == nil {
		f := *l.File
		f.HopBlocked = true
		l.closed[p] = p.Read(f)
	}
	return l.closed[p]
}

// report adds a finding to l.found, with the texts of the catalogue. The finding
// is about the bytes [from, to) of a line, or about the file as a whole where
// line is nil. It is for those of the given profiles, or of all chosen ones if
// none are given (see profilesAt), that the catalogue says it concerns and whose crawlers read the line.
//
// The caller may change the finding that is returned until it reports the next
// one. nil is returned, and nothing added, if the finding concerns none of the
// profiles or MaxPerID findings of the id were reported already.
func (l *linter) report(id string, line *lintLine, from, to int, profiles ...*Profile) *Finding {
	kind := findingIndex[id]
	if profiles == nil {
		if profiles = l.Profiles; !isAboutOthers(id, line) {
			profiles = l.profilesAt(line)
		}
	}
	var names []string
	for _, p := range profiles {
		if kind.Concerns(p) && (line == nil || !line.inGroup() || isAboutOthers(id, line) || l.reads(p, line)) {
			names = append(names, p.Name)
		}
	}
	if names == nil || line != nil && l.joined[line.number] != nil && !besideJoined[id] {
		return nil
	}
	if l.counts[id]++; l.MaxPerID > 0 && l.counts[id] > l.MaxPerID {
		return nil
	}
	l.lastOf[id] = len(l.found)
	f := kind.Finding()
	f.Profiles = names
	if line != nil {
		f.Line, f.Column, f.EndColumn, f.Text = line.number, from+1, to+1, strings.Clone(escape.Prefix(line.text, 1024)) // not the whole file
	}
	l.found = append(l.found, f)
	return &l.found[len(l.found)-1]
}

// reportValue reports a finding at the value of a line, or at its field if the
// value is empty.
func (l *linter) reportValue(id string, line *lintLine, profiles ...*Profile) *Finding {
	if line.value == "" {
		return l.reportField(id, line, profiles...)
	}
	return l.report(id, line, line.valueAt, line.valueAt+len(line.value), profiles...)
}

// reportField reports a finding at the field of a line.
func (l *linter) reportField(id string, n *lintLine, profiles ...*Profile) *Finding {
	return l.report(id, n, n.fieldAt, n.fieldAt+len(n.field), profiles...)
}

// reportLeftOut sets More of the last finding of each id of which some were left
// out.
func (l *linter) reportLeftOut() {
	for id, n := range l.counts {
		if l.MaxPerID > 0 && n > l.MaxPerID {
			l.found[l.lastOf[id]].More = n - l.MaxPerID
		}
	}
}

// profilesWhere are the chosen profiles for which a condition holds.
func (l *linter) profilesWhere(holds func(*Profile) bool) []*Profile {
	list := []*Profile{}
	for _, p := range l.Profiles {
		if holds(p) {
			list = append(list, p)
		}
	}
	return list
}

// family is the operator of a profile.
func (p *Profile) family() string { return operatorOf(p.Name) }

// quote writes a part of the file, cut after n bytes, in quotes. It uses escapes,
// those of Go as %q does, only if some character is not printable: a backslash of a
// path is not doubled.
func quote(s string, n int) string {
	s = escape.Prefix(s, n)
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(s)
	}
	return `"` + s + `"`
}

// groupKey identifies a group: crawlers with the same key obey the same rules.
type groupKey struct {
	shared *Group // of the same runs
	reason GroupReason
}

// group returns the group that a crawler obeys. Crawlers that share a group get
// the same *Group, so that the rules of a file that names a hundred crawlers are
// not sorted a hundred times.
func (l *linter) group(r *Robots, c Crawler) *Group {
	if r.Access != Parsed {
		return r.Group(c)
	}
	reason, runs, _ := r.choose(&c)
	shared := r.groupOf(runs)
	key := groupKey{shared, reason}
	g := l.groupCache[key]
	if g == nil {
		own := *shared
		g = &own
		g.Reason = reason
		g.rank()
		l.groupCache[key] = g
	}
	return g
}
