package site

import (
	"strconv"

	"robots-audit/audit"
	"robots-audit/engine"
)

// VerdictDetails is all that is to be said about a verdict but the URL: the same for
// every URL that one line decides for one crawler, against one runner-up. Equal
// readings of a site are one pointer, as long as they are remembered.
type VerdictDetails struct {
	Crawler, Profile string
	Verdict          engine.Verdict
	Rule             string // "" = no rule decides
	Line             int    // 0 = no rule decides
	Group            string // product tokens
	Why              string // this group applies, or what the answer means where no group does
	RunnerUp         string // the rule that would decide next; "" = none
	RunnerUpLine     int
	Margin           int    // octets by which the deciding rule is longer
	Without          string // what becomes of the verdict if the deciding line is deleted; "" = not known
}

type detailsKey struct {
	origin, crawler        int
	line, runnerUp, margin int32
	verdict, without       engine.Verdict
	contested              bool // runnerUp, margin and without are known
}

// maxDetails bounds the readings that are remembered.
const maxDetails = 4096

// detailsCache are those that are remembered.
type detailsCache struct {
	known      map[detailsKey]*VerdictDetails
	last       []*VerdictDetails // of each crawler
	lastKey    []detailsKey      // likewise
	contested  []int64           // likewise, the number of the URL whose rival lastKey holds
	lastParsed *parsed
	lastOrigin int
}

func newDetailsCache(crawlers int) detailsCache {
	return detailsCache{last: make([]*VerdictDetails, crawlers), lastKey: make([]detailsKey, crawlers), contested: make([]int64, crawlers)}
}

// VerdictDetails returns what is to be said about a URL's verdict for the i-th crawler.
func (s *Site) VerdictDetails(u *URL, i int) *VerdictDetails {
	known := &s.details
	key := detailsKey{origin: u.Origin, crawler: i, verdict: u.Verdicts[i]}
	if i < len(u.Lines) {
		key.line = u.Lines[i]
	}
	if key.line > 0 {
		s.addContest(u, i, &key)
	}
	if last := known.last[i]; last != nil && known.lastKey[i] == key {
		return last
	}
	r := known.known[key]
	if r == nil {
		r = s.newVerdictDetails(key)
		if known.known == nil || len(known.known) >= maxDetails {
			known.known = map[detailsKey]*VerdictDetails{}
		}
		known.known[key] = r
	}
	known.last[i], known.lastKey[i] = r, key
	return r
}

// addContest adds to key what the engine says of the deciding rule's rival. It
// says nothing where the engine's verdict is not that of the record, as one that
// another version of this program has written.
func (s *Site) addContest(u *URL, i int, key *detailsKey) {
	known := &s.details
	if known.lastParsed == nil || known.lastOrigin != u.Origin {
		known.lastParsed, known.lastOrigin = s.parse(u.Origin), u.Origin
	}
	g := known.lastParsed.groups[i]
	if g == nil {
		return
	}
	// Crawlers that obey the same group by the same profile share the answer.
	if same := known.lastParsed.firstAlike[i]; same < i && known.lastKey[same].contested && known.contested[same] == u.number && u.Lines[same] == key.line {
		last := &known.lastKey[same]
		key.runnerUp, key.margin, key.without, key.contested = last.runnerUp, last.margin, last.without, true
		return
	}
	contest := g.Contest(u.Loc)
	if contest.Verdict != key.verdict || contest.Line() != int(key.line) {
		return
	}
	if contest.RunnerUp != nil {
		key.runnerUp = int32(contest.RunnerUp.Line)
	}
	key.margin, key.without, key.contested = int32(contest.Margin), contest.Without, true
	known.contested[i] = u.number
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
		r.Without = DescribeWithout(key.verdict, key.without, int(key.runnerUp))
	}
	if key.runnerUp > 0 {
		r.RunnerUp, r.RunnerUpLine, r.Margin = RuleAt(robots, int(key.runnerUp)), int(key.runnerUp), int(key.margin)
	}
	return r
}

// DescribeWithout says what becomes of the verdict now if the deciding line is
// deleted: then, by the line runnerUp, 0 = by no rule.
func DescribeWithout(now, then engine.Verdict, runnerUp int) string {
	words := then.String()
	if then == now {
		words = "still " + words
	}
	if runnerUp == 0 {
		return words + ": no other rule"
	}
	return words + " by line " + strconv.Itoa(runnerUp)
}

// RuleAt returns the rule that stands in a line; "" = none.
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

// DescribeGroupReason says in words why a group applies; "" where no rules do.
func DescribeGroupReason(access engine.Access, reason engine.GroupReason) string {
	if access != engine.Parsed {
		return ""
	}
	switch reason {
	case engine.Exact:
		return "the group names its product token"
	case engine.Fallback:
		return "no group names its own product token; this one names a token it falls back to"
	case engine.Global:
		return "no group names it, so the group of * applies"
	case engine.Exempt:
		return "only the group of * would apply, which this crawler does not obey"
	}
	return "no group applies"
}
