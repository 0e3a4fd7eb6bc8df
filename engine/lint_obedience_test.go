package engine

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namedReaders are the places of a finding's texts that name profiles whose verdicts may differ.
var namedReaders = regexp.MustCompile(`(?:[Ff]or|change for) ((?:google|yandex|bing)(?:, (?:yandex|bing|rfc9309))*)\b`)

// checkReaders holds the findings of rules to their readers: each profile of an operator that one names has a
// crawler that obeys the rule, before the line is deleted or after. It counts the names by profile.
func checkReaders(t *testing.T, name, body string, profiles []*Profile, counts map[string]int) {
	t.Helper()
	type reading struct {
		robots *Robots
		rules  map[int]bool // lines of rules
		lines  map[int]bool // of those that a crawler of the operator obeys
	}
	readings := map[string]*reading{}
	for _, p := range profiles {
		if listedCrawlers.operators[p.family()] == nil {
			continue
		}
		r := &reading{p.Parse([]byte(body)), map[int]bool{}, map[int]bool{}}
		for _, rule := range r.robots.Rules() {
			r.rules[rule.Line] = true
		}
		for _, c := range listedCrawlers.operators[p.family()] {
			for _, rule := range r.robots.Group(c).Rules {
				r.lines[rule.Line] = true
			}
		}
		readings[p.Name] = r
	}
	texts := func(r *Robots, c Crawler) (list []string) {
		for _, rule := range r.Group(c).Rules {
			list = append(list, rule.String())
		}
		return list
	}
	changes := func(p string, line int) bool {
		r := readings[p].robots
		without := r.Without(line)
		return without == nil || slices.ContainsFunc(listedCrawlers.operators[operatorOf(p)], func(c Crawler) bool { return !slices.Equal(texts(r, c), texts(without, c)) })
	}
	l := newLinter([]byte(body), LintOptions{Profiles: profiles}, listedCrawlers)
	l.readLines()
	for _, f := range Lint([]byte(body), LintOptions{Profiles: profiles, MaxPerID: -1}) {
		for _, p := range f.Profiles {
			r := readings[p]
			if r == nil || r.robots.Access != Parsed || aboutOthers[f.ID] {
				continue
			}
			if r.rules[f.Line] && !r.lines[f.Line] && isMeantSo(l, r.robots, f.Line) {
				t.Errorf("%s: no crawler of %s obeys the line of %s", name, p, short(&f))
			}
			counts[p]++
		}
		for _, text := range []string{f.What, f.Fix} {
			for _, m := range namedReaders.FindAllStringSubmatch(text, -1) {
				for p := range strings.SplitSeq(m[1], ", ") {
					r := readings[p]
					if r == nil || r.robots.Access != Parsed {
						continue
					}
					if r.rules[f.Line] && !r.lines[f.Line] && isMeantSo(l, r.robots, f.Line) && !changes(p, f.Line) {
						t.Errorf("%s: no crawler of %s obeys the line of %s\n%s", name, p, short(&f), f.Fix)
					}
					counts["said of "+p]++
				}
			}
		}
	}
}

// isMeantSo reports whether a rule is in the group that its author wrote it in: to some readers a misspelt or a
// split-off User-agent line makes it one of another group.
func isMeantSo(l *linter, r *Robots, line int) bool {
	group, run := l.lineAt(line).group, r.runOpenAt(line)
	if group == nil || run < 0 {
		return false
	}
	agents := r.agents[r.runs[run].agents:r.runs[run].agentsEnd]
	return slices.EqualFunc(agents, group.agents, func(a agentLine, n *lintLine) bool { return a.line == n.number })
}

// TestReaders: a finding names no profile whose crawlers do not read its line.
func TestReaders(t *testing.T) {
	t.Parallel()
	var usual []*Profile
	for _, name := range defaultProfiles {
		usual = append(usual, mustProfile(t, name))
	}
	counts := map[string]int{}
	for name, body := range lintCaseFiles(t) {
		checkReaders(t, name, body, usual, counts)
	}
	for _, body := range trickyFiles {
		checkReaders(t, fmt.Sprintf("%q", body), body, usual, counts)
	}
	random := rand.New(rand.NewSource(4))
	lines := append([]string{"User-agent: bingbot", "User-agent: msnbot", "User-agent: AdsBot-Google", "User-agent: GoogleOther", "User-agent: GPTBot"}, smallLines...)
	for i := range 300 {
		var b strings.Builder
		for range 3 + random.Intn(12) {
			b.WriteString(lines[random.Intn(len(lines))] + "\n")
		}
		checkReaders(t, fmt.Sprintf("made %d: %q", i, b.String()), b.String(), usual, counts)
	}
	t.Log(counts)
	for _, key := range []string{"google", "yandex", "bing", "said of google", "said of yandex", "said of bing"} {
		if counts[key] == 0 {
			t.Errorf("nothing was %s", key)
		}
	}
}

// TestChosenReaders: crawlers that are chosen, or read otherwise than the list says, count among the readers.
func TestChosenReaders(t *testing.T) {
	profiles := []*Profile{mustProfile(t, "google"), mustProfile(t, "rfc9309")}
	gptbot := mustCrawler(t, "GPTBot@google")
	for _, c := range []struct {
		body    string
		options LintOptions
		want    string
	}{
		{"User-agent: GPTBot\nDisallow: /a\nDisallow: /ab\n", LintOptions{}, "rfc9309"},
		{"User-agent: GPTBot\nDisallow: /a\nDisallow: /ab\n", LintOptions{Own: []Crawler{gptbot}}, "google rfc9309"},
		{"User-agent: GPTBot\nDisallow: /a\nDisallow: /ab\n", LintOptions{Crawlers: []Crawler{gptbot}}, "google rfc9309"},
		{"User-agent: *\nDisallow: /a\nDisallow: /ab\nUser-agent: Googlebot\nDisallow: /\n", LintOptions{}, "rfc9309"},
		{"User-agent: *\nDisallow: /a\nDisallow: /ab\nUser-agent: Googlebot\nDisallow: /\n", LintOptions{Crawlers: []Crawler{mustCrawler(t, "GoogleOther")}}, "google rfc9309"},
		{"User-agent: Unheard\nDisallow: /a\nDisallow: /ab\n", LintOptions{}, "rfc9309"},
	} {
		c.options.Profiles = profiles
		if f := findingAt(t, c.body, Lint([]byte(c.body), c.options), "3 RUL005"); f != nil && strings.Join(f.Profiles, " ") != c.want {
			t.Errorf("%q: %s, want [%s]", c.body, short(f), c.want)
		}
	}
	if body := "User-agent: Unheard\nDisallow: /a\nDisallow: /ab\n"; !has(Lint([]byte(body), LintOptions{Profiles: profiles[:1]}), "RUL005", 3) {
		t.Error("no standard is chosen, and a crawler that the list does not know reads by no other profile")
	}
}
