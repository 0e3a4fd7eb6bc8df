package compare

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// side is what is read of one side's records: all but its URLs is kept.
type side struct {
	Side
	site     *audit.Site
	origins  map[int]*governed // by Robots.Index
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
	matrix   *engine.Matrix
	recorded bool // its answer is not in the record: the verdicts are those that were recorded
}

func newSide() *side { return &side{origins: map[int]*governed{}} }

// add takes a record that is none of URLs.
func (s *side) add(rec audit.Record) {
	switch {
	case rec.Site != nil:
		s.site = rec.Site
		s.Started, s.Crawlers = rec.Site.Started, rec.Site.Crawlers
	case rec.Robots != nil:
		s.origins[rec.Robots.Index] = &governed{record: rec.Robots, recorded: lacksAnswer(rec.Robots)}
		s.answers.Add(rec.Robots.Index, rec.Robots.Origin, &rec.Robots.File)
	case rec.Sitemap != nil:
		s.sitemaps = append(s.sitemaps, rec.Sitemap)
	case rec.Page != nil:
		s.pages = append(s.pages, rec.Page)
	case rec.Problem != nil:
		s.problems = append(s.problems, rec.Problem)
	case rec.Done != nil:
		s.done = rec.Done
		s.State, s.Finished = rec.Done.State, rec.Done.Finished
	}
}

// lacksAnswer reports whether a record tells of a body that it does not hold.
func lacksAnswer(r *audit.Robots) bool {
	return r.File.Status == 200 && r.File.Bytes > 0 && len(r.File.Body) == 0 && r.File.Code == ""
}

// readers are the crawlers that are compared, as one side has them.
type reader struct {
	robot   engine.Crawler
	profile *engine.Profile
	column  int // index into the side's Site.Crawlers
}

// judge returns the origin's robots.txt as the readers read it.
func (s *side) judge(origin int, readers []reader) *governed {
	g := s.origins[origin]
	if g == nil {
		g = &governed{record: &audit.Robots{Index: origin}, recorded: true}
		s.origins[origin] = g
	}
	if g.matrix != nil {
		return g
	}
	for _, r := range readers {
		reading := s.answers.Read(origin, r.profile, r.robot)
		g.readings = append(g.readings, reading)
		g.groups = append(g.groups, reading.Group(r.robot))
	}
	g.matrix = engine.NewMatrix(g.groups...)
	return g
}

// known is a URL that one side knows, with its verdicts.
type known struct {
	loc      string
	kind     audit.Kind
	listed   bool
	origin   *governed
	weight   audit.Weight
	verdicts []engine.Decision // one for each of the crawlers that are compared
}

// read judges one URL of a batch.
func (s *side) read(u *audit.URL, readers []reader) known {
	g := s.judge(u.Origin, readers)
	k := known{loc: u.Loc, kind: u.Kind, listed: u.Sitemap >= 0, origin: g, weight: u.Weight, verdicts: make([]engine.Decision, len(readers))}
	if !g.recorded {
		g.matrix.Verdicts(u.Loc, k.verdicts)
		return k
	}
	for i, r := range readers {
		if r.column < len(u.Verdicts) {
			k.verdicts[i].Verdict = u.Verdicts[r.column]
		}
		if r.column < len(u.Lines) && u.Lines[r.column] > 0 {
			k.verdicts[i].Rule = ruleOfLine(g.record, int(u.Lines[r.column]))
		}
	}
	return k
}

// ruleOfLine is the rule that a record has of a line.
func ruleOfLine(r *audit.Robots, line int) *engine.Rule {
	rule := &engine.Rule{Line: line}
	for _, l := range r.Rules {
		if l.Line == line {
			field, value, _ := cutRule(l.Rule)
			rule.Allow, rule.Value = field == "allow", value
		}
	}
	return rule
}
