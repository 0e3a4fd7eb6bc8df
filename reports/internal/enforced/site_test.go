package enforced

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
)

// sentencesOf are all sentences about a site.
func sentencesOf(s *Site) []string {
	list := slices.Concat([]string{s.Headline()}, s.Basis(), s.Advice())
	for _, of := range slices.Concat(s.Contradictions, s.Notes) {
		list = append(list, of.Sentence)
	}
	return list
}

// cells are all cells of a table.
func cells[T any](columns []crawls.Column[T], rows []*T) (list []string) {
	for i := range columns {
		for _, row := range rows {
			text, _ := columns[i].Text(row)
			if list = append(list, text); columns[i].Below != nil {
				list = append(list, columns[i].Below(row))
			}
		}
	}
	return list
}

// TestFacts checks the cells and sentences of one site.
func TestFacts(t *testing.T) {
	if New(newWorld(open).join().site, nil) == nil {
		t.Error("no site")
	}
	w := newWorld("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /p1\n", "GPTBot", "ClaudeBot").answer(0, forbidden, audit.AskedPage, audit.AskedHome).page(audit.PolicyStatement{Source: "meta", Text: "noai", Purpose: "training", Says: "no"}).
		file(0, audit.PolicyStatement{Text: "tdm-reservation: 1", Line: 3, Purpose: "mining", Says: "no"}).log("GPTBot", audit.LogTally{Requests: 90}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 90})
	w.asked.Limits, w.asked.Unstable, w.asked.Edge = []audit.AskedLimit{audit.AskedLimitTime}, true, []string{"Cloudflare"}
	s := w.join()
	c := s.Crawlers[0]
	for _, of := range []struct{ got, want string }{
		{c.Name, "GPTBot"}, {c.Robots, "partly blocked"}, {c.Rule, "line 3: disallow: /p1"}, {c.Preferences, "line 2: Content-Signal: ai-train=no; meta: noai"}, {c.Files, "tdmrep.json line 3: tdm-reservation: 1"},
		{c.Asked, "refused: HTTP 403 for 3 of 7 URLs"}, {c.Logs, "HTTP 403 in 90 of 90 requests"}, {s.Crawlers[1].Asked, "let in: 7 of 7 URLs"},
		{strings.Join(s.Basis(), " "), "We requested 7 URLs under our own name and with the User-Agents of 2 crawlers on 29 Nov 2026. Source of the User-Agents (28 Oct 2026): their operators, or a public list of those seen in logs. A copied name proves only what we were answered. A firewall may let the genuine crawler in. Only the access logs show what genuine crawlers got, 15 Nov 2026 to 28 Nov 2026. Not all URLs were requested, because the time was over. The server answered the same request differently, so some answers are unclear."},
		{strings.Join(s.Advice(), " | "), "To let AI crawlers in, check the firewall. " + audit.EdgeAdvice([]string{"Cloudflare"}) + " | To keep AI crawlers out, block them in robots.txt, too. | Say the same everywhere: block the crawler in robots.txt, or change the statement."},
	} {
		if of.got != of.want {
			t.Errorf("%q, want %q", of.got, of.want)
		}
	}
	if s.Contradictions[0].Severity != engine.Error {
		t.Errorf("%s first", s.Contradictions[0].Severity)
	}
}

// TestRun checks that the counts of a run are preferred to the few URLs that were asked for.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		urls, blocked, unclear int64
		read                   audit.Read
		want                   string
	}{
		{100, 0, 0, audit.Read{Access: engine.Parsed}, allowed}, {100, 7, 0, audit.Read{Access: engine.Parsed}, partly}, {100, 100, 0, audit.Read{Access: engine.Parsed}, blocked},
		{0, 0, 0, audit.Read{Access: engine.Parsed, BlocksAll: true, BlocksRoot: true}, blocked}, {0, 0, 0, audit.Read{Access: engine.Parsed, BlocksRoot: true}, partly},
		{100, 0, 100, audit.Read{Access: engine.Parsed}, unknown}, {0, 0, 0, audit.Read{}, unknown},
	} {
		w := newWorld(open, "GPTBot")
		w.run = []audit.Crawler{{Label: "GPTBot", Name: "GPTBot", Profile: "rfc9309", Tokens: []string{"GPTBot"}}}
		w.done.URLs, w.done.Blocked = c.urls, []int64{c.blocked}
		s := w.join()
		s.site.Robots(0).Reads, s.site.Unclear = []audit.Read{c.read}, []int64{c.unclear}
		if got := New(s.site, &w.done).Crawlers[0].Robots; got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestSilent checks that sources that agree, or say nothing, make no contradiction, for any crawlers.
func TestSilent(t *testing.T) {
	for _, w := range []*world{
		newWorld(open, crawlers...), newWorld("User-agent: *\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\nAllow: /\n", crawlers...).file(0, audit.PolicyStatement{Purpose: "mining", Says: "yes"}),
		newWorld("User-agent: *\nContent-Signal: ai-train=no, search=no, ai-input=no\nDisallow: /\n", crawlers...).file(1, audit.PolicyStatement{Purpose: "all", Says: "no"}).page(audit.PolicyStatement{Source: "meta", Purpose: "all", Says: "no"}),
		newWorld("\n", "Googlebot"), {robots: open, asked: audit.Asked{}},
	} {
		if s := w.join(); len(s.codes()) > 0 {
			t.Errorf("%s: %v", w.robots, s.codes())
		}
	}
}

// TestOrder checks that the order of crawlers, URLs, statements and logs, and repeated statements, change nothing but
// the order.
func TestOrder(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 41))
		var v [6]string
		for k := range v {
			v[k] = planted[k][random.IntN(len(planted[k]))]
		}
		w := plant(v)
		want := w.join().codes()
		more := newWorld(w.robots, "ClaudeBot", "Googlebot").asked.Crawlers
		w.asked.Crawlers = append(more, w.asked.Crawlers...)
		for i := range w.asked.Files {
			w.asked.Files[i].Statements = append(w.asked.Files[i].Statements, w.asked.Files[i].Statements...)
		}
		random.Shuffle(len(w.asked.URLs), func(i, j int) {
			w.asked.URLs[i], w.asked.URLs[j] = w.asked.URLs[j], w.asked.URLs[i]
			for _, c := range w.asked.Crawlers {
				c.Replies[i], c.Replies[j] = c.Replies[j], c.Replies[i]
			}
		})
		got := w.join().codes()
		maps.DeleteFunc(got, func(code string, _ bool) bool {
			return strings.Contains(code, "ClaudeBot") || strings.Contains(code, "Googlebot")
		})
		if !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
}

// TestHostile checks that texts of a server are shown with bounds, and hidden characters visible.
func TestHostile(t *testing.T) {
	for _, evil := range []string{"", "\x00\xff`\u202e", strings.Repeat("x`\n", 1<<16), "*\ndisallow: /", "/" + strings.Repeat("*a", 1<<12)} {
		signals := strings.Repeat("Content-Signal: ai-train=no, search=yes "+strings.ReplaceAll(evil[:min(len(evil), 90)], "\n", "")+"\n", 500)
		w := newWorld("User-agent: *\n"+signals+"Allow: /\n", "GPTBot", "OAI-SearchBot").answer(0, audit.Reply{Treatment: audit.Refused, Status: -1, Title: evil, Why: audit.ReplyWhy(evil), Evidence: map[string]string{evil: evil}}, audit.AskedHome)
		w.answer(1, audit.Reply{Treatment: audit.Treatment(evil)}, audit.AskedPage)
		for i := range w.asked.Files {
			for _, says := range []string{"yes", "no", evil} {
				w.asked.Files[i].Statements = append(w.asked.Files[i].Statements, audit.PolicyStatement{Source: evil, Text: evil, Purpose: "training", Token: evil, Path: evil, Says: says}, audit.PolicyStatement{Text: evil, Purpose: evil, Says: says})
			}
			w.asked.Files[i].Links = []string{evil, origin + evil, origin + "/" + evil}
			w.asked.Files[i].Found, w.asked.Files[i].Fault = i%2 == 0, evil
		}
		w.asked.URLs = append(w.asked.URLs, audit.AskedURL{URL: evil, Kind: audit.AskedKind(evil)}, audit.AskedURL{URL: origin + evil, Kind: audit.AskedPage, Statements: []audit.PolicyStatement{{Source: evil, Text: evil, Purpose: "all", Says: "no"}}})
		w.asked.Crawlers = append(w.asked.Crawlers, audit.AskedCrawler{Name: evil, Operator: evil, Purpose: evil})
		w.log(evil, audit.LogTally{Requests: 1, Disobeyed: 1}, audit.LogTally{})
		s := w.join()
		for _, text := range sentencesOf(s) {
			checkText(t, text)
		}
		cells(Columns, s.Crawlers)
		for _, c := range s.Crawlers {
			checkText(t, c.Preferences)
			checkText(t, c.Files)
			checkText(t, c.Asked)
		}
	}
}

func checkText(t *testing.T, text string) {
	t.Helper()
	if len(text) > 1000 || !utf8.ValidString(text) || strings.ContainsFunc(text, escape.IsHidden) || strings.Count(text, "`")%2 != 0 && !strings.Contains(text, ": ") {
		t.Errorf("%d bytes: %q", len(text), text[:min(len(text), 300)])
	}
}

// TestBounds checks the length of texts about 20 crawlers.
func TestBounds(t *testing.T) {
	var names []string
	for _, c := range engine.Crawlers() {
		if names = append(names, c.Name); len(names) == 20 {
			break
		}
	}
	w := newWorld(open, names...)
	for i := range names {
		w.answer(i, forbidden)
	}
	s := w.join()
	if len(s.Crawlers) != 20 || len(s.Headline()) > 200 || len(s.Advice()) > maxAdvice {
		t.Errorf("%d crawlers; %s", len(s.Crawlers), s.Headline())
	}
}

// TestSentences checks that no sentence has more than 25 words.
func TestSentences(t *testing.T) {
	for _, c := range cases {
		s := c.world.join()
		for _, text := range sentencesOf(s) {
			for sentence := range strings.SplitSeq(text, ". ") {
				if n := len(strings.Fields(sentence)); n > 25 {
					t.Errorf("%d words: %s", n, sentence)
				}
			}
		}
	}
}
