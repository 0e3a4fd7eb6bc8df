package audit

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ordinaryPage is a page with a style sheet and a script, of about 3 KB.
var ordinaryPage = `<!doctype html><title>Shoes</title><link rel=stylesheet href=/style.css><script src=/app.js></script><p>` + strings.Repeat("shoes and boots ", 200)

// ordinary are the files of the site.
var ordinary = map[string]string{
	"/robots.txt":  "User-agent: *\nDisallow: /private\nSitemap: http://a.example/sitemap.xml\n",
	"/":            ordinaryPage,
	"/sitemap.xml": urlset("http://a.example/", "http://a.example/p/1", "http://a.example/blog/about", "http://a.example/private/1"),
	"/p/1":         ordinaryPage, "/blog/about": ordinaryPage,
	"/style.css": "p { color: black }", "/app.js": "let a = 1",
	"/bots": ordinaryPage,
}

// shop is a server with one request at a time, which it counts.
type shop struct {
	sync.Mutex
	t      testing.TB                                    // nil = several requests at a time are no error
	answer func(w http.ResponseWriter, q *question) bool // false = the ordinary answer
	at     int                                           // requests that are being answered
	all    int
	by     map[string]int // requests by name, and by name and path
}

// question is a request to a shop.
type question struct {
	*http.Request
	name string // "GPTBot", "Googlebot"; "" = this program
	path string
	n    int // number of the request, from 1
	own  int // of this name
	here int // of this name for this path
}

// count returns the number of requests in a name, or in a name for a path. It may be asked for while a request is
// answered: a client does not wait for the end of one that was cut off.
func (s *shop) count(key string) int {
	s.Lock()
	defer s.Unlock()
	return s.by[key]
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &question{Request: r, path: r.URL.Path}
	for _, name := range []string{"GPTBot", "Googlebot"} {
		if strings.Contains(r.UserAgent(), name+"/") {
			q.name = name
		}
	}
	s.Lock()
	s.at++
	s.all++
	s.by[q.name]++
	s.by[q.name+q.path]++
	q.here = s.by[q.name+q.path]
	if q.n, q.own = s.all, s.by[q.name]; s.at > 1 && s.t != nil {
		s.t.Errorf("%d requests at a time", s.at)
	}
	s.Unlock()
	left := sync.OnceFunc(func() {
		s.Lock()
		s.at--
		s.Unlock()
	})
	defer left()
	text := ordinary[q.path]
	switch {
	case s.answer != nil && s.answer(&leaving{w, left}, q):
	case text == "":
		http.NotFound(w, r)
	default:
		contentType := map[string]string{"/robots.txt": "text/plain", "/sitemap.xml": "text/xml", "/style.css": "text/css", "/app.js": "text/javascript"}[q.path]
		if contentType == "" {
			contentType = "text/html; charset=utf-8"
		}
		w.Header().Set("Content-Type", contentType)
		left() // the client reads the end before this handler returns
		io.WriteString(w, text)
	}
}

// leaving ends the count of a request before its answer is written.
type leaving struct {
	http.ResponseWriter
	left func()
}

func (l *leaving) WriteHeader(status int)      { l.left(); l.ResponseWriter.WriteHeader(status) }
func (l *leaving) Write(p []byte) (int, error) { l.left(); return l.ResponseWriter.Write(p) }
func (l *leaving) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// patience is the timeout of requests to servers that answer.
const patience = 30 * time.Second

// withTimeouts checks a server. The requests to one that hangs have short timeouts first, which end ordinary
// requests, too, if the machine is slow. Only what is wrong with the longest one is an error.
func withTimeouts(t *testing.T, name string, check func(timeout time.Duration) (wrong string)) {
	timeouts := []time.Duration{patience}
	if strings.HasPrefix(name, "hangs") {
		timeouts = []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}
	}
	var wrong string
	for _, timeout := range timeouts {
		if wrong = check(timeout); wrong == "" {
			return
		}
	}
	t.Error(wrong)
}

// askShop audits the site, and returns what it said about the names.
func askShop(t testing.TB, s *shop, names string, timeout time.Duration) *Asked {
	t.Helper()
	if s.t, s.by = nil, map[string]int{}; timeout == patience {
		s.t = t // with another one, this program may leave before the server knows it
	}
	a := served(t, "Googlebot", s.ServeHTTP)
	a.Client.Timeout = timeout
	var err error
	a.AskAs, err = ParseAskAs(names, 1)
	noError(t, err)
	var asked *Asked
	for rec := range a.Site(t.Context(), mustSlot(t, a), mustDomain(t, "http://a.example"), 0) {
		if rec.Asked != nil {
			if asked != nil {
				t.Error("two records")
			}
			asked = rec.Asked
		}
	}
	return asked
}

func mustSlot(t testing.TB, a *Auditor) *Slot {
	t.Helper()
	slot, err := a.Pool().Start(t.Context())
	noError(t, err)
	t.Cleanup(slot.Release)
	return slot
}

func mustDomain(t testing.TB, entry string) Domain {
	t.Helper()
	d, why := ParseDomain(entry)
	if why != "" {
		t.Fatal(why)
	}
	return d
}

// conclusions are the replies that are not "let in", as lines: name, path, treatment and reason. "all" is the
// path if all are equal. Replies to us come first.
func conclusions(asked *Asked) (lines []string) {
	if asked == nil {
		return []string{"nothing asked"}
	}
	add := func(name string, replies []Reply) {
		if len(replies) > 1 && replies[0].Treatment != LetIn && !slices.ContainsFunc(replies, func(r Reply) bool {
			return r.Treatment != replies[0].Treatment || r.Why != replies[0].Why
		}) {
			lines = append(lines, fmt.Sprintf("%s all %s %s", name, replies[0].Treatment, replies[0].Why))
			return
		}
		for i, r := range replies {
			if r.Treatment != LetIn {
				lines = append(lines, fmt.Sprintf("%s %s %s %s", name, strings.TrimPrefix(asked.URLs[i].URL, "http://a.example"), r.Treatment, r.Why))
			}
		}
	}
	var ours []Reply
	for _, u := range asked.URLs {
		ours = append(ours, u.Ours)
	}
	add("us", ours)
	for _, c := range asked.Crawlers {
		add(c.Name, c.Replies)
	}
	return lines
}
