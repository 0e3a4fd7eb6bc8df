package engine

import (
	"strconv"
	"strings"
	"testing"
)

const explainedRobots = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n\nUser-agent: Bingbot\nDisalow: /x\nDisallow: /Account/\n\nUser-agent: Yandex\nDisallow: /\nAllow: /s/\n\nUser-agent: Slurp\nAllow: /\nDisallow: /t/\n\nUser-agent: DuckDuckBot\nDisallow: /u\n\nUser-agent: DuckDuckBot\nAllow: /u/b\n"

// TestExplainer checks, for each verdict, the lines involved and the effect of the deciding line.
func TestExplainer(t *testing.T) {
	profile, ok := ProfileByName("google")
	if !ok {
		t.Fatal("there is no profile of Google")
	}
	file := File{Status: 200, ContentType: "text/plain", Body: []byte(explainedRobots)}
	reader := func(name string) *Explainer {
		c := mustCrawler(t, name+"@google")
		return NewExplainer(c, profile.Read(file))
	}
	for _, c := range []struct{ crawler, url, want string }{
		{"Googlebot", "https://example.com/a/b", "allow: line 1 begins the group; line 3 decides (4 bytes); line 2 comes second (2 bytes); disallow"},
		{"Googlebot", "https://example.com/a/b/c/d", "disallow: line 1 begins the group; line 4 decides (6 bytes); line 3 comes second (4 bytes); allow"},
		{"Googlebot", "https://example.com/z", "allow: line 1 begins the group; "},
		{"Bingbot", "https://example.com/a", "allow: line 6 begins the group; line 2 matches, but is in a group that Bingbot does not obey; "},
		{"Bingbot", "https://example.com/Account", "allow: line 6 begins the group; line 8 does not match: the path of the URL does not end with a slash; "},
		{"Bingbot", "https://example.com/account/me", "allow: line 6 begins the group; line 8 does not match: upper and lower case differ; line 2 matches, but is in a group that Bingbot does not obey; "},
		{"Googlebot", "https://example.com/Account/", "allow: line 1 begins the group; line 2 does not match: upper and lower case differ; line 8 matches, but is in a group that Googlebot does not obey; "},
		{"Bingbot", "https://example.com/Account?a=/", "allow: line 6 begins the group; line 8 does not match: the path of the URL does not end with a slash; "},
		{"Slurp", "https://example.com/t", "allow: line 14 begins the group; line 15 decides (1 byte); line 16 does not match: the path of the URL does not end with a slash; allow"},
		{"DuckDuckBot", "https://example.com/u/b", "allow: line 18 begins the group; line 22 decides (4 bytes); line 19 comes second (2 bytes); disallow"},
		{"YandexBot", "https://example.com/S/", "disallow: line 10 begins the group; line 11 decides (1 byte); line 12 does not match: upper and lower case differ; allow"},
		{"Googlebot", "https://example.com/robots.txt", "allow: line 1 begins the group; "},
	} {
		r := reader(c.crawler)
		e := r.Explain(c.url)
		got := e.Verdict.String() + ": "
		for _, l := range e.Lines {
			got += strings.Join(strings.Fields("line "+strconv.Itoa(l.Number)+" "+l.Part), " ") + "; "
		}
		if got += e.Deleted; got != c.want {
			t.Errorf("%s for %s: %q, want %q", c.url, c.crawler, got, c.want)
		}
	}
	if got, want := reader("Googlebot").GroupWords(), "line 1, user-agent: * (3 rules): no group names the crawler, so the * group applies"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := reader("Bingbot").GroupWords(); !strings.HasPrefix(got, "line 6, user-agent: Bingbot (") {
		t.Errorf("%q", got)
	}
}
