package crawls

import (
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

var (
	old    = time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)
	change = time.Date(2026, 11, 25, 6, 0, 0, 0, time.UTC)
)

// oneCrawler makes a site with two versions of robots.txt and one crawler.
func oneCrawler(c audit.LogCrawler) *Site {
	return New(&audit.Logs{Site: "shop.example", From: old, To: change, Judged: audit.LogHistory, Listed: 10, Found: 20,
		Versions: []audit.LogVersion{{Name: "old", Status: 200, First: old, Last: old}, {Name: "new", Status: 200, First: change, Last: change, Before: old}}, Crawlers: []audit.LogCrawler{c}})
}

// TestAnswers checks what is said about one crawler. Only requests that prove who sent them may disobey.
func TestAnswers(t *testing.T) {
	for name, of := range map[string]struct {
		crawler  audit.LogCrawler
		question int // of the crawler's answers
		want     string
		class    string
	}{
		"disobeyed":           {audit.LogCrawler{Genuine: audit.LogTally{Requests: 4, Obeyed: 3, Disobeyed: 1}}, 0, "No: 1 (25 %) of 4 judged requests was to a blocked URL.", "critical"},
		"not proved":          {audit.LogCrawler{Unknown: audit.LogTally{Requests: 5, Obeyed: 2, Blocked: 3}}, 0, "Not proved. 3 requests to blocked URLs came from addresses that do not prove who sent them.", "unknown"},
		"both":                {audit.LogCrawler{Genuine: audit.LogTally{Requests: 4, Obeyed: 3, Disobeyed: 1}, Unknown: audit.LogTally{Requests: 5, Obeyed: 2, Blocked: 3}}, 0, "No: 1 (25 %) of 4 judged requests was to a blocked URL. 3 requests more came from addresses that do not prove who sent them.", "critical"},
		"only claimed":        {audit.LogCrawler{Claimed: audit.LogTally{Requests: 5, Blocked: 5}}, 0, "Unknown. No request came from its own addresses.", "unknown"},
		"exempt":              {audit.LogCrawler{Purpose: "user fetch", Genuine: audit.LogTally{Requests: 5, Exempt: 5}}, 0, "It does not have to. Its operator says that it does not follow these rules.", ""},
		"robots.txt only":     {audit.LogCrawler{Purpose: "user fetch", Genuine: audit.LogTally{Requests: 2, Exempt: 2}, Robots: audit.LogRobots{Requests: 2}}, 0, "Unknown. No request could be judged.", "unknown"},
		"before the history":  {audit.LogCrawler{Genuine: audit.LogTally{Requests: 5, Exempt: 1, Unclear: 4}, Robots: audit.LogRobots{Requests: 1, MedianDays: -1}}, 0, "Unknown. No request could be judged. 4 requests are unclear: robots.txt had just changed, or is not known for that time. 1 request is not judged: robots.txt does not apply to it, or it is for robots.txt itself.", "unknown"},
		"free, reads it":      {audit.LogCrawler{Purpose: "user fetch", Genuine: audit.LogTally{Requests: 2, Exempt: 2}, Robots: audit.LogRobots{Requests: 1, Last: old, LastStatus: 200, Read: old, Knows: "old", Waiting: true, MedianDays: -1}}, 1, "Unclear. It last requested robots.txt on 1 Nov 2026, 06:00 (HTTP 200).", ""},
		"obeyed":              {audit.LogCrawler{Genuine: audit.LogTally{Requests: 5, Obeyed: 4, Grace: 1, Stale: 1}}, 0, "Yes. All 4 judged requests were to allowed URLs. 1 request was to URLs that a newer robots.txt blocks, which the crawler had not read yet. 1 of them came more than a day after the change.", "ok"},
		"no robots.txt":       {audit.LogCrawler{}, 1, "Unknown. It did not request robots.txt in this period.", ""},
		"reads nothing":       {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, Last: change, LastStatus: 503, Waiting: true, MedianDays: -1}}, 1, "Not yet. None of its 2 requests for robots.txt gave it the file. Its last request for robots.txt failed: 25 Nov 2026, 06:00 (HTTP 503).", "warn"},
		"asks by HEAD":        {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, MedianDays: -1}}, 1, "Unknown. None of its 2 requests for robots.txt shows what it read.", ""},
		"asks by HEAD once":   {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, MedianDays: -1}}, 1, "Unknown. Its request for robots.txt does not show what it read.", ""},
		"reads once in vain":  {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, Last: change, LastStatus: 503, Waiting: true, MedianDays: -1}}, 1, "Not yet. Its request for robots.txt did not give it the file. Its last request for robots.txt failed: 25 Nov 2026, 06:00 (HTTP 503).", "warn"},
		"waiting":             {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, Last: old, LastStatus: 200, Read: old, Knows: "old", Waiting: true, MedianDays: -1}}, 1, "Not yet. It last read robots.txt on 1 Nov 2026, 06:00, before the change. It follows the version of old until it reads robots.txt again.", "warn"},
		"knows":               {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, Last: change.Add(time.Hour), LastStatus: 200, Read: change.Add(time.Hour), Knows: "new", Learned: []audit.LogLearnt{{Version: "new", Changed: change, Read: change.Add(time.Hour)}}, MedianDays: 0.04}}, 1, "Yes, since 25 Nov 2026, 07:00, 1 hour after the change was first seen.", ""},
		"knew before the run": {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, Last: change, LastStatus: 304, Read: change, Knows: "new", MedianDays: -1}}, 1, "Yes. It last read robots.txt on 25 Nov 2026, 06:00, and got the current version.", ""},
		"fetches all":         {audit.LogCrawler{}, 2, "It requested all 10 sitemap URLs.", ""},
		"requests too many":   {audit.LogCrawler{URLs: 9e6, AboutURLs: true, Orphans: 2}, 2, "It requested too many URLs to say which sitemap URLs it ignores. It fetched 2 URLs that the audit found in no sitemap, link or list.", ""},
		"no answer":           {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, Statuses: []audit.LogCount{{Name: "200", Requests: 1}, {Name: "none", Requests: 1}}, Last: change, LastStatus: 200, Read: change, Knows: "new", MedianDays: -1}}, 1, "Yes. It last read robots.txt on 25 Nov 2026, 06:00, and got the current version. 1 (50 %) of its 2 requests for robots.txt got an error (429, 5xx or no answer).", "warn"},
		"misses some":         {audit.LogCrawler{NeverFetched: 4, Orphans: 1}, 2, "It never requested 4 (40 %) of 10 sitemap URLs. It fetched 1 URL that the audit found in no sitemap, link or list.", ""},
	} {
		c := of.crawler
		c.Name = "TestBot"
		s := oneCrawler(c)
		a := s.Crawlers[0].Answers()[of.question]
		if got := strings.Join(a.Sentences, " "); got != of.want || a.Class != of.class {
			t.Errorf("%s: %s %q, want %s %q", name, a.Class, got, of.class, of.want)
		}
		if s.Crawlers[0].Own.Disobeyed == 0 {
			for _, a := range append(s.Answers(), s.Crawlers[0].Answers()...) {
				for _, text := range a.Sentences {
					if strings.Contains(text, "disobey") && text != "No crawler is proved to have disobeyed." {
						t.Errorf("%s: %s", name, text)
					}
				}
			}
		}
	}
}

// TestFile checks that a file of the user is never called new or old.
func TestFile(t *testing.T) {
	s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 1, Obeyed: 1}, Robots: audit.LogRobots{Requests: 1, Last: old, LastStatus: 200, Read: old, Waiting: true, MedianDays: -1}})
	s.Judged = audit.LogFile
	a := s.Crawlers[0].Answers()[1]
	if got := strings.Join(a.Sentences, " "); got != "It last requested robots.txt on 1 Nov 2026, 06:00 (HTTP 200)." || a.Class != "" {
		t.Errorf("%s %q", a.Class, got)
	}
	c := s.Crawlers[0]
	c.Own, c.Robots.Statuses = audit.LogTally{Requests: 3, Obeyed: 1, Grace: 1, Stale: 1, Unclear: 1}, []audit.LogCount{{Name: "404", Requests: 1}, {Name: "200", Requests: 3}}
	const want = "Yes. The only judged request was to an allowed URL. 1 request was to URLs that this robots.txt blocks, but the log shows that the crawler got no file. " +
		"1 request is unclear: robots.txt gave other answers around that time, or the path is not known."
	if got := strings.Join(c.obey().Sentences, " "); got != want {
		t.Errorf("%q", got)
	}
	if got := s.Basis(); len(got) != 2 || got[1] != "But 1 (25 %) of 4 requests of crawlers for robots.txt got no file." {
		t.Errorf("%q", got)
	}
}

// TestBare: a log may have no status. Then it is not known what crawlers got.
func TestBare(t *testing.T) {
	for status, bare := range map[string]bool{"other": true, "2xx": false} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 3, Obeyed: 3}, Statuses: []audit.LogCount{{Name: status, Requests: 2}},
			Robots: audit.LogRobots{Requests: 1, Last: change, Waiting: true, Statuses: []audit.LogCount{{Name: "none", Requests: 1}}, Answers: []audit.LogAnswer{{First: change, Last: change, Requests: 1}}, MedianDays: -1}})
		c := s.Crawlers[0]
		now, _ := s.robotsNow()
		knows := strings.Join(c.knows(), " ")
		if s.Bare != bare || c.Waiting() == bare || (c.RobotsErrors() == 0) != bare || (now == "") != bare || strings.HasPrefix(knows, "Unknown. The log does not say") != bare {
			t.Errorf("%s: %t, %q, %q", status, s.Bare, now, knows)
		}
	}
}

// TestIgnored: only what the run knows to be allowed is called so.
func TestIgnored(t *testing.T) {
	for blocked, want := range map[int64]string{0: "in a sitemap, never requested", 1: "in a sitemap and allowed, never requested"} {
		if got := oneCrawler(audit.LogCrawler{NeverFetched: 2, NeverBlocked: blocked}).Crawlers[0].Ignored(); got != want {
			t.Errorf("%d blocked: %q", blocked, got)
		}
	}
}

// TestFree: robots.txt is not for crawlers whose operator says so, nor for those that only others pretend to be.
func TestFree(t *testing.T) {
	robots := audit.LogRobots{Requests: 1, Waiting: true, MedianDays: -1, Learned: []audit.LogLearnt{{Version: "new", Changed: change}}}
	s := New(&audit.Logs{Site: "shop.example", From: old, To: change, Judged: audit.LogRun, Versions: []audit.LogVersion{{Name: "old", First: old}, {Name: "new", First: change, Before: old}}, Crawlers: []audit.LogCrawler{
		{Name: "late", Purpose: "search", Genuine: audit.LogTally{Requests: 5, Exempt: 1, Unclear: 4}, Robots: robots, Waste: audit.LogWaste{Blocked: 3}},
		{Name: "free", Purpose: "user fetch", Genuine: audit.LogTally{Requests: 4, Exempt: 4}, Robots: robots, Waste: audit.LogWaste{Blocked: 4}},
		{Name: "fake", Claimed: audit.LogTally{Requests: 9, Blocked: 9}, Robots: audit.LogRobots{Waiting: true, Learned: robots.Learned}},
	}})
	answers := s.Answers()
	if got := strings.Join(answers[0].Sentences, " "); got != "3 requests were to URLs that this robots.txt blocks: late. It is not known whether it was in force then." {
		t.Errorf("%q", got)
	}
	if got := strings.Join(answers[1].Sentences, " "); !strings.HasSuffix(got, " late: Not yet. Its request for robots.txt did not give it the file.") {
		t.Errorf("%q", got)
	}
	if got := strings.Join(s.Crawlers[1].Answers()[0].Sentences, " "); !strings.HasPrefix(got, "It does not have to.") {
		t.Errorf("%q", got)
	}
	for _, c := range s.Crawlers {
		if late := c.Name == "late"; c.Waiting() != late || (c.current() == notYet) != late || (len(c.ReadRows()) > 0) != late {
			t.Errorf("%s: %v %q %d", c.Name, c.Waiting(), c.current(), len(c.ReadRows()))
		}
	}
}

// TestDirectories checks what blocking a directory would save.
func TestDirectories(t *testing.T) {
	s := New(&audit.Logs{Crawlers: []audit.LogCrawler{
		{Name: "a", Purpose: "search", Genuine: audit.LogTally{Requests: 90}, Directories: []audit.LogPart{{Name: "/search/", Requests: 50, Redirects: 10, Blocked: 5}, {Name: "/", Requests: 40}}},
		{Name: "b", Purpose: "AI training", Genuine: audit.LogTally{Requests: 10}, Directories: []audit.LogPart{{Name: "/search/", Requests: 10, Blocked: 10}}},
		{Name: "disobeys", Purpose: "AI training", Genuine: audit.LogTally{Requests: 10, Disobeyed: 1}, Directories: []audit.LogPart{{Name: "/search/", Requests: 10}}},
		{Name: "user fetch", Genuine: audit.LogTally{Requests: 10, Exempt: 10}, Directories: []audit.LogPart{{Name: "/search/", Requests: 10}}},
	}})
	d := s.Directories()[0]
	if d.Name != "/search/" || d.Blocked != 15 || d.saved() != 45 || d.By[Search] != 50 || d.Requests != 80 {
		t.Errorf("%+v", d)
	}
}

// TestWaste: the root is no directory in a sentence, nor are all parts past the limit.
func TestWaste(t *testing.T) {
	for name, want := range map[string]string{
		"/shop/": "`/shop/` has most redirects and errors: 3 (75 %) of 4 requests.",
		"/":      "URLs directly below the root, in no directory, have most redirects and errors: 3 (75 %) of 4 requests.",
		"…":      "4 (100 %) of 4 requests were for URLs with parameters that no sitemap lists.",
	} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 4}, Waste: audit.LogWaste{Parameters: 4}, Directories: []audit.LogPart{{Name: name, Requests: 4, Errors: 3}}})
		if got := strings.Join(s.waste().Sentences, " "); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestNever: only search engines are said to ignore sitemap URLs.
func TestNever(t *testing.T) {
	for purpose, want := range map[string]string{
		"search":      "TestBot: It never requested 4 (40 %) of 10 sitemap URLs.",
		"AI search":   "Unknown. The logs have no request of a search engine.",
		"AI training": "Unknown. The logs have no request of a search engine.",
		"research":    "Unknown. The logs have no request of a search engine.",
	} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Purpose: purpose, NeverFetched: 4, Genuine: audit.LogTally{Requests: 1}})
		if got := strings.Join(s.never().Sentences, " "); got != want {
			t.Errorf("%s: %q", purpose, got)
		}
	}
}

// TestWorstRule: a rule that moved to another line, or is in several versions, is one.
func TestWorstRule(t *testing.T) {
	moved := []audit.LogRule{
		{Version: "new", Line: 9, Rule: "disallow: /a", Disobeyed: 3, Last: change}, {Version: "old", Line: 2, Rule: "disallow: /b", Disobeyed: 4, Last: old},
		{Version: "old", Line: 7, Rule: "disallow: /a", Disobeyed: 2, Last: old}, {Version: "old", Line: 1, Rule: "disallow: /c", Grace: 9},
	}
	for disobeyed, of := range map[int64]struct {
		rules []audit.LogRule
		want  string
	}{
		9: {moved, "The rule `Disallow: /a` blocks 5 of them, on different lines of 2 versions. The last one was on 25 Nov 2026, 06:00."},
		4: {moved[1:2], "Line 2 `Disallow: /b` (version of old) blocks all of them. The last one was on 1 Nov 2026, 06:00."},
		1: {[]audit.LogRule{{Version: "old", Rule: "", Disobeyed: 1}}, "The answer for robots.txt (version of old) blocks it."},
		0: {moved[3:], ""},
	} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 10, Disobeyed: disobeyed}, Rules: of.rules})
		if got := s.Crawlers[0].worstRule(); got != of.want {
			t.Errorf("%q, want %q", got, of.want)
		}
	}
}

// TestLastFile: after other answers, the last one is named.
func TestLastFile(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 6, 0, 0, 0, time.UTC) }
	answers := []audit.LogAnswer{{Status: 200, First: at(1), Last: at(2)}, {Status: 502, First: at(3), Last: at(3)}, {Status: 404, First: at(4), Last: at(9)}}
	for n, want := range []string{"", "", "It last got the file on 2 Jan 2026, 06:00. Since 3 Jan 2026, 06:00 it has got HTTP 502.", "It last got the file on 2 Jan 2026, 06:00. Since 4 Jan 2026, 06:00 it has got HTTP 404."} {
		c := &Crawler{LogCrawler: &audit.LogCrawler{Robots: audit.LogRobots{Answers: answers[:n]}}}
		if got := c.lastFile(); got != want {
			t.Errorf("%d answers: %q, want %q", n, got, want)
		}
	}
	c := &Crawler{LogCrawler: &audit.LogCrawler{Robots: audit.LogRobots{Answers: answers[1:], Statuses: []audit.LogCount{{Name: "502"}, {Name: "200"}}}}}
	if got := c.lastFile(); got != "" { // it got the file before the answers that are listed
		t.Errorf("%q", got)
	}
	c.Robots.Statuses = nil
	if got := c.lastFile(); got != "It never got the file in this period." {
		t.Errorf("%q", got)
	}
}

// TestIncomplete: each limit is told, in one sentence at most. Sentences write rules as people do, tables as all tables.
func TestIncomplete(t *testing.T) {
	s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 2, Obeyed: 1, Disobeyed: 1}, Rules: []audit.LogRule{{Line: 2, Rule: "disallow: /a", Version: "new", Requests: 1, Disobeyed: 1}}})
	before := len(s.Basis())
	for _, limit := range audit.LogLimits {
		s.Limits = []audit.LogLimit{limit}
		if basis := s.Basis(); len(basis) != before+1 || len(strings.Fields(basis[before])) > 25 {
			t.Errorf("%s: %q", limit, basis[before:])
		}
	}
	s.Limits, s.Others = audit.LogLimits, 1
	if basis := s.Basis(); basis[len(basis)-2] != "These lists are too long and were cut: rules, parts of the site, days and answers for robots.txt." || basis[len(basis)-1] != "1 request of further crawlers is not listed." {
		t.Errorf("%q", basis)
	}
	if got := s.Crawlers[0].worstRule(); !strings.HasPrefix(got, "Line 2 `Disallow: /a` ") {
		t.Errorf("%q", got)
	}
	rows := s.Crawlers[0].RuleRows()
	if text, _ := RuleColumns[2].Text(rows[0]); text != "disallow: /a" {
		t.Errorf("%q", text)
	}
}

// TestOldRanges: from the day that the record names, the lists are too old to find impostors.
func TestOldRanges(t *testing.T) {
	for believed, want := range map[string]bool{"2026-11-02": false, "2026-11-01": true, "": false} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 1}})
		s.Ranges, s.Believed = "2026-05-05", believed
		a := s.pretend()
		if got := strings.Contains(strings.Join(a.Sentences, " "), "too old"); got != want {
			t.Errorf("believed until %q: %q", believed, a.Sentences)
		}
	}
}

// TestDNS: the page says what DNS proved, and what it could not be asked.
func TestDNS(t *testing.T) {
	const asked = "DNS was also asked where no address list proves who sent a request. "
	for _, test := range []struct {
		dns  audit.LogDNS
		want string
	}{
		{audit.LogDNS{}, asked + "It proves nothing more."},
		{audit.LogDNS{Genuine: 1, Failed: 1}, asked + "It proves that 1 request is genuine. The address of 1 request could not be looked up."},
		{audit.LogDNS{Genuine: 1200, Claimed: 3, Failed: 2}, asked + "It proves that 1,200 requests are genuine and 3 requests are not. The addresses of 2 requests could not be looked up."},
	} {
		s := oneCrawler(audit.LogCrawler{Name: "TestBot", Genuine: audit.LogTally{Requests: 1}, Unknown: audit.LogTally{Requests: 2}, Claimed: audit.LogTally{Requests: 3}})
		s.DNS = &test.dns
		if got := strings.Join(s.Basis()[1:], " "); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		whole := strings.Join(append(s.pretend().Sentences, s.Crawlers[0].Answers()[3].Sentences...), " ")
		if !strings.Contains(whole, "neither an address list nor DNS covers them") || strings.Contains(whole, "not the operator's.") != (test.dns.Claimed > 0) || strings.Contains(whole, "or that DNS proves") != (test.dns.Genuine > 0) {
			t.Errorf("%q", whole)
		}
	}
	if s := oneCrawler(audit.LogCrawler{Name: "TestBot", Unknown: audit.LogTally{Requests: 2}}); strings.Contains(strings.Join(append(s.Basis(), s.pretend().Sentences...), " "), "DNS") {
		t.Error("DNS is named without -dns")
	}
}

// TestRobotsNow: the last answer for robots.txt is told with its beginning, unless it is the file.
func TestRobotsNow(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 6, 0, 0, 0, time.UTC) }
	answer := func(status, first, last int) audit.LogAnswer {
		return audit.LogAnswer{Status: status, First: at(first), Last: at(last), Requests: 1}
	}
	for _, test := range []struct {
		a, b  []audit.LogAnswer
		words string
		bad   bool
	}{
		{nil, nil, "", false},
		{[]audit.LogAnswer{answer(404, 1, 9)}, []audit.LogAnswer{answer(200, 10, 10)}, "", false},
		{[]audit.LogAnswer{answer(404, 1, 9)}, []audit.LogAnswer{answer(404, 2, 3)}, "Crawlers got only HTTP 404 for robots.txt. Crawlers may then request all URLs.", false},
		{[]audit.LogAnswer{answer(200, 1, 2), answer(502, 3, 4), answer(404, 6, 9)}, []audit.LogAnswer{answer(404, 5, 8)}, "Since 5 Jan 2026, 06:00, requests for robots.txt get HTTP 404. Crawlers may then request all URLs.", true},
		{[]audit.LogAnswer{answer(304, 1, 7), answer(503, 9, 9)}, []audit.LogAnswer{answer(503, 2, 8)}, "Since 9 Jan 2026, 06:00, requests for robots.txt get HTTP 503.", true},
		{[]audit.LogAnswer{answer(0, 1, 1)}, nil, "Crawlers never got an answer for robots.txt.", false},
	} {
		s := New(&audit.Logs{Crawlers: []audit.LogCrawler{{Name: "a", Genuine: audit.LogTally{Requests: 1}, Robots: audit.LogRobots{Answers: test.a}}, {Name: "b", Robots: audit.LogRobots{Answers: test.b}}}})
		if words, bad := s.robotsNow(); words != test.words || bad != test.bad {
			t.Errorf("%q %v, want %q %v", words, bad, test.words, test.bad)
		}
	}
}
