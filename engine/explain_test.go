package engine

import "testing"

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
		{"google", "/a/b/c", Allow, 3, 4, 2, 2, Disallow, `line 3, "allow: /a/b", is 2 bytes longer than line 2, "disallow: /a"`},
		{"google", "/a/c", Disallow, 2, 2, 0, 0, Allow, `line 2, "disallow: /a", is the only rule that matches`},
		{"google", "/x.gif", Allow, 5, 7, 4, 0, Disallow, `line 5, "allow: /*.gif$", is as long as line 4, "disallow: /*.gif$", and Allow wins`},
		{"google", "/none", Allow, 0, 0, 0, 0, Allow, "no rule of the group matches"},
		{"google", "/robots.txt", Allow, 0, 0, 0, 0, Allow, "no rule of the group matches"},
		{"rfc9309", "/robots.txt", Allow, 0, 0, 0, 0, Allow, "/robots.txt is always allowed (RFC 9309 2.2.2)"},
		{"rep-1994", "/a/b/c", Disallow, 2, 0, 0, 0, Allow, `line 2, "disallow: /a", is the only rule that matches`},
		{"google-2019", "/t.gif", Allow, 5, 7, 4, 0, Disallow, `line 5, "allow: /*.gif$", is as long as line 4, "disallow: /*.gif$", and Allow wins`},
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
	adsbot := mustCrawler(t, "AdsBot-Google")
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
		{p.Parse([]byte(body)).Group(adsbot), Allow, `only the * group would apply, which this crawler does not obey`},
	} {
		if e := tt.group.Explain("/x"); e.Verdict != tt.verdict || e.Without != tt.verdict || e.Rule != nil || e.Why != tt.why {
			t.Errorf("%+v, want %v: %s", e, tt.verdict, tt.why)
		}
		if c := tt.group.Contest("/x"); c.Verdict != tt.verdict || c.Without != tt.verdict || c.RunnerUp != nil {
			t.Errorf("contest %+v, want %v", c, tt.verdict)
		}
	}
}
