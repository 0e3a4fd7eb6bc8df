package site

import (
	"strconv"

	"robots-audit/audit"
	"robots-audit/engine"
)

// VerdictDetails explains a verdict. It is the same for every URL that one line decides for one
// crawler, with one runner-up. Equal details of a site are one pointer, as long as they are in
// memory.
type VerdictDetails struct {
	Crawler, Profile string // its label, and the profile that it follows
	Verdict          engine.Verdict
	Rule             string // "" = no rule decides
	Line             int    // 0 = no rule decides
	Group            string // product tokens of the group, with commas; "" = no group applies
	Why              string // why this group applies, or what the response means if no group does
	RunnerUp         string // the rule of the group with the next priority; "" = none
	RunnerUpLine     int
	Margin           int    // number of octets by which the deciding rule is longer
	Without          string // the verdict if the deciding line is deleted, in words; "" = nothing to say
}

type detailsKey struct {
	origin, crawler        int
	line, runnerUp, margin int32
	verdict, without       engine.Verdict
	join                   engine.Join
	reread                 string // as in engine.Group.Reread
	contested              bool   // runnerUp, margin, without, join and reread are known
}

// maxDetails bounds the details, and the disagreements, of a site that are in memory.
const maxDetails = 4096

// detailsCache has the details of the last verdicts of a site.
type detailsCache struct {
	known      map[detailsKey]*VerdictDetails
	last       []*VerdictDetails // of each crawler
	lastKey    []detailsKey      // for each crawler
	contested  []uint32          // for each crawler, the number of the last URL for which the engine was called
	lastParsed *parsed
	lastOrigin int
}

func newDetailsCache(crawlers int) detailsCache {
	return detailsCache{last: make([]*VerdictDetails, crawlers), lastKey: make([]detailsKey, crawlers), contested: make([]uint32, crawlers)}
}

// VerdictDetails returns the details of a URL's verdict for the i-th crawler.
func (s *Site) VerdictDetails(u *URL, i int) *VerdictDetails {
	cache := &s.details
	key := detailsKey{origin: u.Origin, crawler: i, verdict: u.Verdicts[i]}
	if i < len(u.Lines) {
		key.line = u.Lines[i]
	}
	if key.line > 0 {
		s.addContest(u, i, &key)
	}
	if last := cache.last[i]; last != nil && cache.lastKey[i] == key {
		return last
	}
	d := cache.known[key]
	if d == nil {
		d = s.newVerdictDetails(key)
		if cache.known == nil || len(cache.known) >= maxDetails {
			cache.known = map[detailsKey]*VerdictDetails{}
		}
		cache.known[key] = d
	}
	cache.last[i], cache.lastKey[i] = d, key
	return d
}

// addContest adds the engine's result for the rule with the next priority to key. It adds nothing
// if the engine's verdict differs from the record, which another version of this program may have
// written.
func (s *Site) addContest(u *URL, i int, key *detailsKey) {
	cache := &s.details
	if cache.lastParsed == nil || cache.lastOrigin != u.Origin {
		cache.lastParsed, cache.lastOrigin = s.parse(u.Origin), u.Origin
	}
	g := cache.lastParsed.groups[i]
	if g == nil {
		return
	}
	// Crawlers that obey the same group by the same profile share the result.
	if same := cache.lastParsed.firstAlike[i]; same < i && cache.lastKey[same].contested && cache.contested[same] == u.number && u.Lines[same] == key.line {
		last := &cache.lastKey[same]
		key.runnerUp, key.margin, key.without, key.join, key.reread, key.contested = last.runnerUp, last.margin, last.without, last.join, last.reread, true
		return
	}
	contest := g.Contest(u.Loc)
	if contest.Verdict != key.verdict || contest.Line() != int(key.line) {
		return
	}
	if contest.RunnerUp != nil {
		key.runnerUp = int32(contest.RunnerUp.Line)
	}
	key.margin, key.without, key.join, key.contested = int32(contest.Margin), contest.Without, contest.Join, true
	key.reread = g.Reread(contest.Line())
	cache.contested[i] = u.number
}

func (s *Site) newVerdictDetails(key detailsKey) *VerdictDetails {
	robots := s.Robots(key.origin)
	how := Read(robots, key.crawler)
	r := &VerdictDetails{Verdict: key.verdict, Rule: RuleAt(robots, int(key.line)), Line: int(key.line), Group: how.GroupTokens, Why: DescribeGroupReason(how.Access, how.GroupReason)}
	if how.Access != engine.Parsed || r.Why == "" {
		r.Why = how.Why
	}
	if key.crawler < len(s.Crawlers) {
		r.Crawler, r.Profile = s.Crawlers[key.crawler].Label, s.Crawlers[key.crawler].Profile
	}
	if key.contested {
		switch {
		case key.without == engine.Unknown:
			r.Without = "not known: " + key.reread
		case key.reread != "":
			r.Without = withoutWord(key.verdict, key.without) + ": " + key.reread
		case key.join.Line > 0:
			r.Without = withoutWord(key.verdict, key.without) + ": " + key.join.Words(r.Crawler, r.Rule)
		default:
			r.Without = DescribeWithout(key.verdict, key.without, int(key.runnerUp))
		}
	}
	if key.runnerUp > 0 {
		r.RunnerUp, r.RunnerUpLine, r.Margin = RuleAt(robots, int(key.runnerUp)), int(key.runnerUp), int(key.margin)
	}
	return r
}

// DescribeWithout describes the change from the verdict now to then if the deciding line is
// deleted: then is by the line runnerUp, 0 = by no rule.
func DescribeWithout(now, then engine.Verdict, runnerUp int) string {
	words := withoutWord(now, then)
	if runnerUp == 0 {
		return words + ": no other rule"
	}
	return words + " by line " + strconv.Itoa(runnerUp)
}

func withoutWord(now, then engine.Verdict) string {
	if then == now {
		return "still " + then.String()
	}
	return then.String()
}

// RuleAt returns the rule in a line; "" = none.
func RuleAt(r *audit.Robots, line int) string {
	for lo, hi := 0, len(r.Rules); lo < hi; {
		mid := (lo + hi) / 2
		switch at := r.Rules[mid]; {
		case at.Line == line:
			return at.Rule
		case at.Line < line:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return ""
}

// DescribeGroupReason says in words why a group applies; "" if no rules do.
func DescribeGroupReason(access engine.Access, reason engine.GroupReason) string {
	if access != engine.Parsed {
		return ""
	}
	switch reason {
	case engine.Exact:
		return "the group names it"
	case engine.Fallback:
		return "no group names it; this group names the token it falls back to"
	case engine.Global:
		return "no group names it, so * applies"
	case engine.Exempt:
		return "this crawler ignores the group for *"
	}
	return "no group applies"
}
