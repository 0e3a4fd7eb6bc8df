package logs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
)

// TestUnlisted: of the crawlers that are not listed, those with most requests have their names,
// whatever the order of lines, blocks and spellings.
func TestUnlisted(t *testing.T) {
	var lines []string
	add := func(agent string, n int) {
		for range n {
			lines = append(lines, logged(nobody, "24/May/2026:06:00:00 +0000", "/a", 200, agent))
		}
	}
	for i := range maxNamed - 1 {
		add(fmt.Sprintf("Much%dBot/1.%d", i, i), 5)
	}
	add("fooBot/1", 2)
	add("FooBot/2.0", 2)
	add("foobot", 2)
	for i := range 3000 {
		add(fmt.Sprintf("Little%dBot/1.0", i), 1)
	}
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		first, second := strings.Join(lines[:2000], ""), strings.Join(lines[2000:], "")
		_, of := readLogs(t, line.Options{}, exampleSite(""), writeLogs(t, "a.log", first, "b.log", second)...)
		got := map[string]int64{}
		for _, c := range of.Crawlers {
			got[c.Name] = c.Unknown.Requests
			if strings.HasPrefix(c.Name, "Little") {
				t.Errorf("%s has a row of its own", c.Name)
			}
		}
		if len(got) != maxNamed+1 || got["FooBot"] != 6 || got["Much0Bot"] != 5 || got[agent.OtherCrawlers] != 3000 {
			t.Errorf("%d crawlers, FooBot %d, Much0Bot %d, others %d", len(got), got["FooBot"], got["Much0Bot"], got[agent.OtherCrawlers])
		}
	}
}

// TestUnlistedAreBounded: a log with very many names keeps few of them.
func TestUnlistedAreBounded(t *testing.T) {
	r := &Requests{names: map[uint64]*named{}}
	for i := range 30 {
		var all names
		for n := range 1000 {
			all.count(fmt.Sprintf("X%d-%dBot", i, n))
		}
		r.addNames(all)
	}
	if len(r.names) != maxNames {
		t.Errorf("%d names", len(r.names))
	}
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.rank(set); len(r.crawlers) != len(set.Crawlers())+maxNamed || len(r.ids) != maxNamed || r.names != nil {
		t.Errorf("%d crawlers", len(r.crawlers))
	}
}

// TestUnlistedReads: a crawler that is not listed has its requests for robots.txt.
func TestUnlistedReads(t *testing.T) {
	text := logged(nobody, "24/May/2026:06:00:00 +0000", "/robots.txt", 200, "FooBot/1.0") + logged(nobody, "24/May/2026:07:00:00 +0000", "/private", 200, "foobot/2.0")
	_, of := readLogs(t, line.Options{}, exampleSite("User-agent: FooBot\nDisallow: /private\n"), writeLogs(t, "a.log", text)...)
	c := crawlerOf(t, of, "FooBot")
	if c.Robots.Requests != 1 || c.Unknown != (audit.LogTally{Requests: 2, Exempt: 1, Blocked: 1}) {
		t.Errorf("%+v, %+v", c.Robots, c.Unknown)
	}
}
