package enforced

import (
	"strings"
	"testing"

	"robots-audit/audit"
)

// TestGrouped checks that crawlers with the same contradiction are in one sentence, and one that the logs prove is
// not with them.
func TestGrouped(t *testing.T) {
	w := newWorld(open, "GPTBot", "ClaudeBot", "OAI-SearchBot", "ChatGPT-User", "Googlebot", "Perplexity-User")
	for i := range 5 {
		w.answer(i, forbidden)
	}
	s := w.log("Googlebot", audit.LogTally{Requests: 90}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 90}).join()
	var got []string
	for _, g := range Grouped(s.Contradictions) {
		got = append(got, strings.Join(g.Crawlers, ",")+" "+g.Severity.String()+": "+g.Sentence)
	}
	if got, want := strings.Join(got, "\n"), `Googlebot critical: robots.txt allows Googlebot, but the server refused all 3 pages when asked as Googlebot from here (HTTP 403). In the logs, the genuine Googlebot got HTTP 403 in 90 of 90 requests.
GPTBot,ClaudeBot,OAI-SearchBot,ChatGPT-User warning: robots.txt allows GPTBot, ClaudeBot and 2 more, but the server refused all 3 pages when asked as them from here (HTTP 403).`; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// TestGroupedNames checks that a sentence names the crawlers if nothing before "when asked" does.
func TestGroupedNames(t *testing.T) {
	s := newWorld("User-agent: *\nAllow: /\n", "Googlebot", "OAI-SearchBot").answer(0, forbidden, audit.AskedSitemap).answer(1, forbidden, audit.AskedSitemap).join()
	groups := Grouped(s.Contradictions)
	if want := "The server served pages, but refused the sitemap when asked as Googlebot and OAI-SearchBot from here (HTTP 403)."; len(groups) != 1 || groups[0].Sentence != want {
		t.Errorf("%d groups, %q, want one, %q", len(groups), groups[0].Sentence, want)
	}
}

// TestAdviceOnce checks that advice for AI crawlers is not repeated for others.
func TestAdviceOnce(t *testing.T) {
	s := newWorld("User-agent: *\nAllow: /\n", "GPTBot", "Googlebot").answer(0, forbidden).answer(1, forbidden, audit.AskedSitemap).join()
	if got := strings.Join(s.Advice(), "\n"); strings.Count(got, audit.EdgeAdvice(nil)) != 1 {
		t.Errorf("%s, want the same advice once", got)
	}
}
