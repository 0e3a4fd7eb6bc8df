package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzProfiles reads one file by all profiles at once. For any bytes there is
// no panic. A verdict by a rule is that of its line in the file. The
// explanation agrees with the verdict. The file printed again from its rules
// gives the same verdicts.
func FuzzProfiles(f *testing.F) {
	for _, file := range readCases(f, "google_divergences.jsonl.gz") {
		if len(file.Robots) < 4000 {
			f.Add(file.body(), file.Asks[0].Agents[0], file.Asks[0].URL)
		}
	}
	for _, file := range readCases(f, "yandex_parser.jsonl.gz")[:40] {
		f.Add(file.body(), file.Asks[0].Agents[0], file.Asks[0].URL)
	}
	f.Fuzz(func(t *testing.T, body []byte, agent, url string) {
		for _, p := range Profiles() {
			r := p.Parse(body)
			c := Crawler{Tokens: []string{agent, "Googlebot"}}
			for _, name := range []string{"token:" + agent, agent} {
				if known, err := ParseCrawler(name + "@" + p.Name); err == nil {
					c = known
				}
			}
			g := r.Group(c)
			d := g.Verdict(url)
			if err := holds(r, g, d, g.Explain(url)); err != nil {
				t.Errorf("%s %q %q: %v", p.Name, agent, url, err)
			}
			again := p.Parse(reprint(g))
			if r.Access != Parsed {
				continue
			}
			if e := again.Group(Crawler{Tokens: []string{"x"}}).Verdict(url); e.Verdict != d.Verdict {
				t.Errorf("%s %q %q: %v, printed anew %v\n%q", p.Name, agent, url, d.Verdict, e.Verdict, reprint(g))
			}
			for range r.Lines() {
			}
			r.Canonical(url)
			r.Hosts()
		}
		RobotsURL(url)
	})
}

// holds checks that a decision and its explanation agree with the rules.
func holds(r *Robots, g *Group, d Decision, e Explanation) error {
	if e.Decision != d {
		return fmt.Errorf("verdict %v, explained as %v", d, e.Decision)
	}
	if d.Rule == nil {
		if d.Verdict == Undefined || r.Access == Parsed && d.Verdict != Allow {
			return fmt.Errorf("%v without a rule", d.Verdict)
		}
		return nil
	}
	found := false
	for i := range g.Rules {
		found = found || d.Rule == &g.Rules[i]
	}
	lines := slices.Collect(r.Lines())
	switch {
	case !found:
		return fmt.Errorf("line %d is no rule of the group", d.Line())
	case d.Line() < 1 || d.Line() > len(lines):
		return fmt.Errorf("line %d of %d", d.Line(), len(lines))
	case lines[d.Line()-1].Value != d.Rule.Value:
		return fmt.Errorf("line %d is %q, not %q", d.Line(), lines[d.Line()-1].Value, d.Rule.Value)
	case d.Rule.Value != "" && d.Rule.Allow != (d.Verdict == Allow):
		return fmt.Errorf("%v by %q", d.Verdict, d.Rule)
	case e.RunnerUp == d.Rule:
		return fmt.Errorf("the rule is its own runner-up")
	case e.Margin < 0:
		return fmt.Errorf("margin %d", e.Margin)
	}
	return nil
}

// reprint returns the rules of a group as a file for all crawlers.
func reprint(g *Group) []byte {
	var b strings.Builder
	b.WriteString("user-agent: *\n")
	for _, rule := range g.Rules {
		b.WriteString(rule.String() + "\n")
	}
	return []byte(b.String())
}
