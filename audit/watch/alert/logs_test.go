package alert

import (
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

// logged is a site with access logs of the hour before each run, and of Googlebot only.
func logged(change func(at time.Time, l *audit.Logs, c *audit.LogCrawler)) served {
	return with(func(s *served) {
		s.logs = func(at time.Time) *audit.Logs {
			l := &audit.Logs{From: at.Add(-time.Hour), To: at.Add(-time.Minute), Crawlers: []audit.LogCrawler{{Name: "Googlebot"}}}
			c := &l.Crawlers[0]
			c.Genuine.Requests, c.Robots.Read, c.Robots.LastStatus = 100, at.Add(-20*time.Minute), 200
			c.Robots.Answers = []audit.LogAnswer{{Status: 200, Requests: 1, First: c.Robots.Read, Last: c.Robots.Read}}
			change(at, l, c)
			return l
		}
	})
}

func nothingLogged(time.Time, *audit.Logs, *audit.LogCrawler) {}

// disobeyedAgo has Googlebot request blocked URLs until some time before a run.
func disobeyedAgo(before time.Duration) func(time.Time, *audit.Logs, *audit.LogCrawler) {
	return func(at time.Time, _ *audit.Logs, c *audit.LogCrawler) {
		c.Genuine.Disobeyed = 12
		c.Rules = []audit.LogRule{{Line: 2, Rule: "disallow: /private", Disobeyed: 12, First: at.Add(-before - time.Hour), Last: at.Add(-before)}}
	}
}

// waitingFor has Googlebot not read a robots.txt that changed some time before a run.
func waitingFor(before time.Duration) func(time.Time, *audit.Logs, *audit.LogCrawler) {
	return func(at time.Time, l *audit.Logs, c *audit.LogCrawler) {
		l.From = at.Add(-before - 2*time.Hour)
		c.Robots.Waiting, c.Robots.Read, c.Robots.Answers = true, l.From.Add(time.Minute), nil
		l.Versions = []audit.LogVersion{{First: l.From}, {Before: at.Add(-before - time.Hour), First: at.Add(-before)}, {Before: at.Add(-2 * time.Hour), First: at.Add(-time.Hour)}}
	}
}

// answeredAgo has robots.txt answer Googlebot with a status until some time before a run.
func answeredAgo(status int, before time.Duration) func(time.Time, *audit.Logs, *audit.LogCrawler) {
	return func(at time.Time, _ *audit.Logs, c *audit.LogCrawler) {
		c.Robots.Answers = append(c.Robots.Answers, audit.LogAnswer{Status: status, Requests: 4, First: at.Add(-before - 5*time.Minute), Last: at.Add(-before)})
	}
}

// TestLogs lets logs overlap, be missing, or lack a crawler. No alert is raised twice for the same
// requests, and none ends because nothing is known.
func TestLogs(t *testing.T) {
	clean, none := logged(nothingLogged), plain()
	bad := logged(disobeyedAgo(10 * time.Minute))
	other := logged(func(_ time.Time, _ *audit.Logs, c *audit.LogCrawler) { c.Name = "Bingbot" })
	impostor := func(of served) served {
		return with(func(s *served) {
			s.logs = func(at time.Time) *audit.Logs {
				l := of.logs(at)
				l.Crawlers[0].Genuine = audit.LogTally{}
				return l
			}
		})
	}
	waiting := logged(waitingFor(50 * time.Hour))
	down := func(before time.Duration) served { return logged(answeredAgo(503, before)) }
	still := logged(func(at time.Time, l *audit.Logs, c *audit.LogCrawler) {
		answeredAgo(503, 70*time.Minute)(at, l, c)
		c.Robots.LastStatus = 503
	})
	silent := logged(func(_ time.Time, _ *audit.Logs, c *audit.LogCrawler) { c.Robots = audit.LogRobots{} })
	unknown := logged(func(at time.Time, l *audit.Logs, c *audit.LogCrawler) {
		c.Robots.Answers = nil
		answeredAgo(0, 10*time.Minute)(at, l, c)
	})
	lost := func(change func(time.Time, *audit.Logs, *audit.LogCrawler)) served {
		return logged(func(at time.Time, l *audit.Logs, c *audit.LogCrawler) {
			change(at, l, c)
			l.Limits = []audit.LogLimit{audit.LogLimitReads}
		})
	}
	noFile := func(s served) served { s.status = 404; return s }
	for _, test := range []struct {
		name string
		runs []served // an hour apart
		want string   // by run
	}{
		{"the same requests in the logs of later runs", []served{clean, bad, logged(disobeyedAgo(70 * time.Minute)), logged(disobeyedAgo(130 * time.Minute)), clean, logged(disobeyedAgo(250 * time.Minute))}, "/raised AL15///ended AL15/"},
		{"again and again", []served{clean, bad, bad, clean, bad}, "/raised AL15//ended AL15/raised AL15"},
		{"runs without logs", []served{clean, bad, none, bad, none, clean, none}, "/raised AL15////ended AL15/"},
		{"the first logs", []served{none, bad, clean}, "/raised AL15/ended AL15"},
		{"the first day", []served{bad, none, bad, clean}, "raised AL15///ended AL15"},
		{"logs without the crawler", []served{clean, bad, other, clean}, "/raised AL15//ended AL15"},
		{"another file of the change is read late", []served{clean, waiting, none, silent, clean}, "/raised AL16///ended AL16"},
		{"changed for less than two days", []served{clean, logged(waitingFor(47 * time.Hour))}, "/"},
		{"too many requests for robots.txt to judge", []served{clean, bad, lost(nothingLogged), clean}, "/raised AL15//ended AL15"},
		{"too many requests for robots.txt to know what is read", []served{clean, lost(waitingFor(50 * time.Hour)), waiting, lost(nothingLogged), clean}, "//raised AL16//ended AL16"},
		{"errors end", []served{clean, down(10 * time.Minute), down(70 * time.Minute), down(130 * time.Minute)}, "/raised AL17/ended AL17/"},
		{"errors, and then no logs", []served{clean, down(10 * time.Minute), none, other, clean}, "/raised AL17///ended AL17"},
		{"errors, and then no other answer", []served{clean, down(10 * time.Minute), still, silent, clean}, "/raised AL17///ended AL17"},
		{"errors before the last run", []served{clean, down(70 * time.Minute)}, "/"},
		{"no file for the crawler alone", []served{clean, logged(answeredAgo(403, 10*time.Minute))}, "/raised AL17"},
		{"no file for anybody", []served{noFile(clean), noFile(logged(answeredAgo(404, 10*time.Minute)))}, "raised AL04/"},
		{"the crawler hung up", []served{clean, logged(answeredAgo(499, 10*time.Minute))}, "/"},
		{"logs without a status", []served{clean, unknown}, "/"},
		{"no answer", []served{clean, logged(answeredAgo(0, 10*time.Minute))}, "/raised AL17"},
		{"errors to an impostor", []served{clean, impostor(down(10 * time.Minute))}, "/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t, test.runs[0])
			if got := strings.Join(s.story(test.runs...), "/"); got != test.want {
				t.Errorf("told %s\ndue  %s", got, test.want)
			}
		})
	}
}

// TestLogsAccepted does not raise an accepted alert again while the crawler goes on.
func TestLogsAccepted(t *testing.T) {
	bad := logged(disobeyedAgo(10 * time.Minute))
	s := settledSite(t, logged(nothingLogged))
	s.next(bad)
	s.open[0].Accepted = s.at.Add(time.Minute)
	if got := strings.Join(s.story(bad, bad), "/"); got != "ended AL15/" {
		t.Errorf("told %s", got)
	}
}
