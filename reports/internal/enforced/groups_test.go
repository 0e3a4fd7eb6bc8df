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
	w.asked.Crawlers[1].Source = "https://github.com/monperrus/crawler-user-agents"
	s := w.log("Googlebot", audit.LogTally{Requests: 9}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 9}).join()
	var got []string
	for _, g := range Grouped(s.Contradictions) {
		got = append(got, strings.Join(g.Crawlers, ",")+" "+g.Severity.String()+": "+g.Sentence)
	}
	if got, want := strings.Join(got, "\n"), `Googlebot critical: robots.txt allows Googlebot, but the server refused all 3 pages when asked as Googlebot from here (HTTP 403). In the logs, the genuine Googlebot got HTTP 403 in 9 of 9 requests.
GPTBot,ClaudeBot,OAI-SearchBot,ChatGPT-User warning: robots.txt allows GPTBot, ClaudeBot and 2 more, but the server refused all 3 pages when asked as them from here (HTTP 403).`; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	if got, want := s.Basis()[1], "Source of the User-Agents (28 Oct 2026): their operators, and for ClaudeBot a public list of those seen in logs."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
