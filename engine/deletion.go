package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A line that is deleted takes its rule away, and mostly nothing else: while its
// run (see parse.go) holds another rule line, the run stays what it is, and so
// does every group. Where it is the only one, the user-agent lines of the run
// may come to stand right before those of the next run and make one run with
// them: a join. In few files a deletion moves more than that, and the file is
// read again: a reread.
//
// Only groups that hold the line are asked. A join adds user-agent lines to a
// run whose rules stay the same, so that whoever obeyed the next run, and not
// this one, finds the same rules. In a profile whose records end by blank lines
// alone, nothing is joined, but a user-agent line that stood below the only rule
// and was not seen may now be: of a crawler that obeys this run already,
// or does not hold the line.

// Join is what the deletion of a line does besides taking its rule away: the
// user-agent lines above it join the group that follows, whose rules then count
// for the crawler as well.
type Join struct {
	Line  int  `json:"line"`  // first user-agent line of the group that follows; 0 = nothing is joined
	Empty bool `json:"empty"` // an empty "Disallow:" in place of the line takes away its rule and does nothing else
}

// Words says what the deletion of a line joins, and what to write instead; "" = it
// joins nothing. who is the crawler that is joined, rule the line's rule as
// Rule.String has it.
func (j Join) Words(who, rule string) string {
	if j.Line == 0 {
		return ""
	}
	instead := `Write an empty "Disallow:" instead`
	switch {
	case rule == Rule{}.String():
		instead = "Leave it"
	case !j.Empty:
		instead = "Delete the user-agent lines above it as well"
	}
	return fmt.Sprintf("deleting only this line adds %s to the group of line %d. %s", who, j.Line, instead)
}

// join is a rule of a group whose deletion joins its run to the next one.
type join struct {
	rule  int32                 // index into Group.Rules
	next  int32                 // the next run, whose rules the group does not have
	group atomic.Pointer[Group] // of the next run alone; nil = not asked for yet
}

// joinsOf finds the joins in a group of runs, in the order of its rules. A join
// with a run of the same group, or with one that has no rules, changes nothing.
func (r *Robots) joinsOf(runs []int) (list []join) {
	rule := int32(0)
	for n, i := range runs {
		if r.runs[i].joins && (n+1 == len(runs) || runs[n+1] != i+1) && r.runs[i+1].rules < r.runs[i+1].rulesEnd {
			list = append(list, join{rule: rule, next: int32(i + 1)})
		}
		rule += int32(r.runs[i].rulesEnd - r.runs[i].rules)
	}
	return list
}

// joined returns the group of the run that the i-th join adds.
func (r *ranking) joined(i int) *Group {
	j := &r.joins[i]
	g := j.group.Load()
	if g == nil {
		g = r.robots.groupOf([]int{int(j.next)})
		g.rank()
		j.group.Store(g)
	}
	return g
}

// joinOf returns the number of the join of a rule, -1 = its deletion joins nothing.
func (r *ranking) joinOf(rule int32) int {
	lo, hi := 0, len(r.joins)
	for lo < hi {
		if mid := (lo + hi) / 2; r.joins[mid].rule < rule {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(r.joins) || r.joins[lo].rule != rule {
		return -1
	}
	return lo
}

// joinAt describes the i-th join.
func (g *Group) joinAt(i int) Join {
	return Join{Line: g.joined(i).Line, Empty: g.emptyStandsIn(g.joins[i].rule)}
}

// emptyStandsIn reports whether an empty disallow line in place of a rule leaves
// the other rules of the group what they are. To most readers such a line is no
// rule, or one that goes behind all others; to some it is "allow: /", which goes
// before a rule of one octet.
func (g *Group) emptyStandsIn(rule int32) bool {
	if g.profile.EmptyDisallow < EmptyAllowsAll {
		return true
	}
	for i := len(g.ranked) - 1; i >= 0 && g.ranked[i].octets <= 1; i-- {
		if r := &g.ranked[i]; r.rule != rule && !r.allow {
			return false
		}
	}
	return true
}

// without returns the verdict on a path if the rule that decides it, that of the
// pattern best, were deleted with its line, and what the deletion joins; second is
// the best pattern of another rule. Unknown where maxEdited keeps it from being known.
func (g *Group) without(path string, best, second int32) (Verdict, Join) {
	rule := g.ranked[best].rule
	if g.reread != nil && g.reread.concerns(g.Rules[rule].Line) {
		return g.reread.verdict(path, g.Rules[rule].Line), Join{}
	}
	i := g.joinOf(rule)
	if i < 0 {
		return g.verdictWithout(path, best, second), Join{}
	}
	next := g.joined(i)
	return g.verdictJoined(path, rule, second, next, next.best(path)), g.joinAt(i)
}

// verdictJoined is the verdict on a path by the rules of g but one, which is deleted,
// and those of next, which are in its place: best and other are the strongest
// patterns of the two that match it, -1 = none.
func (g *Group) verdictJoined(path string, deleted, best int32, next *Group, other int32) Verdict {
	var strongest *ranked
	if best >= 0 {
		strongest = &g.ranked[best]
	}
	if other >= 0 {
		r := &next.ranked[other]
		switch {
		case strongest == nil:
			strongest = r
		case g.profile.FirstMatch:
			if next.Rules[r.rule].Line < g.Rules[strongest.rule].Line {
				strongest = r
			}
		case r.octets > strongest.octets || r.octets == strongest.octets && r.allow:
			strongest = r
		}
	}
	switch {
	case strongest == nil || strongest.allow:
		return Allow
	case g.profile.WildcardConflict && (g.conflict(path, strongest, deleted) || next.conflict(path, strongest, -1)):
		return Undefined
	}
	return Disallow
}

// reread judges for a crawler what a file says with a line deleted, for the
// lines whose deletion changes how the rest is read.
type reread struct {
	robots  *Robots
	crawler Crawler
	mutex   sync.Mutex
	groups  map[int]*Group // by deleted line: the group that the crawler obeys then
}

// Bounds of what is read again of one file: bytes of the edited files that are
// kept, and the number of further ones for questions that are asked one by one.
const (
	maxEdited  = 4 << 20
	maxRereads = 256
)

// concerns reports whether the deletion of a rule's line has the file read otherwise.
func (r *reread) concerns(line int) bool {
	if r.robots.Unread > 0 {
		return true
	}
	_, found := slices.BinarySearch(r.robots.rereads, line)
	return found
}

// verdict judges a path, as the profile writes it, with a line deleted. Unknown if that
// would take too much memory, or bytes of the file that no one has.
func (r *reread) verdict(path string, line int) Verdict {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	g := r.groups[line]
	if g == nil {
		less := r.robots.edited(line)
		if less == nil {
			return Unknown
		}
		if r.groups == nil {
			r.groups = map[int]*Group{}
		}
		g = less.Group(r.crawler)
		r.groups[line] = g
	}
	return g.verdictOn(path)
}

// once is verdict for a single question, which is answered where the memory is used up.
func (r *reread) once(path string, line int) Verdict {
	r.robots.mutex.Lock()
	r.robots.reread++
	over := r.robots.reread > maxRereads
	r.robots.mutex.Unlock()
	less := r.robots
	if !over {
		less = r.robots.Without(line)
	}
	if over || less == nil {
		return Unknown
	}
	return less.Group(r.crawler).verdictOn(path)
}

// edited is Without for one of the first lines that are asked for, each made once;
// nil = not known.
func (r *Robots) edited(line int) *Robots {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	less, known := r.edits[line]
	if !known && (len(r.edits)+1)*len(r.body) <= maxEdited {
		less = r.Without(line)
		if r.edits == nil {
			r.edits = map[int]*Robots{}
		}
		r.edits[line] = less
	}
	return less
}

// verdictOn judges a path as the profile writes it.
func (g *Group) verdictOn(path string) Verdict {
	if g.access != Parsed {
		return g.accessDecision().Verdict
	}
	return g.judge(path).Verdict
}

// Without reads the file again without a line (1-based) and its line end. The
// lines after it have numbers that are one lower, at times two: a CR that ended the line
// before and an LF after it are one line end. It is nil where the file goes on beyond
// what was fetched of it, and the profile would read that; r itself where there is no such line.
func (r *Robots) Without(line int) *Robots { return r.edit(line, nil) }

// Rewritten reads the file again with another text, of one line or more, in place of
// a line (1-based), whose end stays. It is nil, or r itself, where Without is.
func (r *Robots) Rewritten(line int, text string) *Robots { return r.edit(line, &text) }

// edit reads the file again with a line rewritten; nil = deleted with its end.
func (r *Robots) edit(line int, text *string) *Robots {
	if r.Access != Parsed {
		return r
	}
	for read := newLineReader(r.Profile, r.text); read.next(); {
		if read.number != line {
			continue
		}
		// The limit may have cut the line, or its end.
		whole := newLineReader(r.Profile, r.body)
		whole.offset, whole.number = read.start, line-1
		whole.next()
		end, instead := whole.offset, ""
		if text != nil {
			end, instead = whole.start+len(strings.TrimRight(r.body[whole.start:end], "\r\n")), *text
		}
		if bytes := end - whole.start - len(instead); r.truncated && r.Unread > 0 && r.Unread < bytes {
			return nil
		}
		body := make([]byte, 0, len(r.body)+len(instead))
		body = append(append(append(body, r.body[:whole.start]...), instead...), r.body[end:]...)
		return r.Profile.Parse(body)
	}
	return r
}

// deletesAs reports whether the deletion of a rule's line does the same in two groups
// of the same rules.
func (g *Group) deletesAs(other *Group) bool {
	if g.ranking == other.ranking {
		return true // of one reading
	}
	for i := range g.Rules {
		if g.reread == nil && other.reread == nil {
			break
		}
		if g.whyNotCounted(int32(i)) != other.whyNotCounted(int32(i)) {
			return false
		}
	}
	if len(g.joins) != len(other.joins) || len(g.joins) > 0 && !g.weighedAs(other) {
		return false
	}
	for i := range g.joins {
		if g.joins[i].rule != other.joins[i].rule ||
			i < maxJoins && (g.joinAt(i) != other.joinAt(i) || !g.joined(i).weighedAs(other.joined(i))) {
			return false
		}
	}
	return true
}

// weighedAs is ruledAs also for the rules of two groups together with those of others:
// they have the same lengths, not only the same order.
func (g *Group) weighedAs(other *Group) bool {
	return g.ruledAs(other) && g.profile.FirstMatch == other.profile.FirstMatch &&
		slices.EqualFunc(g.ranked, other.ranked, func(a, b ranked) bool { return a.octets == b.octets })
}

// whyNotCounted says, as part of a sentence, why it is not counted what the deletion of a
// rule would do; "" = it is.
func (g *Group) whyNotCounted(rule int32) string {
	if why := g.Reread(g.Rules[rule].Line); why != "" {
		return why
	}
	if i := g.joinOf(rule); i >= maxJoins {
		return "too many lines of the file would join groups"
	}
	return ""
}

// why says, as part of a sentence, what the deletion of a line does.
func (r *reread) why() string {
	if r.robots.Unread > 0 {
		return "the file is longer than the part that is read, and without the line more of it is read"
	}
	return "without the line, other lines are read differently"
}

// Reread says, as part of a sentence, why the deletion of a rule's line (1-based) has other
// lines read otherwise, so that no rule of the group can be named that would decide
// then, and at times not even the verdict is known; "" = it takes the rule away, and
// joins what Join says.
func (g *Group) Reread(line int) string {
	if g.reread == nil || !g.reread.concerns(line) {
		return ""
	}
	return g.reread.why()
}
