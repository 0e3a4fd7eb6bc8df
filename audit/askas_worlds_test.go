package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// noises are faults of servers that are the same for all names.
var noises = []func(r *rand.Rand) reply{
	func(*rand.Rand) reply { return nil },
	func(r *rand.Rand) reply { // now and then
		p, code := []float64{0.05, 0.3, 0.5}[r.IntN(3)], []int{403, 404, 429, 500, 503}[r.IntN(5)]
		return func(w http.ResponseWriter, q *question) bool { return r.Float64() < p && with(code, "")(w, q) }
	},
	func(r *rand.Rand) reply { // several errors
		return func(w http.ResponseWriter, q *question) bool {
			return r.IntN(2) == 0 && with([]int{403, 404, 429, 500, 502, 503}[r.IntN(6)], "")(w, q)
		}
	},
	func(r *rand.Rand) reply { // every nth
		nth, code := 2+r.IntN(5), []int{403, 429, 503}[r.IntN(3)]
		return func(w http.ResponseWriter, q *question) bool { return q.n%nth == 0 && with(code, "")(w, q) }
	},
	func(r *rand.Rand) reply { // after a number of requests, for some requests or for ever
		after, pause, code := 3+r.IntN(40), 5+r.IntN(100), []int{403, 429, 503}[r.IntN(3)]
		return func(w http.ResponseWriter, q *question) bool {
			return q.n > after && q.n < after+pause && with(code, "")(w, q)
		}
	},
	func(r *rand.Rand) reply { // of one name
		after, code := 3+r.IntN(40), []int{403, 429, 503}[r.IntN(3)]
		return func(w http.ResponseWriter, q *question) bool { return q.own > after && with(code, "")(w, q) }
	},
	func(r *rand.Rand) reply { // A and B by chance
		other := []reply{
			with(200, strings.Replace(ordinaryPage, "Shoes", "Boots", 1)), with(200, ""), with(302, "", "Location", "/bots"), with(200, ordinaryPage+strings.Repeat("x", 50_000)), with(200, "{}", "X-Robots-Tag", "noindex"),
		}[r.IntN(5)]
		return func(w http.ResponseWriter, q *question) bool {
			return q.path != "/robots.txt" && q.path != "/sitemap.xml" && q.path != "/bots" && r.IntN(2) == 0 && other(w, q)
		}
	},
	func(r *rand.Rand) reply { // the connection is closed
		return func(w http.ResponseWriter, q *question) bool { return r.IntN(5) == 0 && hangUp(w, q) }
	},
}

// trueTreatments are those of a server that knows the name.
var trueTreatments = []struct {
	answer reply
	want   Treatment
}{
	{with(403, ""), Refused}, {with(403, justAMoment), Challenged}, {with(402, ""), AskedToPay}, {with(200, ordinaryPage, "X-Robots-Tag", "noindex"), Otherwise}, {with(200, "<!doctype html><title>No</title>"), Otherwise},
}

// TestWorlds: servers with faults by chance are never said to treat a name in another way, unless they do. Those
// without faults are always found out. TEST_TIMES sets the number of worlds.
func TestWorlds(t *testing.T) {
	worlds := 88
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		worlds = n
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 41))
		noise := noises[seed%uint64(len(noises))](r)
		truth := map[string]int{} // name and path → index in trueTreatments
		if r.IntN(2) == 0 {
			for _, name := range []string{"GPTBot", "Googlebot"} {
				for _, path := range slices.Sorted(maps.Keys(ordinary)) {
					if r.IntN(4) == 0 && path != "/bots" {
						truth[name+path] = r.IntN(len(trueTreatments))
					}
				}
			}
		}
		s := &shop{answer: func(w http.ResponseWriter, q *question) bool {
			if noise != nil && noise(w, q) {
				return true
			}
			at, ok := truth[q.name+q.path]
			return ok && trueTreatments[at].answer(w, q)
		}}
		asked := askShop(t, s, "GPTBot,Googlebot", patience)
		if asked == nil {
			if noise == nil {
				t.Errorf("world %d: nothing was asked", seed)
			}
			continue
		}
		for _, c := range asked.Crawlers {
			for i, reply := range c.Replies {
				path := strings.TrimPrefix(asked.URLs[i].URL, "http://a.example")
				at, treated := truth[c.Name+path]
				switch {
				case treated && noise == nil && reply.Treatment != trueTreatments[at].want && path != "/robots.txt" && path != "/sitemap.xml" && !strings.Contains(path, ".css") && !strings.Contains(path, ".js"):
					t.Errorf("world %d: %s %s: %s (%s), want %s", seed, c.Name, path, reply.Treatment, reply.Why, trueTreatments[at].want)
				case !treated && reply.Treatment != LetIn && (noise == nil || reply.Treatment != Unclear):
					t.Errorf("world %d: %s %s: %s (%s), but it is treated as we are", seed, c.Name, path, reply.Treatment, reply.Why)
				}
			}
		}
		if most := 2*len(asked.URLs) + len(asked.Crawlers)*(len(asked.URLs)+askKinds*(2*askConfirm*pageRounds+1)); asked.Requests > most*(1+crawl.AnswerHops) {
			t.Errorf("world %d: %d requests", seed, asked.Requests)
		}
	}
}

// TestAskedRecord: the record is complete, and survives the wire.
func TestAskedRecord(t *testing.T) {
	s := &shop{answer: func(w http.ResponseWriter, q *question) bool {
		w.Header().Set("Server", "cloudflare")
		return q.name == "GPTBot" && q.path == "/" && with(403, "<title>\xff no</title>", "Cf-Mitigated", "challenge", "X-Robots-Tag", "noindex")(w, q)
	}}
	asked := askShop(t, s, "Googlebot,GPTBot", patience)
	if len(asked.URLs) != 7 || asked.Ours != "robots-audit" || !slices.Equal(asked.Edge, []string{"Cloudflare"}) || asked.Unstable || !slices.Equal(asked.Limits, []AskedLimit{AskedLimitOwn}) {
		t.Fatalf("%+v", asked)
	}
	wantKinds := []AskedKind{AskedRobots, AskedHome, AskedSitemap, AskedPage, AskedPage, AskedStyleSheet, AskedScript}
	for i, u := range asked.URLs {
		if u.Kind != wantKinds[i] || u.Ours.Treatment != LetIn || u.Ours.Status != 200 || u.Ours.Bytes != int64(len(ordinary[strings.TrimPrefix(u.URL, "http://a.example")])) || u.Ours.Type == "" || (u.Template != "") != (u.Kind == AskedPage) {
			t.Errorf("%d: %+v", i, u)
		}
	}
	google, gpt := asked.Crawlers[0], asked.Crawlers[1]
	agent, _ := engine.UserAgentOf("GPTBot")
	if google.Treatment != LetIn || gpt.Treatment != Challenged || gpt.UserAgent != agent.Header || gpt.Source != agent.Source || gpt.Dated != agent.Dated || gpt.Operator == "" || gpt.Purpose == "" || asked.Agents < agent.Dated {
		t.Errorf("%+v", gpt)
	}
	home := gpt.Replies[1]
	if home.Status != 403 || home.Code != crawl.CodeHTTPStatus || home.Asked != 1+askRounds || home.Title != `\xFF no` && home.Title != "\ufffd no" || !home.NoIndex || !slices.Equal(home.XRobots, []string{"noindex"}) || home.Evidence["Cf-Mitigated"] != "challenge" || home.Evidence["Server"] != "cloudflare" {
		t.Errorf("%+v", home)
	}
	if asked.URLs[1].Ours.Asked != 1+askRounds || asked.Requests != 3*7+2*askRounds+1+3 || s.count("GPTBot") != 7+askRounds+1 || s.count("Googlebot") != 7 {
		t.Errorf("%d requests, %d and %d in the names", asked.Requests, s.count("GPTBot"), s.count("Googlebot"))
	}
}

// TestAskAsOff: without the flag there is no request more, and no other record.
func TestAskAsOff(t *testing.T) {
	run := func(as *AskAs) (records []string, requests int) {
		s := &shop{t: t, by: map[string]int{}}
		a := served(t, "Googlebot,YandexBot", s.ServeHTTP)
		a.AskAs = as
		for rec := range a.Site(t.Context(), mustSlot(t, a), mustDomain(t, "http://a.example"), 0) {
			if rec.Asked == nil {
				records = append(records, inLines(rec)...)
			}
		}
		if as == nil && s.count("") != s.all {
			t.Error("a request in another name")
		}
		return records, s.all
	}
	off, few := run(nil)
	as, err := ParseAskAs("GPTBot", 1)
	noError(t, err)
	on, many := run(as)
	if few != 2 || many != few+2*7+3 { // robots.txt, home page, … and three policy files
		t.Errorf("%d requests without, %d with the flag", few, many)
	}
	if !reflect.DeepEqual(off, on) {
		t.Errorf("other records:\n%s\n%s", strings.Join(off, "\n"), strings.Join(on, "\n"))
	}
}

// TestAskedRequests: each request is counted, also for redirects and sitemaps. The sitemap of another host is not
// requested in a crawler's name, but the one of the site.
func TestAskedRequests(t *testing.T) {
	s := &shop{t: t, by: map[string]int{}}
	before := 0 // requests of the audit itself
	s.answer = func(w http.ResponseWriter, q *question) bool {
		if q.path == "/other.xml" {
			before = q.n + 1 // and /sitemap.xml
			return on("/other.xml", with(200, ordinary["/sitemap.xml"], "Content-Type", "text/xml"))(w, q)
		}
		if q.path == "/robots.txt" && q.Host == "a.example" {
			io.WriteString(w, "User-agent: *\nAllow: /\nSitemap: http://b.example/other.xml\nSitemap: http://a.example/sitemap.xml\n")
			return true
		}
		return on("/", with(302, "", "Location", "/bots?session=1"))(w, q) || to("GPTBot", on("/bots", with(403, "")))(w, q)
	}
	asked := askShop(t, s, "GPTBot", patience)
	if asked.URLs[2].URL != "http://a.example/sitemap.xml" || asked.Requests != s.all-before || asked.Crawlers[0].Replies[1].Treatment != Refused || asked.URLs[1].Ours.Location != "http://a.example/bots" {
		t.Errorf("%d requests counted, %d came, %d of them before: %+v", asked.Requests, s.all, before, asked)
	}
}

// TestAskAsLimited: once a server limits the rate, a crawler's other URLs are not requested.
func TestAskAsLimited(t *testing.T) {
	s := &shop{answer: func(w http.ResponseWriter, q *question) bool {
		return q.name == "GPTBot" && q.own > 2 && with(429, "", "Retry-After", "0.01")(w, q)
	}}
	asked := askShop(t, s, "GPTBot", patience)
	if replies := asked.Crawlers[0].Replies; s.count("GPTBot") != 3 || replies[2].Why != WhyRateLimited || replies[2].Asked != 1 || replies[3].Why != WhyRateLimited || replies[3].Asked != 0 {
		t.Errorf("%d requests: %+v", s.count("GPTBot"), replies)
	}
}

// TestAskAsBusy: a server that asks to come later gets few more requests: in a crawler's name those that confirm it,
// and none at all if it says so to us.
func TestAskAsBusy(t *testing.T) {
	for _, answer := range []reply{with(429, ""), with(503, "", "Retry-After", "0.01")} {
		asked := askShop(t, &shop{answer: to("GPTBot", answer)}, "GPTBot", patience)
		if replies := asked.Crawlers[0].Replies; asked.Requests != 7+3+2*slowRounds+askBusy || replies[0].Treatment != Refused || replies[3].Why != WhyRateLimited || replies[3].Asked != 0 || !slices.Contains(asked.Limits, AskedLimitRate) {
			t.Errorf("%d requests: %+v", asked.Requests, replies)
		}
		last := &shop{answer: to("GPTBot", func(w http.ResponseWriter, q *question) bool { return q.own > 7-askBusy && answer(w, q) })}
		asked = askShop(t, last, "GPTBot", patience)
		if all := asked.Crawlers[0].Replies[6].Asked > 0; all == slices.Contains(asked.Limits, AskedLimitRate) { // HTTP 429 after pages is a limit at once
			t.Errorf("%v: %+v", asked.Limits, asked.Crawlers)
		}
		s := &shop{answer: func(w http.ResponseWriter, q *question) bool { return q.n > 2 && answer(w, q) }}
		asked = askShop(t, s, "GPTBot,Googlebot", patience)
		if s.all != 2+askBusy || asked.Requests != askBusy || asked.Crawlers[0].Replies[0].Why != WhyRateLimited || !slices.Equal(asked.Limits, []AskedLimit{AskedLimitOwn, AskedLimitRate}) {
			t.Errorf("%d requests, %v: %+v", s.all, asked.Limits, asked.Crawlers)
		}
	}
}

// TestAskAsBusyAndBlocked: what robots.txt blocks for this program is not asked for that reason alone.
func TestAskAsBusyAndBlocked(t *testing.T) {
	asked := askShop(t, &shop{answer: func(w http.ResponseWriter, q *question) bool {
		return q.n > 2 && with(429, "")(w, q) || on("/robots.txt", func(w http.ResponseWriter, _ *question) bool {
			io.WriteString(w, "User-agent: robots-audit\nDisallow: /\n")
			return true
		})(w, q)
	}}, "GPTBot", patience)
	if replies := asked.Crawlers[0].Replies; replies[0].Why != WhyRateLimited || asked.URLs[1].Kind != AskedHome || replies[1].Why != WhyNotAsked {
		t.Errorf("%+v", replies)
	}
}

// TestAskAsSilent: a site that does not answer is not asked, nor one of FTP.
func TestAskAsSilent(t *testing.T) {
	s := &shop{answer: hangUp}
	if asked := askShop(t, s, "GPTBot", patience); asked != nil && s.count("GPTBot") > askSilent {
		t.Errorf("%d requests", s.count("GPTBot"))
	}
	dead := &Auditor{Client: &crawl.Client{ConnectTo: []string{":80:127.0.0.1:1"}, Retries: -1}, Crawlers: crawlersOf(t, "Googlebot"), AskAs: &AskAs{Crawlers: []engine.Crawler{{Name: "GPTBot"}}}}
	for rec := range dead.Site(t.Context(), mustSlot(t, dead), mustDomain(t, "http://a.example"), 0) {
		if rec.Asked != nil {
			t.Errorf("%+v", rec.Asked)
		}
	}
}

// TestAskAsGiven: a robots.txt of the user is not requested, and decides what is.
func TestAskAsGiven(t *testing.T) {
	s := &shop{t: t, by: map[string]int{}, answer: func(w http.ResponseWriter, q *question) bool {
		if q.path == "/robots.txt" || q.path == "/p/1" {
			t.Errorf("%s was requested", q.path)
		}
		return false
	}}
	a := served(t, "Googlebot", s.ServeHTTP)
	a.Client.Served = map[string][]byte{"a.example": []byte("User-agent: *\nDisallow: /p/\n")}
	var err error
	a.AskAs, err = ParseAskAs("GPTBot", 1)
	noError(t, err)
	for rec := range a.Site(t.Context(), mustSlot(t, a), mustDomain(t, "http://a.example"), 0) {
		if of := rec.Asked; of != nil && (of.URLs[0].Kind != AskedHome || s.count("GPTBot") != len(of.URLs) || len(conclusions(of)) > 0) {
			t.Errorf("%+v", of)
		}
	}
	if s.count("GPTBot") == 0 {
		t.Error("nothing was asked")
	}
}

// TestAskAsTime: when the time is over, what was not asked is unclear.
func TestAskAsTime(t *testing.T) {
	s := &shop{t: t, by: map[string]int{}}
	a := served(t, "Googlebot", s.ServeHTTP)
	as, err := ParseAskAs("GPTBot,Googlebot", 1)
	noError(t, err)
	as.time = time.Nanosecond
	a.AskAs = as
	for rec := range a.Site(t.Context(), mustSlot(t, a), mustDomain(t, "http://a.example"), 0) {
		if of := rec.Asked; of != nil {
			if got := strings.Join(conclusions(of), "\n"); got != "us all unclear not_asked\nGPTBot all unclear not_asked\nGooglebot all unclear not_asked" || !slices.Equal(of.Limits, []AskedLimit{AskedLimitOwn, AskedLimitTime}) || of.Requests != 0 {
				t.Errorf("%s %v %d", got, of.Limits, of.Requests)
			}
		}
	}
}

// TestAskAsSiteTime: if the time of the site ends in requests in the names of crawlers, the rest of its report is
// complete.
func TestAskAsSiteTime(t *testing.T) {
	for _, name := range []string{"", "GPTBot"} { // of the request in which the time ends
		ctx, stop := context.WithCancelCause(t.Context())
		s := &shop{by: map[string]int{}, answer: func(_ http.ResponseWriter, q *question) bool {
			if q.name == name && (name != "" || q.path == "/sitemap.xml") {
				stop(context.DeadlineExceeded)
				<-q.Context().Done()
			}
			return false
		}}
		a := served(t, "Googlebot", s.ServeHTTP)
		var err error
		a.AskAs, err = ParseAskAs("GPTBot", 1)
		noError(t, err)
		var asked *Asked
		site := newSite(ctx, a, mustDomain(t, "http://a.example"), 0, func(rec Record) bool {
			asked = cmp.Or(asked, rec.Asked)
			return true
		})
		site.run()
		site.finish()
		site.fetch.Close()
		whole := name != ""
		if done := &site.done; whole != (len(done.LeftOut) == 0 && done.Problems == 0) || asked == nil || !slices.Contains(asked.Limits, AskedLimitTime) || asked.Crawlers[0].Treatment != Unclear {
			t.Errorf("%q: %+v, %d problems, asked %+v", name, done.LeftOut, done.Problems, asked)
		}
	}
}

// TestAskAsOwnLimit: what robots.txt blocks for this program is not asked, also as the target of a redirect,
// and the report knows it.
func TestAskAsOwnLimit(t *testing.T) {
	for robots, want := range map[string]string{
		"User-agent: robots-audit\nDisallow: /\n":                          "/robots.txt /(not) /sitemap.xml",
		"User-agent: *\nDisallow: /p/\nDisallow: /app.js\nDisallow: /priv": "/robots.txt / /sitemap.xml /blog/about /style.css",
	} {
		s := &shop{answer: func(w http.ResponseWriter, q *question) bool {
			if q.path == "/private" || q.path == "/p/1" {
				t.Errorf("%s was requested", q.path)
			}
			return on("/robots.txt", func(w http.ResponseWriter, _ *question) bool { io.WriteString(w, robots); return true })(w, q) ||
				on("/blog/about", with(302, "", "Location", "/private"))(w, q)
		}}
		asked := askShop(t, s, "GPTBot", patience)
		var got []string
		for _, u := range asked.URLs {
			path := strings.TrimPrefix(u.URL, "http://a.example")
			if u.Ours.Why == WhyNotAsked {
				path += "(not)"
			}
			got = append(got, path)
		}
		if strings.Join(got, " ") != want || !slices.Equal(asked.Limits, []AskedLimit{AskedLimitOwn}) {
			t.Errorf("%q: %v, %v", robots, got, asked.Limits)
		}
	}
}

// TestAskSamples: the samples of the largest templates do not depend on the order of the URLs, and are few.
func TestAskSamples(t *testing.T) {
	var urls []string
	for i := range 3000 {
		urls = append(urls, fmt.Sprintf("http://a.example/t%c/%d", 'a'+i%12, i))
		if i%2 == 0 {
			urls = append(urls, fmt.Sprintf("http://a.example/large/%d", i))
		}
	}
	o := &origin{own: true, self: rfc9309.Parse([]byte("User-agent: *\nDisallow: /ta/\n")).Group(self)}
	choose := func() (list []string, lacks bool) {
		s := newAskSamples(2)
		for _, u := range urls {
			s.add(o, u)
		}
		groups, lacks := s.largest()
		for _, g := range groups {
			for _, of := range g.samples {
				list = append(list, of.url)
			}
		}
		return list, lacks
	}
	foreign := newAskSamples(2)
	foreign.add(&origin{self: o.self}, urls[0])
	if groups, _ := foreign.largest(); len(groups) > 0 {
		t.Error("pages of other hosts take the places of the site's own")
	}
	first, lacks := choose()
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(urls), func(i, k int) { urls[i], urls[k] = urls[k], urls[i] })
	again, _ := choose()
	if slices.Equal(first[:2], []string{"http://a.example/large/0", "http://a.example/large/10"}) {
		t.Error("samples are the first by name, which are no fair sample")
	}
	if !slices.Equal(first, again) || len(first) != 2*(askTemplates-1) || !lacks || !strings.HasPrefix(first[0], "http://a.example/large/") {
		t.Errorf("%v\n%v\n%v", first, again, lacks)
	}
}

// TestAskMissing: URLs that do not exist for us show nothing about a name, even if it gets the same answer.
func TestAskMissing(t *testing.T) {
	for lost, want := range map[string]string{
		"/p/1":                            "robots.txt, home page, sitemap, page, style sheet, script: let_in",
		"/ /p/1 /sitemap.xml":             "robots.txt, page: let_in",
		"/ /p/1 /blog/about /sitemap.xml": "robots.txt, home page: unclear",
	} {
		s := &shop{answer: func(w http.ResponseWriter, q *question) bool {
			if !slices.Contains(strings.Fields(lost), q.path) || q.path == "/sitemap.xml" && q.n < 3 { // its URLs are known
				return false
			}
			w.WriteHeader(http.StatusNotFound)
			return true
		}}
		asked := askShop(t, s, "GPTBot", patience)
		var kinds []string
		for _, u := range asked.URLs {
			kinds = append(kinds, string(u.Kind))
		}
		if got := strings.Join(kinds, ", ") + ": " + string(asked.Crawlers[0].Treatment); got != want {
			t.Errorf("without %s: %s", lost, got)
		}
	}
}

// TestParseAskAs: the error says which entry cannot be used, and what to write.
func TestParseAskAs(t *testing.T) {
	for list, want := range map[string]string{
		"gptbot,GPTBot, googlebot": "",
		"Googelbot":                `unknown crawler "Googelbot": did you mean Googlebot?`,
		"GPTBot,AI":                `unknown crawler "AI". Expected purpose:ai-training, purpose:ai-search, or some of Googlebot, `,
		"search":                   `unknown crawler "search". Expected purpose:ai-training, `,
		"Nobody":                   `unknown crawler "Nobody". Expected purpose:ai-training, `,
		"Google-Extended":          `Google-Extended sends no requests. It is only a token of robots.txt. Remove it`,
		"Googlebot-News":           `the User-Agent of Googlebot-News is not known. Expected one of Googlebot, `,
		"anthropic":                `unknown crawler "anthropic". Expected purpose:ai-training, `, // the nearest name has no User-Agent
		",":                        `"," names no crawler whose User-Agent is known. Expected some of Googlebot, `,
		"purpose:ads,purpose:user-fetch,purpose:search": ` crawlers are too many. Expected 20 or fewer`,
	} {
		switch _, err := ParseAskAs(list, 1); {
		case want == "":
			noError(t, err)
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %q", list, err, want)
		}
	}
}
