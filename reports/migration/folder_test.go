package migration

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/audit/migrate"
	"robots-audit/audit/table"
	"robots-audit/crawl"
)

// site is an old and a new site on loopback: /a/N is redirected to /b/N; every tenth
// target is gone, every tenth old URL is blocked, and /a/N of busy numbers answers 429
// as long as busy is set.
type site struct {
	migrator *migrate.Migrator
	pairs    *migrate.Map
	head     Head
	busy     atomic.Bool
}

const pairs = 120

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /*/closed\n")
		case r.Host == "new.example" && strings.HasPrefix(r.URL.Path, "/b/"):
			if fmt.Sscanf(r.URL.Path, "/b/%d", &n); n%10 == 3 {
				w.WriteHeader(404)
			}
		case r.Host == "old.example" && strings.HasPrefix(r.URL.Path, "/a/"):
			if fmt.Sscanf(r.URL.Path, "/a/%d", &n); n%30 == 7 && s.busy.Load() {
				w.WriteHeader(429)
				return
			}
			w.Header().Set("Location", fmt.Sprintf("http://new.example/b/%d", n))
			w.WriteHeader(301)
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(server.Close)
	var text strings.Builder
	text.WriteString("old,new,clicks\n")
	for n := range pairs {
		closed := ""
		if n%10 == 5 {
			closed = "/closed"
		}
		fmt.Fprintf(&text, "http://old.example/a/%d%s,http://new.example/b/%d,%d\n", n, closed, n, n*n%97)
	}
	name := filepath.Join(t.TempDir(), "map.csv")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.pairs, err = migrate.ReadMap(name, "", "", table.Options{}); err != nil {
		t.Fatal(err)
	}
	crawlers, err := audit.ParseCrawlers("Googlebot,YandexBot")
	if err != nil {
		t.Fatal(err)
	}
	s.migrator = &migrate.Migrator{Crawlers: crawlers, Client: &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}}
	s.head = Head{Version: "test", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Map: "map.csv", MapSHA256: s.pairs.SHA256, Crawlers: []string{"Googlebot", "YandexBot"}}
	return s
}

func (s *site) options(dir string, resume bool) Options {
	return Options{Dir: dir, Resume: resume, Head: s.head, Crawlers: s.migrator.Crawlers}
}

// check runs a check, and cuts it off after a number of results; 0 = at its end. It returns the
// number of requested pairs.
func (s *site) check(t *testing.T, dir string, resume bool, after int) (asked int, summary *Summary) {
	t.Helper()
	f, err := Open(s.options(dir, resume))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.migrator.Skip = f.Done
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err := s.migrator.Begin(ctx, s.pairs)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for r, err := range c.All(ctx) {
		if err == nil {
			err = f.Add(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		if asked++; asked == after {
			return asked, nil
		}
	}
	if summary, err = f.Finish(&Whole{Leaks: c.Leaks, Pairs: s.pairs.Len}); err != nil {
		t.Fatal(err)
	}
	return asked, summary
}

// TestResume cuts a check off, cuts its last line, and resumes it: the result is that of a check
// without interruption.
func TestResume(t *testing.T) {
	s := newSite(t)
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	asked, want := s.check(t, whole, false, 0)
	if asked != pairs || want.Totals.Critical != 24 || want.Totals.OK != 96 || want.Left != 0 {
		t.Fatalf("asked %d pairs: %+v", asked, want.Totals)
	}
	s.check(t, cut, false, 50)
	journal := filepath.Join(cut, journalName)
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, text[:len(text)-5], 0o666); err != nil { // like a kill in the middle of a line
		t.Fatal(err)
	}
	asked, got := s.check(t, cut, true, 0)
	if asked != pairs-49 {
		t.Errorf("asked %d pairs, want %d", asked, pairs-49)
	}
	want.Finished, got.Finished = time.Time{}, time.Time{}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(cells(t, whole, "Migration"), cells(t, cut, "Migration")); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"changes.md", "index.html"} {
		a, _ := os.ReadFile(filepath.Join(whole, name))
		b, _ := os.ReadFile(filepath.Join(cut, name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestAskedAgain requests those again that failed for a temporary reason, and no others.
func TestAskedAgain(t *testing.T) {
	s := newSite(t)
	dir := filepath.Join(t.TempDir(), "out")
	s.busy.Store(true)
	_, first := s.check(t, dir, false, 0)
	if first.Totals.Unknown != 4 || first.Totals.Passing != 4 {
		t.Fatalf("first: %+v", first.Totals)
	}
	s.busy.Store(false)
	asked, second := s.check(t, dir, true, 0)
	if asked != 4 || second.Totals.Unknown != 0 || second.Totals.Passing != 0 || second.Totals.Pairs != pairs {
		t.Errorf("second: asked %d, %+v", asked, second.Totals)
	}
	if asked, _ = s.check(t, dir, true, 0); asked != 0 {
		t.Errorf("third: asked %d", asked)
	}
}

// TestOrder: the most severe class comes first, then clicks; important URLs that are not as planned
// come before all.
func TestOrder(t *testing.T) {
	s := newSite(t)
	important, err := migrate.ReadImportant("important.txt", []byte("http://old.example/a/5/closed\nhttp://old.example/a/6\nhttp://old.example/a/999\n"), "", table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.migrator.Important = important
	dir := filepath.Join(t.TempDir(), "out")
	_, sum := s.check(t, dir, false, 0)
	if sum.Totals.Important != 2 || sum.Totals.ImportantFailing != 1 {
		t.Errorf("got %+v", sum.Totals)
	}
	rows := cells(t, dir, "Migration")
	if len(rows) != pairs+1 || rows[1][0] != "http://old.example/a/5/closed" {
		t.Fatalf("%d rows, the first is %q", len(rows), rows[1])
	}
	at := map[string]int{}
	for i, title := range rows[0] {
		at[title] = i
	}
	var last []string
	for _, row := range rows[2:] {
		if last != nil {
			order := migrate.ClassOf(last[at["Class"]]).Severity.Compare(migrate.ClassOf(row[at["Class"]]).Severity)
			if order > 0 || order == 0 && number(last[at["Clicks"]]) < number(row[at["Clicks"]]) {
				t.Errorf("%q before %q", last[:10], row[:10])
			}
		}
		last = row
	}
	if first := rows[1]; first[at["Rule"]] != "disallow: /*/closed" || first[at["Line"]] != "2" || first[at["File"]] != "http://old.example/robots.txt" || first[at["Old: Googlebot"]] != "disallow by line 2" || first[at["New status"]] != "200" {
		t.Errorf("got %q", first)
	}
}

// TestHits orders pairs of the same severity and clicks by the requests of the leading crawler. Without a
// run there is no column.
func TestHits(t *testing.T) {
	s := newSite(t)
	dir := t.TempDir()
	s.check(t, filepath.Join(dir, "without"), false, 0)
	if titles := fmt.Sprint(cells(t, filepath.Join(dir, "without"), "Migration")[0]); strings.Contains(titles, "hits") {
		t.Errorf("without a run: %s", titles)
	}
	crawlers, err := audit.ParseCrawlers("GPTBot,Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	s.migrator.Hits = migrate.NewHits()
	for _, rec := range []audit.Record{
		{Site: &audit.Site{Crawlers: crawlers}},
		{URLs: &audit.URLs{List: []audit.URL{{Loc: "http://old.example/a/1", Hits: []int64{0, 9}}}}}, // the site has no logs
		{Site: &audit.Site{Crawlers: crawlers, Logs: &audit.LogPeriod{}}},
		{URLs: &audit.URLs{List: []audit.URL{{Loc: "http://old.example/a/76", Hits: []int64{0, 9}}, {Loc: "http://old.example/a/2", Hits: []int64{500}}, {Loc: "http://old.example/a/4", Hits: []int64{1, 7}}}}},
	} {
		s.migrator.Hits.Add(&rec)
	}
	s.head.Run, s.head.HitsOf = "monday", s.migrator.Hits.Crawler
	s.check(t, filepath.Join(dir, "with"), false, 0)
	rows := cells(t, filepath.Join(dir, "with"), "Migration")
	at := slices.Index(rows[0], "Googlebot hits")
	if at != slices.Index(rows[0], "Clicks")+1 {
		t.Fatalf("titles %q", rows[0])
	}
	var got []string
	for _, row := range rows[1:] {
		if row[at] != "" || row[0] == "http://old.example/a/21" { // it has as many clicks as 76
			got = append(got, strings.TrimSpace(row[0]+" "+row[at]))
		}
	}
	if want := []string{"http://old.example/a/76 9", "http://old.example/a/21", "http://old.example/a/4 7"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEmptyTables checks that a table without rows has no sheet.
func TestEmptyTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	newSite(t).check(t, dir, false, 0)
	book, err := excelize.OpenFile(filepath.Join(dir, bookName))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if diff := cmp.Diff([]string{"Summary", "Migration", "Chains"}, book.GetSheetList()); diff != "" {
		t.Error(diff)
	}
}

func number(s string) (n int) {
	fmt.Sscan(strings.ReplaceAll(s, ",", ""), &n)
	return n
}

// TestRefusals checks which folders cannot be resumed.
func TestRefusals(t *testing.T) {
	s := newSite(t)
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := Open(s.options(dir, true)); !errors.Is(err, ErrNoRun) {
		t.Errorf("nothing there: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was left behind")
	}
	f, err := Open(s.options(dir, false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.options(dir, true)); !errors.Is(err, ErrLocked) {
		t.Errorf("in use: %v", err)
	}
	f.Close()
	if _, err := Open(s.options(dir, false)); !errors.Is(err, ErrExists) {
		t.Errorf("there already: %v", err)
	}
	other := s.options(dir, true)
	other.Head.MapSHA256 = "another"
	var mismatch *MismatchError
	if _, err := Open(other); !errors.As(err, &mismatch) || mismatch.What != "map" {
		t.Errorf("another map: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, journalName), []byte("no journal\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.options(dir, true)); !errors.Is(err, errHead) {
		t.Errorf("no journal: %v", err)
	}
}

// TestDamage requests the pair of a damaged line again, and no other.
func TestDamage(t *testing.T) {
	s := newSite(t)
	dir := filepath.Join(t.TempDir(), "out")
	s.check(t, dir, false, 0)
	name := filepath.Join(dir, journalName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte(`"class":"ok"`))
	copy(text[at:], `"class":"xx"`)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if asked, sum := s.check(t, dir, true, 0); asked != 1 || sum.Totals.OK != 96 {
		t.Errorf("asked %d, %+v", asked, sum.Totals)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cells are the cells of a sheet, by rows.
func cells(t *testing.T, dir, sheet string) [][]string {
	t.Helper()
	book, err := excelize.OpenFile(filepath.Join(dir, bookName))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
