package alert

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
)

// TestMain fails the package when anything is left running.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// served is what the server of a site answers at one time.
type served struct {
	robots   string
	status   int    // of robots.txt; 0 = 200
	html     bool   // robots.txt is a page
	bots     string // robots.txt to who calls itself Googlebot; "" = the same
	sitemaps map[string][]string
	far      string // robots.txt of the other host
	farDown  int    // status of it; 0 = 200
	hangUp   bool
	logs     func(at time.Time) *audit.Logs // of the run that begins then; nil = none
	asked    string                         // treatments of crawlers' names, see askedAs; "" = not asked for
	crawlers string                         // that are asked about; "" = Googlebot, Bingbot and YandexBot
}

// site is a site that is audited again and again, with all that a history would keep.
type site struct {
	t       *testing.T
	shown   atomic.Pointer[served] // the state that is served; requests of an interrupted run may still be running
	server  *httptest.Server
	options compare.Options
	at      time.Time // start of the run
	list    string    // of domains; "" = http://shop.example

	runs    []savedRun
	settled int // index into runs; -1 = none
	open    []history.Alert
	ended   []history.Alert
	all     []history.Alert // every row that was saved
	bad     time.Time       // start of the first of the runs that could not get robots.txt
}

type savedRun struct {
	id      string
	started time.Time
	records []audit.Record
}

// asked are the answers to crawlers, and the crawlers.
func (r *savedRun) asked() (a *audit.Asked, crawlers []string) {
	for _, rec := range r.records {
		if rec.Site != nil {
			crawlers = rec.Site.Asked
		}
		if rec.Asked != nil {
			a = rec.Asked
		}
	}
	return a, crawlers
}

const host = "shop.example"

// cet is the time zone of the schedule.
var cet = time.FixedZone("CET", 3600)

// farHost is another host of the site, with a robots.txt of its own.
const farHost = "img.shop.example"

// nowhere is an address without a listener.
const nowhere = "127.0.0.1:1"

func newSite(t *testing.T, now served) *site {
	s := &site{t: t, settled: -1}
	s.serves(now)
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

// serves has the site be like that from now on.
func (s *site) serves(now served) { s.shown.Store(&now) }

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	now := s.shown.Load()
	if r.URL.Path == "/robots.txt" {
		switch {
		case r.Host == farHost && now.farDown != 0:
			w.WriteHeader(now.farDown)
		case r.Host == farHost:
			io.WriteString(w, now.far)
		case now.hangUp:
			panic(http.ErrAbortHandler)
		case now.status != 0:
			w.WriteHeader(now.status)
		case now.html:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<!doctype html><title>Sign in</title><p>Welcome")
		case now.bots != "" && strings.Contains(r.UserAgent(), "Googlebot"):
			io.WriteString(w, now.bots)
		default:
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, now.robots)
		}
		return
	}
	if r.URL.Path == "/" {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Shop</title>")
		return
	}
	urls, ok := now.sitemaps[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	io.WriteString(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, u := range urls {
		if !strings.HasPrefix(u, "http") {
			u = "http://" + host + u
		}
		fmt.Fprintf(w, "<url><loc>%s</loc></url>", u)
	}
	io.WriteString(w, "</urlset>")
}

// settledSite is a site after its first run.
func settledSite(t *testing.T, now served) *site {
	t.Helper()
	s := newSite(t, now)
	s.run(0, false, nil)
	return s
}

// next has the site be like that an hour later, and run.
func (s *site) next(now served) Judged {
	s.t.Helper()
	s.serves(now)
	return s.run(time.Hour, false, nil)
}

// story returns the reports about a site that has these states in turn.
func (s *site) story(states ...served) (told []string) {
	s.t.Helper()
	for _, now := range states {
		told = append(told, tell(s.next(now)))
	}
	return told
}

// eventsOf are the events of a site that is otherwise in its second run.
func eventsOf(t *testing.T, base, now served) []Event {
	t.Helper()
	return settledSite(t, base).next(now).Events
}

// audit audits the site in its current state.
func (s *site) audit() (records []audit.Record) {
	s.t.Helper()
	list := s.shown.Load().crawlers
	if list == "" {
		list = "Googlebot,Bingbot,YandexBot"
	}
	crawlers, err := audit.ParseCrawlers(list)
	noError(s.t, err)
	a := &audit.Auditor{
		Client:     &crawl.Client{ConnectTo: []string{":80:" + s.server.Listener.Addr().String(), ":443:" + nowhere}, Retries: -1},
		SecondLook: &crawl.Variants{UserAgents: []string{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}},
		Crawlers:   crawlers,
	}
	for rec := range a.All(context.Background(), audit.Domains(strings.NewReader(cmp.Or(s.list, "http://"+host)+"\n"))) {
		if rec.URLs != nil {
			rec.URLs = rec.URLs.Clone()
		}
		if asked := askedAs(s.shown.Load().asked); asked != nil && rec.Site != nil {
			for i := range asked.Crawlers {
				rec.Site.Asked = append(rec.Site.Asked, asked.Crawlers[i].Name)
			}
		} else if asked != nil && rec.Done != nil && asked.URLs != nil {
			records = append(records, audit.Record{Domain: rec.Domain, Asked: asked})
		}
		if logs := s.shown.Load().logs; logs != nil && rec.Done != nil {
			records = append(records, audit.Record{Domain: rec.Domain, Logs: logs(s.at)})
		}
		records = append(records, rec)
	}
	return records
}

// compared compares a run, or nothing, with records.
func (s *site) compared(run int, with []audit.Record) *compare.Site {
	s.t.Helper()
	var old iter.Seq2[audit.Record, error]
	if run >= 0 {
		old = sequence(s.runs[run].records)
	}
	o := s.options
	o.Temp, o.Initial = s.t.TempDir(), run < 0
	o.Earlier = func(_ string, newer bool) (list []compare.EarlierRun) {
		for _, r := range slices.Backward(s.runs[:run+1]) {
			list = append(list, compare.EarlierRun{Started: r.started, Asked: r.asked, Logs: func() (*audit.Logs, bool) { return nil, false }})
		}
		return list
	}
	for item, err := range compare.Sides(old, sequence(with), o) {
		noError(s.t, err)
		if item.Site != nil {
			return item.Site
		}
	}
	s.t.Fatal("no site")
	return nil
}

func sequence(records []audit.Record) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for _, rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func (s *site) indexOf(id string) int {
	return slices.IndexFunc(s.runs, func(r savedRun) bool { return r.id == id })
}

// run audits the site, repeats requests if needed, judges, and returns the reports. Each run starts
// later than the one before by the given time. after is the server's state for repeated requests,
// nil = as in the run.
func (s *site) run(later time.Duration, quiet bool, after []served) Judged {
	s.t.Helper()
	started := time.Date(2026, 11, 22, 7, 0, 0, 0, cet)
	if n := len(s.runs); n > 0 {
		started = s.runs[n-1].started.Add(later)
	}
	s.at = started
	r := savedRun{started.UTC().Format("20060102T150405Z"), started, s.audit()}
	s.runs = append(s.runs, r)
	in := Input{Site: host, Run: r.id, Started: started, Quiet: quiet, Compared: s.compared(s.settled, r.records), UnreachableSince: s.bad, Ended: s.ended}
	if s.settled >= 0 {
		in.Settled = s.runs[s.settled].id
	}
	for _, a := range s.open {
		o := Open{Alert: a}
		o.Compared = s.compared(s.indexOf(a.Base), r.records)
		in.Open = append(in.Open, o)
	}
	if questions := Questions(in); questions != nil {
		in.Hiccups = s.askAgain(in, questions, after)
	}
	switch own := in.Compared.Own(); {
	case own == nil || own.New == nil:
		s.t.Fatal("robots.txt was not asked for")
	case !own.New.Unreachable():
		s.bad = time.Time{}
	case s.bad.IsZero():
		s.bad = started
	}
	j := Judge(in)
	if j.Settled {
		s.settled = len(s.runs) - 1
	}
	s.save(j.Alerts)
	return j
}

// askAgain asks the questions until they are decided, by audits of the site, and names those that
// are not confirmed.
func (s *site) askAgain(in Input, questions []Question, after []served) (hiccups []string) {
	was := s.shown.Load()
	defer s.shown.Store(was)
	again := map[string][]history.Confirmation{}
	open := func(q Question) bool { return Decide(again[q.Name()], 3) == AskAgain }
	for n := 0; slices.ContainsFunc(questions, open); n++ {
		if n < len(after) {
			s.serves(after[n])
		} else {
			s.shown.Store(was)
		}
		other, records := in, s.audit()
		other.Compared, other.Open = s.compared(s.settled, records), slices.Clone(in.Open)
		for i := range other.Open {
			other.Open[i].Compared = s.compared(s.indexOf(other.Open[i].Base), records)
		}
		now := Questions(other)
		for _, q := range questions {
			if open(q) {
				same := slices.ContainsFunc(now, func(o Question) bool { return o.Name() == q.Name() })
				again[q.Name()] = append(again[q.Name()], history.Confirmation{Same: same})
			}
		}
	}
	for _, q := range questions {
		if Decide(again[q.Name()], 3) == Hiccup {
			hiccups = append(hiccups, q.Name())
		}
	}
	return hiccups
}

// save keeps rows as a history would.
func (s *site) save(rows []history.Alert) {
	for _, a := range rows {
		s.all = append(s.all, a)
		s.open = slices.DeleteFunc(s.open, func(o history.Alert) bool { return o.ID == a.ID })
		if a.EndedRun == "" {
			s.open = append(s.open, a)
		} else {
			s.ended = append(s.ended, a)
		}
	}
}

// told lists events in short: "raised AL01", "ended AL07".
func told(j Judged) (list []string) {
	for _, e := range j.Events {
		list = append(list, string(e.Kind)+" "+e.Condition)
	}
	slices.Sort(list)
	return list
}

// tell joins the output of told in one line.
func tell(j Judged) string { return strings.Join(told(j), ", ") }

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var update = flag.Bool("update", false, "write what the cases of testdata bring anew, for review")

// goldens are what the cases of a test bring, a line each behind its name.
type goldens struct{ want, got map[string]string }

// readGoldens reads a file of them.
func readGoldens(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	noError(t, err)
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, brings, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		list[name] = brings
	}
	return list
}

// openGoldens reads a file of goldens. At the end of the test it checks that all its cases exist,
// or writes it again.
func openGoldens(t *testing.T, file string) *goldens {
	t.Helper()
	g := &goldens{readGoldens(t, file), map[string]string{}}
	t.Cleanup(func() {
		if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
			return // only some of the cases were run
		}
		if !*update {
			for name := range g.want {
				if _, ok := g.got[name]; !ok && !t.Failed() {
					t.Errorf("%s: there is no case %q", file, name)
				}
			}
			return
		}
		var text strings.Builder
		for _, name := range slices.Sorted(maps.Keys(g.got)) {
			fmt.Fprintf(&text, "%s: %s\n", name, g.got[name])
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Error(err)
		}
	})
	return g
}

// check compares a case with its golden.
func (g *goldens) check(t *testing.T, name, got string) {
	t.Helper()
	if _, twice := g.got[name]; twice {
		t.Errorf("there are two cases %q", name)
	}
	if g.got[name] = got; got != g.want[name] && !*update {
		t.Errorf("brings %q, due %q; -update writes it anew", got, g.want[name])
	}
}
