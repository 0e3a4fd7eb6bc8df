package audits

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
)

// TestProgressBar draws a bar on a terminal that can be read. It checks the figures at the end, and
// log lines above the bar, which the bar writes itself. Before and after the bar they are written
// directly.
func TestProgressBar(t *testing.T) {
	var shown bytes.Buffer
	on := &cli.Screen{W: &shown}
	s := &Settings{sites: 2}
	log := s.NewLog(on)
	log.Warn("before")
	p := newProgress(s, on, log)
	if p.bar != nil {
		t.Fatal("a bar is drawn where there is no terminal")
	}
	p.drawBar(mpb.WithAutoRefresh())
	log.Warn("meanwhile")
	for range 2 {
		p.add(audit.Record{URLs: &audit.URLs{List: append(make([]audit.URL, 50), audit.URL{Kind: audit.KindImage})}})
		p.add(audit.Record{Done: &audit.Done{Counts: audit.Counts{BlockedAny: 3}}})
	}
	p.end()
	log.Warn("after")
	text := shown.String()
	place := -1
	for _, part := range []string{"msg=before\n", "msg=meanwhile\n", "2 / 2 sites", "100 URLs tested", "6 blocked", "msg=after\n"} {
		i := strings.LastIndex(text, part)
		if i < place {
			t.Errorf("%q is missing or too early:\n%s", part, text)
		}
		place = max(i, place)
	}
}

// TestProgressLeft checks the time left against the duration of the sites so far.
func TestProgressLeft(t *testing.T) {
	p := &progress{began: time.Now().Add(-time.Hour)}
	for _, c := range []struct {
		done, total int64
		prefix      string
	}{{0, 10, ""}, {1, 2, "1h"}, {2, 8, "3h"}} {
		if got := p.left(decor.Statistics{Current: c.done, Total: c.total}); !strings.HasPrefix(got, c.prefix) || (c.prefix == "") != (got == "") {
			t.Errorf("%d of %d in an hour: %q, want %s", c.done, c.total, got, c.prefix)
		}
	}
	if got := p.left(decor.Statistics{Current: 2, Total: 2, Completed: true}); got != "" {
		t.Errorf("it is over: %q", got)
	}
}

// TestProgressLog checks that a run without a terminal logs only at intervals.
func TestProgressLog(t *testing.T) {
	var said bytes.Buffer
	s := &Settings{}
	on := &cli.Screen{W: &said}
	p := newProgress(s, on, s.NewLog(on))
	p.next = p.began.Add(-time.Second) // due
	for range 100 {
		p.add(audit.Record{Done: &audit.Done{}})
	}
	if n := strings.Count(said.String(), "msg=auditing sites=1 "); n != 1 {
		t.Errorf("the first line that is due is said %d times:\n%s", n, &said)
	}
	s.Quiet = true
	said.Reset()
	p = newProgress(s, on, s.NewLog(on))
	p.next = time.Time{}
	p.add(audit.Record{Done: &audit.Done{}})
	p.end()
	if said.Len() > 0 {
		t.Errorf("it was to be quiet: %s", &said)
	}
}

// TestProgressWaiting names the site that has taken longest, and its stage. It names none before
// some time has passed, or once the site has ended.
func TestProgressWaiting(t *testing.T) {
	var said bytes.Buffer
	s := &Settings{}
	on := &cli.Screen{W: &said}
	p := newProgress(s, on, s.NewLog(on))
	defer p.end()
	add := func(name string, rec audit.Record) { rec.Domain = name; p.add(rec) }
	in := func(d time.Duration) time.Time { return time.Now().Add(d) }
	for _, name := range []string{"slow.example", "slower.example", "fast.example"} {
		add(name, audit.Record{Site: &audit.Site{Name: name}})
	}
	p.atWork["slower.example"].began = in(-20 * time.Second)
	p.atWork["slow.example"].began = in(-10 * time.Second)
	check := func(when time.Time, want string) {
		t.Helper()
		if got := p.waiting(when); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(in(0), " waiting 20 s for slower.example: its robots.txt ")
	add("slower.example", audit.Record{Robots: &audit.Robots{}})
	check(in(12*time.Second), " waiting 32 s for slower.example: its sitemaps ")
	add("slower.example", audit.Record{URLs: &audit.URLs{List: []audit.URL{{Sitemap: -1}}}})
	check(in(0), " waiting 20 s for slower.example: its pages ")

	p.next = time.Now().Add(-time.Second)
	p.tell() // as if no record came
	if !strings.Contains(said.String(), `msg=auditing sites=0 urls=1 `) || !strings.Contains(said.String(), `waiting_for=slower.example waiting_seconds=20 waiting_at="its pages"`) {
		t.Errorf("the log says %q", &said)
	}
	add("slower.example", audit.Record{Done: &audit.Done{}})
	check(in(0), " waiting 10 s for slow.example: its robots.txt ")
	add("slow.example", audit.Record{Done: &audit.Done{}})
	check(in(0), "")
	add("fast.example", audit.Record{Done: &audit.Done{}})
	check(in(time.Hour), "")
	add("asked.example", audit.Record{Site: &audit.Site{Asked: []string{"GPTBot"}}})
	add("asked.example", audit.Record{Robots: &audit.Robots{}})
	p.atWork["asked.example"].began = in(-40 * time.Second)
	check(in(0), " waiting 40 s for asked.example: its sitemaps or answers to names of crawlers ")
	add("asked.example", audit.Record{Done: &audit.Done{}})
	if len(p.atWork) != 0 {
		t.Errorf("%d sites are still at work", len(p.atWork))
	}
}
