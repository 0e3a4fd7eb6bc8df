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
		"disobeyed":           {audit.LogCrawler{Genuine: audit.LogTally{Requests: 4, Obeyed: 3, Disobeyed: 1}}, 0, "No: 1 (25 %) of 4 judged requests was to blocked URLs.", "critical"},
		"not proved":          {audit.LogCrawler{Unknown: audit.LogTally{Requests: 5, Obeyed: 2, Blocked: 3}}, 0, "Not proved. 3 requests to blocked URLs came from addresses that do not prove who sent them.", "unknown"},
		"both":                {audit.LogCrawler{Genuine: audit.LogTally{Requests: 4, Obeyed: 3, Disobeyed: 1}, Unknown: audit.LogTally{Requests: 5, Obeyed: 2, Blocked: 3}}, 0, "No: 1 (25 %) of 4 judged requests was to blocked URLs. 3 requests more came from addresses that do not prove who sent them.", "critical"},
		"only claimed":        {audit.LogCrawler{Claimed: audit.LogTally{Requests: 5, Blocked: 5}}, 0, "Unknown. No request came from its own addresses.", "unknown"},
		"exempt":              {audit.LogCrawler{Genuine: audit.LogTally{Requests: 5, Exempt: 5}}, 0, "It does not have to. Its operator says that it does not follow these rules.", ""},
		"obeyed":              {audit.LogCrawler{Genuine: audit.LogTally{Requests: 5, Obeyed: 4, Grace: 1, Stale: 1}}, 0, "Yes. All 4 judged requests were to allowed URLs. 1 request was to URLs that a newer robots.txt blocks, which it had not read yet. 1 of them came more than a day after the change.", "ok"},
		"no robots.txt":       {audit.LogCrawler{}, 1, "Unknown. It did not request robots.txt in this period.", ""},
		"reads nothing":       {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, Last: change, LastStatus: 503, Waiting: true, MedianDays: -1}}, 1, "Not yet. None of its 2 requests for robots.txt gave it the file. Its last request for robots.txt failed: 25 Nov 2026, 06:00 (HTTP 503).", "warn"},
		"waiting":             {audit.LogCrawler{Robots: audit.LogRobots{Requests: 2, Last: old, LastStatus: 200, Read: old, Knows: "old", Waiting: true, MedianDays: -1}}, 1, "Not yet. It last read robots.txt on 1 Nov 2026, 06:00, before the change. It follows the version of old until it reads robots.txt again.", "warn"},
		"knows":               {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, Last: change.Add(time.Hour), LastStatus: 200, Read: change.Add(time.Hour), Knows: "new", Learned: []audit.LogLearnt{{Version: "new", Changed: change, Read: change.Add(time.Hour)}}, MedianDays: 0.04}}, 1, "Yes, since 25 Nov 2026, 07:00, 1 hour after the change was first seen.", ""},
		"knew before the run": {audit.LogCrawler{Robots: audit.LogRobots{Requests: 1, Last: change, LastStatus: 304, Read: change, Knows: "new", MedianDays: -1}}, 1, "Yes. It last read robots.txt on 25 Nov 2026, 06:00, and got the current version.", ""},
		"fetches all":         {audit.LogCrawler{}, 2, "It requested all 10 sitemap URLs.", ""},
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
}

// TestDirectories checks what blocking a directory would save.
func TestDirectories(t *testing.T) {
	s := New(&audit.Logs{Crawlers: []audit.LogCrawler{
		{Name: "a", Purpose: "search", Genuine: audit.LogTally{Requests: 90}, Directories: []audit.LogPart{{Name: "/search/", Requests: 50, Redirects: 10, Blocked: 5}, {Name: "/", Requests: 40}}},
		{Name: "b", Purpose: "AI training", Genuine: audit.LogTally{Requests: 10}, Directories: []audit.LogPart{{Name: "/search/", Requests: 10, Blocked: 10}}},
	}})
	d := s.Directories()[0]
	if d.Name != "/search/" || d.Blocked != 15 || d.saved() != 45 || d.Save[Search] != 45 {
		t.Errorf("%+v", d)
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
	c := &Crawler{LogCrawler: &audit.LogCrawler{Robots: audit.LogRobots{Answers: answers[1:]}}}
	if got := c.lastFile(); got != "It never got the file in this period." {
		t.Errorf("%q", got)
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
