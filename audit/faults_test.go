package audit

import (
	"bufio"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"robots-audit/crawl"
)

// A certificate that is not in order is reported, and http is not asked
// instead; where no one answers https, it is.
func TestHTTPInstead(t *testing.T) {
	var plain atomic.Int32
	http80 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plain.Add(1)
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	defer http80.Close()
	https := httptest.NewUnstartedServer(http.NotFoundHandler()) // whose certificate is of another name
	https.Config.ErrorLog = log.New(io.Discard, "", 0)
	https.StartTLS()
	defer https.Close()
	a := world(t, nil)
	a.Client.ConnectTo = []string{":80:" + http80.Listener.Addr().String(), "secure.example:443:" + https.Listener.Addr().String(), ":443:127.0.0.1:1"}
	if lines := strings.Join(story(a, t.Context(), "secure.example")["secure.example"], "\n"); !strings.Contains(lines, "problem robots tls_wrong_host") || plain.Load() != 0 {
		t.Errorf("%d requests over http:\n%s", plain.Load(), lines)
	}
	if lines := strings.Join(story(a, t.Context(), "plain.example")["plain.example"], "\n"); !strings.Contains(lines, "robots http://plain.example 200") || plain.Load() == 0 {
		t.Errorf("no answer over https, and none over http:\n%s", lines)
	}
}

// A host that accepts a request for robots.txt and never answers gets no other request.
func TestNothingMoreOfSilentServer(t *testing.T) {
	var more atomic.Int32
	a := served(t, "Googlebot,YandexBot", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			<-r.Context().Done()
		} else {
			more.Add(1)
		}
	})
	a.Client.Timeout = 200 * time.Millisecond
	lines := strings.Join(story(a, t.Context(), "http://silent.example")["silent.example"], "\n")
	if more.Load() > 0 || !strings.Contains(lines, "timeout") {
		t.Errorf("%d requests more:\n%s", more.Load(), lines)
	}
}

// A server error is judged with the results of earlier runs: there are none at first; later there
// is the last good copy, as each reader's documentation says.
func TestServerErrorWithHistory(t *testing.T) {
	var down atomic.Bool
	a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/robots.txt":
			http.NotFound(w, r)
		case down.Load():
			w.WriteHeader(503)
		default:
			w.Header().Set("Cache-Control", "no-cache")
			io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
		}
	})
	cache, err := crawl.OpenCache(filepath.Join(t.TempDir(), "cache.db"))
	noError(t, err)
	defer cache.Close()
	connectTo := a.Client.ConnectTo
	run := func() (file crawl.RobotsFile, access string) {
		a.Client = &crawl.Client{Cache: cache, Retries: -1, ConnectTo: connectTo}
		for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
			if rec.Robots != nil {
				file, access = rec.Robots.File, rec.Robots.Reads[0].Access.String()
			}
		}
		return file, access
	}
	if file, access := run(); file.Status != 200 || access != "parsed" {
		t.Errorf("up: %d, %s", file.Status, access)
	}
	down.Store(true)
	file, access := run()
	if file.Status != 503 || access != "disallow_all" || !strings.Contains(string(file.Cached), "/private/") || file.FirstFailure.IsZero() {
		t.Errorf("just down: %d, %s, copy %q, since %v", file.Status, access, file.Cached, file.FirstFailure)
	}
	// The engine decides what Google does after twelve hours; here the engine must get the number
	// of hours.
	again, _ := run()
	if !again.FirstFailure.Equal(file.FirstFailure) || again.UnreachableHours < 0 || again.UnreachableHours > 1 {
		t.Errorf("down again: since %v (%v before), %v hours", again.FirstFailure, file.FirstFailure, again.UnreachableHours)
	}
}

// A sitemap that robots.txt blocks is read, and said to be blocked.
func TestSitemapThatIsBlocked(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /s\nSitemap: http://a.example/s.xml\n",
		"a.example/s.xml":      urlset("http://a.example/1"),
	})
	lines := strings.Join(story(a, t.Context(), "http://a.example")["a.example"], "\n")
	if !strings.Contains(lines, "problem sitemap sitemap_blocked http://a.example/s.xml") || !strings.Contains(lines, "done warn urls 1") {
		t.Error(lines)
	}
}

// Impossible URLs, and URLs under another origin's robots.txt, are distinguished (fault 29). URLs
// that a second sitemap repeats are tested once (fault 32).
func TestOddURLs(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /p\nSitemap: http://a.example/1.xml\nSitemap: http://a.example/2.xml\n",
		"a.example/1.xml": urlset("http://a.example/p/1", "http://a.example/2#part", "http://a.example/"+strings.Repeat("x", 100_000),
			"/p/relative", "mailto:p@a.example", "http://user:pw@a.example/p/user", "http://a.example:80/p/port"),
		"a.example/2.xml":                  urlset("http://A.Example/p/1", "http://a.example/2", "http://a.example/p/3", "http://bücher.example/p/idn"),
		"xn--bcher-kva.example/robots.txt": "User-agent: *\nDisallow: /p/idn\n",
	})
	var got []string
	for _, line := range story(a, t.Context(), "http://a.example")["a.example"] {
		if strings.HasPrefix(line, "url ") || strings.HasPrefix(line, "sitemap ") || strings.HasPrefix(line, "done ") {
			got = append(got, line)
		}
	}
	want := []string{
		"url http://a.example/p/1 [disallow disallow] [2 2]",
		"url http://a.example/2 [allow allow] [0 0]",
		"url http://a.example/p/relative [disallow disallow] [2 2]",
		"url http://a.example/p/user [disallow disallow] [2 2]",
		"url http://a.example/p/port [disallow disallow] [2 2]",
		"sitemap http://a.example/1.xml tested 5 repeated 0 left out map[other_scheme:1 too_long:1] blocked [4 4]",
		"url http://a.example/p/3 [disallow disallow] [2 2]",
		"url http://xn--bcher-kva.example/p/idn [disallow disallow] [2 2]",
		"sitemap http://a.example/2.xml tested 2 repeated 2 left out map[] blocked [2 2]",
		"done critical urls 7 blocked 6 [6 6] left out map[other_scheme:1 too_long:1]",
	}
	checkEqual(t, "records", got, want)
}

// hugeList is a list that is generated while it is read: of twenty lines one is a new entry, three
// repeat it in other forms, and the others are blank or comments.
type hugeList struct {
	n, entries int
	rest       []byte // of the twenty lines that are being read
	block      []byte
}

func (l *hugeList) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if l.n == l.entries {
			return 0, io.EOF
		}
		l.n++
		l.block = l.block[:0]
		for _, line := range [][2]string{{"site-", ".example\r\n"}, {"# site-", "\r\n"}, {"SITE-", ".Example\r\n\r\n"},
			{"https://site-", ".example/\n\n  # and\r\n"}, {"site-", ".example." + strings.Repeat("\n", 13)}} {
			l.block = append(strconv.AppendInt(append(l.block, line[0]...), int64(l.n), 10), line[1]...)
		}
		l.rest = l.block
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// A list of two million lines (ten million with the tag soak) is streamed. It only takes the few
// bytes per entry that detect repetition.
func TestHugeList(t *testing.T) {
	entries := 100_000
	if raced {
		entries /= 2
	}
	if soaked {
		entries *= 5
	}
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, start, n := live(), time.Now(), 0
	var most uint64
	for d, err := range Domains(bufio.NewReader(&hugeList{entries: entries})) {
		noError(t, err)
		if n++; n%(entries/5) == 0 {
			most = max(most, live())
		}
		if d.Line != 20*n-19 {
			t.Fatalf("entry %d is told to be in line %d", n, d.Line)
		}
	}
	if n != entries {
		t.Errorf("%d entries, want %d", n, entries)
	}
	if each := (int64(most) - int64(before)) / int64(n); each > 64 {
		t.Errorf("%d bytes an entry", each)
	}
	t.Logf("%d lines in %v, %d MB", 20*entries, time.Since(start), (most-before)>>20)
}
