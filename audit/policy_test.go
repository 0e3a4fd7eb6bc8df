package audit

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// The sample is even, bounded, and the same for any number of pages.
func TestSample(t *testing.T) {
	var answers Answers
	answers.Add(0, "https://example.com", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /a\n")})
	for _, pages := range []int{0, 1, 999, 1000, 1001, 5000, 123456} {
		s := NewPolicySample(&answers)
		for i := range pages {
			s.AddPage(fmt.Sprintf("https://example.com/%c/%d", 'a'+byte(i*4/max(pages, 1)), i), nil) // the first quarter is blocked
		}
		reach := s.Reach()
		if low := int64(min(pages, maxSample/2)); reach.Pages < low || reach.Pages > maxSample {
			t.Errorf("%d of %d pages in the sample", reach.Pages, pages)
		}
		if blocked := reach.Reaches[0].Blocked; pages > 3 && (blocked*100/reach.Pages < 24 || blocked*100/reach.Pages > 26) {
			t.Errorf("%d of %d are blocked, a quarter of %d pages is", blocked, reach.Pages, pages)
		}
	}
}

// A policy has each crawler of the list once. A policy from an older list, which lacks a crawler,
// is detected.
func TestPolicyCovers(t *testing.T) {
	var answers Answers
	answers.Add(0, "https://example.com", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: GPTBot\ndisallow: /\n")})
	policy := NewPolicySample(&answers).Policy
	n := 0
	for _, r := range policy.Reads {
		n += len(r.Crawlers)
	}
	if n != len(PolicyCrawlers()) || !policy.Covers() {
		t.Errorf("the policy speaks of %d crawlers of %d", n, len(PolicyCrawlers()))
	}
	policy.Reads[0].Crawlers = policy.Reads[0].Crawlers[1:]
	if policy.Covers() {
		t.Error("a policy that lacks a crawler is taken for a whole one")
	}
}

// If no URL of a site was tested, "all" and "none" depend only on the answer or the rules. A site
// without an answer has no policy.
func TestPolicyWithoutSample(t *testing.T) {
	for name, c := range map[string]struct {
		file crawl.RobotsFile
		want Reach
	}{
		"no rules":                 {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}}, Reach{Word: "all", Home: "allow"}},
		"rules that allow":         {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow:\nallow: /a\n")}, Reach{Word: "all", Home: "allow"}},
		"a part":                   {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /a\n")}, Reach{Word: "part", Home: "allow"}},
		"everything":               {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /\n")}, Reach{Word: "none", Home: "disallow", Line: 2, Rule: "disallow: /"}},
		"everything but something": {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /\nallow: /a\n")}, Reach{Word: "part", Home: "disallow", Line: 2, Rule: "disallow: /"}},
		"the home page alone":      {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /$\n")}, Reach{Word: "part", Home: "disallow", Line: 2, Rule: "disallow: /$"}},
		"not found":                {crawl.RobotsFile{Outcome: crawl.Outcome{Status: 404, Code: crawl.CodeHTTPStatus}}, Reach{Word: "all", Home: "allow"}},
		"no such host":             {crawl.RobotsFile{Outcome: crawl.Outcome{Code: crawl.CodeDNSNotFound}}, Reach{Word: "unknown"}},
		"no answer":                {crawl.RobotsFile{Outcome: crawl.Outcome{Code: crawl.CodeTimeout}}, Reach{Word: "unknown"}},
	} {
		var answers Answers
		answers.Add(0, "https://example.com", &c.file)
		s := NewPolicySample(&answers)
		for i, read := range s.Policy.Reads {
			if !slices.Contains(read.Crawlers, "GPTBot") {
				continue
			}
			if got := s.Reach(); got.Pages != 0 || !reflect.DeepEqual(got.Reaches[i], c.want) {
				t.Errorf("%s: %+v of %d pages, want %+v", name, got.Reaches[i], got.Pages, c.want)
			}
		}
	}
}

// Crawlers that obey the rules of a tested crawler have its counts, of all pages; the
// others those of the sample. Both name the lines that block, most pages first.
func TestPolicyCounts(t *testing.T) {
	var answers Answers
	answers.Add(0, "https://example.com", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte(
		"user-agent: *\ndisallow: /b\ndisallow: /once\ndisallow: /c\ndisallow: /d\n\nuser-agent: GPTBot\ndisallow: /b\ndisallow: /once\n")})
	list := PolicyCrawlers()
	asked := list[slices.IndexFunc(list, func(c engine.Crawler) bool { return c.Name == "Google-Extended" })]
	profile, _ := engine.ProfileByName(asked.Profile)
	robots := answers.Read(0, profile, asked)
	group := robots.Group(asked)
	s := NewPolicySample(&answers)
	s.share([]Crawler{{Name: asked.Name, Profile: asked.Profile, Tokens: asked.Tokens}}, []Read{{Access: robots.Access}}, []*engine.Group{group})
	for i := range 5000 {
		loc := fmt.Sprintf("https://example.com/%c/%d", "abcdaaaa"[i%8], i)
		switch i {
		case 4001: // not in the sample
			loc = "https://example.com/once"
		case 4005: // /c as RFC 9309 reads it, but not as written
			loc = "https://example.com/%63"
		}
		s.AddPage(loc, []engine.Decision{group.Verdict(loc)})
	}
	reach := s.Reach()
	blocking := Reach{Word: "part", Whole: true, Blocked: 1875, Example: "https://example.com/b/1", Line: 2, Rule: "disallow: /b",
		Rules: []RuleLine{{4, "disallow: /c"}, {5, "disallow: /d"}, {2, "disallow: /b"}}, MoreRules: 1}
	decoded := blocking
	decoded.Blocked = 1876
	want := map[string]Reach{
		"Google-Extended": blocking,
		"ClaudeBot":       decoded, // the same rules, by RFC 9309
		"Google-Agent":    {Word: "all", Whole: true},
		"GPTBot":          {Word: "part", Example: "https://example.com/b/1", Line: 8, Rule: "disallow: /b"}, // none of the sample, but one that was looked at
	}
	for i, read := range s.Policy.Reads {
		for name, want := range want {
			if got := reach.Reaches[i]; slices.Contains(read.Crawlers, name) {
				t.Logf("%s: %d of %d", name, got.Blocked, reach.Tested(&got))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v, want %+v", name, got, want)
				}
			}
		}
	}
	if reach.All != 5000 || reach.Pages >= 5000 {
		t.Errorf("%d of %d pages in the sample", reach.Pages, reach.All)
	}
}
