package engine

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"robots-audit/engine/wording"
)

// mostTried bounds the bytes of the edited files, by id: all edits are made of a file of
// usual size.
const mostTried = 1 << 18

// checkOffers makes every edit that lint offers for a file, each alone: a line has one at
// most, none blocks a URL without saying so first, and the findings get no more or it is
// said how many. It counts edits by id.
func checkOffers(t *testing.T, name, body string, o LintOptions, counts map[string]int) {
	t.Helper()
	o.MaxPerID = -1
	found := Lint([]byte(body), o)
	edited, tried := map[int]string{}, map[string]int{}
	for i := range found {
		f := &found[i]
		if f.Replacement == "" && f.Delete == nil {
			continue
		}
		counts[f.ID]++
		if f.Fix == "" {
			t.Errorf("%s: %s: no words", name, short(f))
		}
		lines := f.Delete
		if lines == nil {
			lines = []int{f.Line}
		}
		for _, n := range lines {
			if edited[n] != "" {
				t.Errorf("%s: line %d has the edits of %s and %s", name, n, edited[n], f.ID)
			}
			edited[n] = f.ID
		}
		if tried[f.ID] += len(body); tried[f.ID] > mostTried {
			continue
		}
		after := withEdit(body, f)
		if !f.Harmless && !strings.HasPrefix(f.Fix, "Check first: ") {
			counts["not said to block"]++
			// The new line is asked about as one of the file, which it may not have been.
			q := askAbout(body+"\n"+f.Replacement, []int{f.Line, len(linesWithEnds(body)) + 1})
			if _, flip := flipsOf(body, after, o.Profiles, q, func(was, is Verdict) bool { return was == Allow && is == Disallow }); flip != "" {
				t.Errorf("%s: %s\n%s\n%q => %q", name, flip, short(f), f.Text, f.Replacement)
			}
		}
		was, is := weigh(found), weigh(Lint([]byte(after), o))
		more := is.sum() - was.sum()
		if (f.ID == "DIR010" || f.ID == "RUL001") && more > 0 && strings.HasSuffix(f.Fix, fmt.Sprintf(" After this edit there are %s.", wording.Plural(more, "further finding"))) {
			counts["more findings, as said"]++
		} else if more > 0 || !f.Harmless && !unchecked[f.ID] && f.ID != "DIR010" && !is.lighter(was) {
			t.Errorf("%s: findings by severity %v, then %v\n%s\n%q => %q", name, was, is, short(f), f.Text, f.Replacement)
		}
	}
}

// hostileLines are lines that seem to have an obvious edit.
var hostileLines = []string{
	"Disallow: http://old.example.net/", "Disallow: https://old.example.net/a", "Disallow: https://www.example.com/", "Disallow: //example.net/", "Allow: https://www.example.com/a",
	"Disallow: ?x=", "Disallow: &x=", "Disallow: .pdf$", "Disallow: .js", "Disallow: .git", "Disallow: ?", "Disallow: a", "Disallow: *a", "Disallow: */", "Disallow: *$",
	`Disallow: "/"`, "Disallow: “/a”", "Disallow: '/a/'", "Disallow: \\", `Disallow: \a\`, "Disallow: ./", "Disallow: ../a", "Disallow: {{url}}", "Disallow: ／",
	"User-agent; *", `"User-agent: *"`, "**User-agent:** *", "User-agent： *", "User-agent：＊", "User-agent: ＊", "- User-agent: *", "User-agent: * b", "User-agent: Googlebot/2.1", "User-agent: Bing Bot",
	"Disalow: /", "Dissallow /", "Disallow; /", "Disallow：/", "`Disallow: /`", "Alow: /", "Allow /a", "Disallow:/%2fa", "Disallow: /%61", "Disallow: /\u00e9", "Disallow: /a\u200b", "Disallow: /\u200b", "Dis\u0430llow: /",
	"Disallow: /a*", "Disallow: /*", "Allow:", "Disallow:", "Sitemap: /s.xml", "https://example.com/sitemap.xml", "Site-map: https://example.com/s.xml", "Crawl-delay: 1,5", "Clean-param: a,b /c",
}

// TestOffersHoldGood: no offered edit does harm, in the files of the lint cases and in
// files made of lines that call for one.
func TestOffersHoldGood(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	check := func(name, body string) {
		t.Helper()
		usual := []*Profile{mustProfile(t, "google"), mustProfile(t, "yandex"), mustProfile(t, "rfc9309")}
		all := Profiles()
		for _, profiles := range [][]*Profile{usual, all[len(body)%len(all):][:1]} {
			for _, url := range []string{"", "https://www.example.com/robots.txt"} {
				checkOffers(t, name, body, LintOptions{Profiles: profiles, URL: url}, counts)
			}
		}
	}
	for name, body := range lintCaseFiles(t) {
		check(name, body)
	}
	for _, line := range hostileLines {
		for _, around := range []string{"User-agent: *\n%s\n", "%s\nDisallow: /b\n", "User-agent: a\nDisallow: /\n\n%s\nAllow: /a\n", "User-agent: *\nAllow: /\n%s\nUser-agent: b\nDisallow: /\n"} {
			body := fmt.Sprintf(around, line)
			check(fmt.Sprintf("%q", body), body)
		}
	}
	random := rand.New(rand.NewSource(3))
	lines := append(append([]string{}, smallLines...), hostileLines...)
	for range 40 {
		var b strings.Builder
		for range 2 + random.Intn(8) {
			b.WriteString(lines[random.Intn(len(lines))] + "\n")
		}
		check(fmt.Sprintf("%q", b.String()), b.String())
	}
	t.Log(counts)
	for _, id := range []string{"RUL001", "RUL002", "DIR003", "FMT003", "FMT010", "GRP002", "GRP008", "not said to block", "more findings, as said"} {
		if counts[id] == 0 {
			t.Errorf("no edit of %s", id)
		}
	}
}
