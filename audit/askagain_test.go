package audit

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"robots-audit/crawl"
)

// TestDifferingAnswers: the answers read from the detail of a problem equal those written there.
func TestDifferingAnswers(t *testing.T) {
	first := crawl.RobotsFile{Outcome: crawl.Outcome{URL: "https://example.com/robots.txt", Status: 200, Bytes: 27, SHA256: "0123456789abcdef"}}
	for _, c := range []struct {
		agent         string
		agents        []string
		file          crawl.RobotsFile
		asker, theirs string
		status        int
	}{
		{"", nil, crawl.RobotsFile{Outcome: crawl.Outcome{Status: 404, Code: crawl.CodeHTTPStatus}}, "", "HTTP 404 Not Found", 404},
		{"Googlebot", []string{"Googlebot"}, crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200, Bytes: 40, SHA256: "fedcba9876543210"}}, "to Googlebot's User-Agent", "HTTP 200 with 40 bytes", 200},
		{`a "b" at c`, []string{"x", "y"}, crawl.RobotsFile{Outcome: crawl.Outcome{Code: crawl.CodeTimeout}}, `to the User-Agent "a \"b\" at c"`, "no usable answer (" + Meaning(crawl.CodeTimeout) + ")", 0},
	} {
		p := Differing(&crawl.Variant{UserAgent: c.agent, File: c.file}, &first, &crawl.Variants{UserAgents: c.agents})
		theirs, ours, url := DifferingAnswers(&p)
		if Asker(&p) != c.asker || theirs != c.theirs || ours != "HTTP 200 with 27 bytes" || url != first.URL || AskerStatus(&p) != c.status {
			t.Errorf("%s: %q, %q, %q, %q, %d", p.Detail, Asker(&p), theirs, ours, url, AskerStatus(&p))
		}
	}
}

// TestSecondLookAnswers requests sitemaps and home pages as Googlebot and on other addresses. What differs
// is a finding. Its nearest good sibling is none.
func TestSecondLookAnswers(t *testing.T) {
	const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	page, entry := "<!doctype html><html><head><title>a</title>", "<url><loc>http://%s/1</loc></url>"
	const agents = "FET014 line 0 %s 0 [http://%s/sitemap.xml] 1 sitemap differs by User-Agent: %s"
	const home = "FET015 line 0 %s 0 [http://%s/] the home page differs by User-Agent: %s"
	const blocked = "as Googlebot: HTTP 403 Forbidden; as a browser: HTTP 200 OK"
	for _, c := range []struct {
		name   string
		answer func(w http.ResponseWriter, url, agent string, number int) bool // false = the usual answer; agent is "Googlebot", "browser" or "" for this audit; number counts from 1
		want   string                                                          // format of severity, host and words; "" = nothing
	}{
		{"same", nil, ""},
		{"sitemap-403", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && agent == "Googlebot" && status(w, 403)
		}, fmt.Sprintf(agents, "error", "sitemap-403.example", blocked)},
		{"sitemap-all-crawlers", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && agent != "browser" && status(w, 403)
		}, fmt.Sprintf(agents, "error", "sitemap-all-crawlers.example", blocked+"; as this audit: HTTP 403 Forbidden")},
		{"sitemap-this-audit", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && agent == "" && status(w, 403)
		}, fmt.Sprintf(agents, "warning", "sitemap-this-audit.example", "as Googlebot: HTTP 200 OK; as a browser: HTTP 200 OK; as this audit: HTTP 403 Forbidden")},
		{"sitemap-gone", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && status(w, 404)
		}, ""},
		{"sitemap-page", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && agent == "Googlebot" && write(w, page)
		}, fmt.Sprintf(agents, "error", "sitemap-page.example", "as Googlebot: no sitemap; as a browser: a sitemap (1 URL, 120 bytes)")},
		{"sitemap-other", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/sitemap.xml" && agent == "Googlebot" && write(w, urlset("http://sitemap-other.example/1", "http://sitemap-other.example/2"))
		}, fmt.Sprintf(agents, "warning", "sitemap-other.example", "as Googlebot: a sitemap (2 URLs, 194 bytes); as a browser: a sitemap (1 URL, 121 bytes)")},
		{"sitemap-of-the-moment", func(w http.ResponseWriter, url, _ string, number int) bool {
			return url == "/sitemap.xml" && write(w, urlset(fmt.Sprintf("http://sitemap-of-the-moment.example/%d", number)))
		}, ""},
		{"sitemap-limited", func(w http.ResponseWriter, url, _ string, number int) bool {
			return url == "/sitemap.xml" && number > 1 && status(w, 429)
		}, ""},
		{"sitemap-now-and-then", func(w http.ResponseWriter, url, _ string, number int) bool {
			return url == "/sitemap.xml" && number > 1 && status(w, 404)
		}, "FET014 line 0 warning 0 [http://sitemap-now-and-then.example/sitemap.xml] 1 sitemap differs from request to request: first HTTP 200 OK, then HTTP 404 Not Found"},
		{"home-403", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/" && agent == "Googlebot" && status(w, 403)
		}, fmt.Sprintf(home, "error", "home-403.example", blocked)},
		{"home-all-403", func(w http.ResponseWriter, url, _ string, _ int) bool { return url == "/" && status(w, 403) }, ""},
		{"home-bytes", func(w http.ResponseWriter, url, _ string, number int) bool {
			return url == "/" && write(w, page+fmt.Sprint(number))
		}, ""},
		{"home-noindex", func(w http.ResponseWriter, url, agent string, _ int) bool {
			if url == "/" && agent == "Googlebot" {
				w.Header().Set("X-Robots-Tag", "noindex")
			}
			return false
		}, fmt.Sprintf(home, "error", "home-noindex.example", "as Googlebot: noindex; as a browser: no noindex")},
		{"home-noindex-for-people", func(w http.ResponseWriter, url, agent string, _ int) bool {
			if url == "/" && agent != "Googlebot" {
				w.Header().Set("X-Robots-Tag", "noindex")
			}
			return false
		}, ""},
		{"home-title", func(w http.ResponseWriter, url, agent string, _ int) bool {
			return url == "/" && agent == "Googlebot" && write(w, "<!doctype html><html><head><title></title>")
		}, fmt.Sprintf(home, "warning", "home-title.example", "as Googlebot: no title; as a browser: a title")},
		{"home-title-for-crawlers", func(w http.ResponseWriter, url, agent string, _ int) bool { // rendered for them
			return url == "/" && agent != "Googlebot" && write(w, "<!doctype html><html><head>")
		}, ""},
		{"home-redirect", func(w http.ResponseWriter, url, agent string, _ int) bool {
			if url != "/" || agent != "Googlebot" {
				return false
			}
			w.Header().Set("Location", "/bots")
			return status(w, 302)
		}, fmt.Sprintf(home, "warning", "home-redirect.example", "as Googlebot: answered by http://home-redirect.example/bots; as a browser: answered by http://home-redirect.example/")},
		{"home-session", func(w http.ResponseWriter, url, _ string, number int) bool {
			if url != "/" {
				return false
			}
			w.Header().Set("Location", fmt.Sprintf("/start?session=%d", number))
			return status(w, 302)
		}, ""},
		{"home-address", func(w http.ResponseWriter, url, _ string, _ int) bool { return url == "www /" && status(w, 404) },
			"FET015 line 0 warning 0 [http://www.home-address.example/] the home page differs by address: http://www.home-address.example: HTTP 404 Not Found; http://home-address.example: HTTP 200 OK"},
		{"home-address-redirect", func(w http.ResponseWriter, url, _ string, _ int) bool {
			w.Header().Set("Location", "http://home-address-redirect.example/")
			return url == "www /" && status(w, 301)
		}, ""},
		{"home-to-blocked", func(w http.ResponseWriter, url, agent string, _ int) bool {
			if url != "/" || agent != "Googlebot" {
				return false
			}
			w.Header().Set("Location", "/x")
			return status(w, 302)
		}, fmt.Sprintf(home, "warning", "home-to-blocked.example", "as Googlebot: a redirect to http://home-to-blocked.example/x, which robots.txt blocks; as a browser: HTTP 200 OK")},
		{"home-disallowed", func(w http.ResponseWriter, url, _ string, _ int) bool {
			if strings.HasSuffix(url, " /") || url == "/" {
				t.Errorf("%s was requested", url)
			}
			return strings.HasSuffix(url, "/robots.txt") && write(w, "User-agent: *\nDisallow: /$\n")
		}, ""},
	} {
		var mutex sync.Mutex
		numbers := map[string]int{}
		host := c.name + ".example"
		a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
			url := r.URL.Path
			if r.Host != host {
				url = "www " + url
			}
			mutex.Lock()
			numbers[url]++
			number := numbers[url]
			mutex.Unlock()
			agent := map[string]string{googlebot: "Googlebot", browserAgent: "browser"}[r.UserAgent()]
			switch {
			case c.answer != nil && c.answer(w, url, agent, number):
			case strings.HasSuffix(url, "/robots.txt"):
				io.WriteString(w, "User-agent: *\nDisallow: /x\n")
			case strings.HasSuffix(url, "/sitemap.xml"):
				io.WriteString(w, "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"+fmt.Sprintf(entry, host)+"</urlset>")
			default:
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, page)
			}
		})
		a.SecondLook = &crawl.Variants{UserAgents: []string{googlebot}, WWW: true}
		got, done := said(t, a, "http://"+host, "FET014", "FET015")
		if want := strings.TrimSpace(c.want); strings.Join(got, "\n") != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n"), want)
		}
		if c.want != "" && done.State == OK {
			t.Errorf("%s: OK: %s", c.name, done.Why)
		}
		if most := 1 + 3 + 2; c.want == "" && numbers["/"] > most {
			t.Errorf("%s: %d requests for the home page", c.name, numbers["/"])
		}
	}
}

// TestSecondLookRedirect says that the home page redirects to a blocked URL, also if no links are followed.
func TestSecondLookRedirect(t *testing.T) {
	for to, want := range map[string]State{"/blocked": Warn, "/allowed": OK} {
		a := world(t, map[string]string{
			"a.example/robots.txt": "User-agent: *\nDisallow: /blocked\n", "a.example/sitemap.xml": urlset("http://a.example/one"), "a.example/": "redirect http://a.example" + to,
			"a.example/allowed": "<!doctype html><title>a</title>",
		})
		a.SecondLook = &crawl.Variants{UserAgents: []string{"Else/1.0"}}
		got, done := said(t, a, "http://a.example", "RUL020", "FET015")
		if done.State != want || (want == Warn) != strings.HasPrefix(done.Why, "The home page redirects to http://a.example/blocked, which line 2 blocks for ") || (want == Warn) != (len(got) == 1) {
			t.Errorf("%s: %s: %s %q", to, done.State, done.Why, got)
		}
	}
}

// small is an auditor of a.example, which has one page in its sitemap. Googlebot gets a robots.txt of its own,
// and each User-Agent its home page. Nothing is found on other hosts.
func small(t *testing.T, robots string, home func(w http.ResponseWriter, agent string)) *Auditor {
	return served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			home(w, r.UserAgent())
		case r.Host != "a.example":
			status(w, 404)
		case r.URL.Path == "/robots.txt" && strings.Contains(r.UserAgent(), "Googlebot/"):
			write(w, robots)
		case r.URL.Path == "/robots.txt":
			write(w, "User-agent: *\nDisallow: /x\n")
		case r.URL.Path == "/sitemap.xml":
			write(w, urlset("http://a.example/1"))
		default:
			write(w, "<!doctype html><title>a</title>")
		}
	})
}

// TestSecondLookLead says first what keeps Googlebot out, and only then that robots.txt differs.
func TestSecondLookLead(t *testing.T) {
	const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	for shut, want := range map[bool]string{
		true:  "the home page differs by User-Agent: as Googlebot: HTTP 403 Forbidden; as a browser: HTTP 200 OK (and 1 more problem).",
		false: "robots.txt differs: HTTP 404 Not Found at another address, HTTP 200 with 27 bytes at http://a.example.",
	} {
		a := small(t, "User-agent: *\nDisallow: /x\n", func(w http.ResponseWriter, agent string) {
			if shut && agent == googlebot {
				status(w, 403)
				return
			}
			write(w, "<!doctype html><title>a</title>")
		})
		a.SecondLook = &crawl.Variants{UserAgents: []string{googlebot}, WWW: true}
		if _, done := said(t, a, "http://a.example"); done.Why != "The only URL found is allowed for every crawler tested. There was a problem: "+want {
			t.Errorf("%v: %s", shut, done.Why)
		}
	}
}

// TestSecondLookRobots says that Googlebot gets a robots.txt that blocks the home page.
func TestSecondLookRobots(t *testing.T) {
	const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	for rules, shut := range map[string]bool{"User-agent: *\nDisallow: /\n": true, "User-agent: *\nDisallow: /y\n": false, "User-agent: bingbot\nDisallow: /\n": false} {
		a := small(t, rules, func(w http.ResponseWriter, _ string) { write(w, "<!doctype html><title>a</title>") })
		a.SecondLook = &crawl.Variants{UserAgents: []string{googlebot}}
		got, done := said(t, a, "http://a.example", "FET008")
		if len(got) != 1 || strings.HasPrefix(got[0], "FET008 line 0 error") != shut || strings.Contains(done.Why, "Googlebot gets a file that blocks the home page") != shut {
			t.Errorf("%q: %q, %s", rules, got, done.Why)
		}
	}
}

// status answers with a status.
func status(w http.ResponseWriter, code int) bool { w.WriteHeader(code); return true }

// write answers with a text.
func write(w http.ResponseWriter, text string) bool { io.WriteString(w, text); return true }

// TestHomePage says that the home page gives no page, or has noindex, with links followed and with the second
// look. What only this audit gets is another finding.
func TestHomePage(t *testing.T) {
	const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	for name, c := range map[string]struct {
		home func(w http.ResponseWriter, agent string)
		want string // findings FET015 and FET016: id and severity
		look string // those of the second look, if they are others
	}{
		"found":     {func(w http.ResponseWriter, _ string) { write(w, "<!doctype html><title>a</title>") }, "", ""},
		"not found": {func(w http.ResponseWriter, _ string) { status(w, 404) }, "FET016 warning", ""},
		"refused":   {func(w http.ResponseWriter, _ string) { status(w, 403) }, "FET016 warning", ""},
		"noindex":   {func(w http.ResponseWriter, _ string) { write(w, "<!doctype html><meta name=robots content=noindex>") }, "FET016 error", ""},
		"only Googlebot": {func(w http.ResponseWriter, agent string) {
			if agent == googlebot || !strings.HasPrefix(agent, "Mozilla/") {
				status(w, 403)
				return
			}
			write(w, "<!doctype html><title>a</title>")
		}, "FET016 warning", "FET015 error"},
		"noindex of another": {func(w http.ResponseWriter, _ string) {
			write(w, "<!doctype html><title>a</title><meta name=yandex content=noindex>")
		}, "", ""},
	} {
		for _, links := range []bool{true, false} {
			a := small(t, "User-agent: *\nDisallow: /x\n", c.home)
			if links {
				a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
			} else {
				a.SecondLook = &crawl.Variants{UserAgents: []string{googlebot}}
			}
			var got []string
			list, _ := said(t, a, "http://a.example", "FET015", "FET016")
			for _, f := range list {
				id, rest, _ := strings.Cut(f, " line 0 ")
				severity, _, _ := strings.Cut(rest, " ")
				got = append(got, id+" "+severity)
			}
			want := c.want
			if !links {
				want = cmp.Or(c.look, c.want)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s, links %v: %q", name, links, list)
			}
		}
	}
}
