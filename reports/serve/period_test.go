package serve

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
)

// TestVersionNames names versions by when they were served. Each run is a letter for its version, "-" for an answer
// without a file, or "!" for a run that could not fetch it; oldest first.
func TestVersionNames(t *testing.T) {
	for _, c := range []struct {
		name, runs string
		every      time.Duration
		want       map[string]string
	}{
		{"one run", "a", day, map[string]string{"a": "since 3 Nov 2026"}},
		{"one after the other", "aaab", day, map[string]string{"a": "3 to 5 Nov 2026", "b": "since 6 Nov 2026"}},
		{"back again", "aabbaab", day, map[string]string{"a": "3 to 4 Nov 2026 and 7 to 8 Nov 2026", "b": "5 to 6 Nov 2026 and since 9 Nov 2026"}},
		{"an error in between", "aa!aab", day, map[string]string{"a": "3 to 7 Nov 2026", "b": "since 8 Nov 2026"}},
		{"no file in between", "aa-aab", day, map[string]string{"a": "3 to 4 Nov 2026 and 6 to 7 Nov 2026", "b": "since 8 Nov 2026"}},
		{"an error now", "aab!", day, map[string]string{"a": "3 to 4 Nov 2026", "b": "5 Nov 2026"}},
		{"no file now", "aab-", day, map[string]string{"a": "3 to 4 Nov 2026", "b": "5 Nov 2026"}},
		{"months", "aaab", 30 * day, map[string]string{"a": "3 Nov 2026 to 2 Jan 2027", "b": "since 1 Feb 2027"}},
		{"on one day", "aabbc", 3 * time.Hour, map[string]string{"a": "3 Nov 2026, 06:00 to 09:00", "b": "3 Nov 2026, 12:00 to 15:00", "c": "since 3 Nov 2026, 18:00"}},
		{"a shared day", "aab", 18 * time.Hour, map[string]string{"a": "3 Nov 2026 to 4 Nov 2026, 00:00", "b": "since 4 Nov 2026, 18:00"}},
		{"within a minute", "abc", time.Second, map[string]string{"a": "3 Nov 2026, 06:00", "b": "3 Nov 2026, 06:00 (2)", "c": "since 3 Nov 2026, 06:00"}},
		{"often", "abababababab", day, map[string]string{"a": "3 to 13 Nov 2026, in 6 periods", "b": "since 14 Nov 2026 and in 5 earlier periods"}},
	} {
		var runs []history.SiteRun
		v := versions{}
		for i, letter := range c.runs {
			at := time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC).Add(time.Duration(i) * c.every)
			r := history.SiteRun{Run: history.Run{Started: at}, Answer: history.AnswerOK, Settled: true, SHA256: sumOf(letter)}
			switch letter {
			case '-':
				r.Answer, r.SHA256 = history.AnswerMissing, ""
			case '!':
				r.Answer, r.SHA256 = history.AnswerServerError, ""
			default:
				if v.find(r.SHA256) == nil {
					v.Versions = append([]version{{SHA256: r.SHA256}}, v.Versions...)
				}
			}
			runs = append([]history.SiteRun{r}, runs...)
		}
		v.periods(runs)
		v.name()
		names := map[string]bool{}
		for letter, want := range c.want {
			of := v.find(sumOf(rune(letter[0])))
			if of.Name != want {
				t.Errorf("%s: %s is %q, want %q", c.name, letter, of.Name, want)
			}
			names[of.Name] = true
		}
		if len(names) != len(v.Versions) {
			t.Errorf("%s: %d names for %d versions", c.name, len(names), len(v.Versions))
		}
	}
}

const day = 24 * time.Hour

// sumOf is a SHA-256 for a letter.
func sumOf(letter rune) string { return string([]rune{letter, '0', '0', '0', '0', '0', '0', '0'}) }

// TestVersionPairs chooses two versions in all ways, and folds the lines that change no URL.
func TestVersionPairs(t *testing.T) {
	many := "User-agent: *\n"
	for i := range 47 {
		many += fmt.Sprintf("Disallow: /old-%d/\n", i)
	}
	many += "Sitemap: http://%s/sitemap.xml\n"
	dir, ids := newHistory(t, shopFirst, many, shopFirst, many, shopSecond)
	_, a := newDesk(t, Options{History: dir})
	path := "/runs/" + ids[1] + "/sites/" + shopHost + "/versions"
	const first, second, third = "3 Nov 2026 and 5 Nov 2026", "4 Nov 2026 and 6 Nov 2026", "since 7 Nov 2026"

	var v versionsView
	a.json(path, &v)
	sums := map[string]string{}
	for _, of := range v.Versions {
		sums[of.Name] = of.SHA256
	}
	if len(sums) != 3 || sums[first] == "" || sums[second] == "" || v.OfRun == nil || v.OfRun.Name != second || len(v.Changes) != 4 {
		t.Fatalf("%+v", v)
	}
	for _, c := range []struct{ query, old, new, before, after string }{
		{"", second, third, "2026-11-06", ""},
		{"?new=" + sums[first], second, first, "2026-11-04", "2026-11-06"},
		{"?old=" + sums[first] + "&new=" + sums[third][:8], first, third, "", ""},
		{"?old=run&new=" + sums[third], second, third, "2026-11-06", ""},
		{"?old=" + sums[third] + "&new=run", third, second, "", ""},
		{"?at=2026-11-04T06:00:00Z", first, second, "", "2026-11-05"},
		{"?at=2026-11-05T06:00:00Z", second, first, "2026-11-04", "2026-11-06"},
		{"?at=2026-11-06T06:00:00Z", first, second, "2026-11-05", "2026-11-07"},
	} {
		v = versionsView{}
		if a.json(path+c.query, &v); v.Old == nil || v.Old.Name != c.old || v.New.Name != c.new {
			t.Errorf("%q: from %+v to %+v", c.query, v.Old, v.New)
		}
		_, page := a.do("GET", path+c.query, "")
		for word, day := range map[string]string{"Previous": c.before, "Next": c.after} {
			_, link, found := strings.Cut(page, word+" change: ")
			if found != (day != "") {
				t.Errorf("%q: %s change is on the page: %t", c.query, word, found)
			} else if at, err := time.Parse(time.DateOnly, day); found && (err != nil || !strings.HasPrefix(link, at.Format("2 Jan 2006, ")+"06:00<")) {
				t.Errorf("%q: %s change: %.30s, want %s", c.query, word, link, day)
			}
		}
	}
	for _, query := range []string{"?at=2026-11-03T06:00:00Z", "?at=x", "?old=run2", "?new=" + strings.Repeat("0", 64)} {
		if answer, _ := a.do("GET", path+query, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", query, answer.Status)
		}
	}
	for query, want := range map[string][2]string{ // on the page, not on it
		"":                            {"46 more different lines change no URL", "/old-5/"},
		"?lines=all":                  {"/old-5/", "more different lines"},
		"?old=run&new=" + sums[first]: {"47 more different lines change no URL", "/old-5/"},
		"?lines=changing":             {"Show all lines", "Show only lines"},
	} {
		_, page := a.do("GET", path+query, "")
		if strings.Contains(page, want[1]) || !strings.Contains(page, want[0]) {
			t.Errorf("%q: %q is on the page: %t, %q: %t", query, want[0], strings.Contains(page, want[0]), want[1], strings.Contains(page, want[1]))
		}
	}
	var edit editView
	a.json("/runs/"+ids[1]+"/sites/"+shopHost+"/edit", &edit)
	names := fmt.Sprint(edit.Starts)
	for _, name := range []string{first, second, third} {
		if !strings.Contains(names, name) {
			t.Errorf("the editor names the versions otherwise than %q: %s", name, names)
		}
	}
	var u urlView
	if a.json("/runs/"+ids[1]+"/sites/"+shopHost+"/url?u=/shop/private/b1", &u); u.Past[0].Spans[0].Served != third {
		t.Errorf("the page of a URL: %+v", u.Past[0].Spans)
	}
}

// TestVersionsPending: a comparison that takes long goes on after its request, and the next one finds it.
func TestVersionsPending(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopSecond)
	d, a := newDesk(t, Options{History: dir})
	d.compared.patient = 0
	leave, err := d.held.reading.enter(t.Context()) // no site can be read meanwhile
	noError(t, err)
	path := "/runs/" + ids[1] + "/sites/" + shopHost + "/versions"
	const pending, heading = `data-indexing="` + "/runs/", "From “3 Nov 2026” to “since 4 Nov 2026”"
	if answer, page := a.do("GET", path, ""); answer.StatusCode != http.StatusOK || !strings.Contains(page, pending) || strings.Contains(page, heading) {
		t.Errorf("%s: %s", answer.Status, page)
	}
	leave()
	var v versionsView
	if a.json(path, &v); v.Told == nil || v.Known != 40 || v.Index != nil {
		t.Errorf("the comparison: %+v", v)
	}
	if _, page := a.do("GET", path+"?lines=all", ""); strings.Contains(page, pending) || !strings.Contains(page, heading) {
		t.Error("its result is not kept")
	}
	if n := len(d.compared.by); n != 1 {
		t.Errorf("%d comparisons are kept", n)
	}
}
