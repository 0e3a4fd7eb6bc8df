package audit

import (
	"fmt"
	"testing"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// A chain through origins with their own chains is followed to the end, and each is judged once.
// Without this there would be 2 to the 40th verdicts.
func TestAnswersChains(t *testing.T) {
	var answers Answers
	google, _ := engine.ProfileByName("google")
	crawler, err := engine.ParseCrawler("Googlebot")
	noError(t, err)
	const count = 40
	for i := range count {
		file := &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /private\n")}
		for k := range i {
			file.Hops = append(file.Hops, crawl.Hop{URL: fmt.Sprintf("http://h%d.example/open", k)})
		}
		answers.Add(i, fmt.Sprintf("http://h%d.example", i), file)
	}
	if r := answers.Read(count-1, google, crawler); r.Access != engine.AllowAll { // for its many redirects
		t.Errorf("%s: %s", r.Access, r.Why)
	}
	last := &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200, Hops: []crawl.Hop{{URL: "http://last.example/robots.txt"}, {URL: "http://h1.example/private"}}}}
	answers.Add(count, "http://last.example", last)
	if f := answers.File(count, google, crawler); !f.HopBlocked {
		t.Error("a redirect through a URL that is disallowed goes unnoticed")
	}
	answers.Add(1, "http://h1.example", last) // records may say anything: a chain never leads back
	answers.Forget()
	if f := answers.File(count, google, crawler); !f.HopBlocked || answers.Read(-1, google, crawler) == nil {
		t.Error("an answer that was replaced counts for those who went by it")
	}
}

// A robots.txt is requested whatever its rules are. So a redirect to the robots.txt of a host that
// blocks everything does not count as a redirect through a blocked URL, even for profiles that
// judge /robots.txt.
func TestAnswersRobotsTxtHop(t *testing.T) {
	crawler, err := engine.ParseCrawler("Googlebot")
	noError(t, err)
	for _, p := range engine.Profiles() {
		var answers Answers
		closed := crawl.Outcome{Status: 200}
		answers.Add(1, "https://www.a.example", &crawl.RobotsFile{Outcome: closed, Body: []byte("user-agent: *\ndisallow: /\n")})
		closed.Hops = []crawl.Hop{{URL: "https://a.example/robots.txt"}, {URL: "https://www.a.example/robots.txt"}}
		answers.Add(0, "https://a.example", &crawl.RobotsFile{Outcome: closed, Body: []byte("user-agent: *\ndisallow: /\n")})
		if answers.File(0, p, crawler).HopBlocked {
			t.Errorf("%s: the redirect to the robots.txt of another host counts as one through a disallowed URL", p.Name)
		}
	}
}
