package engine

import (
	"slices"
	"testing"
)

func TestExplain(t *testing.T) {
	const body = "user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /*.gif$\nallow: /*.gif$\ndisallow: /t\n"
	tests := []struct {
		profile, path string
		verdict       Verdict
		line, octets  int
		runnerUp      int // line, 0 = none
		margin        int
		without       Verdict
		why           string
	}{
		{"google", "/a/b/c", Allow, 3, 4, 2, 2, Disallow, `line 3, "allow: /a/b", is 2 octets longer than line 2, "disallow: /a"`},
		{"google", "/a/c", Disallow, 2, 2, 0, 0, Allow, `line 2, "disallow: /a", is the only rule that matches`},
		{"google", "/x.gif", Allow, 5, 7, 4, 0, Disallow, `line 5, "allow: /*.gif$", is as long as line 4, "disallow: /*.gif$", and what allows goes first`},
		{"google", "/none", Allow, 0, 0, 0, 0, Allow, "no rule of the group matches"},
		{"google", "/robots.txt", Allow, 0, 0, 0, 0, Allow, "no rule of the group matches"},
		{"rfc9309", "/robots.txt", Allow, 0, 0, 0, 0, Allow, "/robots.txt is always allowed (RFC 9309 2.2.2)"},
		{"rep-1994", "/a/b/c", Disallow, 2, 0, 0, 0, Allow, `line 2, "disallow: /a", is the only rule that matches`},
		{"google-2019", "/t.gif", Allow, 5, 7, 4, 0, Disallow, `line 5, "allow: /*.gif$", is as long as line 4, "disallow: /*.gif$", and what allows goes first`},
	}
	for _, tt := range tests {
		e := mustProfile(t, tt.profile).Parse([]byte(body)).Group(token("bot")).Explain(tt.path)
		runnerUp := Decision{Rule: e.RunnerUp}.Line()
		if e.Verdict != tt.verdict || e.Line() != tt.line || e.Octets != tt.octets || runnerUp != tt.runnerUp ||
			e.Margin != tt.margin || e.Without != tt.without || e.Why != tt.why {
			t.Errorf("%s %s: %+v (line %d, runner-up %d)", tt.profile, tt.path, e, e.Line(), runnerUp)
		}
	}
}

func TestExplainWithoutRules(t *testing.T) {
	p := mustProfile(t, "google")
	adsbot, err := ParseCrawler("AdsBot-Google")
	if err != nil {
		t.Fatal(err)
	}
	const body = "user-agent: *\ndisallow: /\n"
	for _, tt := range []struct {
		group   *Group
		verdict Verdict
		why     string
	}{
		{p.Read(File{Status: 503}).Group(token("bot")), Disallow, "access result: disallow_all"},
		{p.Read(File{Status: 404}).Group(token("bot")), Allow, "access result: allow_all"},
		{p.Read(File{Error: "cancelled"}).Group(token("bot")), Unknown, "access result: unknown"},
		{p.Parse([]byte("user-agent: other\ndisallow: /\n")).Group(token("bot")), Allow, "no group applies: everything is allowed"},
		{p.Parse([]byte(body)).Group(adsbot), Allow, `only the group of "*" would apply, which this crawler does not obey`},
	} {
		if e := tt.group.Explain("/x"); e.Verdict != tt.verdict || e.Without != tt.verdict || e.Rule != nil || e.Why != tt.why {
			t.Errorf("%+v, want %v: %s", e, tt.verdict, tt.why)
		}
	}
}

// TestWithout deletes the deciding line and asks again.
func TestWithout(t *testing.T) {
	t.Parallel()
	cases := readCases(t, "google_matcher.jsonl.gz")[:60]
	for _, p := range Profiles() {
		for _, f := range cases {
			if len(f.Tags) > 0 {
				continue
			}
			r := p.Parse(f.body())
			for _, ask := range f.Asks {
				g := r.Group(token(ask.Agents...))
				e := g.Explain(ask.URL)
				if e.Rule == nil {
					continue
				}
				less := p.Parse(blank(f.body(), r, e.Rule.Line)).Group(token(ask.Agents...))
				if d := less.Verdict(ask.URL); d.Verdict != e.Without {
					t.Errorf("%s %s %s: without line %d %v, said %v\n%s", p.Name, ask.Agents, ask.URL, e.Rule.Line, d.Verdict, e.Without, f.body())
				}
			}
		}
	}
}

// blank writes another field over a line of a body: its rule is deleted, the
// lines around it stay what they are.
func blank(body []byte, r *Robots, number int) []byte {
	line := slices.Collect(r.Lines())[number-1]
	out := append([]byte(nil), body[:line.Offset]...)
	// A rule that can match nothing keeps what a rule line does to groups.
	out = append(out, "disallow: never"...)
	return append(out, body[line.Offset+len(line.Text):]...)
}
