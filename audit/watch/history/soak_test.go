//go:build soak

package history

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// TestLongHistory enters 1,000 runs of 200 sites, whose robots.txt are real ones of the
// folder ROBOTS_AUDIT_CORPUS that are edited, taken back and fail now and then, and
// tells what the history takes: its size, the time to enter a run, that of each query
// and of the past of a site. Times are those of the processor, so that a machine which
// does something else besides makes no difference; of five, the median. TEST_SEED sets
// another course; TEST_TIMES, another number of runs. Every query is to be answered
// within 0.1 s.
func TestLongHistory(t *testing.T) {
	runs, seed := 1000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		runs = n
	}
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	w := newWorld(t, seed, 200)
	dir := t.TempDir()
	db, err := Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	took := make([]time.Duration, runs)
	for n := range runs {
		entries := w.run()
		begin := processorTime(t)
		w.enter(t, db, n, entries)
		took[n] = processorTime(t) - begin
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	noError(t, err)
	t.Logf("seed %d: %d runs of %d sites, %d edits, %d failures, %d changes", seed, runs, len(w.sites), w.edits, w.failures, w.changes)
	for _, v := range []string{"site_run", "blocked_count", "robots_version", "rule_seen", "change", "flip_count", "url_blocked", "alert"} {
		t.Logf("%-22s %s rows", v, tableOf(t, db.read, "SELECT count(*) FROM "+v))
	}
	t.Logf("%-22s %.1f MB, and %.1f kB a run", "size", float64(info.Size())/1e6, float64(info.Size())/1e3/float64(runs))
	for _, n := range []int{1, runs / 2, runs} {
		at := slices.Clone(took[max(0, n-5):min(runs, n+4)])
		slices.Sort(at)
		t.Logf("%-22s %v (median of %d about it: %v)", "to enter run "+strconv.Itoa(n), took[n-1].Round(100*time.Microsecond), len(at), at[len(at)/2].Round(100*time.Microsecond))
	}
	site, url := w.questioned(t, db)
	for _, q := range Queries {
		var args []any
		for _, p := range q.Parameters {
			args = append(args, sql.Named(p.Name, map[string]string{"site": site, "url": url, "crawler": "Googlebot"}[p.Name]))
		}
		rows := 0
		median := medianOf(t, func() { rows = strings.Count(tableOf(t, db.read, q.SQL, args...)+"\n", "\n") })
		t.Logf("%-22s %v, %d rows", q.Name, median.Round(10*time.Microsecond), rows)
		if median > 100*time.Millisecond {
			t.Errorf("%s takes %v", q.Name, median)
		}
	}
	var past *audit.Past
	median := medianOf(t, func() {
		past, err = db.Past(t.Context(), site, "shops", "none")
		noError(t, err)
	})
	t.Logf("%-22s %v, %d points, %d rules, %d URLs", "past of a site", median.Round(10*time.Microsecond), len(past.Points), len(past.Rules), len(past.Blocked))
	if len(past.Points) != min(runs, audit.MaxPoints) || len(past.Rules) == 0 {
		t.Errorf("%d points, %d rules", len(past.Points), len(past.Rules))
	}
}

func medianOf(t *testing.T, do func()) time.Duration {
	var took []time.Duration
	for range 5 {
		begin := processorTime(t)
		do()
		took = append(took, processorTime(t)-begin)
	}
	slices.Sort(took)
	return took[2]
}

// world are sites that change from run to run.
type world struct {
	random   *rand.Rand
	crawlers []audit.Crawler
	sites    []*worldSite

	edits, failures, changes int
}

// worldSite is a site as it is now.
type worldSite struct {
	name    string
	body    []byte
	before  []byte   // the file that stood before the last edit
	urls    []string // of the important list
	known   int64
	site    Site // what a run says of it while robots.txt answers
	failing int  // runs for which robots.txt will fail
	alert   *Alert
}

func newWorld(t testing.TB, seed uint64, sites int) *world {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTS_AUDIT_CORPUS"), "*.txt"))
	if err != nil || len(names) < 200 {
		t.Fatalf("%d files in ROBOTS_AUDIT_CORPUS, and 200 are needed: %v", len(names), err)
	}
	w := &world{random: rand.New(rand.NewPCG(seed, 0))}
	if w.crawlers, err = audit.ParseCrawlers("Googlebot,Bingbot,YandexBot,GPTBot"); err != nil {
		t.Fatal(err)
	}
	w.random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	for i := 0; len(w.sites) < sites; i++ { // of more sites than there are files, some have the same one
		body, err := os.ReadFile(names[i%len(names)])
		noError(t, err)
		if len(body) > 64<<10 || len(body) == 0 { // rarer than one in a hundred
			continue
		}
		s := &worldSite{name: fmt.Sprintf("site%d.example", len(w.sites)), body: body, known: 100 << w.random.IntN(8)}
		for i, rule := range rulesIn(body) {
			_, path, _ := strings.Cut(rule.Rule, ": ")
			if path = strings.NewReplacer("*", "x", "$", "").Replace(path); strings.HasPrefix(path, "/") && len(s.urls) < 100 {
				s.urls = append(s.urls, fmt.Sprintf("https://%s%s", s.name, path), fmt.Sprintf("https://%s/page/%d", s.name, i))
			}
		}
		w.read(s)
		w.sites = append(w.sites, s)
	}
	return w
}

// rulesIn are the rules of a file, as RFC 9309 has it.
func rulesIn(body []byte) (rules []Rule) {
	profile, _ := engine.ProfileByName("rfc9309")
	seen := map[string]bool{}
	for tokens, list := range profile.Parse(body).GroupRules() {
		for _, rule := range list {
			r := Rule{Tokens: strings.Join(tokens, ", "), Rule: rule.String(), Line: rule.Line}
			if r.ID = audit.RuleID(r.Tokens, r.Rule); !seen[r.ID] {
				seen[r.ID] = true
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// read judges a site by its file.
func (w *world) read(s *worldSite) {
	sum := sha256.Sum256(s.body)
	s.site = Site{Name: s.name, State: "warn", Answer: AnswerOK, Status: 200, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(s.body)), Body: s.body, Rules: rulesIn(s.body)}
	ids := map[int]string{}
	for _, r := range s.site.Rules {
		ids[r.Line] = r.ID
	}
	var groups []*engine.Group
	for i := range w.crawlers {
		robot, profile, _ := w.crawlers[i].Robot()
		groups = append(groups, profile.Read(engine.File{Status: 200, Body: s.body}).Group(robot))
	}
	matrix, decisions := engine.NewMatrix(groups...), make([]engine.Decision, len(groups))
	count := make([]int64, len(groups))
	for _, loc := range s.urls {
		id, _ := audit.URLID(nil, "https://"+s.name, loc)
		matrix.Verdicts(loc, decisions)
		for i, d := range decisions {
			if d.Verdict != engine.Disallow {
				continue
			}
			count[i]++
			b := Blocked{ID: id, URL: loc, Crawler: w.crawlers[i].Label, Own: true}
			if d.Rule != nil {
				b.RuleID, b.Rule, b.Line = ids[d.Rule.Line], d.Rule.String(), d.Rule.Line
			}
			s.site.URLs = append(s.site.URLs, b)
		}
	}
	for i, n := range count {
		of := Crawler{Label: w.crawlers[i].Label, Blocked: s.known * n / int64(max(1, 2*len(s.urls)))}
		s.site.Crawlers = append(s.site.Crawlers, of)
		s.site.Blocked = max(s.site.Blocked, of.Blocked)
	}
}

// edit changes a file: a line goes, one comes, or the last edit is taken back.
func (w *world) edit(s *worldSite) {
	before := s.body
	lines := strings.SplitAfter(string(s.body), "\n")
	at := w.random.IntN(len(lines))
	switch w.random.IntN(4) {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		if s.before != nil {
			lines = []string{string(s.before)}
			break
		}
		fallthrough
	default:
		lines = slices.Insert(lines, at, "Disallow: /new/"+strconv.Itoa(w.random.IntN(1000))+"\n")
	}
	s.body, s.before = []byte(strings.Join(lines, "")), before
	w.read(s)
	w.edits++
}

// run is what the next run says of all sites.
func (w *world) run() (entries []Entry) {
	for _, s := range w.sites {
		was := s.site.Crawlers
		var changes []compare.Change
		var flips []Flips
		if w.random.IntN(50) == 0 {
			w.edit(s)
			for range 1 + w.random.IntN(4) {
				kind := []string{"rules", "rules", "lint", "groups", "ai_policy", "sitemap_urls"}[w.random.IntN(6)]
				changes = append(changes, compare.Change{Kind: kind, What: "https://" + s.name + "/robots.txt, line 7", Before: "Disallow: /a", After: "Disallow: /b", Severity: "medium"})
			}
			for i, is := range s.site.Crawlers {
				if d := is.Blocked - was[i].Blocked; d != 0 {
					flips = append(flips, Flips{Crawler: is.Label, Counts: compare.Counts{NewlyBlocked: max(0, d), NewlyAllowed: max(0, -d)}})
				}
			}
		}
		if s.failing == 0 && w.random.IntN(200) == 0 {
			s.failing = 1 + w.random.IntN(3)
		}
		s.known += int64(w.random.IntN(5)) - 2
		e := Entry{Settled: true, Site: s.site, Changes: changes, Flips: flips}
		if s.failing > 0 {
			s.failing--
			w.failures++
			e.Settled, e.Site.Answer, e.Site.Status, e.Site.SHA256, e.Site.Body, e.Site.Rules, e.Site.URLs = false, AnswerServerError, 503, "", nil, nil, nil
		}
		e.Site.Known, e.Site.Took = s.known, time.Duration(w.random.IntN(30_000))*time.Millisecond
		w.changes += len(changes)
		entries = append(entries, e)
	}
	return entries
}

// enter enters a run as a schedule does: an alert is raised, or ends, with every third edit.
func (w *world) enter(t testing.TB, db *DB, n int, entries []Entry) {
	started := time.Date(2024, 1, 1, 6, 0, 0, 0, time.UTC).AddDate(0, 0, n)
	r := Run{ID: started.Format("20060102T150405Z"), Schedule: "shops", Started: started, Finished: started.Add(time.Hour), Program: "1.0.0"}
	r.Folder = "runs/" + r.ID
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	noError(t, tx.AddRun(r))
	for _, e := range entries {
		noError(t, tx.AddSite(t.Context(), e))
	}
	for i, e := range entries {
		s := w.sites[i]
		switch {
		case len(e.Changes) != 2:
			continue
		case s.alert == nil:
			s.alert = &Alert{ID: fmt.Sprintf("%s-%d", s.name, n), Site: s.name, Condition: "AL02", Severity: "high", Base: r.ID, Raised: r.ID, Since: started, URLs: 7, Subjects: []string{"Googlebot"}, Text: strings.Repeat("seven known URLs of the important list are newly blocked ", 4)}
			noError(t, tx.SaveAlert(*s.alert))
		default:
			s.alert.EndedRun, s.alert.Ended = r.ID, started
			noError(t, tx.SaveAlert(*s.alert))
			s.alert = nil
		}
	}
	noError(t, tx.Commit())
}

// questioned is the site with the most rules seen, and a URL of it that is blocked.
func (w *world) questioned(t *testing.T, db *DB) (site, url string) {
	site = tableOf(t, db.read, "SELECT site FROM rules WHERE EXISTS (SELECT 1 FROM blocked_urls b WHERE b.site = rules.site AND b.until IS NULL) GROUP BY site ORDER BY count(*) DESC LIMIT 1")
	return site, tableOf(t, db.read, "SELECT url FROM blocked_urls WHERE site = ? AND until IS NULL LIMIT 1", site)
}
