package engine

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var lineEnds = regexp.MustCompile(`\r\n|\n|\r`)

// edited returns a body with a line deleted, or replaced by another: "" = deleted.
func edited(body string, line int, instead string) []byte {
	ends := lineEnds.FindAllStringIndex(body, -1)
	start, end := 0, len(body)
	if line > 1 {
		start = ends[line-2][1]
	}
	if line <= len(ends) {
		end = ends[line-1][1]
	}
	return []byte(body[:start] + instead + body[end:])
}

// deletions is a count of comparisons with edited files.
type deletions struct {
	questions, unknown, uncounted, joins, counts, outside, empty, whole int

	some int // in larger groups only about so many lines are deleted that neither decide nor join; 0 = all
}

// asker is a crawler and its profile.
type asker struct {
	profile *Profile
	crawler Crawler
}

// check compares the predicted effects of deleted lines with the real ones for
// all askers, in one Matrix.
func (d *deletions) check(t *testing.T, body string, urls []string, askers ...asker) {
	t.Helper()
	var groups []*Group
	for _, r := range askers {
		groups = append(groups, r.profile.Parse([]byte(body)).Group(r.crawler))
	}
	m, out := NewMatrix(groups...), make([]Decision, len(groups))
	if len(body)%2 == 0 {
		m.tried = 1 << 30 // as after many URLs
	}
	for _, url := range urls {
		m.Verdicts(url, out)
	}
	for i, r := range askers {
		d.checkGroup(t, body, urls, r, groups[i], m.AppendCounts(nil, i))
	}
}

// checkGroup is check for one asker's group.
func (d *deletions) checkGroup(t *testing.T, body string, urls []string, r asker, g *Group, counts []RuleCount) {
	t.Helper()
	p, c := r.profile, r.crawler
	var was []Verdict
	decide := map[int]bool{}
	for _, url := range urls {
		d := g.Verdict(url)
		was, decide[d.Line()] = append(was, d.Verdict), true
	}
	for k, rule := range g.Rules {
		if d.some > 0 && k%(1+len(g.Rules)/d.some) != 0 && !decide[rule.Line] && counts[k].Join.Line == 0 {
			continue
		}
		less := p.Parse(edited(body, rule.Line, "")).Group(c)
		want := RuleCount{Rule: rule, Matched: counts[k].Matched, Decided: counts[k].Decided, Join: counts[k].Join}
		for i, url := range urls {
			then := less.Verdict(url).Verdict
			contest := g.Contest(url)
			decides := contest.Line() == rule.Line
			switch {
			case then == was[i]:
			case then == Allow:
				want.Frees++
			case then == Disallow:
				want.Blocks++
			}
			if then != was[i] && !decides {
				d.outside++
			}
			if !decides {
				continue
			}
			d.questions++
			e := g.Explain(url)
			if e.Without != then || contest.Join != e.Join {
				t.Errorf("%s for %s, %s: without line %d %v, said %v\n%q", p.Name, c.Name, url, rule.Line, then, e.Without, body)
			}
			if contest.Without == Unknown && g.Reread(rule.Line) != "" {
				d.unknown++
			} else if contest.Without != then {
				t.Errorf("%s for %s, %s: without line %d %v, a contest says %v\n%q", p.Name, c.Name, url, rule.Line, then, contest.Without, body)
			}
		}
		if counts[k].Unknown != "" {
			d.uncounted++
			want.Frees, want.Blocks, want.Unknown = 0, 0, counts[k].Unknown
		} else {
			d.counts++
		}
		if counts[k] != want {
			t.Errorf("%s for %s: %+v, want %+v\n%q", p.Name, c.Name, counts[k], want, body)
		}
		if join := counts[k].Join; join.Line > 0 {
			d.joins++
			d.checkInstead(t, p, body, c, urls, rule, join)
		}
	}
}

// checkInstead makes the edit that replaces a deletion that joins groups, and
// compares it with the group without the rule.
func (d *deletions) checkInstead(t *testing.T, p *Profile, body string, c Crawler, urls []string, rule Rule, join Join) {
	t.Helper()
	if rule.Value == "" && !rule.Allow {
		return // it is already there
	}
	r := p.Parse([]byte(body))
	g := r.Group(c)
	var others []Rule
	for _, other := range g.Rules {
		if other.Line != rule.Line {
			others = append(others, other)
		}
	}
	meant := &Group{Rules: others, access: Parsed, ranking: newRanking(p, others)}
	done := p.Parse(edited(body, rule.Line, "Disallow:\n")).Group(c)
	if d.empty++; !join.Empty {
		d.empty--
		d.whole++
		lines := slices.Collect(r.Lines())
		for i := rule.Line - 1; i >= 0; i-- { // from the end, so that lines keep their numbers
			if i == rule.Line-1 || lines[i].Kind == "user-agent" && lines[i].Group == lines[rule.Line-1].Group {
				body = string(edited(body, i+1, ""))
			}
		}
		done = p.Parse([]byte(body)).Group(c)
	}
	for _, url := range urls {
		if got, want := done.Verdict(url).Verdict, meant.Verdict(url).Verdict; got != want {
			t.Errorf("%s for %s, %s: another line %d gives %v, meant is %v\n%q", p.Name, c.Name, url, rule.Line, got, want, body)
		}
	}
}

// TestDeletionJoins checks for every profile what a deletion joins, in files with such
// lines.
func TestDeletionJoins(t *testing.T) {
	all := "google google-2023 google-2019 google-oss yandex yandex-2016 bing rfc9309"
	merging := "google google-2023 google-2019 google-oss bing rfc9309"
	for _, tt := range []struct {
		name, body, crawler, url string
		line                     int
		joins                    int    // the line of the joined group
		by                       string // profiles that join it
		then                     Verdict
	}{
		{"the next group", "User-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 2, 3, all, Disallow},
		{"a blank line between", "User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 2, 4, merging, Disallow},
		{"a comment between", "User-agent: FooBot\nDisallow: /a\n# all\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 2, 4, merging, Disallow},
		{"a sitemap between", "User-agent: FooBot\nDisallow: /a\nSitemap: https://a.example/s\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 2, 4, merging, Disallow},
		{"a delay between", "User-agent: FooBot\nCrawl-delay: 1\nDisallow: /a\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 3, 4, merging, Disallow},
		{"another rule", "User-agent: FooBot\nDisallow: /a\nDisallow:\nUser-agent: *\nDisallow: /\n", "FooBot", "/a", 2, 0, "", Allow},
		{"no further group", "User-agent: FooBot\nDisallow: /a\n", "FooBot", "/a", 2, 0, "", Allow},
		{"no rules there", "User-agent: FooBot\nDisallow: /a\nUser-agent: *\n", "FooBot", "/a", 2, 0, "", Allow},
		{"a group of its own", "User-agent: FooBot\nDisallow: /a\nUser-agent: FooBot\nDisallow: /\n", "FooBot", "/b", 2, 0, "", Disallow},
		{"several groups of its own", "User-agent: FooBot\nAllow: /x\nUser-agent: FooBot\nDisallow: /a\nUser-agent: BarBot\nDisallow: /\nUser-agent: FooBot\nAllow: /a/b\n", "FooBot", "/a", 4, 5, all, Disallow},
		{"the group of all", "User-agent: *\nDisallow: /a\nUser-agent: BarBot\nDisallow: /\n", "FooBot", "/a", 2, 3, all, Disallow},
		{"an allowance", "User-agent: FooBot\nDisallow: /a\nUser-agent: *\nAllow: /a\n", "FooBot", "/a", 2, 3, all, Allow},
		{"CRs alone", "User-agent: FooBot\rDisallow: /a\rUser-agent: *\rDisallow: /\r", "FooBot", "/a", 2, 3, all, Disallow},
		{"no line end", "User-agent: FooBot\nDisallow: /a", "FooBot", "/a", 2, 0, "", Allow},
		{"a mark", "\xEF\xBB\xBFUser-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /", "FooBot", "/a", 2, 3, all, Disallow},
	} {
		for _, p := range Profiles() {
			c := token(tt.crawler)
			g := p.Parse([]byte(tt.body)).Group(c)
			want := 0
			if strings.Contains(" "+tt.by+" ", " "+p.Name+" ") {
				want = tt.joins
			}
			m := NewMatrix(g)
			m.Verdicts(tt.url, make([]Decision, 1))
			for _, n := range m.AppendCounts(nil, 0) {
				if n.Rule.Line == tt.line && n.Join.Line != want {
					t.Errorf("%s, %s: joins line %d, want %d", tt.name, p.Name, n.Join.Line, want)
				}
			}
			if e := g.Explain(tt.url); e.Line() == tt.line && (e.Join.Line != want || want > 0 && e.Without != tt.then) {
				t.Errorf("%s, %s: %v, joins line %d, want %v, %d", tt.name, p.Name, e.Without, e.Join.Line, tt.then, want)
			}
			var d deletions
			d.check(t, tt.body, []string{"/", "/a", "/a/b", "/b", "/x", "/robots.txt"}, asker{p, c})
		}
	}
}

// TestDeletionAlike has two profiles that order the rules of a group, and of the group that
// would join it, in the same way. They order the rules of both together differently.
func TestDeletionAlike(t *testing.T) {
	const body = "User-agent: FooBot\nDisallow: /x\nUser-agent: BarBot\nDisallow: /paq\nUser-agent: FooBot\nAllow: /p*q\n"
	google, yandex, bar := asker{mustProfile(t, "google-oss"), token("FooBot")}, asker{mustProfile(t, "yandex"), token("FooBot")}, token("BarBot")
	urls := []string{"/x", "/paq", "/p"}
	var d deletions
	d.check(t, body, urls, google, yandex, asker{google.profile, bar}, asker{yandex.profile, bar})
	d.check(t, body, urls, yandex, google, asker{google.profile, bar}, asker{yandex.profile, bar})
	if d.joins < 4 || d.outside == 0 {
		t.Errorf("%+v", d)
	}
}

// TestDeletionRereads deletes lines whose deletion changes how other lines are read.
func TestDeletionRereads(t *testing.T) {
	long := strings.Repeat("x", 990)
	small := *mustProfile(t, "google")
	small.Limit = 64
	for _, tt := range []struct {
		name, profile, body string
		url                 string
		now, then           Verdict
	}{
		{"a blank line lost", "yandex", "User-agent: FooBot\rDisallow: /a\n\nUser-agent: *\nDisallow: /\n", "/a", Disallow, Disallow},
		{"a record goes on", "rep-1994", "User-agent: FooBot\rDisallow: /a\n\nDisallow: /\n", "/a", Disallow, Disallow},
		{"a NUL comes near", "yandex-2016", "User-agent: FooBot\nDisallow: /a\nDisallow: /\n#" + long + "\x00\n", "/a", Disallow, Allow},
		{"a rule comes near", "small", "User-agent: FooBot\nDisallow: /a\nDisallow: /b\n#" + strings.Repeat("x", 15) + "\nDisallow: /\n", "/a", Disallow, Disallow},
		{"a rule is read whole", "small", "User-agent: FooBot\nDisallow: /a\nDisallow: /b\n#xxx\nDisallow: /longer\nDisallow: /even", "/a", Disallow, Allow},
		{"no longer cut", "small", "User-agent: FooBot\nDisallow: /a\nDisallow: /b\n#xxxxx\nAllow: /a/b\n\n\n\n\n\n", "/a", Disallow, Allow},
		{"a group comes near", "small", "User-agent: *\nDisallow: /a\nDisallow: /b\n#xxxxxxxxxx\nUser-agent: FooBot", "/a", Disallow, Allow},
	} {
		p := &small
		if tt.profile != "small" {
			p = mustProfile(t, tt.profile)
		}
		g := p.Parse([]byte(tt.body)).Group(token("FooBot"))
		c := g.Contest(tt.url)
		if c.Verdict != tt.now || c.Without != tt.then || g.Reread(c.Line()) == "" {
			t.Errorf("%s: %v, without %v, want %v and %v", tt.name, c.Verdict, c.Without, tt.now, tt.then)
		}
		var d deletions
		d.check(t, tt.body, []string{"/", "/a", "/a/b", "/b", "/l", "/longer", "/even"}, asker{p, token("FooBot")})
		if d.uncounted == 0 || d.unknown > 0 {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
	whole := small.Read(File{Status: 200, Truncated: true, Body: []byte("User-agent: *\nDisallow: /a" + strings.Repeat("b", 60) + "\n\n")})
	if c := whole.Group(token("FooBot")).Contest("/a" + strings.Repeat("b", 70)); c.Verdict != Disallow || c.Without != Unknown {
		t.Errorf("a file that was not fetched whole: %v, without %v", c.Verdict, c.Without)
	}
}

// TestDeletionBounds tests files in which every line would join groups, or would
// cause half a megabyte to be read again.
func TestDeletionBounds(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "User-agent: FooBot\nDisallow: /x%d\nUser-agent: BarBot\nDisallow: /x%d/y\n", i, i+1)
	}
	g := mustProfile(t, "google").Parse([]byte(b.String())).Group(token("FooBot"))
	m := NewMatrix(g)
	if len(m.distinct) != 1+maxJoins {
		t.Errorf("%d groups are tested", len(m.distinct))
	}
	m.Verdicts("/x1999", make([]Decision, 1))
	counted := 0
	for _, n := range m.AppendCounts(nil, 0) {
		if n.Unknown == "" {
			counted++
		} else if n.Frees+n.Blocks > 0 || n.Join.Line > 0 {
			t.Errorf("%+v", n)
		}
	}
	if counted != maxJoins+1 && counted != maxJoins {
		t.Errorf("%d rules are counted", counted)
	}
	if c := g.Contest("/x1998"); c.Without != Disallow || c.Join.Line == 0 {
		t.Errorf("%+v", c)
	}

	b.Reset()
	b.WriteString("User-agent: *\n")
	for i := 0; b.Len() < 600<<10; i++ {
		fmt.Fprintf(&b, "Disallow: /some/path/%d/\n", i)
	}
	g = mustProfile(t, "google").Parse([]byte(b.String())).Group(token("FooBot"))
	known := 0
	for i := range 20 {
		c := g.Contest(fmt.Sprintf("/some/path/%d/", i))
		if c.Without == Allow {
			known++
		} else if c.Without != Unknown {
			t.Errorf("%+v", c)
		}
	}
	if known == 0 || known == 20 || len(g.reread.robots.edits)*b.Len() > maxEdited {
		t.Errorf("%d of 20 known, %d edited files are kept", known, len(g.reread.robots.edits))
	}
	if e := g.Explain("/some/path/19/"); e.Without != Allow {
		t.Errorf("one question: %+v", e)
	}
}

// TestWithoutLine reads a file without a line.
func TestWithoutLine(t *testing.T) {
	r := mustProfile(t, "google").Parse([]byte("User-agent: a\r\nDisallow: /a\r\nUser-agent: b\r\nDisallow: /b"))
	if less := r.Without(2); len(less.Rules()) != 1 || less.Rules()[0].Line != 3 || len(less.runs) != 1 {
		t.Errorf("%v", less.Rules())
	}
	if less := r.Without(4); len(less.Rules()) != 1 || len(less.runs) != 2 {
		t.Errorf("%v", less.Rules())
	}
	if r.Without(5) != r || r.Without(0) != r {
		t.Error("there are no such lines")
	}
	for _, c := range []struct {
		line       int
		text, want string
	}{
		{2, "Disallow: /c", "User-agent: a\r\nDisallow: /c\r\nUser-agent: b\r\nDisallow: /b"},
		{4, "Allow: /b", "User-agent: a\r\nDisallow: /a\r\nUser-agent: b\r\nAllow: /b"},
		{1, "User-agent: *\nUser-agent: a", "User-agent: *\nUser-agent: a\r\nDisallow: /a\r\nUser-agent: b\r\nDisallow: /b"},
		{3, "", "User-agent: a\r\nDisallow: /a\r\n\r\nDisallow: /b"},
	} {
		if is := r.Rewritten(c.line, c.text); string(is.body) != c.want {
			t.Errorf("line %d as %q: %q", c.line, c.text, is.body)
		}
	}
	if r.Rewritten(5, "Allow: /") != r {
		t.Error("there is no such line to be rewritten")
	}
	gone := mustProfile(t, "google").Read(File{Status: 404})
	if gone.Without(1) != gone || gone.Rewritten(1, "Allow: /") != gone {
		t.Error("there is no file")
	}
}

// randomFile returns a small file with everything that separates groups.
func randomFile(r *rand.Rand) string {
	agents := []string{"FooBot", "BarBot", "*", "Googlebot", "Googlebot-Image", "Yandex", "YandexBot", "YandexBot/3.0", "Bot"}
	paths := []string{"/", "/a", "/a/b", "/*b", "/b$", "/a*$", "", "*", "/a/index.html", "/robots.txt", "/c?d", "x"}
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString("\xEF\xBB\xBF"[:1+r.IntN(3)])
	}
	end := []string{"\n", "\n", "\r\n", "\r"}[r.IntN(4)]
	mixed := r.IntN(3) == 0
	for range 4 + r.IntN(14) {
		switch r.IntN(12) {
		case 0, 1, 2, 3:
			b.WriteString("User-agent: " + agents[r.IntN(len(agents))])
		case 4, 5, 6:
			b.WriteString("Disallow: " + paths[r.IntN(len(paths))])
		case 7:
			b.WriteString("Allow: " + paths[r.IntN(len(paths))])
		case 8:
			b.WriteString([]string{"# c", "Crawl-delay: 2", "Sitemap: https://a.example/s", "Clean-param: a /", "no field"}[r.IntN(5)])
		case 9:
			b.WriteString("#" + strings.Repeat("y", r.IntN(40)))
		}
		if mixed {
			end = []string{"\n", "\r\n", "\r"}[r.IntN(3)]
		}
		b.WriteString(end)
	}
	if r.IntN(4) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// TestDeletionRandom deletes every line of generated files, for every profile,
// whole and up to a limit.
func TestDeletionRandom(t *testing.T) {
	t.Parallel()
	profiles := Profiles()
	for _, name := range []string{"google", "rfc9309"} {
		p := *mustProfile(t, name)
		p.Limit = 120
		profiles = append(profiles, &p)
	}
	var askers []asker
	for _, name := range []string{"Googlebot-Image", "YandexBot", "AdsBot-Google"} {
		c := mustCrawler(t, name)
		for _, p := range profiles {
			askers = append(askers, asker{p, c}, asker{p, token("FooBot")})
		}
	}
	urls := []string{"/", "/a", "/a/b", "/b", "/ab", "/a/", "/c?d", "/robots.txt", "/a/index.html", "https://a.example", "/%62"}
	var d deletions
	for seed := range uint64(300) {
		body := randomFile(rand.New(rand.NewPCG(seed, 10)))
		d.check(t, body, urls, askers...)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%+v", d)
	if d.questions < 10000 || d.joins < 1000 || d.empty < 500 || d.whole == 0 || d.outside < 1000 || d.uncounted < 1000 || d.unknown > 0 {
		t.Errorf("%+v: next to nothing was tested", d)
	}
}
