package logs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/engine"
)

const origin = "https://example.com"

// worldStart is second 0 of a world.
var worldStart = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()

// period is a time in which one content is in force.
type period struct {
	from    int64 // second of the world
	content int   // index into world.contents
	doubt   bool  // no run could confirm it
}

// world is a site with its robots.txt over time, and the crawlers that visit it.
type world struct {
	*rand.Rand
	length   int64 // seconds
	contents []logs.Observation
	truth    []period
	outages  [][2]int64         // robots.txt is answered with an error
	refused  map[int][2]int64   // one crawler gets errors
	runs     []logs.Observation // what the history has
	reads    []robotsRead
	crawlers []engine.Crawler
	user     []bool
	requests []plantedRequest
}

// plantedRequest is a request of a crawler for a page.
type plantedRequest struct {
	crawler int
	url     string
	at      int64
	genuine bool
	honest  bool // the crawler obeyed the robots.txt that it had
}

// habit is how a crawler of a world behaves.
type habit struct {
	every  int64 // mean seconds between its requests for robots.txt; 0 = the log has none
	obeys  bool
	proved bool // its addresses are published
}

var worldPaths = []string{"/", "/a", "/a/1", "/a/1?page=2", "/b", "/b/x.html", "/b/1", "/c?q", "/c/", "/d/e/f", "/d/x.html", "/a/robots.txt", "/.well-known", "/.well-known/x", "/robots.txt?x"}

// newWorld makes the world of a seed.
func newWorld(t *testing.T, seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 40)), refused: map[int][2]int64{}}
	w.length = int64(20+w.IntN(20)) * day
	if w.IntN(2) == 0 {
		w.length += 40 * day
	}
	for _, name := range []string{"Googlebot", "GPTBot", "Bingbot", "AdsBot-Google", "ChatGPT-User", "Bytespider", "YandexBot", "Googlebot@google-2019", "token:Old@rep-1994", "token:Free"} {
		c, err := engine.ParseCrawler(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "token:Free" {
			c.IgnoresGlobal = true // with a profile that knows no exemptions
		}
		w.crawlers = append(w.crawlers, c)
		w.user = append(w.user, name == "ChatGPT-User")
	}
	w.makeContents()
	w.makeTruth()
	w.makeRuns()
	for i := range w.crawlers {
		w.visit(i)
	}
	w.spoof()
	w.Shuffle(len(w.reads), func(i, k int) { w.reads[i], w.reads[k] = w.reads[k], w.reads[i] })
	w.Shuffle(len(w.requests), func(i, k int) { w.requests[i], w.requests[k] = w.requests[k], w.requests[i] })
	return w
}

func (w *world) makeContents() {
	for i := range 5 + w.IntN(3) {
		var body strings.Builder
		for _, agent := range []string{"*", "*", "Googlebot", "GPTBot", "bingbot", "AdsBot-Google", "Yandex", "Free", "Old"} {
			if agent != "*" && w.IntN(3) > 0 {
				continue
			}
			fmt.Fprintf(&body, "# %d\n\nUser-agent: %s\n", i, agent)
			if w.IntN(3) > 0 {
				body.WriteString("Disallow: /b\n")
			}
			for range w.IntN(4) {
				fmt.Fprintf(&body, "Disallow: %s\n", []string{"/a", "/a", "/c", "/d", "/", "/*.html", "/a/1"}[w.IntN(7)])
			}
			if w.IntN(4) == 0 {
				body.WriteString("Allow: /a/1\n")
			}
			if w.IntN(4) == 0 { // by Google's page of 2019 it is not defined which of them counts
				body.WriteString("Allow: /b/x\nDisallow: /*x.html\n")
			}
		}
		w.contents = append(w.contents, logs.Observation{File: engine.File{Status: 200, Body: []byte(body.String())}, SHA256: fmt.Sprint("content ", i), Told: true})
	}
	for _, status := range []int{404, 403} {
		w.contents = append(w.contents, logs.Observation{File: engine.File{Status: status}, Told: true})
	}
}

// makeTruth makes the history of the site: 12 contents or more. Some come back.
func (w *world) makeTruth() {
	n := 12 + w.IntN(4)
	if w.IntN(4) == 0 {
		n = 300
	}
	lengths := make([]float64, n)
	sum := 0.0
	for i := range lengths {
		lengths[i] = w.ExpFloat64() + 0.01
		sum += lengths[i]
	}
	at := 0.0
	for i := range lengths {
		content := w.IntN(len(w.contents))
		if i >= 2 && w.IntN(3) == 0 {
			content = w.truth[i-2].content
		}
		w.truth = append(w.truth, period{int64(at), content, i > 0 && w.IntN(8) == 0})
		at += lengths[i] / sum * float64(w.length)
	}
	for range 1 + w.IntN(3) {
		from := w.Int64N(w.length)
		w.outages = append(w.outages, [2]int64{from, from + 1 + w.Int64N(2*day)})
	}
	for i := range w.crawlers {
		from, length := int64(w.IntN(2))*w.Int64N(w.length/2), w.Int64N(10*day)
		if w.length > 60*day {
			length = 25*day + w.Int64N(20*day)
		}
		if w.IntN(2) == 0 {
			w.refused[i] = [2]int64{from, from + length}
		}
	}
}

// content is the one in force at a second.
func (w *world) content(at int64) int {
	p := w.truth[0]
	for _, next := range w.truth {
		if next.from <= at {
			p = next
		}
	}
	return p.content
}

// end is the end of a period.
func (w *world) end(i int) int64 {
	if i+1 < len(w.truth) {
		return w.truth[i+1].from
	}
	return w.length
}

// makeRuns lets runs look at the site every few hours to days. No content was in force between
// two runs without one that saw it, or saw that something is in doubt.
func (w *world) makeRuns() {
	run := func(at int64, kind int) {
		o := w.contents[w.content(at)]
		switch {
		case kind == 1:
			o = logs.Observation{File: engine.File{Status: []int{500, 503, 429, 0}[w.IntN(4)]}, Told: w.IntN(2) == 0}
			if w.IntN(4) == 0 { // the answer broke off
				o.File = engine.File{Status: 200, Body: []byte("User-agent: *\nDisallow: /"), Error: "timeout"}
			}
		case kind == 2:
			o.Told = false
		}
		o.At = time.Unix(worldStart+at, int64(w.IntN(2)*w.IntN(1e9))).UTC()
		w.runs = append(w.runs, o)
	}
	for i, p := range w.truth {
		for at := p.from + w.Int64N(day); at < w.end(i); at += 2*3600 + w.Int64N(3*day) {
			kind := 0
			if w.IntN(10) == 0 {
				kind = 1
			}
			if p.doubt || w.IntN(30) == 0 {
				kind = 2
			}
			run(at, kind)
		}
		switch length := w.end(i) - p.from; {
		case length == 0:
		case p.doubt:
			run(p.from+w.Int64N(length), 2)
		default:
			run(p.from+w.Int64N(length), 0)
		}
	}
	w.Shuffle(len(w.runs), func(i, k int) { w.runs[i], w.runs[k] = w.runs[k], w.runs[i] })
}

// status is the answer for robots.txt at a second.
func (w *world) status(at int64, crawler int) int {
	bad := []int{500, 503, 429, 0}[w.IntN(4)]
	for _, o := range w.outages {
		if o[0] <= at && at < o[1] {
			return bad
		}
	}
	if r, ok := w.refused[crawler]; ok && r[0] <= at && at < r[1] {
		return bad
	}
	if w.IntN(25) == 0 {
		return []int{301, 302, 204}[w.IntN(3)] // says nothing
	}
	if status := w.contents[w.content(at)].File.Status; status != 200 && w.IntN(10) > 0 { // or a copy of a cache
		return status
	}
	return []int{200, 200, 200, 206, 304}[w.IntN(5)]
}

// allowed reports whether a content allows a URL for a crawler; -1 = no file.
func (w *world) allowed(content, crawler int, url string) bool {
	f := engine.File{Status: 404}
	if content >= 0 {
		f = w.contents[content].File
	}
	c := w.crawlers[crawler]
	p, _ := engine.ProfileByName(c.Profile)
	g := p.Read(f).Group(c)
	return c.IgnoresGlobal && g.Reason == engine.Global || g.Verdict(url).Verdict != engine.Disallow
}

// visit lets a crawler read robots.txt and pages.
func (w *world) visit(crawler int) {
	h := habit{obeys: w.IntN(3) > 0, proved: crawler != 5}
	switch w.IntN(5) {
	case 0:
	case 1:
		h.every = 5 * day
	case 2:
		h.every = 12 * day
	default:
		h.every = 10 * 3600
	}
	var own []robotsRead
	if h.every > 0 {
		for at := w.Int64N(3 * day); at < w.length; at += 1 + int64(w.ExpFloat64()*float64(h.every)) {
			own = append(own, robotsRead{crawler, at, w.status(at, crawler)})
			if w.IntN(30) == 0 { // by another of its machines, and another of the site's servers answers
				own = append(own, robotsRead{crawler, at, []int{200, 404, 503}[w.IntN(3)]})
			}
		}
	}
	w.reads = append(w.reads, own...)
	for range 250 {
		r := plantedRequest{crawler: crawler, url: w.url(), at: w.moment(own), genuine: h.proved}
		if h.obeys {
			if r.honest = w.permitted(own, crawler, r.url, r.at); !r.honest {
				continue
			}
		}
		w.requests = append(w.requests, r)
	}
}

// permitted reports whether a crawler that obeys may fetch a URL, by the copy that it has.
func (w *world) permitted(own []robotsRead, crawler int, url string, at int64) bool {
	has, content, failing := false, 0, int64(-1)
	for _, r := range own {
		switch {
		case r.at > at:
		case r.opens():
			has, content, failing = true, -1, -1
		case r.gives():
			has, content, failing = true, w.content(r.at), -1
		case r.fails() && w.crawlers[crawler].Profile == "yandex":
			has, content = true, -1
		case r.fails() && failing < 0:
			failing = r.at
		}
	}
	switch {
	case has && (failing < 0 || at-failing < 30*day):
	case failing >= 0:
		content = -1
	default: // it read the file where the log does not show it, within a day
		content = w.content(max(0, at-w.Int64N(day+1)))
	}
	return w.allowed(content, crawler, url)
}

func (w *world) url() string { return origin + worldPaths[w.IntN(len(worldPaths))] }

// moment is any second, but often one at which something changes.
func (w *world) moment(own []robotsRead) int64 {
	at := w.Int64N(w.length)
	switch w.IntN(4) {
	case 0:
		at = w.runs[w.IntN(len(w.runs))].At.Unix() - worldStart
	case 1:
		if len(own) > 0 {
			at = own[w.IntN(len(own))].at
		}
	case 2:
		return at
	}
	at += []int64{0, 0, day, 30 * day}[w.IntN(4)] + int64(w.IntN(3)-1)
	return min(max(at, 0), w.length-1)
}

// spoof adds requests from addresses that prove nothing.
func (w *world) spoof() {
	for range 200 {
		w.requests = append(w.requests, plantedRequest{crawler: w.IntN(len(w.crawlers)), url: w.url(), at: w.moment(nil)})
	}
	for range 10 {
		at := w.Int64N(w.length)
		w.reads = append(w.reads, robotsRead{logs.Visitor, at, w.status(at, logs.Visitor)})
	}
}

// blockedThroughout reports whether the content that was really in force blocked a URL in each
// second of a window.
func (w *world) blockedThroughout(crawler int, url string, from, to int64) bool {
	for i, p := range w.truth {
		if p.from <= to && from < w.end(i) && w.allowed(p.content, crawler, url) {
			return false
		}
	}
	return true
}

// mustBeProved reports whether one content, which runs saw before the window and after it, blocked a
// URL, and nothing casts doubt on it.
func (w *world) mustBeProved(r plantedRequest, from int64) bool {
	c := w.crawlers[r.crawler]
	if w.user[r.crawler] || c.IgnoresGlobal || free(r.url) {
		return false
	}
	for _, read := range w.reads {
		if read.at <= r.at && (read.at >= from && read.opens() || read.fails() && (read.crawler == r.crawler || w.crawlers[r.crawler].Profile == "yandex")) {
			return false
		}
	}
	for i, p := range w.truth {
		if p.doubt || from < p.from || r.at >= w.end(i) || w.allowed(p.content, r.crawler, r.url) {
			continue
		}
		before, after := false, false
		for _, run := range w.runs {
			at := run.At.Unix() - worldStart
			if at < p.from || at >= w.end(i) {
				continue
			}
			if !failed(run) && !run.Told || failed(run) && w.crawlers[r.crawler].Profile == "yandex" {
				return false
			}
			if !failed(run) {
				before = before || at < from
				after = after || at > r.at
			}
		}
		return before && after
	}
	return false
}

// TestPlanted judges the requests of several worlds, and compares each with the slow judge. It
// accuses no crawler without proof, and finds what is proved. TEST_TIMES sets the number of worlds,
// TEST_SEED the first.
func TestPlanted(t *testing.T) {
	t.Parallel()
	times, seed := 5, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		times = n
	}
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	classes, total, proved := map[logs.Class]int{}, 0, 0
	for range times {
		w := newWorld(t, seed)
		var told []logs.Observation
		for _, o := range w.runs {
			if o.Told && !failed(o) {
				told = append(told, o)
			}
		}
		for source, runs := range map[audit.LogSource][]logs.Observation{audit.LogHistory: w.runs, audit.LogRun: told[:2], audit.LogFile: w.contents[:1]} {
			requests := w.requests
			if source != audit.LogHistory {
				requests = requests[:len(requests)/4]
			}
			compared := w.compare(t, source, runs, requests)
			for _, c := range compared {
				total++
				classes[c]++
			}
			if source == audit.LogHistory && len(compared) > 0 {
				proved += w.proofs(t, compared)
			}
			if t.Failed() {
				t.Fatalf("TEST_SEED=%d TEST_TIMES=1, %s", seed, source)
			}
		}
		seed++
	}
	for c := logs.Unclear; c <= logs.Exempt; c++ {
		if classes[c] < 30 && times >= 5 {
			t.Errorf("only %d requests are %v", classes[c], c)
		}
	}
	t.Logf("%d requests: %v; %d had to be proved", total, classes, proved)
}

// compare compares the judges for requests, and returns the classes.
func (w *world) compare(t *testing.T, source audit.LogSource, runs []logs.Observation, requests []plantedRequest) (classes []logs.Class) {
	var reads logs.Reads
	absolute := slices.Clone(w.reads)
	for i := range absolute {
		absolute[i].at += worldStart
		for range 1 + w.IntN(2) { // a file may be given twice
			reads.Add(absolute[i].crawler, absolute[i].at, absolute[i].status)
		}
	}
	timeline := logs.NewTimeline(source, slices.Clone(runs))
	b := newBrute(source, runs, absolute, w.crawlers, w.user, worldStart-2*day, worldStart+w.length)
	if got := timeline.Versions(); len(got) != len(b.versions) {
		t.Errorf("%d versions, want %d", len(got), len(b.versions))
		return nil
	}
	half := len(w.crawlers) / 2
	judge := logs.NewJudge(timeline, w.crawlers[:half], w.user[:half])
	for i := half; i < len(w.crawlers); i++ {
		if got := judge.Add(w.crawlers[i], w.user[i]); got != i {
			t.Errorf("crawler %d is added as %d", i, got)
		}
	}
	vectors := make([]logs.VectorID, len(requests))
	for i, r := range requests {
		vectors[i] = judge.Vector(r.crawler, r.url)
	}
	differences := 0
	for i, r := range requests {
		at := worldStart + r.at
		class, version, line, rule := judge.Class(&reads, r.crawler, vectors[i], at, r.genuine)
		want := b.class(r.crawler, r.url, at, r.genuine)
		wantVersion, wantLine, wantRule, wantBlocks := b.where(want, r.crawler, r.url, at)
		got := fmt.Sprintf("%v by version %d line %d %q %t", class, version, line, rule, judge.Blocks(vectors[i], at))
		expected := fmt.Sprintf("%v by version %d line %d %q %t", want, wantVersion, wantLine, wantRule, wantBlocks)
		if got != expected && differences < 10 {
			differences++
			t.Errorf("%s: %s, want %s", w.nameOf(r), got, expected)
		}
		classes = append(classes, class)
	}
	return classes
}

func (w *world) nameOf(r plantedRequest) string {
	return fmt.Sprintf("%s at second %d for %s", w.crawlers[r.crawler].Name, r.at, r.url)
}

// proofs holds the classes against what really happened. It returns how many requests had to be
// proved.
func (w *world) proofs(t *testing.T, classes []logs.Class) (proved int) {
	for i, r := range w.requests {
		from, read := r.at-day, int64(-1)
		for _, own := range w.reads {
			if own.crawler == r.crawler && own.at <= r.at && (own.gives() || own.opens()) {
				read = max(read, own.at)
			}
		}
		if read >= 0 {
			from = min(from, read)
		}
		accused := classes[i] == logs.Disobeyed
		switch {
		case accused && r.honest:
			t.Errorf("%s: disobeyed, but the crawler obeyed the file that it had", w.nameOf(r))
		case accused && !r.genuine:
			t.Errorf("%s: disobeyed, but the address proves nothing", w.nameOf(r))
		case accused && !w.blockedThroughout(r.crawler, r.url, from, r.at):
			t.Errorf("%s: disobeyed, but the site allowed it after second %d", w.nameOf(r), from)
		case w.mustBeProved(r, from):
			proved++
			if !accused && classes[i] != logs.Blocked {
				t.Errorf("%s: %v, but it is proved that it disobeyed", w.nameOf(r), classes[i])
			}
		}
	}
	return proved
}
