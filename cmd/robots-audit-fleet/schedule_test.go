package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
)

// face is the content of a site during one run.
type face struct {
	robots   string
	bot      string // to Googlebot; "" = the same
	status   int    // 0 = 200
	kind     string // content type; "" = text/plain
	hiccup   bool   // its next response is as it was before
	unlisted bool   // robots.txt has no sitemap
	hangs    bool   // its sitemap is never delivered
	refuses  string // names in User-Agents, separated by commas, that get HTTP 403 for pages
}

const plain = "User-agent: *\nDisallow: /private/\nSitemap: https://HOST/map.txt\n"

// twists are the faces that cause each condition. With a hiccup only the run itself sees that face.
var twists = []struct {
	condition string
	face      face
	hiccups   bool // the condition is one that is confirmed
}{
	{"AL01", face{robots: plain + "User-agent: Googlebot\nDisallow: /\n"}, false},
	{"AL02", face{robots: plain + "User-agent: Googlebot\nDisallow: /important\n"}, false},
	{"AL03", face{status: 503}, true},
	{"AL04", face{status: 404}, true},
	{"AL05", face{robots: "<!DOCTYPE html><html><body>Sorry</body></html>", kind: "text/html"}, true},
	{"AL06", face{robots: plain, bot: "User-agent: *\nDisallow: /\n"}, true},
	{"AL07", face{robots: plain, unlisted: true}, false},
	{"AL08", face{robots: plain + strings.Repeat("# "+strings.Repeat("x", 97)+"\n", 4500)}, false},
	{"AL09", face{robots: "# staging\nUser-agent: *\nDisallow: /\nSitemap: https://HOST/map.txt\n"}, false},
	{"AL10", face{robots: plain + "User-agent: GPTBot\nDisallow: /\n"}, false},
	{"AL11", face{robots: plain + "Disallow: /1\n"}, false},
	{"AL12", face{robots: plain + "Disalow: /a\nDisallow: https://example.com/b\nUser-agent Bingbot\n"}, false},
}

// edited is a world of sites, one for each condition, with a clock. Its time passes only during
// waits.
type edited struct {
	*httptest.Server
	secure   *httptest.Server
	mu       sync.Mutex
	faces    map[string]face // by host
	again    bool            // robots.txt is being requested again
	now      time.Time
	date     time.Time // date of responses; zero = that of the machine
	dir      string
	files    map[string]string
	loud     bool              // log its steps
	asked    map[string]int    // requests by host and path
	confirm  string            // time after which an answer is requested again
	finished string            // run.json of a run; once that has ended, robots.txt is being requested again
	keep     int               // folders of runs that are kept; 0 = all
	hook     func(host string) // called for each request; nil = none
}

func newEdited(t *testing.T) *edited {
	w := &edited{faces: map[string]face{}, asked: map[string]int{}, now: time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC), dir: t.TempDir(), confirm: "0s"}
	w.Server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.Close)
	w.secure = httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	w.secure.Config.ErrorLog = log.New(io.Discard, "", 0) // connections of killed processes
	w.secure.StartTLS()                                   // its certificate is valid for *.example.com
	t.Cleanup(w.secure.Close)
	var list strings.Builder
	for _, tw := range twists {
		fmt.Fprintf(&list, "%s.example.com\n", strings.ToLower(tw.condition))
	}
	w.files = map[string]string{"list": list.String(), "ca.pem": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.secure.Certificate().Raw})), "important.csv": "url\nhttps://al02.example.com/important\n"}
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	return w
}

// configure writes the configuration, with crawlers.
func (w *edited) configure(t *testing.T, crawlers string) {
	t.Helper()
	w.files["config.toml"] = fmt.Sprintf(`crawlers = %q
retries = 0
no-cache = true
quiet = %v
second-look = true
reports = "page"
connect-to = [":80:%s", ":443:%s"]
ca-cert = %q
[history]
dir = "history"
keep_runs = %d
[[schedule]]
name = "shops"
cron = "0 * * * *"
domains = "list"
[alerts]
confirm_after = %q
important = "important.csv"
[[alerts.file]]
path = "alerts.jsonl"
`, crawlers, !w.loud, w.Listener.Addr(), w.secure.Listener.Addr(), filepath.Join(w.dir, "ca.pem"), w.keep, w.confirm)
	for name, text := range w.files {
		w.write(t, name, text)
	}
}

func (w *edited) serve(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	f, again, finished, date := w.faces[r.Host], w.again, w.finished, w.date
	w.asked[r.Host+r.URL.Path]++
	hook := w.hook
	w.mu.Unlock()
	if hook != nil {
		hook(r.Host)
	}
	if !date.IsZero() {
		rw.Header().Set("Date", date.UTC().Format(http.TimeFormat))
	}
	if f.hiccup && (again || hasEnded(finished)) {
		f = face{}
	}
	if f.robots == "" {
		f.robots = plain
	}
	if strings.Contains(r.UserAgent(), "Googlebot") && f.bot != "" {
		f.robots = f.bot
	}
	if f.unlisted {
		f.robots, _, _ = strings.Cut(f.robots, "Sitemap")
	}
	if r.URL.Path != "/robots.txt" && r.URL.Path != "/map.txt" && slices.ContainsFunc(strings.Split(f.refuses, ","), func(name string) bool { return name != "" && strings.Contains(r.UserAgent(), name) }) {
		rw.WriteHeader(http.StatusForbidden)
		return
	}
	switch r.URL.Path {
	case "/robots.txt":
		rw.Header().Set("Content-Type", "text/plain")
		if f.kind != "" {
			rw.Header().Set("Content-Type", f.kind)
		}
		if f.status != 0 {
			rw.WriteHeader(f.status)
			return
		}
		fmt.Fprint(rw, strings.ReplaceAll(f.robots, "HOST", r.Host))
	case "/map.txt", "/sitemap.xml":
		if r.URL.Path == "/sitemap.xml" {
			http.NotFound(rw, r)
			return
		}
		if f.hangs {
			<-r.Context().Done()
			return
		}
		for i := range 20 {
			fmt.Fprintf(rw, "https://%s/%d\n", r.Host, i)
		}
		fmt.Fprintf(rw, "https://%s/important\nhttps://%[1]s/private/1\n", r.Host)
		w.mu.Lock()
		_, far := w.faces[farHost(r.Host)]
		w.mu.Unlock()
		if far {
			fmt.Fprintf(rw, "https://%s/1\n", farHost(r.Host))
		}
	case "/":
		fmt.Fprint(rw, "<title>a shop</title>")
	default:
		http.NotFound(rw, r)
	}
}

// farHost is another host of a site, with its own robots.txt.
func farHost(host string) string { return "img-" + host }

// hasEnded reports whether a run has ended, from its run.json.
func hasEnded(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(text), `"finished": "`)
}

// write writes a file of the world.
func (w *edited) write(t *testing.T, name, text string) {
	t.Helper()
	clitest.Write(t, w.dir, map[string]string{name: text})
}

// wears sets the face of a site.
func (w *edited) wears(host string, f face) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faces[host] = f
}

// entered are the IDs of the runs in the history.
func (w *edited) entered(t *testing.T) (ids []string) {
	t.Helper()
	w.ask(t, "SELECT id FROM run ORDER BY id", func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids
}

// ask queries the history's file.
func (w *edited) ask(t *testing.T, query string, row func(*sql.Rows) error, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, "history", "history.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// dumped are the rows of a history.
func dumped(t *testing.T, dir string) []string {
	t.Helper()
	db, err := history.OpenReader(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text bytes.Buffer
	if err := db.Dump(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	return strings.Split(text.String(), "\n")
}

// once is a start of schedule -once at the world's time.
func (w *edited) once(t *testing.T) {
	t.Helper()
	if said, err := w.withLoop(t, (*job.Loop).Once); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// withLoop calls do with the loop of a start of schedule -once, at the world's time.
func (w *edited) withLoop(t *testing.T, do func(*job.Loop, context.Context) error) (string, error) {
	t.Helper()
	var said bytes.Buffer
	c := scheduling.Command{Config: filepath.Join(w.dir, "config.toml"), Once: true, Std: cli.Streams{In: strings.NewReader(""), Out: &said, Err: &said}}
	if err := c.Read(); err != nil {
		t.Fatal(err)
	}
	loop, err := c.Loop()
	if err != nil {
		t.Fatal(err)
	}
	loop.Now = func() time.Time { return w.now }
	loop.Pause = func(_ context.Context, d time.Duration) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.now, w.again = w.now.Add(d), true
		return nil
	}
	if loop.DB, err = history.Open(t.Context(), loop.Dir); err != nil {
		t.Fatal(err)
	}
	defer loop.DB.Close()
	err = do(loop, t.Context())
	return said.String(), err
}

// told are the events of the messages, in order.
func (w *edited) told(t *testing.T) (events []alert.Event, ids []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "alerts.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var m alert.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		events, ids = append(events, m.Events...), append(ids, m.ID)
	}
	return events, ids
}

// span is when a condition is true: from a run until before another.
type span struct{ from, to int }

// story is what happens over some runs: when each condition is true, and in which runs it is a
// hiccup. It also has the runs in which the site's other host has a hiccup, and when another
// crawler is added, which is AL13.
type story struct {
	runs     int
	script   map[string][]span
	hiccup   map[string]int
	far      map[string][]int
	crawlers span
}

// TestSchedule edits sites over four runs. New conditions are reported, hiccups are not, and ended
// ones are reported as resolved. A rebuilt history is the same, although a run's folder is gone.
func TestSchedule(t *testing.T) {
	w := newEdited(t)
	w.keep = 2
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	w.play(t, story{runs: 4, hiccup: map[string]int{"AL04": 3},
		script: map[string][]span{"AL01": {{2, 3}}, "AL03": {{2, 4}}, "AL09": {{2, 4}}}})
	w.remade(t)
}

// play makes the runs of a story, and checks the messages.
func (w *edited) play(t *testing.T, s story) {
	t.Helper()
	ids := map[int]string{}
	for run := 1; run <= s.runs; run++ {
		w.dress(t, s, run)
		ids[run] = w.now.UTC().Format("20060102T150405Z")
		w.once(t)
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	}
	w.hold(t, s, ids)
}

// dress sets the faces of the sites for a run.
func (w *edited) dress(t *testing.T, s story, run int) {
	t.Helper()
	w.mu.Lock()
	w.again = false
	for _, tw := range twists {
		host := strings.ToLower(tw.condition) + ".example.com"
		w.faces[host] = face{}
		for _, s := range s.script[tw.condition] {
			if s.from <= run && run < s.to {
				w.faces[host] = tw.face
			}
		}
		if s.hiccup[tw.condition] == run {
			f := tw.face
			f.hiccup = true
			w.faces[host] = f
		}
		if s.far[tw.condition] != nil {
			w.faces[farHost(host)] = face{}
		}
		if slices.Contains(s.far[tw.condition], run) {
			w.faces[farHost(host)] = face{status: 503, hiccup: true}
		}
	}
	w.mu.Unlock()
	switch run {
	case s.crawlers.from:
		w.configure(t, "Googlebot,Bingbot,GPTBot,Applebot")
	case s.crawlers.to:
		w.configure(t, "Googlebot,Bingbot,GPTBot")
	}
}

// hold checks the messages against a story, whose runs have ids.
func (w *edited) hold(t *testing.T, s story, ids map[int]string) {
	t.Helper()
	var table strings.Builder
	events, messages := w.told(t)
	slices.Sort(messages)
	if len(slices.Compact(messages)) != len(messages) {
		t.Error("a message was delivered twice")
	}
	number := func(id string) int {
		for n := range ids {
			if hour := len("20261102T06"); ids[n][:hour] == id[:hour] { // after a kill at its start, a run begins again a second later
				return n
			}
		}
		return 0
	}
	type toldOf struct{ raised, ended []int }
	got := map[string]map[string]*toldOf{} // by site and condition
	for _, e := range events {
		if got[e.Site] == nil {
			got[e.Site] = map[string]*toldOf{}
		}
		of := got[e.Site][e.Condition]
		if of == nil {
			of = &toldOf{}
			got[e.Site][e.Condition] = of
		}
		switch e.Kind {
		case alert.Raised:
			of.raised = append(of.raised, number(e.Run))
		case alert.Ended:
			of.ended = append(of.ended, number(e.Run))
		default:
			t.Errorf("%s %s of %s", e.Kind, e.Condition, e.Site)
		}
	}
	for _, tw := range twists {
		site := ""
		for name := range got {
			if strings.Contains(name, strings.ToLower(tw.condition)+".example.com") {
				site = name
			}
		}
		var from, to []int
		for _, at := range s.script[tw.condition] {
			if from = append(from, at.from); at.to <= s.runs {
				to = append(to, at.to)
			}
		}
		if from != nil && got[site][tw.condition] == nil {
			t.Errorf("%s was never told", tw.condition)
			continue
		}
		for condition, of := range got[site] {
			want := toldOf{from, to}
			if condition == "AL13" {
				want = toldOf{[]int{s.crawlers.from}, []int{s.crawlers.to}}
			}
			if !slices.Equal(of.raised, want.raised) || !slices.Equal(of.ended, want.ended) {
				t.Errorf("%s of %s: told at %v, ended at %v; want %v and %v", condition, site, of.raised, of.ended, want.raised, want.ended)
			}
			also := ""
			if condition != tw.condition {
				also = " (follows)"
			}
			fmt.Fprintf(&table, "%-6s%-10s %-22s due at %-8v told at %-8v ended at %v\n", condition, also, site, fmt.Sprint(want.raised), fmt.Sprint(of.raised), of.ended)
		}
		for _, h := range []struct {
			what string
			runs []int
		}{{"", []int{s.hiccup[tw.condition]}}, {" of the other host", s.far[tw.condition]}} {
			for _, run := range h.runs {
				if run > 0 {
					w.unconfirmed(t, strings.ToLower(tw.condition)+".example.com", ids[run])
					fmt.Fprintf(&table, "%-6s%-10s %-22s a hiccup%s, not told\n", tw.condition, fmt.Sprintf(" run %d", run), site, h.what)
				}
			}
		}
		if of := got[site]["AL13"]; of == nil && s.crawlers.from > 0 {
			t.Errorf("AL13 of %s was never told", site)
		}
	}
	t.Logf("%d runs, %d messages, %d events\n%s", s.runs, len(messages), len(events), &table)
}

// unconfirmed fails unless a robots.txt was requested again after a site's run, and the answer
// differed both times.
func (w *edited) unconfirmed(t *testing.T, site, run string) {
	t.Helper()
	var others, settled int
	hour := run[:len("20261102T06")] + "%" // see number
	w.ask(t, "SELECT sum(1 - c.same), max(x.settled) FROM confirmation c JOIN site_run x USING (site, run) JOIN site s USING (site) JOIN run r USING (run) WHERE s.name LIKE ? AND r.id LIKE ?", func(rows *sql.Rows) error {
		return rows.Scan(&others, &settled)
	}, "%"+site, hour)
	if others != 2 || settled != 0 {
		t.Errorf("run %s of %s: %d other answers, settled %d", run, site, others, settled)
	}
}

// remade rebuilds the history, and compares it with the one that grew run by run.
func (w *edited) remade(t *testing.T) {
	t.Helper()
	dir := filepath.Join(w.dir, "history")
	want := dumped(t, dir)
	if code, said := call("schedule", "-reindex", dir, "-config", filepath.Join(w.dir, "config.toml")); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if diff := cmp.Diff(want, dumped(t, dir)); diff != "" {
		t.Errorf("the history made anew differs (-grown +anew):\n%s", diff)
	}
}

// call runs the command in this process.
func call(args ...string) (code int, said string) {
	var text bytes.Buffer
	code = run(args, cli.Streams{In: strings.NewReader(""), Out: &text, Err: &text})
	return code, text.String()
}

// TestDamagedManifest: a run with a damaged run.json is skipped by name, whatever is left of the
// file. The next run is made, and the history keeps its rows of both.
func TestDamagedManifest(t *testing.T) {
	w := newQuickEdited(t)
	w.once(t)
	damaged := filepath.Join(w.dir, "history", "runs", "20261102T060000Z", "run.json")
	for what, text := range map[string]string{"the file is empty": "", "the file is incomplete": `{"id": "2026`, "the file is not JSON": "no JSON"} {
		w.write(t, "history/runs/20261102T060000Z/run.json", text)
		w.now = w.now.Add(time.Hour)
		w.once(t)
		w.remade(t)
		code, said := call("schedule", "-reindex", filepath.Join(w.dir, "history"), "-config", filepath.Join(w.dir, "config.toml"))
		if code != cli.ExitDone || !strings.Contains(said, damaged+": "+what) || !strings.Contains(said, "Restore the file, or remove its folder") {
			t.Errorf("%q: exit code %d: %s", text, code, said)
		}
	}
	if got, want := w.entered(t), []string{"20261102T060000Z", "20261102T070000Z", "20261102T080000Z", "20261102T090000Z"}; !slices.Equal(got, want) {
		t.Errorf("the history has the runs %q, want %q", got, want)
	}
}

// TestReindexCopy: a copy of a run's folder is no run, and adds no rows.
func TestReindexCopy(t *testing.T) {
	w := newQuickEdited(t)
	w.once(t)
	w.now = w.now.Add(time.Hour)
	w.once(t)
	runs := filepath.Join(w.dir, "history", "runs")
	if err := os.CopyFS(filepath.Join(runs, "20261102T063000Z"), os.DirFS(filepath.Join(runs, "20261102T060000Z"))); err != nil {
		t.Fatal(err)
	}
	w.remade(t)
	code, said := call("schedule", "-reindex", filepath.Join(w.dir, "history"), "-config", filepath.Join(w.dir, "config.toml"))
	if want := "its run.json belongs to run 20261102T060000Z"; code != cli.ExitDone || !strings.Contains(said, want) || !strings.Contains(said, "2 runs read again") {
		t.Errorf("exit code %d: %s, want %s", code, said, want)
	}
}
