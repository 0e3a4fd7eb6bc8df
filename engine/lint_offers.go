package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// maxChecked bounds the bytes of the edited files that are linted again, and so how
// many edits of one file are checked: all of them in a file of usual size.
const maxChecked = 1 << 17

// unchecked are the findings whose edits are not linted again: they write the same path in
// escapes, in up to a thousand lines of a file.
var unchecked = map[string]bool{"RUL014": true, "YA009": true}

// settleEdits takes back edits: all but one of a line, and those that leave the file no
// better. Advice that may block URLs says so first.
func (l *linter) settleEdits() {
	var offers []*Finding
	for i := range l.found {
		if f := &l.found[i]; f.Replacement != "" || f.Delete != nil {
			offers = append(offers, f)
		}
	}
	slices.SortStableFunc(offers, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(len(b.Delete), len(a.Delete)))
	})
	edited := map[int]string{} // by line: the finding whose edit it has
	left, found := maxChecked, weigh(l.found)
	for _, f := range offers {
		lines := f.Delete
		if lines == nil {
			lines = []int{f.Line}
		}
		if at := slices.IndexFunc(lines, func(n int) bool { return edited[n] != "" }); at >= 0 {
			f.takeBack(fmt.Sprintf("First make the edit for %s in line %d.", edited[lines[at]], lines[at]))
			continue
		}
		if f.Replacement != "" && !f.Harmless && f.ID != "DIR010" { // which says it of all its lines
			f.Fix = l.warning(f) + f.Fix
		}
		if !f.Harmless && !unchecked[f.ID] || f.ID == "RUL001" { // the other harmless ones bring nothing new
			if left -= len(l.text); left >= 0 && !l.worthIt(f, found) {
				f.takeBack("")
				continue
			}
		}
		for _, n := range lines {
			edited[n] = f.ID
		}
	}
}

// worthIt reports whether the file is better with the edit of a finding made; found are the
// findings without it. The split of DIR010 brings back lines that no one read, and a rule that
// is fixed may be one too many: such an edit stays, and says how many findings more there
// are then.
func (l *linter) worthIt(f *Finding, found weight) bool {
	with := l.weighWith(f)
	more := with.sum() - found.sum()
	if !f.Harmless && f.ID != "DIR010" {
		return more <= 0 && with.lighter(found)
	}
	if with[Critical] > found[Critical] { // RUL018
		f.Fix = closesFirst + strings.TrimPrefix(strings.TrimPrefix(f.Fix, blocksFirst), closesFirst)
	}
	if more > 0 {
		f.Fix += fmt.Sprintf(" After this edit there are %s.", wording.Plural(more, "further finding"))
	}
	return true
}

// takeBack has a finding offer no edit. instead is said in place of words that speak of a
// proved one.
func (f *Finding) takeBack(instead string) {
	if f.Harmless || unchecked[f.ID] {
		f.Fix = instead
	}
	f.Replacement, f.Delete, f.Harmless = "", nil, false
}

// weight is the number of findings by severity: one for each line that they are about.
type weight [Critical + 1]int

func weigh(found []Finding) (w weight) {
	for i := range found {
		f := &found[i]
		w[f.Severity] += max(len(f.Lines), 1) + f.More
	}
	return w
}

func (w weight) sum() (n int) {
	for _, findings := range w {
		n += findings
	}
	return n
}

// lighter reports whether the most severe findings that differ are fewer than in other.
func (w weight) lighter(other weight) bool {
	slices.Reverse(w[:])
	slices.Reverse(other[:])
	return slices.Compare(w[:], other[:]) < 0
}

// weighWith weighs the findings of the file with the edit of one of them made.
func (l *linter) weighWith(f *Finding) weight {
	o := l.LintOptions
	o.Reading = nil
	body := l.edited(f)
	if o.File != nil {
		file := *o.File
		if o.File = &file; file.Cached != nil {
			file.Cached = body
		}
	}
	again := newLinter(body, o, l.listed)
	again.asked = l.asked
	again.check()
	return weigh(again.found)
}

// edited is the file with the edit of a finding made.
func (l *linter) edited(f *Finding) []byte {
	body, at := make([]byte, 0, len(l.text)+len(f.Replacement)), 0
	for r := newLineReader(lenientProfile, l.text); r.next(); {
		switch {
		case f.Delete != nil && slices.Contains(f.Delete, r.number):
			body, at = append(body, l.text[at:r.start]...), r.offset
		case f.Delete == nil && r.number == f.Line:
			body, at = append(append(body, l.text[at:r.start]...), f.Replacement...), r.start+len(r.text)
		}
	}
	return append(body, l.text[at:]...)
}

// What advice begins with that may block URLs.
const (
	blocksFirst = "Check first: this may block URLs that are allowed now. "
	closesFirst = "Check first: this blocks the whole site. "
)

// warning says of the replacement of a line that it may block URLs; "" = it is
// proved that it does not.
func (l *linter) warning(f *Finding) string {
	n := l.lineAt(f.Line)
	e := edit{lintLine: n, text: f.Replacement}
	after := newLineReader(lenientProfile, e.text)
	after.next()
	blocks := slices.DeleteFunc(l.flips(e), func(p *Profile) bool { return after.kind == lineAllow && l.reader(p).onlyAllows(e) })
	switch {
	case len(blocks) == 0:
		return ""
	case after.kind == lineDisallow && after.value != "" && strings.Trim(after.value, "/*") == "":
		return closesFirst
	}
	return blocksFirst
}

// onlyAllows reports whether an edit does no more than add an allow rule to the groups
// of a line, by which nothing can be blocked.
func (r *reader) onlyAllows(e edit) bool {
	if r.Access != Parsed || r.Profile.WildcardConflict {
		return false
	}
	r.markLines()
	mark := r.marks[e.number-1]
	k := lineAllow
	switch kind(mark & markKind) {
	case lineAgent, lineDisallow:
		return false
	case lineAllow:
		i, _ := r.ruleAt(e.number)
		if mark&markOpen != 0 && len(r.Profile.appendRanked(nil, 0, &r.rules[i])) > 0 {
			return false
		}
	}
	return r.keepsGroups([]int{e.number}, &k)
}

// rewriting are the findings whose fix changes the text of their line, also where no edit is offered.
var rewriting = map[string]bool{
	"FMT003": true, "FMT010": true, "DIR003": true, "DIR008": true, "DIR009": true, "DIR010": true, "GRP002": true, "GRP007": true, "GRP008": true, "GRP010": true, "GRP011": true,
	"RUL001": true, "RUL002": true, "RUL010": true, "RUL011": true, "RUL015": true, "RUL016": true, "RUL022": true,
	"SM001": true, "SM020": true, "YA004": true, "YA005": true,
}

// compatible are the findings whose fix can be made beside that of another finding of the line:
// it is about other lines, or about more than robots.txt.
var compatible = map[string]bool{"GRP005": true, "GRP006": true, "RUL007": true, "RUL018": true, "RUL022": true, "AI001": true, "AI002": true, "AI003": true, "AI004": true, "DIR005": true}

// causedBy are findings that often come from another one of the same line, whose fix is the first to make.
var causedBy = map[string]string{"SM001": "FMT003", "RUL001": "FMT003", "RUL002": "FMT003", "DIR003": "FMT003", "GRP003": "GRP011", "GRP005": "GRP007"}

// settleFixes leaves a line one fix: what several findings say to do with it would contradict.
func (l *linter) settleFixes() {
	leads := map[int]*Finding{} // by line
	for i := range l.found {
		f := &l.found[i]
		if lead := leads[f.Line]; f.canLead() && (lead == nil || f.leads(lead)) {
			leads[f.Line] = f
		}
	}
	for i := range l.found {
		f := &l.found[i]
		lead := leads[f.Line]
		if lead == nil || lead.ID == f.ID || f.Fix == "" {
			continue
		}
		if causedBy[f.ID] != lead.ID && (compatible[f.ID] || !lead.edits() && lead.Severity < f.Severity) {
			continue
		}
		what := "fix "
		if lead.edits() {
			what = "make the edit for "
		}
		f.takeBack("")
		f.Fix = fmt.Sprintf("First %s%s in line %d.", what, lead.ID, lead.Line)
	}
}

// edits reports whether an edit is offered.
func (f *Finding) edits() bool { return f.Replacement != "" || f.Delete != nil }

// canLead reports whether the fix of a finding may be that of its line.
func (f *Finding) canLead() bool { return f.Line > 0 && f.Fix != "" && (f.edits() || rewriting[f.ID]) }

// leads reports whether the fix of a finding goes before that of another one which can lead. The more
// severe one does, unless it has no edit and the edit of the other takes its cause away.
func (f *Finding) leads(other *Finding) bool {
	switch {
	case causedBy[other.ID] == f.ID && !other.edits():
		return true
	case causedBy[f.ID] == other.ID && !f.edits(), f.Severity != other.Severity:
		return causedBy[f.ID] != other.ID && f.Severity > other.Severity
	}
	return f.edits() && !other.edits()
}

// maxFixRounds bounds the rounds of Fix. Files of real sites need at most a few.
const maxFixRounds = 100

// maxFixRead bounds how much of edited files a round reads again.
const maxFixRead = 8 << 20

// Fixed is a robots.txt with edits made.
type Fixed struct {
	Body  []byte
	Edits int
	From  []int // by line of Body, from 0: the line of the file that it comes from, from 1
}

// Fix makes the edits of findings that no crawler notices. find lints a body and returns the findings
// to fix; Fix calls it again after edits, until there is nothing more to do. So Fix changes nothing
// in its own result. Bytes outside the edits stay.
//
// An edit is made only if it is proved, together with all others, that no verdict changes: by any
// profile, for any crawler that a user-agent line may name. This is more than Finding.Harmless,
// which is about the chosen profiles and their crawlers. Crawl-delays that listed crawlers obey and valid
// Clean-param lines stay the same as well. Findings may have edits that are not harmless by
// name, such as a misspelt Sitemap field. These are made under the same condition.
//
// own are crawlers besides those of the list.
func Fix(body []byte, own []Crawler, find func(body []byte) []Finding) Fixed {
	listed := listedCrawlers
	if own != nil {
		listed = newCrawlerIndex(withOwn(own))
	}
	fixed := Fixed{Body: body}
	for read := newLineReader(lenientProfile, stringView(body)); read.next(); {
		fixed.From = append(fixed.From, read.number)
	}
	for range maxFixRounds {
		found := find(fixed.Body)
		f := newFixer(fixed.Body, listed)
		edits := f.settle(nil, f.apart(found))
		if len(edits) == 0 {
			break
		}
		body, from := f.made(edits)
		for i, line := range from {
			from[i] = fixed.From[line-1]
		}
		fixed = Fixed{Body: []byte(body), Edits: fixed.Edits + len(edits), From: from}
	}
	return fixed
}

// fixer makes edits of one state of a file.
type fixer struct {
	*linter
	now  []*Robots // the file by each profile
	left int       // bytes that keeps may still read, before each profile reads them
}

func newFixer(body []byte, listed *crawlerIndex) *fixer {
	l := newLinter(body, LintOptions{Profiles: Profiles()}, listed)
	l.anyone = true
	l.readLines()
	f := &fixer{linter: l, left: maxFixRead}
	for _, p := range l.Profiles {
		f.now = append(f.now, p.Parse(body))
	}
	return f
}

// editedLines are the lines that the edit of a finding deletes or replaces.
func (f *Finding) editedLines() []int {
	if f.Replacement != "" {
		return []int{f.Line}
	}
	return f.Delete
}

// apart are the findings whose edits may be made together: none is of a line of another, and none is
// of a line that another one relies on. The others have their turn in the next round.
func (f *fixer) apart(found []Finding) (edits []*Finding) {
	edited, kept := map[int]bool{}, map[int]bool{}
	for i := range found {
		of := &found[i]
		lines := of.editedLines()
		if lines == nil || slices.ContainsFunc(lines, func(n int) bool { return edited[n] || kept[n] }) || slices.ContainsFunc(of.Related, func(n int) bool { return edited[n] }) {
			continue
		}
		if len(lines) == 1 && !strings.ContainsAny(of.Replacement, "\r\n") && !f.mayMake(of) {
			continue
		}
		for _, n := range lines {
			edited[n] = true
		}
		for _, n := range of.Related {
			kept[n] = true
		}
		edits = append(edits, of)
	}
	return edits
}

// mayMake reports whether the edit of one line, alone, is proved to change no verdict by the profiles
// that read the file. For the others, keeps reads it again.
func (f *fixer) mayMake(of *Finding) bool {
	n := of.editedLines()[0]
	i := f.lineIndex(n)
	if i == len(f.lines) || f.lines[i].number != n {
		return false
	}
	e := edit{lintLine: &f.lines[i], deleted: of.Delete != nil, text: of.Replacement}
	for k, p := range f.Profiles {
		if f.now[k].Access == Parsed && !f.isHarmless(p, e) {
			return false
		}
	}
	return true
}

// settle returns the edits that keep every verdict together with those made. It tries all of them, then
// halves, so that a few bad ones cost little.
func (f *fixer) settle(made, edits []*Finding) []*Finding {
	if f.left -= len(f.text); len(edits) == 0 || f.left < 0 {
		return made
	}
	all := append(slices.Clip(made), edits...)
	if f.keeps(all) {
		return all
	}
	if len(edits) == 1 {
		return made
	}
	half := len(edits) / 2
	return f.settle(f.settle(made, edits[:half]), edits[half:])
}

// made is the file with edits, and for each of its lines the line it comes from.
func (f *fixer) made(edits []*Finding) (body string, from []int) {
	by := map[int]*Finding{}
	for _, of := range edits {
		for _, n := range of.editedLines() {
			by[n] = of
		}
	}
	var b strings.Builder
	at := 0
	for r := newLineReader(lenientProfile, f.text); r.next(); {
		of := by[r.number]
		if of == nil {
			from = append(from, r.number)
			continue
		}
		b.WriteString(f.text[at:r.start])
		if at = r.offset; of.Delete == nil {
			b.WriteString(of.Replacement)
			at = r.start + len(r.text)
			for lines := newLineReader(lenientProfile, of.Replacement); lines.next(); {
				from = append(from, r.number)
			}
		}
	}
	b.WriteString(f.text[at:])
	return b.String(), from
}

// keeps reports whether the file is proved to mean the same with edits.
func (f *fixer) keeps(edits []*Finding) bool {
	body, from := f.made(edits)
	was, is := besides(f.text), besides(body)
	if len(is) != len(from) || strings.HasPrefix(body, "\xEF") != strings.HasPrefix(f.text, "\xEF") {
		return false // a CR and an LF would become one line end, or the first bytes a byte order mark
	}
	for i, n := range from {
		if is[i] != was[n-1] {
			return false
		}
	}
	var after []*Robots
	for _, p := range f.Profiles {
		after = append(after, p.Parse([]byte(body)))
	}
	for i := range after {
		if !f.alike(f.now[i], after[i]) {
			return false
		}
	}
	return true
}

// besides is what readers without a profile may find in each line: the Crawl-delay, and whether a
// group begins. For many of them, each field ends the names of a group.
func besides(body string) (list []string) {
	names := false
	for r := newLineReader(lenientProfile, body); r.next(); {
		found := ""
		switch {
		case r.kind == lineDelay:
			found = r.value
		case r.kind == lineAgent && !names:
			found = "group"
		}
		if r.field != "" {
			names = r.kind == lineAgent
		}
		list = append(list, found)
	}
	return list
}

// alike reports whether it is proved that two readings of files by the same profile give the same
// verdicts, and that crawlers obey the same of what else is in them.
func (f *fixer) alike(a, b *Robots) bool {
	switch {
	case a.Access != b.Access, !slices.EqualFunc(a.validCleans(), b.validCleans(), func(x, y CleanRule) bool { return x.Path == y.Path && slices.Equal(x.Names, y.Names) }):
		return false
	case a.Access != Parsed:
		return true
	}
	for i := range f.listed.all {
		if c := &f.listed.all[i]; operatorOf(c.Profile) == a.Profile.family() && a.delayFor(c) != b.delayFor(c) {
			return false
		}
	}
	sitemaps := map[string]bool{}
	for _, line := range b.Sitemaps() {
		sitemaps[line.Value] = true
	}
	if slices.ContainsFunc(a.Sitemaps(), func(line Line) bool { return !sitemaps[line.Value] }) {
		return false
	}
	x, y := a.plainRuns(), b.plainRuns()
	if len(x) != len(y) {
		x, y = withoutRepeats(x), withoutRepeats(y)
	}
	if !slices.EqualFunc(x, y, func(x, y plainRun) bool { return slices.Equal(x.agents, y.agents) }) {
		return false
	}
	changed := map[int]bool{}
	other := map[int]int{} // by run of a, that of b
	for i := range x {
		differs := !slices.EqualFunc(x[i].rules, y[i].rules, sameRule)
		for _, run := range x[i].runs {
			changed[run], other[run] = differs, y[i].runs[0]
		}
	}
	if !slices.ContainsFunc(x, func(x plainRun) bool { return changed[x.runs[0]] }) {
		return true
	}
	obeyed := a.obeyedRuns(f.listed.all)
	if obeyed == nil {
		return false
	}
	work := maxProofWork
	for _, runs := range obeyed {
		if !slices.ContainsFunc(runs, func(run int) bool { return changed[run] }) {
			continue
		}
		var others []int
		for _, run := range runs {
			others = append(others, other[run])
		}
		slices.Sort(others)
		if !sameGroups(a.groupOf(runs), b.groupOf(slices.Compact(others)), &work) {
			return false
		}
	}
	return true
}

func (r *Robots) validCleans() []CleanRule {
	return slices.DeleteFunc(r.CleanParams(), func(c CleanRule) bool { return r.Profile.CleanParam == CleanIgnored || c.Problem != "" })
}

// delayFor is the Crawl-delay that a crawler obeys.
func (r *Robots) delayFor(c *Crawler) float64 {
	_, runs, global := r.choose(c)
	return r.delay(c, runs, global)
}

func sameRule(a, b Rule) bool { return a.Allow == b.Allow && a.Value == b.Value }

// plainRun is a run by what it says: its user-agent values, each once, and its rules.
type plainRun struct {
	agents []string
	rules  []Rule
	runs   []int // that say so, the first of which counts
}

func (r *Robots) plainRuns() (list []plainRun) {
	for i, run := range r.runs {
		p := plainRun{rules: r.rules[run.rules:run.rulesEnd], runs: []int{i}}
		seen := map[string]bool{}
		for _, a := range r.agents[run.agents:run.agentsEnd] {
			value := a.value
			if r.Profile.Agents != AgentCased {
				value = strings.ToLower(value)
			}
			if !seen[value] {
				seen[value] = true
				p.agents = append(p.agents, value)
			}
		}
		list = append(list, p)
	}
	return list
}

// withoutRepeats leaves out runs that say what an earlier one says. No crawler misses one: it
// obeys the earlier one, alone or with it, and rules count once.
func withoutRepeats(list []plainRun) (kept []plainRun) {
	at := map[string]int{}
	for _, p := range list {
		key := fmt.Sprintf("%q", []any{p.agents, p.rules})
		if i, known := at[key]; known {
			kept[i].runs = append(kept[i].runs, p.runs...)
			continue
		}
		at[key] = len(kept)
		kept = append(kept, p)
	}
	return kept
}

// sameGroups reports whether two groups are proved to give every path the same verdict. Each pattern
// that only one of them has must decide nothing in the other one when it is added there. Then
// this also holds for all of them together: what one of them would decide, it decides alone too.
// work is what the comparisons may still cost.
func sameGroups(a, b *Group, work *int) bool {
	a.rank()
	b.rank()
	if a.profile.FirstMatch {
		return sameFirst(a.ranked, b.ranked, work)
	}
	return addsNothing(a, b, work) && addsNothing(b, a, work)
}

// meaning is what counts of a pattern.
func (r *ranked) meaning() ranked {
	of := *r
	of.rule = 0
	return of
}

// addsNothing reports whether the patterns of a group that another one does not have decide nothing there.
func addsNothing(from, to *Group, work *int) bool {
	has := map[ranked]bool{}
	wild, allows, denies := false, false, false
	for i := range to.ranked {
		has[to.ranked[i].meaning()] = true
	}
	for _, g := range []*Group{from, to} {
		for i := range g.ranked {
			r := &g.ranked[i]
			wild, allows, denies = wild || r.wild, allows || r.allow, denies || !r.allow
		}
	}
	undefined := from.profile.WildcardConflict && wild && allows && denies
	var covers sampler
	for i := range from.ranked {
		if x := &from.ranked[i]; !has[x.meaning()] && (undefined || !x.decidesNothing(to.ranked, &covers, work)) {
			return false
		}
	}
	return true
}

// decidesNothing reports whether a pattern changes no verdict when it is added to others, of which the
// strongest is the first. A stronger one matches all its paths, or a weaker one of the same
// verdict does and none of the other verdict comes between them. What no pattern matches is allowed.
func (x *ranked) decidesNothing(others []ranked, covers *sampler, work *int) bool {
	wins := func(o *ranked) bool { return o.octets > x.octets || o.octets == x.octets && o.allow }
	for i := range others {
		o := &others[i]
		if *work--; apart(x.Pattern, o.Pattern) {
			continue // they share no path
		}
		if *work -= len(x.Text) + len(o.Text) + 100; *work < 0 {
			return false
		}
		if (wins(o) || o.allow == x.allow) && covers.within(x.Pattern, o.Pattern) {
			return true
		}
		if wins(o) || o.allow == x.allow {
			continue
		}
		if *work -= meetWork(x.Pattern, o.Pattern); *work < 0 || mayMeet(x.Pattern, o.Pattern) {
			return false
		}
	}
	return x.allow
}

// sameFirst reports whether two lists of prefixes, of which the first that matches decides, give every
// path the same verdict. The longest prefix of a path tells which others match it: so the prefixes
// themselves are all the paths to try.
func sameFirst(a, b []ranked, work *int) bool {
	if *work -= (len(a) + len(b)) * (len(a) + len(b)) * 8; *work < 0 {
		return false
	}
	blocks := func(list []ranked, path string) bool {
		i := slices.IndexFunc(list, func(r ranked) bool { return r.Match(path) })
		return i >= 0 && !list[i].allow
	}
	for _, list := range [][]ranked{a, b} {
		for i := range list {
			r := &list[i]
			if r.End || !r.Literal && strings.Contains(r.Text, "*") || blocks(a, r.Text) != blocks(b, r.Text) {
				return false
			}
		}
	}
	return true
}
