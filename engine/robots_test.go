package engine

import "testing"

// token is a crawler made of product tokens alone.
func token(tokens ...string) Crawler { return Crawler{Name: tokens[0], Tokens: tokens} }

func TestFirstVerdicts(t *testing.T) {
	const body = "User-agent: *\nDisallow: /a\nAllow: /a/b\n\nUser-agent: FooBot\nDisallow: /\n"
	for _, p := range Profiles() {
		r := p.Parse([]byte(body))
		g := r.Group(token("OtherBot"))
		if d := g.Verdict("https://example.com/a/c"); d.Verdict != Disallow || d.Line() != 2 {
			t.Errorf("%s: /a/c: %v line %d", p.Name, d.Verdict, d.Line())
		}
		if d := r.Group(token("FooBot")).Verdict("/x"); d.Verdict != Disallow || d.Line() != 6 {
			t.Errorf("%s: FooBot /x: %v line %d", p.Name, d.Verdict, d.Line())
		}
	}
}
