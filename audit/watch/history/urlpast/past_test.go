package urlpast

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/engine"
)

const origin = "https://example.com"

func mustCrawlers(t testing.TB, list string) []audit.Crawler {
	t.Helper()
	crawlers, err := audit.ParseCrawlers(list)
	noError(t, err)
	return crawlers
}

// runOf is the run of a day of October 2026, or a later one.
func runOf(day int) history.Run {
	at := time.Date(2026, 10, day, 6, 0, 0, 0, time.UTC)
	return history.Run{ID: at.Format("20060102T150405Z"), Started: at}
}

func sumOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// answers are what runs were answered, the oldest first: the text of a robots.txt, or "404",
// "503", "loop" for redirects without an end, "unasked", "unconfirmed", "lost" for a file whose text was not kept, "unknown" for one that is
// not among the versions. The runs are those of the days from the 1st.
func answers(list ...string) (runs []history.SiteRun, versions []history.Version) {
	seen := map[string]bool{}
	for i, a := range list {
		r := history.SiteRun{Run: runOf(i + 1), Answer: history.AnswerOK, Status: 200, Settled: true}
		switch a {
		case "404":
			r.Answer, r.Status, r.Code = history.AnswerMissing, 404, "http_status"
		case "503":
			r.Answer, r.Status, r.Code, r.Settled = history.AnswerServerError, 503, "http_status", false
		case "loop":
			r.Answer, r.Status, r.Code = history.AnswerRedirect, 301, "redirect_loop"
		case "unasked":
			r.Answer, r.Status, r.Code, r.Settled = history.AnswerNotAsked, 0, "cancelled", true
		case "unconfirmed":
			r.SHA256, r.Settled = sumOf("User-agent: *\nDisallow: /\n"), false
		default:
			r.SHA256 = sumOf(a)
			v := history.Version{SHA256: r.SHA256, Bytes: int64(len(a)), Body: []byte(a)}
			if a == "lost" {
				v.Body = nil
			}
			if a != "unknown" && !seen[a] {
				versions = append(versions, v)
			}
			seen[a] = true
		}
		runs = append([]history.SiteRun{r}, runs...)
	}
	return runs, versions
}

func file(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

var (
	open   = file("User-agent: *", "Disallow: /cart")
	shut   = file("User-agent: *", "Disallow: /x")
	later  = file("# a comment", "User-agent: *", "Disallow: /x")
	freed  = file("User-agent: *", "Disallow: /x", "Allow: /x/")
	google = file("User-agent: Googlebot", "Disallow: /x", "", "User-agent: *", "Disallow:")
)

func TestSentence(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		want    string // of Googlebot on /x/y
	}{
		{"nothing", nil, "Unknown: the history has no run of the site."},
		{"one", []string{open}, "Allowed in the only run, of 1 October 2026: no rule matches."},
		{"one that failed", []string{"503"}, "Unknown: the only run, of 1 October 2026, gave no verdict."},
		{"all failed", []string{"503", "unasked", "unconfirmed"}, "Unknown: none of the 3 runs since 1 October 2026 gave a verdict."},
		{"always open", []string{open, open, open}, "Allowed in all 3 runs since 1 October 2026: no rule matches."},
		{"always shut", []string{shut, shut}, "Blocked from crawling in both runs since 1 October 2026 by line 2 `Disallow: /x`."},
		{"another line", []string{shut, later, later}, "Blocked from crawling in all 3 runs since 1 October 2026, by line 3 `Disallow: /x` since 2 October 2026."},
		{"another reason", []string{"404", open}, "Allowed in both runs since 1 October 2026: since 2 October 2026 no rule matches."},
		{"failed at first", []string{"503", open}, "Allowed in the last run, of 2 October 2026: no rule matches. The run before gave no verdict."},
		{"failed twice at first", []string{"503", "503", open, open}, "Allowed in both runs since 3 October 2026: no rule matches. The 2 runs before gave no verdict."},
		{"failed between", []string{open, "503", open}, "Allowed in 2 of the 3 runs since 1 October 2026: no rule matches. 1 run since then gave no verdict."},
		{"failed last", []string{open, "503"}, "Allowed in 1 of the 2 runs since 1 October 2026: no rule matches. The last run gave no verdict."},
		{"failed between and last", []string{open, "503", open, "503", "unconfirmed"}, "Allowed in 2 of the 5 runs since 1 October 2026: no rule matches. 3 runs since then gave no verdict, the last 2 among them."},
		{"blocked", []string{freed, freed, shut}, "Blocked from crawling since 3 October 2026 by line 2 `Disallow: /x`; before that allowed by line 3 `Allow: /x/`."},
		{"blocked, then failed", []string{freed, shut, "503", "503"}, "Blocked from crawling since 2 October 2026 by line 2 `Disallow: /x`; before that allowed by line 3 `Allow: /x/`. The last 2 runs gave no verdict."},
		{"failed, then blocked", []string{freed, "503", "503", shut}, "Blocked from crawling since 4 October 2026 by line 2 `Disallow: /x`; before that allowed by line 3 `Allow: /x/`. The last 2 runs before 4 October 2026 gave no verdict."},
		{"blocked by another line", []string{"404", shut, later}, "Blocked from crawling since 2 October 2026, by line 3 `Disallow: /x` since 3 October 2026; before 2 October 2026 allowed: HTTP 404: a client error counts as no robots.txt: no restrictions."},
		{"to and fro", []string{open, shut, open, shut}, "Blocked from crawling since 4 October 2026 by line 2 `Disallow: /x`; before that allowed: no rule matches. The verdict has changed 3 times since 1 October 2026."},
		{"not kept", []string{open, "lost"}, "Unknown since 2 October 2026: the text of its robots.txt was not stored; before that allowed: no rule matches."},
		{"never kept", []string{"lost", "unknown"}, "Unknown in both runs since 1 October 2026: since 2 October 2026 its robots.txt was not fetched."},
		{"not kept before", []string{"lost", "lost", shut, open}, "Allowed since 4 October 2026: no rule matches; before that blocked from crawling by line 2 `Disallow: /x`. For 2 earlier runs it is unknown."},
		{"empty", []string{"", ""}, "Allowed in both runs since 1 October 2026: no rule matches."},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs, versions := answers(c.answers...)
			pasts, err := Of("/x/y", origin, mustCrawlers(t, "Googlebot"), runs, versions)
			if err != nil || len(pasts) != 1 {
				t.Fatalf("%+v (%v)", pasts, err)
			}
			if got := pasts[0].Sentence(); got != c.want {
				t.Errorf("\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A rule of a site cannot hide anything in the sentence, nor break out of its backticks.
func TestHostileRule(t *testing.T) {
	runs, versions := answers(file("User-agent: *", "Disallow: /*?`\u202e*"+strings.Repeat("*", 500)))
	url := origin + "/a?`%E2%80%AE"
	pasts, err := Of(url, origin, mustCrawlers(t, "Googlebot"), runs, versions)
	noError(t, err)
	s := pasts[0].Sentence()
	if !strings.Contains(s, " by line 2 `Disallow: /*?\\x60[U+202E]**") || strings.Count(s, "`") != 2 || strings.ContainsRune(s, '\u202e') || len(s) > 600 {
		t.Error(s)
	}
}

// Each crawler has its own past, and its stretches tell all that was found.
func TestStretches(t *testing.T) {
	runs, versions := answers(open, google, "503", google, later, "lost", "404", "loop")
	runs[7].Run.Started = runs[6].Run.Started.Add(-time.Hour) // two on one day
	pasts, err := Of(origin+":443/x/y#part", origin, mustCrawlers(t, "Googlebot,Bingbot,Googlebot@rep-1994"), runs, versions)
	noError(t, err)
	type reason struct {
		since, runs int // day
		rule        string
		line        int
	}
	for i, want := range [][]struct {
		verdict                           engine.Verdict
		since, until, runs, unclear, late int
		reasons                           []reason
	}{
		{
			{engine.Allow, 1, 2, 1, 0, 0, []reason{{1, 1, "", 0}}},
			{engine.Disallow, 2, 6, 3, 1, 0, []reason{{2, 2, "disallow: /x", 2}, {5, 1, "disallow: /x", 3}}},
			{engine.Unknown, 6, 7, 1, 0, 0, []reason{{6, 1, "", 0}}},
			{engine.Allow, 7, 0, 2, 0, 0, []reason{{7, 1, "", 0}, {8, 1, "", 0}}},
		}, {
			{engine.Allow, 1, 5, 3, 1, 0, []reason{{1, 3, "", 0}}},
			{engine.Disallow, 5, 6, 1, 0, 0, []reason{{5, 1, "disallow: /x", 3}}},
			{engine.Unknown, 6, 7, 1, 0, 0, []reason{{6, 1, "", 0}}},
			{engine.Allow, 7, 0, 2, 0, 0, []reason{{7, 1, "", 0}, {8, 1, "", 0}}},
		},
	} {
		p := pasts[i]
		if p.URL != origin+"/x/y" || p.Runs != 8 || p.Before != 0 || !p.Hours || len(p.Stretches) != len(want) {
			t.Errorf("%s: %+v", p.Crawler, p)
			continue
		}
		for n, w := range want {
			s := p.Stretches[n]
			until := history.Run{}
			if w.until > 0 {
				until = runOf(w.until)
			}
			if s.Verdict != w.verdict || n > 0 && s.Since != runOf(w.since) || s.Until.ID != until.ID || s.Runs != w.runs || s.Unclear != w.unclear || s.Late != w.late || len(s.Reasons) != len(w.reasons) {
				t.Errorf("%s: stretch %d is %+v, want %+v", p.Crawler, n, s, w)
				continue
			}
			for k, wr := range w.reasons {
				if r := s.Reasons[k]; r.Since.ID != runOf(wr.since).ID || r.Runs != wr.runs || r.Rule.Line != wr.line || wr.line > 0 && r.Rule.String() != wr.rule || (r.Why == "") != (wr.line > 0) {
					t.Errorf("%s: reason %d of stretch %d is %+v, want %+v", p.Crawler, k, n, r, wr)
				}
			}
		}
	}
	if r := pasts[0].Stretches[1].Reasons[0]; r.SHA256 != sumOf(google) || r.Latest != sumOf(google) {
		t.Errorf("its versions are %+v", r)
	}
	if s := pasts[0].Sentence(); !strings.HasPrefix(s, "Allowed since 7 October 2026 06:00: since 8 October 2026 06:00 ") {
		t.Error(s)
	}
}

func TestOtherOrigin(t *testing.T) {
	runs, versions := answers(open)
	crawlers := mustCrawlers(t, "Googlebot")
	for url, want := range map[string]string{
		"https://other.example/x":           "`https://other.example/x` has another robots.txt than https://example.com/robots.txt, and the history has only the robots.txt of the site",
		"http://example.com/x":              "`http://example.com/x` has another robots.txt than",
		"https://example.com:8443/":         "has another robots.txt than",
		"https://user:secret@other.test/":   "`https://other.test/` has another robots.txt than",
		"":                                  "`` is empty",
		"x/y":                               "is neither an absolute URL nor a path",
		"mailto:a@example.com":              "is neither",
		"gopher://example.com/":             "there is no robots.txt",
		"https://ex\u202eample.com.evil/`x": "has another robots.txt than",
	} {
		_, err := Of(url, origin, crawlers, runs, versions)
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\u202e") {
			t.Errorf("%q: %v, want %s", url, err, want)
		}
	}
	for _, url := range []string{"/x", "//example.com/x", "https://EXAMPLE.com/x", "https://example.com:443", origin + "/a b?c"} {
		if _, err := Of(url, origin, crawlers, runs, versions); err != nil {
			t.Error(err)
		}
	}
	if _, err := Of("/x", "example.com", crawlers, runs, versions); err == nil {
		t.Error("an origin without a scheme")
	}
}

// A crawler whose profile this program does not know, since a later one recorded it, is unknown.
func TestUnknownProfile(t *testing.T) {
	runs, versions := answers(open, shut)
	crawlers := mustCrawlers(t, "Googlebot")
	crawlers[0].Profile = "google-2040`"
	pasts, err := Of("/x", origin, crawlers, runs, versions)
	if want := "Unknown in both runs since 1 October 2026: this program has no profile `google-2040\\x60`."; err != nil || pasts[0].Sentence() != want {
		t.Errorf("%s (%v), want %s", pasts[0].Sentence(), err, want)
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
