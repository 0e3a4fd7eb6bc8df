package enforced

import (
	"fmt"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/reports/internal/site"
)

// world is a site with the six sources of policy.
type world struct {
	robots string // text; "" = it could not be read
	asked  audit.Asked
	logs   *audit.Logs
	run    []audit.Crawler
	done   audit.Done
}

var (
	today  = time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	origin = "https://shop.example"
)

// kinds of URLs that a world has.
var worldURLs = []audit.AskedURL{
	{URL: origin + "/robots.txt", Kind: audit.AskedRobots}, {URL: origin + "/", Kind: audit.AskedHome}, {URL: origin + "/sitemap.xml", Kind: audit.AskedSitemap},
	{URL: origin + "/p1", Kind: audit.AskedPage}, {URL: origin + "/p2", Kind: audit.AskedPage}, {URL: origin + "/a.css", Kind: audit.AskedStyleSheet}, {URL: origin + "/a.js", Kind: audit.AskedScript},
}

// newWorld has crawlers that are let in everywhere.
func newWorld(robots string, names ...string) *world {
	w := &world{robots: robots, asked: audit.Asked{Agents: "2026-10-28", Ours: "us", Requests: 20}, done: audit.Done{Finished: today}}
	w.asked.URLs = append(w.asked.URLs, worldURLs...)
	for _, kind := range audit.PolicyFiles {
		w.asked.Files = append(w.asked.Files, audit.PolicyFile{Kind: kind, URL: origin + "/" + kind, Status: 404})
	}
	w.asked.Files[3].URL = ""
	operators := map[string][2]string{"Googlebot": {"Google", "search"}, "GPTBot": {"OpenAI", "AI training"}, "OAI-SearchBot": {"OpenAI", "AI search"}, "Perplexity-User": {"Perplexity", "user fetch"}, "ChatGPT-User": {"OpenAI", "user fetch"}, "ClaudeBot": {"Anthropic", "AI training"}}
	for _, name := range names {
		c := audit.AskedCrawler{Name: name, Operator: operators[name][0], Purpose: operators[name][1], UserAgent: name + "/1.0"}
		for range w.asked.URLs {
			c.Replies = append(c.Replies, audit.Reply{Treatment: audit.LetIn, Status: 200, Asked: 1})
		}
		w.asked.Crawlers = append(w.asked.Crawlers, c)
	}
	return w
}

// answer sets the answer of URLs of some kinds for the i-th crawler; none = all.
func (w *world) answer(i int, r audit.Reply, kinds ...audit.AskedKind) *world {
	for u := range w.asked.URLs {
		if r.Why == audit.WhyRefusesUs {
			w.asked.URLs[u].Ours = audit.Reply{Status: r.Status, Asked: 1}
		}
		if len(kinds) == 0 {
			w.asked.Crawlers[i].Replies[u] = r
		}
		for _, kind := range kinds {
			if w.asked.URLs[u].Kind == kind {
				w.asked.Crawlers[i].Replies[u] = r
			}
		}
	}
	return w
}

// file sets a file that is there.
func (w *world) file(kind int, statements ...audit.PolicyStatement) *world {
	f := &w.asked.Files[kind]
	f.URL, f.Status, f.Found = origin+"/"+f.Kind, 200, true
	for i := range statements {
		statements[i].Source = f.Kind
	}
	f.Statements = statements
	return w
}

// page adds a statement to all pages.
func (w *world) page(of audit.PolicyStatement) *world {
	for u := range w.asked.URLs {
		if k := w.asked.URLs[u].Kind; k == audit.AskedHome || k == audit.AskedPage {
			w.asked.URLs[u].Statements = append(w.asked.URLs[u].Statements, of)
		}
	}
	return w
}

// log adds a crawler's requests to the access logs.
func (w *world) log(name string, genuine, other audit.LogTally, counts ...audit.LogCount) *world {
	if w.logs == nil {
		w.logs = &audit.Logs{Site: "shop.example", From: today.AddDate(0, 0, -14), To: today.AddDate(0, 0, -1), Judged: audit.LogHistory}
	}
	c := audit.LogCrawler{Name: name, Genuine: genuine, Unknown: other, Waste: audit.LogWaste{Blocked: genuine.Disobeyed}}
	classes := map[string]int64{}
	for _, n := range counts {
		classes[n.Name[:1]+"xx"] += n.Requests
		if n.Name >= "4" {
			c.Codes = append(c.Codes, n)
		}
	}
	for name, n := range classes {
		c.Statuses = append(c.Statuses, audit.LogCount{Name: name, Requests: n})
	}
	w.logs.Crawlers = append(w.logs.Crawlers, c)
	return w
}

// join makes the site's reports.
func (w *world) join() *Site {
	body := []byte(w.robots)
	s := site.New(&audit.Site{Name: "shop.example", Crawlers: w.run, Started: today}, func(int) []byte { return body })
	file := crawl.RobotsFile{Body: body}
	if file.Bytes, file.Status = int64(len(body)), 200; w.robots == "" {
		file.Status, file.Code = 0, crawl.CodeTimeout
	}
	s.AddRecord(audit.Record{Robots: &audit.Robots{Origin: origin, File: file}})
	for i := range w.asked.Crawlers {
		w.asked.Crawlers[i].Treatment = audit.Worst(w.asked.Crawlers[i].Replies)
	}
	s.AddRecord(audit.Record{Asked: &w.asked})
	if w.logs != nil {
		s.AddRecord(audit.Record{Logs: w.logs})
	}
	return New(s, &w.done)
}

// codes are those of contradictions and notes, with crawlers and severities.
func (s *Site) codes() map[string]bool {
	codes := map[string]bool{}
	for _, list := range [][]*Contradiction{s.Contradictions, s.Notes} {
		for _, c := range list {
			codes[fmt.Sprintf("%s %s %s", c.Code, c.Crawler, c.Severity)] = true
		}
	}
	return codes
}
