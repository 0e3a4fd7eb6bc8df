package logs_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/audit/logs/agent"
	"robots-audit/engine"
)

// published is the day of the embedded address ranges.
var published = time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)

// sender is a crawler of a world as logs show it: its user agents, an address of its operator's list,
// and one of another list of the operator. "" = there is none.
type sender struct {
	name, agent, own, related string
}

// senders are the crawlers of newWorld in their order.
var senders = []sender{
	{"Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "66.249.66.%d", "66.249.90.33"},
	{"GPTBot", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "20.171.206.%d", "4.151.71.180"},
	{"Bingbot", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "157.55.39.%d", ""},
	{"AdsBot-Google", "AdsBot-Google (+http://www.google.com/adsbot.html)", "66.249.90.%d", "66.249.66.1"},
	{"ChatGPT-User", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", "4.151.119.50", "20.171.206.7"},
	{"Bytespider", "Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)", "", ""},
	{"YandexBot", "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "5.255.231.%d", ""},
	{"Elder", "Elder/1.0", "", ""},
	{"Old", "Old/1.0", "", ""},
	{"Free", "Free/1.0", "", ""},
}

const person = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

// logged is a line of a log.
type logged struct {
	crawler int // logs.Visitor = a visitor
	who     agent.Identity
	address string
	at      int64
	method  string
	target  string
	status  int
	scheme  string // "" = not in the line
	host    string
	id      string
	honest  bool // the crawler obeyed the robots.txt that it had
}

// robots reports whether the line is a request for robots.txt.
func (l *logged) robots() bool { return l.target == "/robots.txt" || l.target == "/robots.txt?x" }

// exact reports whether the line is a request to the origin of the world.
func (l *logged) exact() bool { return l.scheme != "http" }

// read returns the request for robots.txt as the judge takes it; false = it is none.
func (l *logged) read() (r robotsRead, ok bool) {
	r = robotsRead{l.crawler, l.at, l.status}
	if l.crawler >= 0 && senders[l.crawler].own != "" && l.who != agent.Genuine {
		r.crawler = logs.Visitor
	}
	return r, l.robots() && l.method == "GET" && l.exact()
}

// forms write a line in several formats. bare = the lines have no host, with fields = a file begins so.
var forms = []struct {
	name, head string
	bare, id   bool
	write      func(l *logged, agent string) string
}{
	{"combined", "", true, false, func(l *logged, agent string) string { return combined(l, agent) }},
	{"vhost", "", false, false, func(l *logged, agent string) string { return l.host + ":443 " + combined(l, agent) }},
	{"json", "", false, true, func(l *logged, agent string) string {
		at := time.Unix(l.at, 0).In(time.FixedZone("", 2*3600)).Format(time.RFC3339)
		b, _ := json.Marshal(map[string]any{"time_iso8601": at, "remote_addr": l.address, "request_method": l.method, "request_uri": l.target,
			"status": l.status, "http_user_agent": agent, "host": l.host, "scheme": l.scheme, "request_id": l.id})
		return string(b)
	}},
	{"w3c", "#Software: x\n#Fields: date time c-ip cs-host cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n", false, false, func(l *logged, agent string) string {
		path, query, ok := strings.Cut(l.target, "?")
		if !ok {
			query = "-"
		}
		return fmt.Sprintf("%s %s %s %s %s %s %d %s", time.Unix(l.at, 0).UTC().Format("2006-01-02 15:04:05"), l.address, l.host, l.method, path, query, l.status,
			strings.ReplaceAll(agent, " ", "+"))
	}},
}

func combined(l *logged, agent string) string {
	status := strconv.Itoa(l.status)
	if l.status == 0 {
		status = "-"
	}
	at := time.Unix(l.at, 0).In(time.FixedZone("", -7*1800)).Format("02/Jan/2006:15:04:05 -0700")
	return fmt.Sprintf("%s - - [%s] \"%s %s HTTP/1.1\" %s 12 \"-\" \"%s\"", l.address, at, l.method, l.target, status, agent)
}

// identity is who sends from an address, by the day of the list.
func identity(crawler int, address string, at int64) agent.Identity {
	s := senders[crawler]
	beginning, _, _ := strings.Cut(s.own, "%")
	switch limit := int64(180 * day); {
	case s.own == "":
		return agent.Unknown
	case strings.HasPrefix(address, beginning):
		return agent.Genuine
	case address == s.related || at < published.Unix()-limit || at > published.Unix()+limit:
		return agent.Unknown
	}
	return agent.Claimed
}

// lines are the requests of a world as lines, with visitors and requests to other hosts between them.
func (w *world) lines(start int64) (list []logged) {
	add := func(l logged, proved bool) {
		l.at += start
		l.host, l.id = "example.com", fmt.Sprint("id", len(list))
		if l.scheme == "" && w.IntN(3) == 0 {
			l.scheme = "https"
		}
		switch {
		case l.crawler < 0:
			l.address = "203.0.113.9"
		default:
			s := senders[l.crawler]
			l.address = fmt.Sprintf("198.51.100.%d", w.IntN(256))
			if proved && s.own != "" {
				if l.address = s.own; strings.Contains(s.own, "%") {
					l.address = fmt.Sprintf(s.own, 1+w.IntN(100))
				}
			} else if w.IntN(4) == 0 && s.related != "" {
				l.address = s.related
			}
			l.who = identity(l.crawler, l.address, l.at)
		}
		list = append(list, l)
	}
	statuses := []int{200, 200, 200, 301, 304, 404, 500, 204}
	for _, r := range w.requests {
		l := logged{crawler: r.crawler, at: r.at, method: "GET", target: strings.TrimPrefix(r.url, origin), status: statuses[w.IntN(len(statuses))], honest: r.honest}
		if l.robots() && (r.genuine || senders[r.crawler].own == "") {
			l.method = "HEAD" // gives no file
		}
		if w.IntN(40) == 0 {
			l.scheme = "http"
		}
		add(l, r.genuine)
	}
	for _, r := range w.reads {
		add(logged{crawler: r.crawler, at: r.at, method: "GET", target: "/robots.txt", status: r.status}, true)
	}
	for i, s := range senders {
		for n := 0; s.own != "" && n < 8; n++ { // of others who read it in a crawler's name
			at := w.Int64N(w.length)
			add(logged{crawler: i, at: at, method: "GET", target: "/robots.txt", status: w.status(at, i)}, false)
		}
	}
	for i := range senders { // of another origin
		for range 4 {
			at := w.Int64N(w.length)
			add(logged{crawler: i, at: at, method: "GET", target: "/robots.txt", status: []int{200, 404, 503}[w.IntN(3)], scheme: "http"}, true)
		}
	}
	for range 6 { // of visitors, some of whom get another answer
		add(logged{crawler: logs.Visitor, at: w.Int64N(w.length), method: "GET", target: "/robots.txt", status: []int{404, 404, 204, 503}[w.IntN(4)]}, false)
	}
	for i, s := range senders { // in the second in which a run looked
		for n := 0; s.own == "" && n < 4; n++ {
			at := w.moment(nil)
			if n < 3 {
				at = w.runs[w.IntN(len(w.runs))].At.Unix() - start
			}
			add(logged{crawler: i, at: at, method: "GET", target: "/robots.txt", status: w.status(at, i)}, false)
		}
	}
	for range 500 {
		add(logged{crawler: logs.Visitor, at: w.Int64N(w.length), method: "GET", target: w.url()[len(origin):], status: 200}, false)
		if l := &list[len(list)-1]; l.robots() {
			l.method = "HEAD"
		}
	}
	return list
}

// write writes lines as rotations of several formats, and returns the names of the files in any order.
// Some files are given twice, and some lines are in two files. It returns the times of those.
func (w *world) write(t *testing.T, list []logged, start int64) (names []string, repeated []int64) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]*[]string{}
	put := func(name, line string) {
		if files[name] == nil {
			files[name] = &[]string{}
		}
		*files[name] = append(*files[name], line)
	}
	heads := map[string]string{}
	for i := range list {
		l := &list[i]
		form := forms[w.IntN(len(forms))]
		if l.scheme != "" {
			form = forms[2]
		}
		who := person
		if l.crawler >= 0 {
			who = senders[l.crawler].agent
		}
		days := int64(3)
		if form.bare {
			days = 1
		}
		name := fmt.Sprintf("%s.log.%d", form.name, (l.at-start)/day/days+1)
		heads[name] = form.head
		if form.bare && w.IntN(20) == 0 {
			form = forms[1] // in the same file
		}
		put(name, form.write(l, who))
		if form.id && l.crawler >= 0 && w.IntN(20) == 0 {
			put(fmt.Sprintf("%s.log.copy%d", form.name, w.IntN(3)), form.write(l, who))
			repeated = append(repeated, l.at)
		}
		if !form.bare && w.IntN(20) == 0 {
			other := *l
			other.host, other.id = "other.example", "other "+l.id
			put(name, form.write(&other, who))
		}
	}
	large := slices.Sorted(maps.Keys(files))[0] // it has several blocks
	for i := range 12_000 {
		put(large, fmt.Sprintf("%s - - [%s] \"GET /%d HTTP/1.1\" 200 12 \"-\" \"%s\"", "203.0.113.9", time.Unix(start, 0).UTC().Format("02/Jan/2006:15:04:05 -0700"), i, person))
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		lines := *files[name]
		w.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
		content := []byte(heads[name] + strings.Join(lines, "\n") + "\n")
		endings := []string{[]string{"", ".gz", ".zst"}[w.IntN(3)]}
		if w.IntN(4) == 0 {
			endings = []string{"", ".gz", ".zst"}[:2+w.IntN(2)]
		}
		for _, ending := range endings {
			path := filepath.Join(dir, name+ending)
			if err := os.WriteFile(path, packed(t, content, ending), 0o600); err != nil {
				t.Fatal(err)
			}
			names = append(names, path)
		}
	}
	w.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	return names, repeated
}

// packed compresses a file as its name ends.
func packed(t *testing.T, content []byte, ending string) []byte {
	var b bytes.Buffer
	switch ending {
	case ".gz":
		z := gzip.NewWriter(&b)
		half := len(content) / 2
		z.Write(content[:half])
		z.Close()
		z.Reset(&b) // a second member
		z.Write(content[half:])
		z.Close()
	case ".zst":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(content)
		z.Close()
	default:
		return content
	}
	return b.Bytes()
}

// audited is the number of senders, the first ones, whose verdicts a run has.
const audited = 6

// runPaths are those of the URLs that a run may have. No crawler requests the last ones.
var runPaths = append(slices.Clone(worldPaths), "/a/never", "/b/never?x", "/d/never", "/never")

// found are the URLs of a run of the world: in sitemaps or not.
func (w *world) found() map[string]bool {
	found := map[string]bool{}
	for _, path := range runPaths {
		if n := w.IntN(4); n > 0 && !strings.HasPrefix(path, "/robots.txt") {
			found[origin+path] = n > 1
		}
	}
	return found
}

// pages yields the URLs of a run with their verdicts.
func pages(b *brute, found map[string]bool) iter.Seq2[logs.URL, error] {
	return func(yield func(logs.URL, error) bool) {
		for _, path := range runPaths {
			u := logs.URL{Loc: origin + path}
			var ok bool
			if u.Listed, ok = found[u.Loc]; !ok {
				continue
			}
			for crawler := range audited {
				verdict := engine.Allow
				if b.verdict(b.versions[len(b.versions)-1], crawler, u.Loc).blocks {
					verdict = engine.Disallow
				}
				u.Verdicts = append(u.Verdicts, verdict)
			}
			if !yield(u, nil) {
				return
			}
		}
	}
}

// count counts the lines of a crawler the slow way. listed are the URLs of the run.
func (w *world) count(t *testing.T, b *brute, list []logged, crawler int, versions []audit.LogVersion, listed map[string]bool) (c audit.LogCrawler, classes [7]int) {
	c.Days, c.Rules, c.Directories = []audit.LogDay{}, []audit.LogRule{}, []audit.LogPart{}
	days, rules, ruleURLs := map[string]*audit.LogDay{}, map[string]*audit.LogRule{}, map[string]bool{}
	urls, statuses, codes, robots := map[string]bool{}, map[string]int64{}, map[string]int64{}, map[string]int64{}
	directories, orphans, networks := map[string]*audit.LogPart{}, map[string]bool{}, map[string]int64{}
	blockedNow := func(url string) bool { return b.verdict(b.versions[len(b.versions)-1], crawler, url).blocks }
	for i := range list {
		l := &list[i]
		if l.crawler != crawler {
			continue
		}
		class := logs.Unclear
		version, number, rule, blocks := -1, 0, "", false
		url := origin + l.target
		if !l.exact() {
			if w.user[crawler] || l.robots() { // robots.txt itself is not judged
				class = logs.Exempt
			}
		} else {
			class = b.class(crawler, url, l.at, l.who == agent.Genuine)
			version, number, rule, blocks = b.where(class, crawler, url, l.at)
		}
		classes[class]++
		if class == logs.Disobeyed {
			from := l.at - day
			if read, _, _, ok := b.lastRead(crawler, l.at); ok {
				from = min(from, read)
			}
			start := b.from + 2*day
			if l.honest || l.who != agent.Genuine || !w.blockedThroughout(crawler, url, from-start, l.at-start) {
				t.Errorf("%s is accused without proof: %+v", senders[crawler].name, *l)
			}
		}
		tally := [...]*audit.LogTally{&c.Unknown, &c.Genuine, &c.Claimed}[l.who]
		tally.Requests++
		*[...]*int64{&tally.Unclear, &tally.Obeyed, &tally.Disobeyed, &tally.Blocked, &tally.Grace, &tally.Grace, &tally.Exempt}[class]++
		if class == logs.Stale {
			tally.Stale++
		}
		if l.who == agent.Claimed {
			address, bits := netip.MustParseAddr(l.address), 24
			if address.Is6() {
				bits = 32
			}
			network, _ := address.Prefix(bits)
			networks[network.String()]++
			continue
		}
		name := time.Unix(l.at, 0).UTC().Format(time.DateOnly)
		if days[name] == nil {
			days[name] = &audit.LogDay{Day: name}
		}
		d := days[name]
		statuses[map[int]string{2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx", 0: "other"}[l.status/100]]++
		d.Requests++
		failed := l.status >= 400
		if failed {
			codes[strconv.Itoa(l.status)]++
		}
		grace := class == logs.Grace || class == logs.Stale
		if failed && !l.robots() {
			d.Errors++
		}
		if class == logs.Disobeyed {
			d.Disobeyed++
		}
		if grace {
			d.Grace++
		}
		if l.robots() {
			name := "none"
			if l.status > 0 {
				name = strconv.Itoa(l.status)
			}
			robots[name]++
			d.Robots++
			if failed || l.status == 0 {
				d.RobotsBad++
			}
			continue
		}
		directory, query, _ := strings.Cut(l.target, "?")
		if end := strings.Index(directory[1:], "/"); end >= 0 {
			directory = directory[:end+2]
		} else if query == "" {
			directory = "/"
		}
		part := directories[directory]
		if part == nil {
			part = &audit.LogPart{Name: directory}
			directories[directory] = part
		}
		part.Requests++
		if !urls[url] {
			urls[url] = true
			part.URLs++
		}
		switch {
		case failed:
			c.Waste.Errors++
			part.Errors++
		case l.status == 301:
			c.Waste.Redirects++
			part.Redirects++
		case l.status > 0:
			part.OK++
		}
		if strings.Contains(url, "?") && !listed[url] {
			c.Waste.Parameters++
		}
		if blockedNow(url) && l.exact() {
			c.Waste.Blocked++
			part.Blocked++
		}
		if _, found := listed[url]; !found && l.status == 200 {
			orphans[url] = true
		}
		if version < 0 || !blocks && !grace && class != logs.Disobeyed && class != logs.Blocked {
			continue
		}
		key := fmt.Sprint(version, " ", number)
		r := rules[key]
		if r == nil {
			r = &audit.LogRule{Version: versions[version].Name, Line: number, Rule: rule}
			rules[key] = r
		}
		r.Requests++
		if !ruleURLs[key+url] {
			ruleURLs[key+url] = true
			r.URLs++
		}
		at := time.Unix(l.at, 0).UTC()
		switch {
		case class == logs.Disobeyed:
			if r.Disobeyed++; r.First.IsZero() || at.Before(r.First) {
				r.First = at
			}
			if at.After(r.Last) {
				r.Last = at
			}
		case grace:
			r.Grace++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(days)) {
		c.Days = append(c.Days, *days[name])
	}
	for _, r := range rules {
		c.Rules = append(c.Rules, *r)
	}
	for _, part := range directories {
		c.Directories = append(c.Directories, *part)
	}
	c.Orphans = int64(len(orphans))
	for _, path := range runPaths {
		if !listed[origin+path] || urls[origin+path] {
			continue
		}
		c.NeverFetched++
		if crawler < audited && blockedNow(origin+path) {
			c.NeverBlocked++
		} else {
			c.Never = append(c.Never, origin+path)
		}
	}
	c.Name, c.URLs, c.Statuses = senders[crawler].name, int64(len(urls)), mostFirst(statuses)
	c.Codes, c.Robots = mostFirst(codes), robotsOf(b, list, crawler, versions)
	c.Robots.Statuses, c.Networks = mostFirst(robots), mostFirst(networks)
	for _, n := range robots {
		c.Robots.Requests += n
	}
	return c, classes
}

// robotsOf says when a crawler read robots.txt.
func robotsOf(b *brute, list []logged, crawler int, versions []audit.LogVersion) (r audit.LogRobots) {
	r.Answers, r.Learned = []audit.LogAnswer{}, []audit.LogLearnt{}
	var own []robotsRead
	from, to := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range list {
		l := &list[i]
		if l.crawler < 0 {
			continue
		}
		from, to = min(from, l.at), max(to, l.at)
		if read, ok := l.read(); ok && l.crawler == crawler && l.who != agent.Claimed {
			own = append(own, read)
		}
	}
	slices.SortFunc(own, func(x, y robotsRead) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.status, y.status)) })
	for i, read := range own {
		r.Last, r.LastStatus = time.Unix(read.at, 0).UTC(), read.status
		if i == 0 || own[i-1].status != read.status {
			r.Answers = append(r.Answers, audit.LogAnswer{Status: read.status, First: r.Last})
		}
		answer := &r.Answers[len(r.Answers)-1]
		answer.Last = r.Last
		answer.Requests++
		if !read.gives() && !read.opens() {
			continue
		}
		r.Read, r.Knows = r.Last, ""
		before, after, doubt := b.around(read.at)
		var may []int
		for _, version := range []int{before, after} {
			if version < 0 {
				doubt = true
			} else if b.contents[b.versions[version]].File.Status == 200 == read.gives() && !slices.Contains(may, version) {
				may = append(may, version)
			}
		}
		if len(may) == 1 && !doubt {
			r.Knows = versions[may[0]].Name
		}
	}
	r.Answers = r.Answers[max(len(r.Answers)-50, 0):]
	var passed []float64
	for _, v := range versions[1:] {
		if v.First.Unix() < from || v.First.Unix() > to {
			continue
		}
		learnt, perhaps := audit.LogLearnt{Version: v.Name, Changed: v.First}, false
		for _, read := range own {
			perhaps = perhaps || (read.gives() || read.opens()) && time.Unix(read.at, 0).After(v.Before.Truncate(time.Second))
			if at := time.Unix(read.at, 0).UTC(); learnt.Read.IsZero() && !at.Before(v.First) && (read.gives() || read.opens()) {
				learnt.Read = at
				passed = append(passed, at.Sub(v.First).Hours()/24)
			}
		}
		r.Learned = append(r.Learned, learnt)
		r.Waiting = !perhaps
	}
	r.MedianDays = -1
	if slices.Sort(passed); len(passed) > 0 {
		r.MedianDays = (passed[(len(passed)-1)/2] + passed[len(passed)/2]) / 2
	}
	return r
}

func mostFirst(counts map[string]int64) []audit.LogCount {
	list := []audit.LogCount{}
	for name, n := range counts {
		list = append(list, audit.LogCount{Name: name, Requests: n})
	}
	slices.SortFunc(list, func(a, b audit.LogCount) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	})
	return list
}

// TestPlantedFiles writes the requests of worlds as logs, and compares the counts per crawler with
// those of the slow judge. TEST_TIMES sets the number of worlds, TEST_SEED the first.
func TestPlantedFiles(t *testing.T) {
	t.Parallel()
	times, seed := 3, uint64(5)
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		times = n
	}
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	var all [7]int
	identities := map[agent.Identity]int{}
	lines, files, twice := 0, 0, 0
	for range times {
		w := newWorld(t, seed)
		// Some worlds are partly outside of the time for which the published ranges say who it is not.
		shift := []int64{0, -130 * day, 0, 215 * day}[seed%4]
		start := worldStart + shift
		for i := range w.runs {
			w.runs[i].At = w.runs[i].At.Add(time.Duration(shift) * time.Second)
		}
		list := w.lines(start)
		from, to := start, start+w.length
		if seed%3 != 2 {
			from, to = start+w.length/3, start+w.length/4*3
			moved := 0
			for i := range list { // at the limits
				if l := &list[i]; l.crawler >= 0 && !l.honest && !l.robots() && moved < 60 {
					l.at = []int64{from - 1, from, to - 1, to}[moved%4]
					l.who = identity(l.crawler, l.address, l.at)
					moved++
				}
			}
		}
		names, repeated := w.write(t, list, start)
		set, err := agent.New(agent.Options{Own: w.ownCrawlers()})
		if err != nil {
			t.Fatal(err)
		}
		reader := logs.Reader{Crawlers: set, Dir: t.TempDir(), HostOf: func(string) string { return "example.com" }}
		if to < start+w.length {
			reader.From, reader.To = time.Unix(from, 0), time.Unix(to, 0)
		}
		requests, err := reader.Read(context.Background(), names)
		if err != nil {
			t.Fatal(err)
		}
		var reads []robotsRead
		for i := range list {
			if r, ok := list[i].read(); ok {
				reads = append(reads, r)
			}
			if list[i].crawler >= 0 {
				identities[list[i].who]++
			}
		}
		inside := slices.DeleteFunc(slices.Clone(list), func(l logged) bool { return l.at < from || l.at >= to })
		repeated = slices.DeleteFunc(repeated, func(at int64) bool { return at < from || at >= to })
		b, found := newBrute(audit.LogHistory, w.runs, reads, w.crawlers, w.user, start-2*day, start+w.length), w.found()
		site := logs.Site{Name: "example.com", Source: audit.LogHistory, Origins: []logs.Origin{{Name: origin, Seen: w.runs}}, URLs: func() iter.Seq2[logs.URL, error] { return pages(b, found) }}
		for _, s := range senders[:audited] {
			site.Audited = append(site.Audited, s.name)
		}
		got, err := requests.Judge(set, &site)
		if err != nil {
			t.Fatal(err)
		}
		requests.Close()
		if len(got.Versions) != len(b.versions) || len(got.Crawlers) != len(senders) || got.Repeated != int64(len(repeated)) {
			t.Errorf("%d versions, %d crawlers, %d repeated, want %d, %d, %d", len(got.Versions), len(got.Crawlers), got.Repeated, len(b.versions), len(senders), len(repeated))
		}
		for i := range senders {
			want, classes := w.count(t, b, inside, i, got.Versions, found)
			for class, n := range classes {
				all[class] += n
			}
			compareCrawler(t, got.Crawlers, &want)
		}
		for _, f := range requests.Files {
			files++
			if f.Twice != "" {
				twice++
			}
			if len(f.Errors) > 0 || f.Early != "" {
				t.Errorf("%s: %v %s", f.Name, f.Errors, f.Early)
			}
		}
		lines += len(list)
		if t.Failed() {
			t.Fatalf("TEST_SEED=%d TEST_TIMES=1", seed)
		}
		seed++
	}
	for class, n := range all {
		if n < 20 && times >= 3 && os.Getenv("TEST_SEED") == "" {
			t.Errorf("only %d requests are %v", n, logs.Class(class))
		}
	}
	t.Logf("%d lines, classes %v, identities %v, %d files, %d of them twice", lines, all, identities, files, twice)
}

// ownCrawlers are those of the world that the crawler list does not have.
func (w *world) ownCrawlers() (own []engine.Crawler) {
	for i, s := range senders[7:] {
		c := w.crawlers[7+i]
		c.Name, c.Agent = s.name, s.name
		own = append(own, c)
	}
	return own
}

// compareCrawler compares what was counted of a crawler.
func compareCrawler(t *testing.T, list []audit.LogCrawler, want *audit.LogCrawler) {
	t.Helper()
	i := slices.IndexFunc(list, func(c audit.LogCrawler) bool { return c.Name == want.Name })
	if i < 0 {
		t.Errorf("no %s", want.Name)
		return
	}
	got := list[i]
	got.Operator, got.Purpose, got.Templates, got.Types, got.Orphan = "", "", nil, nil, nil
	got.Rules = slices.Clone(got.Rules)
	for _, c := range []*audit.LogCrawler{&got, want} {
		slices.SortFunc(c.Rules, func(a, b audit.LogRule) int {
			return cmp.Or(a.First.Compare(b.First), strings.Compare(a.Version, b.Version), cmp.Compare(a.Line, b.Line))
		})
		for i := range c.Rules {
			c.Rules[i].Samples = nil
		}
		slices.SortFunc(c.Directories, func(a, b audit.LogPart) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"genuine", got.Genuine, want.Genuine}, {"unknown", got.Unknown, want.Unknown}, {"claimed", got.Claimed, want.Claimed},
		{"statuses", got.Statuses, want.Statuses}, {"codes", got.Codes, want.Codes}, {"waste", got.Waste, want.Waste}, {"rules", got.Rules, want.Rules}, {"days", got.Days, want.Days},
		{"directories", got.Directories, want.Directories}, {"never fetched", got.Never, want.Never},
		{"robots.txt", got.Robots, want.Robots}, {"all", got, *want},
	} {
		g, _ := json.Marshal(part.got)
		n, _ := json.Marshal(part.want)
		if !bytes.Equal(g, n) {
			at := 0
			for at < min(len(g), len(n)) && g[at] == n[at] {
				at++
			}
			at = max(0, at-150)
			t.Errorf("%s, %s differ:\n got %.500s\nwant %.500s", want.Name, part.name, g[at:], n[at:])
			return
		}
	}
}
