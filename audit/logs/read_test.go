package logs

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
	"robots-audit/engine"
)

// Agents and addresses of crawlers, as published.
const (
	googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	gptbot    = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	person    = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
	google    = "66.249.66.1"
	openai    = "20.171.206.7"
	nobody    = "198.51.100.9"
)

// logged is a line of the format combined.
func logged(address, at, target string, status int, who string) string {
	return fmt.Sprintf("%s - - [%s] \"GET %s HTTP/1.1\" %d 12 \"https://www.example.com/?secret=referer\" \"%s\"\n", address, at, target, status, who)
}

// writeLogs writes files, compressed if their names end so, and returns their paths in order.
func writeLogs(t *testing.T, files ...string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		content := []byte(files[i+1])
		if strings.HasSuffix(files[i], ".gz") {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(content)
			w.Close()
			content = b.Bytes()
		}
		name := filepath.Join(dir, files[i])
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// readLogs reads files for a site. Lines without a host are its own.
func readLogs(t *testing.T, o line.Options, site Site, names ...string) (*Requests, audit.Logs) {
	t.Helper()
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reader := Reader{Crawlers: set, Options: o, Dir: t.TempDir(), HostOf: func(string) string { return "www.example.com" }}
	requests, err := reader.Read(context.Background(), names)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { requests.Close() })
	result, err := requests.Judge(set, &site)
	if err != nil {
		t.Fatal(err)
	}
	return requests, result
}

// exampleSite is a site with one robots.txt for the whole period, and URLs of a run.
func exampleSite(body string, urls ...URL) Site {
	s := Site{
		Name: "www.example.com", Source: audit.LogFile,
		Origins: []Origin{{Name: "https://www.example.com", Seen: []Observation{{File: engine.File{Status: 200, Body: []byte(body)}, SHA256: "x", Told: true}}}},
	}
	if urls != nil {
		s.URLs = func() iter.Seq2[URL, error] {
			return func(yield func(URL, error) bool) {
				for _, u := range urls {
					if !yield(u, nil) {
						return
					}
				}
			}
		}
	}
	return s
}

// crawlerOf returns the counts of a crawler.
func crawlerOf(t *testing.T, of audit.Logs, name string) *audit.LogCrawler {
	t.Helper()
	for i := range of.Crawlers {
		if of.Crawlers[i].Name == name {
			return &of.Crawlers[i]
		}
	}
	t.Fatalf("no %s among %d crawlers", name, len(of.Crawlers))
	return nil
}

func TestReadAndJudge(t *testing.T) {
	first := logged(google, "24/May/2026:06:00:00 +0000", "/robots.txt", 200, googlebot) +
		logged(nobody, "24/May/2026:06:00:01 +0000", "/account?token=visitor", 200, person) +
		logged(google, "24/May/2026:07:00:00 +0000", "/a", 200, googlebot) +
		logged(google, "24/May/2026:08:00:00 +0200", "/private/x?id=7", 200, googlebot) +
		"this is no line of a log\n"
	second := logged(nobody, "25/May/2026:06:00:00 +0000", "/a", 403, gptbot) +
		logged(openai, "25/May/2026:06:00:01 +0000", "/b", 200, gptbot) +
		logged(google, "25/May/2026:06:00:02 +0000", "/old", 301, googlebot) +
		logged(google, "25/May/2026:06:00:03 +0000", "/a", 200, googlebot)
	site := exampleSite("User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n",
		URL{Loc: "https://www.example.com/a", Listed: true}, URL{Loc: "https://www.example.com/never", Listed: true}, URL{Loc: "https://www.example.com/linked", Listed: false})
	names := writeLogs(t, "access.log", second, "access.log.1", first, "access.log.1.gz", first)
	requests, of := readLogs(t, line.Options{}, site, names...)
	if f := requests.Files[1]; f.Lines != 5 || f.Requests != 4 || f.Visitors != 1 || f.Format != "combined" || f.Twice != "" {
		t.Errorf("file %+v", f)
	}
	if f := requests.Files[2]; f.Twice != names[1] {
		t.Errorf("the compressed copy is not recognised: %+v", f)
	}
	if want := time.Date(2026, 5, 24, 6, 0, 0, 0, time.UTC); !of.From.Equal(want) || of.Listed != 2 || of.Found != 3 {
		t.Errorf("from %v, %d listed, %d found", of.From, of.Listed, of.Found)
	}
	g := crawlerOf(t, of, "Googlebot")
	if want := (audit.LogTally{Requests: 5, Obeyed: 3, Disobeyed: 1, Exempt: 1}); g.Genuine != want {
		t.Errorf("Googlebot %+v, want %+v", g.Genuine, want)
	}
	if g.URLs != 3 || g.NeverFetched != 1 || len(g.Never) != 1 || g.Never[0] != "https://www.example.com/never" || g.Orphans != 1 || g.Waste.Redirects != 1 || g.Waste.Blocked != 1 || g.Waste.Parameters != 1 {
		t.Errorf("Googlebot %+v", *g)
	}
	if len(g.Rules) != 1 || g.Rules[0].Line != 2 || g.Rules[0].Rule != "disallow: /private" || g.Rules[0].Disobeyed != 1 || g.Rules[0].Samples[0] != "https://www.example.com/private/x?id=…" {
		t.Errorf("rules %+v", g.Rules)
	}
	if g.Robots.Requests != 1 || g.Robots.LastStatus != 200 || g.Robots.Last != of.From {
		t.Errorf("robots.txt %+v", g.Robots)
	}
	if len(g.Days) != 2 || g.Days[0].Requests != 3 || g.Days[1].Requests != 2 {
		t.Errorf("days %+v", g.Days)
	}
	p := crawlerOf(t, of, "GPTBot")
	if want := (audit.LogTally{Requests: 1, Disobeyed: 1}); p.Genuine != want {
		t.Errorf("GPTBot %+v", p.Genuine)
	}
	if want := (audit.LogTally{Requests: 1, Blocked: 1}); p.Claimed != want {
		t.Errorf("a false GPTBot %+v", p.Claimed)
	}
}

// TestOtherHosts: requests to a host that is no site's are counted apart.
func TestOtherHosts(t *testing.T) {
	site := exampleSite("User-agent: *\n")
	names := writeLogs(t, "access.log",
		"www.example.com:443 "+logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot)+
			"WWW.EXAMPLE.COM. "+logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot)+
			"www.example.com:80 "+logged(google, "24/May/2026:06:00:00 +0000", "/a", 301, googlebot)+
			"other.example:80 "+logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot))
	requests, of := readLogs(t, line.Options{}, site, names...)
	if g := crawlerOf(t, of, "Googlebot"); g.Genuine.Requests != 3 || g.URLs != 1 || g.Genuine.Unclear != 1 { // http has a robots.txt of its own
		t.Errorf("%+v", g.Genuine)
	}
	if hosts, all := requests.OtherHosts([]string{"https://www.example.com"}, 20); all != 1 || len(hosts) != 1 || hosts[0].Name != "other.example" {
		t.Errorf("other hosts %+v", hosts)
	}
}

// TestSpool: many requests go through a temporary file, which is removed.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	s := spool{dir: dir, limit: 1000}
	want := 0
	for i := range 50 {
		var p packer
		for n := range 20 {
			req := line.Request{Time: int64(i*100 - n), Target: fmt.Appendf(nil, "/page/%d/%d?%x", i, n, i*n), Status: 200, Sample: 1}
			if n%5 == 0 {
				req.Sample, req.ID, req.Scheme = 0.1, []byte{byte(i), byte(n)}, "https"
			}
			p.add(sender{crawler: i, name: uint64(n % 7), who: agent.Identity(n % 3), address: uint64(n % 4)}, &req)
			want++
		}
		if err := s.add(i%2, "a.example", p.packed()); err != nil {
			t.Fatal(err)
		}
	}
	if s.file == nil {
		t.Fatal("no temporary file")
	}
	got := 0
	for req, err := range s.requests("a.example", func(int) bool { return true }) {
		if err != nil {
			t.Fatal(err)
		}
		i, n := got/20, got%20
		if want := fmt.Sprintf("/page/%d/%d?%x", i, n, i*n); string(req.target) != want || req.at != int64(i*100-n) || req.crawler != i || int(req.who) != n%3 || req.name != uint64(n%7) || req.address != uint64(n%4) || (req.n == 10) != (n%5 == 0) || (req.id != 0) != (n%5 == 0) || (req.scheme == "https") != (n%5 == 0) {
			t.Fatalf("request %d: %+v, target %s", got, req, req.target)
		}
		got++
	}
	if got != want {
		t.Errorf("%d requests, want %d", got, want)
	}
	half := 0
	for range s.requests("a.example", func(file int) bool { return file == 0 }) {
		half++
	}
	if half != want/2 {
		t.Errorf("%d requests of one file, want %d", half, want/2)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Error("the temporary file is left")
	}
}

// TestDistinct: without space a count becomes an estimate, and gives its space back.
func TestDistinct(t *testing.T) {
	r := &room{left: 1000}
	a, b := newDistinct(r), newDistinct(r)
	seed := maphash.MakeSeed()
	for i := range 900 {
		a.add(maphash.Comparable(seed, i))
		a.add(maphash.Comparable(seed, i))
	}
	if n, about := a.count(); n != 900 || about {
		t.Errorf("%d, estimated %v", n, about)
	}
	for i := range 50_000 {
		b.add(maphash.Comparable(seed, -i))
	}
	if n, about := b.count(); !about || n < 48_500 || n > 51_500 {
		t.Errorf("%d, estimated %v", n, about)
	}
	if r.left != 100 {
		t.Errorf("%d left, want 100", r.left)
	}
}

// TestSingleRun: a single run accuses only within the time for which the server says that it has not
// changed the file. Before, requests that it blocks are unclear.
func TestSingleRun(t *testing.T) {
	run := time.Date(2026, 5, 25, 12, 0, 0, 0, time.UTC)
	names := writeLogs(t, "access.log",
		logged(openai, "20/May/2026:06:00:00 +0000", "/robots.txt", 200, gptbot)+
			logged(openai, "20/May/2026:07:00:00 +0000", "/private/a", 200, gptbot)+
			logged(openai, "20/May/2026:08:00:00 +0000", "/b", 200, gptbot)+
			logged(openai, "25/May/2026:06:00:00 +0000", "/robots.txt", 200, gptbot)+
			logged(openai, "25/May/2026:07:00:00 +0000", "/private/a", 200, gptbot)+
			logged(openai, "25/May/2026:13:00:00 +0000", "/private/a", 200, gptbot))
	for changed, want := range map[time.Time]audit.LogTally{
		{}:                    {Requests: 6, Obeyed: 1, Unclear: 3, Exempt: 2},
		run.AddDate(0, 0, -3): {Requests: 6, Obeyed: 1, Unclear: 2, Disobeyed: 1, Exempt: 2},
		run.AddDate(0, 0, -1): {Requests: 6, Obeyed: 1, Unclear: 3, Exempt: 2},
		run.AddDate(-1, 0, 0): {Requests: 6, Obeyed: 1, Unclear: 1, Disobeyed: 2, Exempt: 2},
	} {
		site := exampleSite("User-agent: *\nDisallow: /private\n")
		seen := site.Origins[0].Seen[0]
		seen.At = run
		site.Source, site.Origins[0].Seen = audit.LogRun, []Observation{seen}
		if !changed.IsZero() {
			before := seen
			before.At = changed
			site.Origins[0].Seen = []Observation{before, seen}
		}
		_, of := readLogs(t, line.Options{}, site, names...)
		if c := crawlerOf(t, of, "GPTBot"); c.Genuine != want {
			t.Errorf("changed %v: %+v, want %+v", changed, c.Genuine, want)
		} else if len(c.Rules) != 1 || c.Rules[0].Requests != 3 || c.Waste.Blocked != 3 {
			t.Errorf("changed %v: rules %+v", changed, c.Rules)
		}
	}
}

// TestLostReads: with too many requests for robots.txt nobody is accused, because one that is not kept
// may say that the crawler could not know better.
func TestLostReads(t *testing.T) {
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := writeLogs(t, "access.log",
		logged(google, "24/May/2026:06:00:00 +0000", "/robots.txt", 200, googlebot)+
			logged(google, "24/May/2026:07:00:00 +0000", "/robots.txt", 404, googlebot)+
			logged(google, "24/May/2026:08:00:00 +0000", "/private", 200, googlebot))
	for limit, want := range map[int]audit.LogTally{
		1: {Requests: 3, Unclear: 1, Exempt: 2},
		2: {Requests: 3, Grace: 1, Exempt: 2},
	} {
		reader := Reader{Crawlers: set, Dir: t.TempDir(), robots: limit, HostOf: func(string) string { return "www.example.com" }}
		requests, err := reader.Read(context.Background(), names)
		if err != nil {
			t.Fatal(err)
		}
		site := exampleSite("User-agent: *\nDisallow: /private\n")
		of, err := requests.Judge(set, &site)
		if err != nil {
			t.Fatal(err)
		}
		if g := crawlerOf(t, of, "Googlebot"); g.Genuine != want || slices.Contains(of.Limits, audit.LogLimitReads) != (limit == 1) {
			t.Errorf("%d kept: %+v, want %+v; limits %q", limit, g.Genuine, want, of.Limits)
		}
		changed := time.Date(2026, 5, 24, 6, 30, 0, 0, time.UTC)
		site.Source = audit.LogHistory
		site.Origins[0].Seen = []Observation{{At: changed.AddDate(0, 0, -1), SHA256: "a", File: engine.File{Status: 200}, Told: true}, {At: changed, File: engine.File{Status: 404}, Told: true}, {At: changed.AddDate(0, 0, 1), File: engine.File{Status: 404}, Told: true}}
		if of, err = requests.Judge(set, &site); err != nil {
			t.Fatal(err)
		}
		if r := crawlerOf(t, of, "Googlebot").Robots; r.Waiting || len(r.Learned) != limit-1 || (r.Knows == "") != (limit == 1) {
			t.Errorf("%d kept: %+v", limit, r)
		}
		requests.Close()
	}
}

// TestSampled: each line of a log with one line in ten stands for ten requests in all counts, also of
// requests for robots.txt, of further crawlers and of other hosts.
func TestSampled(t *testing.T) {
	var log strings.Builder
	for i, target := range []string{"/robots.txt", "/robots.txt", "/a", "/private/x", "/a"} {
		fmt.Fprintf(&log, `{"ClientRequestHost":"www.example.com","ClientRequestURI":"%s","ClientRequestMethod":"GET","ClientRequestUserAgent":"%s","ClientIP":"%s","EdgeResponseStatus":%d,"EdgeStartTimestamp":"2026-05-24T06:0%d:00Z","SampleInterval":10}`+"\n", target, googlebot, google, 200+i/4*203, i)
	}
	log.WriteString(strings.ReplaceAll(strings.Split(log.String(), "\n")[2], "www.example.com", "other.example") + "\n")
	log.WriteString(strings.ReplaceAll(strings.Split(log.String(), "\n")[2], googlebot, person) + "\n")
	requests, of := readLogs(t, line.Options{}, exampleSite("User-agent: *\nDisallow: /private\n"), writeLogs(t, "edge.json", log.String())...)
	g := crawlerOf(t, of, "Googlebot")
	if want := (audit.LogTally{Requests: 50, Obeyed: 20, Disobeyed: 10, Exempt: 20}); g.Genuine != want || of.Scaled != 10 {
		t.Errorf("%+v, want %+v, scaled %v", g.Genuine, want, of.Scaled)
	}
	if want := (audit.LogCount{Name: "403", Requests: 10}); len(g.Codes) != 1 || g.Codes[0] != want {
		t.Errorf("codes %+v", g.Codes)
	}
	if g.Robots.Requests != 20 || len(g.Robots.Answers) != 1 || g.Robots.Answers[0].Requests != 20 || g.Rules[0].Requests != 10 || g.Days[0].Requests != 50 {
		t.Errorf("robots.txt %+v, rules %+v, days %+v", g.Robots, g.Rules, g.Days)
	}
	if f := requests.Files[0]; f.Crawlers != 60 || f.Visitors != 10 || f.Requests != 7 {
		t.Errorf("file %+v", f)
	}
	if _, all := requests.OtherHosts([]string{"https://www.example.com"}, 20); all != 10 {
		t.Errorf("%d requests to other hosts", all)
	}
}

// TestCodes: the ten statuses of errors with most own requests are listed, those for robots.txt too, and those of
// other addresses not.
func TestCodes(t *testing.T) {
	var log strings.Builder
	for i := range 14 {
		for range 1 + i%3 {
			log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", "/a", 398+i, googlebot))
		}
	}
	log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", "/robots.txt", 404, googlebot))
	log.WriteString(logged("198.51.100.7", "24/May/2026:06:00:00 +0000", "/a", 500, googlebot))
	_, of := readLogs(t, line.Options{}, exampleSite(""), writeLogs(t, "access.log", log.String())...)
	var got []string
	for _, c := range crawlerOf(t, of, "Googlebot").Codes {
		got = append(got, fmt.Sprint(c.Name, " ", c.Requests))
	}
	if want := "400 3, 403 3, 406 3, 409 3, 402 2, 404 2, 405 2, 408 2, 411 2, 401 1"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	if c := crawlerOf(t, of, "Googlebot"); c.Claimed.Requests != 1 {
		t.Errorf("%+v", c.Claimed)
	}
}

// TestOrphans: a URL that the run did not find is an orphan if any request for it got 200, and is so once.
func TestOrphans(t *testing.T) {
	var log strings.Builder
	for i, status := range []int{301, 404, 200, 200, 503} {
		log.WriteString(logged(google, fmt.Sprintf("24/May/2026:06:00:0%d +0000", i), "/orphan?id=7", status, googlebot))
		log.WriteString(logged(google, fmt.Sprintf("24/May/2026:06:01:0%d +0000", i), "/a", status, googlebot))
	}
	log.WriteString(logged(google, "24/May/2026:06:02:00 +0000", "/gone", 404, googlebot))
	_, of := readLogs(t, line.Options{}, exampleSite("", URL{Loc: "https://www.example.com/a", Listed: true}), writeLogs(t, "access.log", log.String())...)
	if g := crawlerOf(t, of, "Googlebot"); g.Orphans != 1 || len(g.Orphan) != 1 || g.Orphan[0] != "https://www.example.com/orphan?id=…" {
		t.Errorf("%d orphans: %q", g.Orphans, g.Orphan)
	}
}

// TestParts: parts have the names that the run has for them, however few URLs of a part the log has.
func TestParts(t *testing.T) {
	var urls []URL
	for i := range 40 {
		urls = append(urls, URL{Loc: fmt.Sprintf("https://www.example.com/shop/%s/view", word(i)), Listed: true}, URL{Loc: fmt.Sprintf("https://www.example.com/blog/%d", i), Listed: true})
	}
	site := exampleSite("", urls...)
	site.Segment = func(loc string) string {
		if strings.Contains(loc, "/shop/") {
			return "goods"
		}
		return "rest"
	}
	var log strings.Builder
	for _, target := range []string{"/shop/" + word(3) + "/view", "/shop/" + word(4) + "/view", "/shop/unheard/view", "/blog/3", "/other/3", "/other/x"} {
		log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", target, 200, googlebot))
	}
	_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", log.String())...)
	g := crawlerOf(t, of, "Googlebot")
	for name, test := range map[string]struct {
		got  []audit.LogPart
		want string
	}{
		"templates": {g.Templates, "/shop/{…}/view 3, /blog/{n} 1, /other/x 1, /other/{n} 1"},
		"segments":  {g.Segments, "goods 3, rest 3"},
	} {
		var got []string
		for _, part := range test.got {
			got = append(got, fmt.Sprint(part.Name, " ", part.URLs))
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// word is a word without figures, another one for each number.
func word(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'g' }, fmt.Sprint(n))
}

// TestEmptyLists: an empty list is [] in JSON, which programs can read like any other.
func TestEmptyLists(t *testing.T) {
	empty := exampleSite("")
	empty.Origins = nil
	for name, log := range map[string]string{
		"":          "",
		"Googlebot": logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot),
		"GPTBot":    logged(nobody, "24/May/2026:06:00:00 +0000", "/a", 200, gptbot),
	} {
		for _, site := range []Site{exampleSite(""), empty} {
			_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", log)...)
			text, err := json.Marshal(of)
			if err != nil || bytes.Contains(text, []byte("null")) || len(site.Origins) > 0 && name != "" && !strings.Contains(string(text), name) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// TestLimits: what could not be kept or judged is named, so that no report hides it.
func TestLimits(t *testing.T) {
	var many, days, answers, parts strings.Builder
	var rules strings.Builder
	rules.WriteString("User-agent: *\n")
	for i := range maxRules + 1 {
		fmt.Fprintf(&rules, "Disallow: /r%d$\n", i)
		many.WriteString(logged(google, "24/May/2026:06:00:00 +0000", fmt.Sprintf("/r%d", i), 200, googlebot))
	}
	for i := range maxDays + 1 {
		days.WriteString(logged(google, time.Unix(int64(10000+i)*86400, 0).UTC().Format("02/Jan/2006:15:04:05 -0700"), "/a", 200, googlebot))
	}
	for i := range maxAnswers + 1 {
		answers.WriteString(logged(google, fmt.Sprintf("24/May/2026:06:%02d:00 +0000", i), "/robots.txt", 200+i%2*4, googlebot))
	}
	for i := range maxListed + 1 {
		parts.WriteString(logged(google, "24/May/2026:06:00:00 +0000", fmt.Sprintf("/d%d/x", i), 200, googlebot))
	}
	for name, test := range map[string]struct {
		log  string
		want []audit.LogLimit
	}{
		"none":    {logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot), []audit.LogLimit{}},
		"rules":   {many.String(), []audit.LogLimit{audit.LogLimitRules}},
		"days":    {days.String(), []audit.LogLimit{audit.LogLimitDays}},
		"answers": {answers.String(), []audit.LogLimit{audit.LogLimitAnswers}},
		"parts":   {parts.String(), []audit.LogLimit{audit.LogLimitParts}},
		"decoded": {"#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status\n2026-05-24 06:00:00 GET /a%20b " + google + " Googlebot/2.1 200\n", []audit.LogLimit{audit.LogLimitDecoded}},
	} {
		_, of := readLogs(t, line.Options{}, exampleSite(rules.String()), writeLogs(t, "access.log", test.log)...)
		if len(of.Crawlers) != 1 || !slices.Equal(of.Limits, test.want) {
			t.Errorf("%s: %d crawlers, limits %q, want %q", name, len(of.Crawlers), of.Limits, test.want)
		}
	}
}

// TestWeights: requests to www.example.com weigh the URLs of a site that the list calls example.com, and
// those that only claim a crawler's name weigh nothing.
func TestWeights(t *testing.T) {
	names := writeLogs(t, "access.log",
		"www.example.com:443 "+logged(google, "24/May/2026:06:00:00 +0000", "/a?b=1", 200, googlebot)+
			"www.example.com:443 "+logged(google, "25/May/2026:06:00:00 +0000", "/a?b=1", 200, googlebot)+
			"www.example.com:80 "+logged(google, "25/May/2026:06:00:00 +0000", "/a?b=1", 301, googlebot)+
			"www.example.com:443 "+logged(nobody, "26/May/2026:06:00:00 +0000", "/a?b=1", 200, gptbot))
	requests, _ := readLogs(t, line.Options{}, exampleSite(""), names...)
	crawlers, err := audit.ParseCrawlers("GPTBot,Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := requests.Weights(set, crawlers)
	d, _ := audit.ParseDomain("example.com")
	if p, ok := w.Period(d); !ok || p.From.Day() != 24 || p.To.Day() != 26 {
		t.Errorf("period %v, %v", p, ok)
	}
	for url, want := range map[string][2]int64{
		"https://www.example.com/a?b=1": {0, 2}, "http://www.example.com/a?b=1": {0, 1}, "https://www.example.com/a": {}, "https://other.example/a?b=1": {},
	} {
		var got [2]int64
		if found := w.Hits(url, got[:]); got != want || found != (want[1] > 0) {
			t.Errorf("%s: %v, %v, want %v", url, got, found, want)
		}
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
