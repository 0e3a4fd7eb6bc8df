package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// parsed is an origin's robots.txt, read once more by the profiles of the
// crawlers asked about: for what the records do not say, such as the runner-up of
// a verdict. It is made when it is first needed.
type parsed struct {
	answer    engine.File
	byProfile map[string]*engine.Robots
	groups    []*engine.Group // of each crawler; nil = its profile is not one of this program
	same      []int           // of each crawler, the first one that obeys the same group by the same profile
	tokens    map[int]string  // by line of a rule, the product tokens of the group in which it stands
}

// maxParsed bounds the files of one site that are kept parsed.
const maxParsed = 16

// Answer is what the engine is told of an origin's robots.txt, but for its body.
func Answer(r *audit.Robots) engine.File {
	return engine.File{
		Status: r.File.Status, Error: r.File.Code, Hops: r.File.Redirects(), ContentType: r.File.Type, Truncated: r.File.Truncated,
		UnreachableHours: r.File.UnreachableHours, Cached: r.File.Cached,
	}
}

// robot is a crawler as the engine has it; ok is false where this program does
// not know its profile.
func robot(c *audit.Crawler) (engine.Crawler, bool) {
	if _, ok := engine.ProfileByName(c.Profile); !ok {
		return engine.Crawler{}, false
	}
	r, err := engine.ParseCrawler(c.Name + "@" + c.Profile)
	if err != nil {
		return r, false
	}
	r.Tokens = c.Tokens // with the case in which they were asked for
	return r, true
}

// parse returns an origin's robots.txt, read.
func (s *Site) parse(origin int) *parsed {
	if r := s.parsed[origin]; r != nil {
		return r
	}
	r := &parsed{byProfile: map[string]*engine.Robots{}, groups: make([]*engine.Group, len(s.Crawlers))}
	if origin >= 0 && origin < len(s.answers) {
		r.answer = s.answers[origin]
		r.answer.Body = s.body(origin)
	}
	for i := range s.Crawlers {
		r.same = append(r.same, i)
		c, ok := robot(&s.Crawlers[i])
		if !ok {
			continue
		}
		r.groups[i] = r.read(c.Profile).Group(c)
		for k := range i {
			if r.groups[k] != nil && s.Crawlers[k].Profile == c.Profile && slices.Equal(r.groups[k].Rules, r.groups[i].Rules) {
				r.same[i] = k
				break
			}
		}
	}
	if s.parsed == nil || len(s.parsed) >= maxParsed {
		s.parsed = map[int]*parsed{}
	}
	s.parsed[origin] = r
	return r
}

// read returns the file as a profile reads it; the profile must be known.
func (r *parsed) read(profile string) *engine.Robots {
	if robots := r.byProfile[profile]; robots != nil {
		return robots
	}
	p, _ := engine.ProfileByName(profile)
	robots := p.Read(r.answer)
	r.byProfile[profile] = robots
	return robots
}

// group returns the product tokens of the group in which a rule stands, as they
// are written there; "" where none of the crawlers' profiles sees a rule in that line.
func (r *parsed) group(line int) string {
	if r.tokens == nil {
		r.tokens = map[int]string{}
		for _, robots := range r.byProfile {
			for _, g := range robots.Groups() {
				tokens := strings.Join(g.Tokens, ", ")
				for _, rule := range g.Rules {
					if old, ok := r.tokens[rule.Line]; !ok || tokens < old { // the same whichever profile comes first
						r.tokens[rule.Line] = tokens
					}
				}
			}
		}
	}
	return r.tokens[line]
}
