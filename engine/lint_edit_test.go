package engine

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// linesWithEnds cuts a file into its lines with their ends: CR LF, LF or CR.
func linesWithEnds(body string) []string {
	var lines []string
	for body != "" {
		end := strings.IndexAny(body, "\r\n") + 1
		switch {
		case end == 0:
			end = len(body)
		case strings.HasPrefix(body[end-1:], "\r\n"):
			end++
		}
		lines, body = append(lines, body[:end]), body[end:]
	}
	return lines
}

// withEdit is a file with the edit of a finding made.
func withEdit(body string, f *Finding) string {
	lines := linesWithEnds(body)
	for _, n := range f.Delete {
		lines[n-1] = ""
	}
	if f.Replacement != "" {
		line := lines[f.Line-1]
		lines[f.Line-1] = f.Replacement + line[len(strings.TrimRight(line, "\r\n")):]
	}
	return strings.Join(lines, "")
}

// editQuestions are what is asked of a file before and after an edit.
type editQuestions struct {
	crawlers []Crawler
	urls     []string
}

// askAbout draws questions from a file: for crawlers of several readers and those
// that the file names, at most 30 of them, URLs that the rules about some lines match.
func askAbout(body string, about []int) editQuestions {
	var q editQuestions
	for _, name := range []string{"Googlebot", "Googlebot-Image", "Bingbot", "YandexBot", "YandexImages", "GPTBot", "Nobodys-Bot"} {
		c, _ := ParseCrawler(name)
		q.crawlers = append(q.crawlers, c)
	}
	q.crawlers = append(q.crawlers, crawlers...)
	var rules []Rule
	named := map[string]bool{}
	for r := newLineReader(lenientProfile, body); r.next(); {
		switch r.kind {
		case lineAgent:
			if name := trim(r.value); name != "" && len(named) < 30 && !named[name] {
				named[name] = true
				q.crawlers = append(q.crawlers, Crawler{Tokens: []string{name}, Agent: name})
				if token := productToken(name); token != "" && token != name {
					q.crawlers = append(q.crawlers, Crawler{Tokens: []string{token}, Agent: name})
				}
			}
		case lineAllow, lineDisallow:
			rules = append(rules, Rule{Allow: r.kind == lineAllow, Value: r.value, Line: r.number})
		}
	}
	urls := map[string]bool{"/": true, "/x": true, "/robots.txt": true}
	for _, line := range about {
		at, _ := slices.BinarySearchFunc(rules, line, func(r Rule, line int) int { return r.Line - line })
		near := rules[max(at-6, 0):min(at+7, len(rules))]
		for _, r := range near {
			addPaths(urls, r.Value, near)
		}
		if at == len(rules) || rules[at].Line != line {
			continue
		}
		p := (&Profile{}).rankedPattern(ranked{}, rules[at].Value).Pattern
		addPaths(urls, rules[at].Value, rules[:min(len(rules), 40)])
		for i := range rules[:min(len(rules), 400)] { // where two of them meet, wherever the other stands
			other := &rules[i*len(rules)/min(len(rules), 400)]
			if path, ok := meet(p, (&Profile{}).rankedPattern(ranked{}, other.Value).Pattern); ok && other.Allow != rules[at].Allow {
				urls[path], urls[path+"x"], urls[path+"/"] = true, true, true
			}
		}
	}
	q.urls = slices.Sorted(maps.Keys(urls))
	return q
}

// addPaths adds paths that a rule matches, or nearly, its wildcards filled in various
// ways, with parts of other rules too.
func addPaths(urls map[string]bool, value string, others []Rule) {
	if len(value) > 1024 {
		return
	}
	text := strings.TrimSuffix(value, "$")
	if !strings.HasPrefix(text, "/") {
		urls[strings.ReplaceAll("/"+text, "*", "")] = true
		text = strings.TrimPrefix(text, "*")
		text = "/" + strings.TrimPrefix(text, "/")
	}
	fills := []string{"", "x"}
	for i, o := range others {
		if part := strings.Trim(strings.ReplaceAll(o.Value, "*", ""), "/$"); part != "" && len(part) < 100 && i < 12 {
			fills = append(fills, part)
		}
	}
	for _, fill := range fills {
		path := strings.ReplaceAll(text, "*", fill)
		for _, end := range []string{"", "x", "/", fill, "/" + fill} {
			urls[path+end] = true
		}
		urls[value] = true // as the standard of 1994 reads it
		if n := len(path); n > 1 {
			urls[path[:n-1]] = true
		}
	}
}

// mayRead reports whether a crawler reads by a profile where some are chosen: of those of an operator
// its own crawlers, and where no standard is chosen those of the file that the list does not know.
func mayRead(p *Profile, c *Crawler, chosen []*Profile) bool {
	own := listedCrawlers.operators[p.family()]
	return own == nil || slices.ContainsFunc(own, func(o Crawler) bool { return o.Name == c.Name }) ||
		len(c.Tokens) > 0 && c.Name == "" && listedCrawlers.tokens[strings.ToLower(c.Tokens[0])] == "" && !slices.ContainsFunc(chosen, func(p *Profile) bool { return listedCrawlers.operators[p.family()] == nil })
}

// flipsOf judges a file with and without an edit by profiles. It returns the number
// of questions and the first two answers that are bad, "" = none are.
func flipsOf(body, after string, profiles []*Profile, q editQuestions, bad func(was, is Verdict) bool) (asked int, flip string) {
	for _, p := range profiles {
		was, is := p.Parse([]byte(body)), p.Parse([]byte(after))
		judged := map[[2]*ranking]bool{}
		for _, c := range q.crawlers {
			if !mayRead(p, &c, profiles) {
				continue
			}
			before, now := was.Group(c), is.Group(c)
			if both := [...]*ranking{before.ranking, now.ranking}; was.Access != Parsed || !judged[both] {
				judged[both] = true // crawlers that share a group get the same answers
			} else {
				asked += len(q.urls)
				continue
			}
			for _, url := range q.urls {
				asked++
				if a, b := before.Verdict(url), now.Verdict(url); flip == "" && bad(a.Verdict, b.Verdict) {
					flip = fmt.Sprintf("%s by %s: %q is %v (line %d), then %v (line %d)", c.Tokens[0], p.Name, url, a.Verdict, a.Line(), b.Verdict, b.Line())
				}
			}
		}
	}
	return asked, flip
}

// checkHarmless makes the edits of all findings of a file that are said to be
// harmless, each alone, and asks what they change. It counts findings and questions.
func checkHarmless(t *testing.T, name, body string, found []Finding, profiles []*Profile, counts map[string]int) {
	t.Helper()
	for i := range found {
		f := &found[i]
		if f.Harmless != (f.Harmless && (f.Replacement != "" || f.Delete != nil)) || f.Delete != nil && f.Replacement != "" {
			t.Errorf("%s: %+v has no edit, or two", name, f)
		}
		if said := strings.Contains(f.Fix, "same URLs stay blocked"); said && !f.Harmless || f.Harmless && strings.Contains(f.Fix, "may change") {
			t.Errorf("%s: harmless is %v of %s: %s", name, f.Harmless, short(f), f.Fix)
		}
		if !f.Harmless {
			continue
		}
		after := withEdit(body, f)
		if after == body {
			t.Errorf("%s: %+v changes nothing at all", name, f)
		}
		asked, flip := flipsOf(body, after, profiles, askAbout(body, append([]int{f.Line}, f.Related...)), func(was, is Verdict) bool { return was != is })
		if flip != "" {
			counts["flips of "+f.ID]++
			if counts["flips of "+f.ID] < 10 {
				t.Errorf("%s: %s\n%s\n%q => %q, without %v", name, flip, short(f), f.Text, f.Replacement, f.Delete)
			}
		}
		counts[f.ID]++
		counts["questions"] += asked
	}
}

// TestHarmless holds what lint says to change no verdict to files that are really
// edited: those of the lint cases, and small ones of lines that get in each other's
// way.
func TestHarmless(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for name, body := range lintCaseFiles(t) {
		checkFile(t, name, body, counts)
	}
	for _, body := range trickyFiles {
		for _, p := range Profiles() {
			profiles := []*Profile{p}
			checkHarmless(t, fmt.Sprintf("%q", body), body, Lint([]byte(body), LintOptions{Profiles: profiles}), profiles, counts)
		}
	}
	random := rand.New(rand.NewSource(1))
	for i := range 100 {
		checkFile(t, fmt.Sprint("made ", i), smallFile(random), counts)
	}
	t.Log(counts)
	for _, id := range []string{"RUL001", "RUL003", "RUL004", "RUL005", "RUL006", "RUL009", "RUL025", "GRP003", "DIR001", "SM007", "PRS003"} {
		if counts[id] == 0 {
			t.Errorf("no harmless %s", id)
		}
	}
}

// checkFile checks a file for the usual profiles, for all, or for one of them.
func checkFile(t *testing.T, name, body string, counts map[string]int) {
	t.Helper()
	all := Profiles()
	chosen := [][]*Profile{{mustProfile(t, "google"), mustProfile(t, "yandex"), mustProfile(t, "rfc9309")}, all, all[len(name)%len(all):][:1]}
	for _, profiles := range chosen {
		found := Lint([]byte(body), LintOptions{Profiles: profiles, MaxPerID: -1})
		checkHarmless(t, name, body, found, profiles, counts)
	}
}

// trickyFiles are files of which each has a line that seems to change nothing.
var trickyFiles = []string{
	// Without line 2, CR and LF would be one line end, and the blank line be gone.
	"User-agent: Googlebot\rNoindex: /\n\nUser-agent: YandexBot\nDisallow: /\n",
	// To google-2019 these are two crawlers.
	"User-agent: Googlebot\nDisallow: /a\n\nUser-agent: googlebot\nDisallow: /a\nAllow: /b\n",
	// By google-oss Googlebot-Image obeys both groups.
	"User-agent: Googlebot-Image\nDisallow: /a\nDisallow: /abc\n\nUser-agent: Googlebot\nAllow: /a*\n",
	// By yandex-2016 Yandex is named by both.
	"User-agent: Yandex\nDisallow: /a\nDisallow: /abc\n\nUser-agent: my Yandex\nAllow: /ab\n",
	// By rfc9309 MJ12bot has a group, and MJ another.
	"User-agent: MJ12bot\nDisallow: /a\n\nUser-agent: MJ13bot\nDisallow: /a\nAllow: /b\n",
	// The rule holds the user-agent lines apart.
	"User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /x\nUser-agent: c\nDisallow: /\n",
	"User-agent: a\nAllow:\nUser-agent: *\nDisallow: /\n",
	// Bingbot counts the wildcard.
	"User-agent: *\nDisallow: /fish*\nAllow: /fish/\nAllow: /*fis\n",
	// To yandex any other line parts user-agent lines.
	"User-agent: a\nNoindex: /x\nUser-agent: b\nDisallow: /\n",
	"Sitemap: https://a.example/s\nUser-agent: a\nSitemap: https://a.example/s\nUser-agent: b\nDisallow: /\n",
	// The last line would come within the limit.
	"User-agent: *\nDisallow: /a\nDisallow: /a\n#" + strings.Repeat("x", 500<<10-50) + "\nDisallow: /b\n",
}

// smallLines are lines of which small files are made.
var smallLines = []string{
	"User-agent: *", "User-agent: *", "User-agent: a", "User-agent: A/2", "User-agent: ab b", "User-agent: Googlebot", "User-agent: Googlebot-Image", "User-agent: Yandex", "User-agent: YandexBot",
	"Disallow: /", "Disallow: /", "Disallow: /*", "Disallow: *", "Disallow: /a", "Disallow: /a*", "Disallow: /a*", "Disallow: /ab", "Disallow: /a/*", "Disallow: /a/", "Disallow: /*b", "Disallow: *b", "Disallow: /a*b$", "Disallow:", "Disallow:",
	"Allow: /", "Allow: /a", "Allow: /a*", "Allow: /ab*", "Allow: /a$", "Allow: /*b", "Allow:", "Allow: /a/index.html", "Allow: /a/index.htm*", "Allow: *", "Allow: /*a*",
	"", "", "", "# a comment", "Sitemap: https://a.example/s.xml", "Sitemap: https://a.example/s.xml", "Noindex: /a", "Crawl-delay: 2", "Host: a.example", "Disalow: /a", "Disallow /a", "Clean-param: a", "Unknown: b", "no field",
}

// smallFile makes a file of up to twelve lines.
func smallFile(random *rand.Rand) string {
	var b strings.Builder
	end := []string{"\n", "\n", "\n", "\r\n", "\r"}[random.Intn(5)]
	if random.Intn(20) == 0 {
		b.WriteString("\xEF\xBB\xBF")
	}
	for range 2 + random.Intn(11) {
		if b.WriteString(smallLines[random.Intn(len(smallLines))]); random.Intn(30) == 0 {
			end = "\n"
		}
		b.WriteString(end)
	}
	if block := b.String(); random.Intn(8) == 0 && strings.HasPrefix(block, "U") {
		b.WriteString(end + block)
	}
	if random.Intn(4) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// TestAdvice holds the words of some findings to what their edits do.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		body, profiles, finding string // line and id
		fix                     string
		edit                    string // what is left of the line; "-" = it goes, "" = no edit
	}{
		{"User-agent: *\nDisallow: /fish*\n", "google rfc9309", "2 RUL004", `Write "/fish". The same URLs stay blocked.`, "Disallow: /fish"},
		{"User-agent: *\nDisallow: /fish*\nAllow: /*ish\n", "google rfc9309", "2 RUL004", "Leave the wildcard. For rfc9309 it counts in the length of the rule. Without it, line 3 (allow: /*ish) may win where both match.", ""},
		{"User-agent: *\nDisallow: /fish*\n", "google rep-1994", "2 RUL004", "Leave the wildcard. For rep-1994 it is an ordinary character: without it, the rule would match more.", ""},
		{"User-agent: *\nDisallow: /a\nDisallow: /a/b\n", "google", "3 RUL005", "Delete only line 3, not line 2. The same URLs stay blocked.", "-"},
		{"User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /a/b\nUser-agent: b\nDisallow: /\n", "rfc9309", "5 RUL005", `Replace line 5 with an empty "Disallow:". The same URLs stay blocked. Do not just delete the line: the User-agent lines above it would share the rules below.`, "Disallow:"},
		{"User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /a/b\nUser-agent: b\nDisallow: /\n", "rfc9309 rep-1994", "5 RUL005", "Leave line 5. Without it, the User-agent lines above it would share the rules below.", ""},
		{"User-agent: Googlebot\nDisallow: /a:b\nDisallow: /a%3Ab\n", "google bing rfc9309", "3 RUL005", "Leave line 3. Without it, verdicts may change for google.", ""},
		{"User-agent: Googlebot\nDisallow: /fish*\nAllow: /*ish\n", "google bing rfc9309", "2 RUL004", "Leave the wildcard. For rfc9309 it counts in the length of the rule. Without it, line 3 (allow: /*ish) may win where both match.", ""},
		{"User-agent: *\nDisallow: /fish*\nAllow: /*ish\n", "google bing rfc9309", "2 RUL004", "Leave the wildcard. For bing, rfc9309 it counts in the length of the rule. Without it, line 3 (allow: /*ish) may win where both match.", ""},
		{"User-agent: *\nDisallow: /a\n\nUser-agent: Yandex\nCrawl-delay: 5\nDisallow: /a\n", "google yandex rfc9309", "5 DIR002", "Delete line 5. It does nothing.", "-"},
		{"User-agent: *\nDisallow: /*etext=\n", "yandex", "2 PRS001", `If "etext" is a parameter, replace the rule with two: "/*?etext=" and "/*&etext=". Otherwise leave the rule.`, ""},
		{"User-agent: *\nDisallow: /*/media/oembed\n", "yandex", "2 PRS001", `Leave the rule if the site has no such URLs. If it has some, add a rule that begins like them and has no "*".`, ""},
		{"Sitemap: http://a.example/s.xml\nSitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /a\n", "google", "1 SM004", "Delete line 1, but keep line 2.", "-"},
		{"User-agent: *\nAllow: /a\nDisallow: /a\n", "google", "3 RUL006", "Delete only line 3, not line 2. The same URLs stay blocked. If these paths should be blocked, delete line 2 instead, which changes their verdict.", "-"},
		{"User-agent: *\nDisallow: /a\nAllow:\n", "google", "3 RUL003", "Delete line 3. The same URLs stay blocked.", "-"},
		{"User-agent: a\nAllow:\nUser-agent: *\nDisallow: /\n", "google", "2 RUL003", `Replace line 2 with an empty "Disallow:". The same URLs stay blocked. Do not just delete the line: the User-agent lines above it would share the rules below.`, "Disallow:"},
		{"User-agent: *\nDisallow: /a\nAllow:\n", "yandex-2016", "3 RUL003", `If everything should be open, write "Allow: /". If nothing should be open, write "Disallow: /".`, ""},
		{"User-agent: a\nNoindex: /x\nUser-agent: b\nDisallow: /\n", "google yandex", "2 DIR001", "Remove the line. To keep a page out of search, use noindex in a robots meta tag or X-Robots-Tag, and leave the page crawlable. First check the verdicts without the line: for yandex they may change.", ""},
		{"User-agent: *\nDisallow: /a\nUser-agent: anthropic-ai\nDisallow: /\n", "google", "3 GRP007", `If "ClaudeBot" is intended, write it here: it then obeys this group. If not, remove the group with its rules. Do not remove only this line: the rules would then belong to the group above.`, ""},
		{"User-agent: *\nDisallow: /\n\nUser-agent: b\nDisallow: /b\n", "google", "2 RUL018", `If people should find the site in search, replace the line with an empty "Disallow:". Do not just delete it: without a rule, its User-agent lines would share the next group.`, ""},
		{"User-agent: *\nDisallow: http://old.example.net/\n", "google", "2 RUL002", "This file cannot block another host. Move the rule to the robots.txt of old.example.net. If that is the host of this file, write only the path.", ""},
		{"User-agent: *\nDisallow: /a\n\nDisallow: /b\n", "yandex", "3 YA001", "Remove the blank line. The same URLs stay blocked.", "-"},
		{"User-agent: *\nDisallow: /a\n\nDisallow: /b\n", "yandex rep-1994", "3 YA001", "Remove the blank line. First check the verdicts without the line: for rep-1994 they may change.", ""},
	} {
		var o LintOptions
		for name := range strings.FieldsSeq(c.profiles) {
			o.Profiles = append(o.Profiles, mustProfile(t, name))
		}
		f := findingAt(t, c.body, Lint([]byte(c.body), o), c.finding)
		if f == nil {
			continue
		}
		edit := f.Replacement
		if f.Delete != nil {
			edit = "-"
		}
		if f.Fix != c.fix || edit != c.edit || f.Harmless != (c.edit != "") {
			t.Errorf("%q by %s: %s\n  %s\nwant\n  %s (%s)", c.body, c.profiles, short(f), f.Fix, c.fix, c.edit)
		}
	}
	for _, k := range FindingKinds() {
		if strings.Contains(k.Fix, "one of the two") {
			t.Errorf("%s does not say which: %s", k.ID, k.Fix)
		}
	}
}

// TestMeantLine holds the edits of lines that are near to a rule to what is intended, and
// the words to what the line is.
func TestMeantLine(t *testing.T) {
	for _, c := range []struct{ line, id, edit, words string }{
		{"Disallow: ?x=", "RUL001", "Disallow: /*?x=", `Write "/*?x="`},
		{"Disallow: &x=", "RUL001", "Disallow: /*&x=", `Write "/*&x="`},
		{"Disallow: .pdf$", "RUL001", "Disallow: /*.pdf$", `Write "/*.pdf$"`},
		{"Disallow: .js", "RUL001", "Disallow: /*.js", `Write "/*.js"`},
		{`Disallow: "/admin/"`, "RUL001", "Disallow: /admin/", "is in quotes"},
		{"Disallow: '/admin/'", "RUL001", "Disallow: /admin/", "is in quotes"},
		{`Disallow: \admin\`, "RUL001", "Disallow: /admin/", "has backslashes"},
		{"Disallow: ./admin", "RUL001", "Disallow: /admin", "is a relative path"},
		{"Disallow: ../.git", "RUL001", "Disallow: /.git", "is a relative path"},
		{"Disallow: {{url}}", "RUL001", "", "is a placeholder"},
		{"Disallow: http://old.example.net/", "RUL002", "", "Move the rule to the robots.txt of old.example.net"},
		{"Disallow: https://old.example.net/a", "RUL002", "", "Move the rule to the robots.txt of old.example.net"},
		{"Disallow: https://www.example.com/", "RUL002", "", "blocks the whole site"},
		{"Disallow: https://www.example.com/a", "RUL002", "Disallow: /a", "Check first: this may block URLs that are allowed now."},
		{"User-agent; *", "DIR003", "User-agent: *", `"User-agent;"`},
		{`"User-agent: *"`, "DIR003", "User-agent: *", `"User-agent"`},
		{"**User-agent:** *", "DIR003", "User-agent: *", "**User-agent"},
		{"User-agent： *", "FMT003", "User-agent: *", "a full-width colon (：)"},
		{"User-agent：＊", "FMT003", "User-agent:*", "a full-width colon (：)"},
		{"User-agent: ＊", "FMT003", "User-agent: *", "a full-width star (＊)"},
		{"Disallow: ／a", "FMT003", "Disallow: /a", "a full-width slash (／)"},
		{"Disalow: /", "DIR003", "Disallow: /", "Check first: this blocks the whole site."},
	} {
		body := "User-agent: *\n" + c.line + "\n"
		if strings.Contains(c.line, "agent") {
			body = c.line + "\nDisallow: /a\n"
		}
		found := Lint([]byte(body), LintOptions{URL: "https://www.example.com/robots.txt"})
		edit, edits := "", 0
		for i := range found {
			if found[i].Replacement != "" {
				edit, edits = found[i].Replacement, edits+1
			}
		}
		i := slices.IndexFunc(found, func(f Finding) bool { return f.ID == c.id })
		if i < 0 {
			t.Errorf("%s: no %s", c.line, c.id)
			continue
		}
		if said := found[i].What + "\n" + found[i].Fix; edit != c.edit || edits > 1 || !strings.Contains(said, c.words) {
			t.Errorf("%s: %d edits, %q\n%s\nwant %q and %s", c.line, edits, edit, said, c.edit, c.words)
		}
	}
}
