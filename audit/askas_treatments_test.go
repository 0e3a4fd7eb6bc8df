package audit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// reply is an answer of a shop.
type reply func(w http.ResponseWriter, q *question) bool

// to answers requests in one name.
func to(name string, f reply) reply {
	return func(w http.ResponseWriter, q *question) bool { return q.name == name && f(w, q) }
}

// on answers requests for one path.
func on(path string, f reply) reply {
	return func(w http.ResponseWriter, q *question) bool { return q.path == path && f(w, q) }
}

// with answers with a status, a body, and header fields: name, value, …
func with(code int, body string, fields ...string) reply {
	return func(w http.ResponseWriter, _ *question) bool {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for i := 0; i < len(fields); i += 2 {
			w.Header().Add(fields[i], fields[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
		return true
	}
}

// but is the ordinary answer with header fields.
func but(fields ...string) reply {
	return func(w http.ResponseWriter, q *question) bool {
		if q.path == "/robots.txt" {
			return false
		}
		for i := 0; i < len(fields); i += 2 {
			w.Header().Add(fields[i], fields[i+1])
		}
		return false
	}
}

func hangUp(http.ResponseWriter, *question) bool { panic(http.ErrAbortHandler) }

// hang waits until the client leaves.
func hang(w http.ResponseWriter, q *question) bool {
	w.(*leaving).left()
	<-q.Context().Done()
	return true
}

const (
	justAMoment = `<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt = {cvId: '3'}</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`
	contactForm = `<form><script src="https://www.google.com/recaptcha/api.js"></script><div class="g-recaptcha"></div><div class="cf-turnstile"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script></form>`
	linked      = `<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a><a href=/5>5</a><a href=/6>6</a><a href=/7>7</a><a href=/8>8</a><a href=/9>9</a><a href=/10>10</a><a href=/11>11</a>`
	captchaPage = `<!doctype html><title>Are you human?</title><script src="https://js.hcaptcha.com/1/api.js"></script><div class="h-captcha"></div>`
)

// treatments are servers and what is concluded about them. GPTBot and Googlebot are asked.
var treatments = []struct {
	name   string
	answer reply
	want   string // lines of conclusions
}{
	{"the same for all", nil, ""},
	{"401", to("GPTBot", with(401, "")), "GPTBot all refused status"},
	{"402", to("GPTBot", with(402, "", "Crawler-Price", "USD 0.01")), "GPTBot all asked_to_pay payment"},
	{"402 without a price", to("GPTBot", with(402, "")), "GPTBot all asked_to_pay payment"},
	{"a price with 403", to("GPTBot", with(403, "", "Crawler-Price", "USD 0.01")), "GPTBot all asked_to_pay payment"},
	{"a licence", to("GPTBot", with(401, "", "WWW-Authenticate", `License error="invalid_request"`)), "GPTBot all asked_to_pay payment"},
	{"a password", to("GPTBot", with(401, "", "WWW-Authenticate", `Basic realm="License"`)), "GPTBot all refused status"},
	{"a price for a page that is served", to("GPTBot", but("Crawler-Price", "USD 0.01")), ""},
	{"403", to("GPTBot", with(403, "Forbidden")), "GPTBot all refused status"},
	{"403 for both", func(w http.ResponseWriter, q *question) bool { return q.name != "" && with(403, "")(w, q) }, "GPTBot all refused status\nGooglebot all refused status"},
	{"403 for every bot", func(w http.ResponseWriter, q *question) bool {
		return strings.Contains(strings.ToLower(q.UserAgent()), "bot") && q.path != "/robots.txt" && q.path != "/sitemap.xml" && with(403, "")(w, q)
	}, "us / refused status\nus /blog/about refused status\nus /p/1 refused status\nGPTBot / unclear refuses_us\nGPTBot /blog/about unclear refuses_us\nGPTBot /p/1 unclear refuses_us\nGooglebot / unclear refuses_us\nGooglebot /blog/about unclear refuses_us\nGooglebot /p/1 unclear refuses_us"},
	{"404 only for a name", to("GPTBot", with(404, "not found")), "GPTBot all refused status"},
	{"404 for all", on("/p/1", with(404, "not found")), ""},
	{"405", to("GPTBot", with(405, "")), "GPTBot all refused status"},
	{"406", to("GPTBot", with(406, "")), "GPTBot all refused status"},
	{"451", to("GPTBot", with(451, "")), "GPTBot all refused status"},
	{"another title, and not the last time", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return ordinary[q.path] == ordinaryPage && (q.path != "/p/1" || q.here <= pageRounds) && with(200, strings.Replace(ordinaryPage, "Shoes", "Boots", 1))(w, q)
	}), "GPTBot / unclear unstable\nGPTBot /blog/about unclear unstable\nGPTBot /p/1 unclear unstable"},
	{"503 always", to("GPTBot", with(503, "")), "GPTBot all refused status"},
	{"503 once", func(w http.ResponseWriter, q *question) bool {
		return q.name == "GPTBot" && q.own == 2 && with(503, "")(w, q)
	}, "GPTBot / unclear unstable"},
	{"403 for one name of a server that wavers", func(w http.ResponseWriter, q *question) bool {
		return to("GPTBot", with(403, ""))(w, q) || q.name == "Googlebot" && q.own == 2 && with(503, "")(w, q)
	}, "GPTBot /robots.txt refused status\nGPTBot / refused status\nGPTBot /sitemap.xml refused status\nGPTBot /blog/about unclear unstable\nGPTBot /p/1 unclear unstable\nGPTBot /style.css unclear unstable\nGPTBot /app.js unclear unstable\nGooglebot / unclear unstable"},
	{"503, and then 502", on("/", func(w http.ResponseWriter, q *question) bool {
		first := q.own == 2
		return q.name == "GPTBot" && (first || q.own == 8) && with(map[bool]int{true: 503, false: 502}[first], "")(w, q)
	}), "GPTBot / unclear unstable"},
	{"503 and 502 in turn", to("GPTBot", on("/", func(w http.ResponseWriter, q *question) bool { return with(502+q.here%2, "")(w, q) })), "GPTBot / unclear unstable"},
	{"another title of each page for three times", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return ordinary[q.path] == ordinaryPage && q.here <= 3 && with(200, strings.Replace(ordinaryPage, "Shoes", "Boots", 1))(w, q)
	}), "GPTBot / unclear unstable\nGPTBot /blog/about unclear unstable\nGPTBot /p/1 unclear unstable"},
	{"777", to("GPTBot", with(777, "")), "GPTBot all refused status"},
	{"429 always", to("GPTBot", with(429, "")), "GPTBot /robots.txt refused status\nGPTBot / refused status\nGPTBot /sitemap.xml refused status\nGPTBot /blog/about unclear rate_limited\nGPTBot /p/1 unclear rate_limited\nGPTBot /style.css unclear rate_limited\nGPTBot /app.js unclear rate_limited"},
	{"429 for us alone", to("", func(w http.ResponseWriter, q *question) bool { return q.n > 2 && with(429, "")(w, q) }),
		"us /robots.txt refused status\nus / refused status\nus /sitemap.xml refused status\nus /blog/about unclear rate_limited\nus /p/1 unclear rate_limited\nGPTBot all unclear rate_limited\nGooglebot all unclear rate_limited"},
	{"503 with Retry-After for files of a page", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return strings.HasSuffix(q.path, "s") && with(503, "", "Retry-After", "0.01")(w, q)
	}), "GPTBot /style.css refused status\nGPTBot /app.js refused status"},
	{"429 after three", func(w http.ResponseWriter, q *question) bool {
		return q.name == "GPTBot" && q.own > 3 && with(429, "", "Retry-After", "0.01")(w, q)
	}, "GPTBot /blog/about unclear rate_limited\nGPTBot /p/1 unclear rate_limited\nGPTBot /style.css unclear rate_limited\nGPTBot /app.js unclear rate_limited"},
	{"429 by address after 14", func(w http.ResponseWriter, q *question) bool { return q.n > 14 && with(429, "")(w, q) },
		"us /robots.txt unclear unstable\nGPTBot /style.css unclear rate_limited\nGPTBot /app.js unclear rate_limited\nGooglebot all unclear rate_limited"},
	{"503 after five in a name", func(w http.ResponseWriter, q *question) bool { return q.name != "" && q.own > 5 && with(503, "")(w, q) },
		"GPTBot / unclear unstable\nGPTBot /style.css unclear unstable\nGPTBot /app.js unclear unstable\nGooglebot / unclear unstable\nGooglebot /style.css unclear unstable\nGooglebot /app.js unclear unstable"},
	{"503 by address after 9", func(w http.ResponseWriter, q *question) bool { return q.n > 9 && with(503, "")(w, q) },
		"us /robots.txt unclear unstable\nGPTBot all unclear unstable\nGooglebot all unclear unstable"},
	{"403 by address for Googlebot and later", func(w http.ResponseWriter, q *question) bool { return q.n > 16 && with(403, "")(w, q) },
		"us /robots.txt unclear unstable\nGooglebot all unclear unstable"},
	{"403 for our address", with(403, ""), "us all refused status\nGPTBot all unclear refuses_us\nGooglebot all unclear refuses_us"},
	{"challenge for all", func(w http.ResponseWriter, q *question) bool {
		return q.path != "/robots.txt" && with(403, justAMoment, "Cf-Mitigated", "challenge")(w, q)
	}, "us / challenged challenge\nGPTBot / unclear refuses_us\nGooglebot / unclear refuses_us"},
	{"every second request", func(w http.ResponseWriter, q *question) bool {
		return q.path == "/" && q.n%2 == 0 && with(503, "")(w, q)
	},
		"us / unclear unstable\nGPTBot / unclear unstable"},
	{"us alone", to("", on("/", with(403, ""))), "us / refused status"},
	{"challenge by header", to("GPTBot", with(403, "", "Cf-Mitigated", "challenge")), "GPTBot all challenged challenge"},
	{"challenge with 200", to("GPTBot", on("/", with(200, justAMoment))), "GPTBot / challenged challenge"},
	{"challenge with 202 and an empty body", to("GPTBot", on("/", with(202, "", "X-Amzn-Waf-Action", "challenge"))), "GPTBot / challenged challenge"},
	{"captcha with 200", to("GPTBot", on("/", with(200, captchaPage))), "GPTBot / challenged challenge"},
	{"captcha with 403", to("GPTBot", on("/", with(403, captchaPage))), "GPTBot / challenged challenge"},
	{"contact form", on("/", with(200, ordinaryPage+contactForm)), ""},
	{"contact form with 404", on("/p/1", with(404, ordinaryPage+contactForm)), ""},
	{"another title", to("GPTBot", on("/", with(200, strings.Replace(ordinaryPage, "Shoes", "Access Denied", 1)))), "GPTBot / something_else title"},
	{"another size", to("GPTBot", on("/", with(200, "<!doctype html><title>Shoes</title>no"))), "GPTBot / something_else size"},
	{"empty body", to("GPTBot", on("/", with(200, ""))), "GPTBot / something_else empty"},
	{"empty for us", to("", on("/", with(200, ""))), ""},
	{"another type", to("GPTBot", on("/", with(200, ordinaryPage, "Content-Type", "text/plain"))), ""},
	{"JSON", func(w http.ResponseWriter, q *question) bool {
		if q.name != "GPTBot" || q.path != "/" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
		return true
	}, "GPTBot / something_else type"},
	{"noindex", to("Googlebot", on("/", with(200, ordinaryPage+`<meta name=robots content="noindex">`))), "Googlebot / something_else noindex"},
	{"noindex for its name", on("/", to("Googlebot", with(200, ordinaryPage+`<meta name=googlebot content="noindex">`))), "Googlebot / something_else noindex"},
	{"noindex for another name", on("/", to("Googlebot", with(200, ordinaryPage+`<meta name=bingbot content="noindex">`))), ""},
	{"noindex for all", on("/", with(200, ordinaryPage+`<meta name=googlebot content="noindex">`)), ""},
	{"X-Robots-Tag", to("GPTBot", on("/p/1", but("X-Robots-Tag", "noindex"))), "GPTBot /p/1 something_else noindex"},
	{"X-Robots-Tag by name", on("/p/1", but("X-Robots-Tag", "gptbot: noindex")), ""},
	{"redirect to a challenge", to("GPTBot", on("/", with(302, "", "Location", "/captcha?back=1"))), "GPTBot / refused status"},
	{"redirect to a page of a challenge", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return on("/", with(302, "", "Location", "/.within/challenge/"))(w, q) || on("/.within/challenge/", with(200, ordinaryPage))(w, q)
	}), "GPTBot / challenged challenge"},
	{"redirect elsewhere", to("GPTBot", on("/", with(302, "", "Location", "/bots"))), "GPTBot / something_else redirect"},
	{"redirect to another site", to("GPTBot", on("/", with(302, "", "Location", "http://other.example/"))), "GPTBot / something_else redirect"},
	{"redirect to where we may not go", to("GPTBot", on("/", with(302, "", "Location", "/private/a"))), "GPTBot / something_else redirect"},
	{"redirect of all", on("/", with(302, "", "Location", "http://other.example/")), ""},
	{"redirect of people, and to oneself for a name", on("/", func(w http.ResponseWriter, q *question) bool {
		return with(302, "", "Location", map[bool]string{true: "/", false: "/bots"}[q.name == "GPTBot"])(w, q)
	}), "GPTBot / something_else redirect"},
	{"redirect to www", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return q.Host == "a.example" && ordinary[q.path] == ordinaryPage && with(301, "", "Location", "http://www.a.example"+q.path)(w, q)
	}), ""},
	{"a page about cookies for people", func(w http.ResponseWriter, q *question) bool {
		return q.name == "" && ordinary[q.path] == ordinaryPage && with(302, "", "Location", "/consent?to="+q.path)(w, q) || on("/consent", with(200, "<title>Cookies</title>"))(w, q)
	}, ""},
	{"a large page about cookies for people, and little for a name", on("/", func(w http.ResponseWriter, q *question) bool {
		return q.name == "" && with(302, "", "Location", "/bots")(w, q) || to("GPTBot", with(200, "no bots"))(w, q)
	}), "GPTBot / something_else size"},
	{"rendered for a crawler", func(w http.ResponseWriter, q *question) bool {
		switch {
		case ordinary[q.path] != ordinaryPage:
			return false
		case q.name == "Googlebot":
			return with(200, strings.Replace(ordinaryPage, "Shoes", "Red shoes", 1)+linked)(w, q)
		}
		return with(200, `<title>App</title><link rel=stylesheet href=/style.css><script src=/app.js></script>`)(w, q)
	}, ""},
	{"redirect with a session", on("/", func(w http.ResponseWriter, q *question) bool {
		return q.URL.RawQuery == "" && with(302, "", "Location", fmt.Sprintf("/?session=%d", q.n))(w, q)
	}), ""},
	{"redirect to oneself", to("GPTBot", on("/", with(302, "", "Location", "/"))), "GPTBot / something_else redirect"},
	{"endless redirects", to("GPTBot", func(w http.ResponseWriter, q *question) bool {
		return (q.path == "/" || strings.HasPrefix(q.path, "/next")) && with(302, "", "Location", fmt.Sprintf("/next%d", q.n))(w, q)
	}), "GPTBot / something_else redirect"},
	{"redirect without a target", to("GPTBot", on("/", with(302, ""))), "GPTBot / something_else redirect"},
	{"slow", to("GPTBot", on("/", func(http.ResponseWriter, *question) bool { time.Sleep(50 * time.Millisecond); return false })), ""},
	{"hangs up", to("GPTBot", hangUp), "GPTBot /robots.txt refused no_answer\nGPTBot / refused no_answer\nGPTBot /sitemap.xml refused no_answer\nGPTBot /blog/about unclear not_asked\nGPTBot /p/1 unclear not_asked\nGPTBot /style.css unclear not_asked\nGPTBot /app.js unclear not_asked"},
	{"hangs", to("GPTBot", on("/", hang)), "GPTBot / refused no_answer"},
	{"hangs in the body", to("GPTBot", on("/", func(w http.ResponseWriter, q *question) bool {
		io.WriteString(w, "<!doctype html>")
		w.(*leaving).ResponseWriter.(http.Flusher).Flush()
		return hang(w, q)
	})), "GPTBot / refused no_answer"},
	{"broken gzip", to("GPTBot", on("/", with(200, "no gzip", "Content-Encoding", "gzip"))), "GPTBot / refused no_answer"},
	{"A and B in turn", on("/", func(w http.ResponseWriter, q *question) bool {
		return with(200, strings.Replace(ordinaryPage, "Shoes", []string{"A", "B"}[q.n%2], 1))(w, q)
	}), ""},
	{"a counter in the title", on("/", func(w http.ResponseWriter, q *question) bool {
		return with(200, strings.Replace(ordinaryPage, "Shoes", fmt.Sprint("Shoes ", q.n), 1))(w, q)
	}), ""},
	{"a random size", on("/", func(w http.ResponseWriter, q *question) bool {
		return with(200, ordinaryPage+strings.Repeat("x", 100_000*(q.n%2)))(w, q)
	}), ""},
	{"robots.txt with a counter", on("/robots.txt", func(w http.ResponseWriter, q *question) bool {
		fmt.Fprintf(w, "User-agent: *\nDisallow: /private\nSitemap: http://a.example/sitemap.xml\n# %d\n", q.n)
		return true
	}), "GPTBot /robots.txt unclear unstable\nGooglebot /robots.txt unclear unstable"},
	{"sitemap with a counter", on("/sitemap.xml", func(w http.ResponseWriter, q *question) bool {
		fmt.Fprintf(w, "%s<!-- %d -->", ordinary["/sitemap.xml"], q.n)
		return true
	}), ""},
	{"sitemap alone", to("Googlebot", on("/sitemap.xml", with(403, ""))), "Googlebot /sitemap.xml refused status"},
	{"another sitemap", to("Googlebot", on("/sitemap.xml", func(w http.ResponseWriter, _ *question) bool {
		w.Header().Set("Content-Type", "text/xml")
		io.WriteString(w, urlset("http://a.example/"))
		return true
	})), "Googlebot /sitemap.xml something_else content"},
	{"style sheet alone", to("Googlebot", on("/style.css", with(403, ""))), "Googlebot /style.css refused status"},
	{"robots.txt alone", to("GPTBot", on("/robots.txt", func(w http.ResponseWriter, _ *question) bool {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "User-agent: *\nDisallow: /\n")
		return true
	})), "GPTBot /robots.txt something_else content"},
	{"robots.txt only for a name", on("/robots.txt", func(w http.ResponseWriter, q *question) bool {
		return q.name != "GPTBot" && with(404, "")(w, q)
	}), "GPTBot /robots.txt something_else content"},
	{"gzip bomb", to("GPTBot", on("/", func(w http.ResponseWriter, _ *question) bool {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		w.Write(bomb)
		return true
	})), "GPTBot / something_else title"},
	{"endless body", to("GPTBot", on("/", func(w http.ResponseWriter, q *question) bool {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, ordinaryPage)
		for q.Context().Err() == nil {
			if _, err := io.WriteString(w, ordinaryPage); err != nil {
				break
			}
		}
		return true
	})), "GPTBot / something_else size"},
	{"hostile header", to("GPTBot", on("/", with(403, "\xff\x00<title>\x1b[2J\xff\u202e</title>", "Server", strings.Repeat("\xff", 5000), "Cf-Ray", "\xff", "X-Robots-Tag", strings.Repeat(",:", 500), "Link", "<", "Location", ":"))), "GPTBot / refused status"},
	{"too large a header", to("GPTBot", on("/", with(403, "", "Server", strings.Repeat("x", 200_000)))), "GPTBot / refused no_answer"},
}

// bomb is a page of 100 MB as gzip.
var bomb = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	zeros := bytes.Repeat([]byte{' '}, 1<<20)
	for range 100 {
		w.Write(zeros)
	}
	w.Close()
	return b.Bytes()
}()

// TestTreatments: each server is understood, no name is accused wrongly, and all requests are counted.
func TestTreatments(t *testing.T) {
	for _, c := range treatments {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			withTimeouts(t, c.name, func(timeout time.Duration) string {
				s := &shop{answer: c.answer}
				asked := askShop(t, s, "GPTBot,Googlebot", timeout)
				wrong := cmp.Diff(c.want, strings.Join(conclusions(asked), "\n"))
				if asked == nil {
					return wrong
				}
				for _, crawler := range asked.Crawlers {
					if crawler.Treatment != Worst(crawler.Replies) || len(crawler.Replies) != len(asked.URLs) {
						wrong += fmt.Sprintf("\n%s: %s of %d replies", crawler.Name, crawler.Treatment, len(crawler.Replies))
					}
				}
				s.Lock()
				defer s.Unlock()
				if named := s.by["GPTBot"] + s.by["Googlebot"]; asked.Requests < named/2 || asked.Requests > s.all {
					wrong += fmt.Sprintf("\n%d requests counted, but %d came in these names, and %d in all", asked.Requests, named, s.all)
				}
				return wrong
			})
		})
	}
}
