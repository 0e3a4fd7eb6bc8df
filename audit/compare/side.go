package compare

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// side has the records of one side, except its URLs.
type side struct {
	Side
	site     *audit.Site
	origins  map[int]*governed // by Robots.Index
	last     *governed         // the one used last
	answers  audit.Answers
	sitemaps []*audit.Sitemap
	pages    []*audit.Page
	problems []*audit.Problem
	done     *audit.Done
}

// governed is an origin's robots.txt on one side, and how the crawlers read it.
type governed struct {
	record   *audit.Robots
	readings []*engine.Robots // one for each of the crawlers that are compared
	groups   []*engine.Group
	others   []*engine.Group      // as the other side's crawlers read it; nil until they are needed
	wholes   []*engine.Group      // as if the crawlers read the whole file; likewise
	matrix   *engine.Matrix       // over groups; nil until it is needed
	kind     BodyKind             // the kind of its body
	pages    int64                // pages that it applies to
	place    int                  // on the new side: index in Site.Origins of the origin for its flips, plus 1; 0 = not known yet
	recorded bool                 // the record lacks its answer, so the recorded verdicts are used
	shown    map[shownKey]*shown  // the findings that known URLs show about its rules
	rules    map[int]*engine.Rule // by line, the rules in recorded verdicts
}

func newSide() *side { return &side{origins: map[int]*governed{}} }

// add processes a record that is not a batch of URLs.
func (s *side) add(rec audit.Record) {
	switch {
	case rec.Site != nil:
		s.site = rec.Site
		s.Started, s.Crawlers, s.AskAs = rec.Site.Started, rec.Site.Crawlers, rec.Site.Asked
	case rec.Robots != nil:
		s.origins[rec.Robots.Index] = &governed{record: rec.Robots, recorded: rec.Robots.LacksBody(), kind: bodyKind(rec.Robots.File)}
		s.last = nil
		s.answers.Add(rec.Robots.Index, rec.Robots.Origin, &rec.Robots.File)
		if rec.Robots.Index == 0 {
			s.Unread = !audit.Answered(rec.Robots.File.Code)
		}
	case rec.Sitemap != nil:
		s.sitemaps = append(s.sitemaps, rec.Sitemap)
	case rec.Page != nil:
		s.pages = append(s.pages, rec.Page)
	case rec.Problem != nil:
		s.problems = append(s.problems, rec.Problem)
	case rec.Asked != nil:
		s.Asked = rec.Asked
	case rec.Logs != nil:
		s.Logs = rec.Logs
	case rec.Done != nil:
		s.done = rec.Done
		s.State, s.Finished = rec.Done.State, rec.Done.Finished
	}
}

// reader is a compared crawler on one side.
type reader struct {
	robot   engine.Crawler
	profile *engine.Profile
	column  int // index into the side's Site.Crawlers
}

// judge returns the origin's robots.txt as the readers read it.
func (s *side) judge(origin int, readers []reader) *governed {
	if s.last != nil && s.last.record.Index == origin {
		return s.last
	}
	g := s.origins[origin]
	if g == nil {
		g = &governed{record: &audit.Robots{Index: origin}, recorded: true}
		s.origins[origin] = g
	}
	if g.groups == nil {
		g.readings, g.groups = make([]*engine.Robots, len(readers)), make([]*engine.Group, len(readers))
		for i, r := range readers {
			g.readings[i] = s.answers.Read(origin, r.profile, r.robot)
			g.groups[i] = g.readings[i].Group(r.robot)
		}
	}
	s.last = g
	return g
}

// known is a URL that one side knows.
type known struct {
	loc      string
	kind     audit.Kind
	listed   bool
	origin   *governed
	weight   audit.Weight
	recorded []engine.Verdict // one for each of the side's Site.Crawlers; needed only where origin.recorded
	lines    []int32          // likewise
	hits     []int64          // one for each of the side's Site.Crawlers; nil = none
}

// read reads a URL of a batch. The result is valid as long as the batch.
func (s *judged) read(u *audit.URL, k *known) {
	*k = known{u.Loc, u.Kind, u.Sitemap >= 0, s.judge(u.Origin, s.readers), u.Weight, u.Verdicts, u.Lines, u.Hits}
}

// verdicts judges a URL by its own side's answers.
func (s *judged) verdicts(k *known, out []engine.Decision) {
	g := k.origin
	if !g.recorded {
		if g.matrix == nil {
			g.matrix = engine.NewMatrix(g.groups...)
		}
		g.matrix.Verdicts(k.loc, out)
		return
	}
	for i, r := range s.readers {
		out[i] = engine.Decision{}
		if r.column < len(k.recorded) {
			out[i].Verdict = k.recorded[r.column]
		}
		if r.column < len(k.lines) && k.lines[r.column] > 0 {
			out[i].Rule = g.ruleOfLine(int(k.lines[r.column]))
		}
	}
}

// ruleOfLine returns the recorded rule of a line.
func (g *governed) ruleOfLine(line int) *engine.Rule {
	if rule := g.rules[line]; rule != nil {
		return rule
	}
	rule := &engine.Rule{Line: line}
	for _, l := range g.record.Rules {
		if l.Line == line {
			field, value, _ := cutRule(l.Rule)
			rule.Allow, rule.Value = field == "allow", value
		}
	}
	if g.rules == nil {
		g.rules = map[int]*engine.Rule{}
	}
	g.rules[line] = rule
	return rule
}
