package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// matrixBody is a file whose groups have every special case of a Matrix: two
// patterns of one rule, ties, an undefined verdict, rules that some profiles
// ignore, and equal groups.
const matrixBody = `User-agent: Googlebot
Disallow: /page
Allow: /*.ph
Disallow: /*.php$
Allow: /a/index.html
Disallow: /a/
Disallow: /*/index.html/
Allow: /*/index.htm
Allow: *x
Disallow: /fish*
Disallow: /fish
Allow: /%D0%B0
Disallow: /а*/b
Disallow: /robots.txt
Allow: /caf%c3%a9
Disallow:

User-agent: Bingbot
User-agent: YandexBot
Disallow: /b
Allow: /b*$
Disallow: /*?
Allow: /*a*b*c
Disallow: /*%2A
Disallow: /$
Allow: /b/b/b
Crawl-delay: 2

User-agent: *
Disallow: /page
Disallow: /*&
Allow: /p
Allow:
`

// matrixGroups are several crawlers' groups by every profile.
func matrixGroups(t testing.TB) (groups []*Group, names []string) {
	for _, p := range Profiles() {
		for _, token := range []string{"Googlebot", "Bingbot", "YandexBot", "FooBot", "BarBot"} {
			groups = append(groups, p.Parse([]byte(matrixBody)).Group(Crawler{Name: token, Tokens: []string{token}}))
			names = append(names, token+"@"+p.Name)
		}
		for _, status := range []int{404, 503} {
			groups = append(groups, p.Read(File{Status: status}).Group(Crawler{Name: "FooBot", Tokens: []string{"FooBot"}}))
			names = append(names, fmt.Sprintf("%d@%s", status, p.Name))
		}
	}
	return groups, names
}

// matrixURLs are URLs made of parts of the rules' paths.
func matrixURLs(n int) []string {
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{"/page", "/", "a", "b", "c", "index.html", "/a/", ".php", ".ph", "x", "?", "&", "=", "fish", "%D0%B0", "%d0%b0", "а",
		"*", "%2A", "%2a", "\x00", "é", "%C3%A9", "/caf", "$", "/robots.txt", "/p", "/b", "%41", "#", ";", "//", "robots.txt"}
	list := []string{"/", "https://example.com/robots.txt", "https://example.com", "https://example.com?a", "/page.php", "/a/", "/a/index.html/", "/x/index.html/"}
	for len(list) < n {
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteString("https://example.com")
		}
		b.WriteByte('/')
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		list = append(list, b.String())
	}
	return list
}

// TestMatrix compares a Matrix over everything with each group's own verdicts, and counts again
// with groups from which a rule was deleted.
func TestMatrix(t *testing.T) {
	groups, names := matrixGroups(t)
	m := NewMatrix(groups...)
	out := make([]Decision, len(groups))
	urls := matrixURLs(1500)
	seen := map[Verdict]int{}
	for _, url := range urls {
		m.Verdicts(url, out)
		for i, g := range groups {
			want := g.Verdict(url)
			if out[i].Verdict != want.Verdict || out[i].Line() != want.Line() {
				t.Fatalf("%s on %q: %v by line %d, alone %v by line %d", names[i], url, out[i].Verdict, out[i].Line(), want.Verdict, want.Line())
			}
			seen[want.Verdict]++
		}
	}
	for _, v := range []Verdict{Unknown, Allow, Disallow, Undefined} {
		if seen[v] == 0 {
			t.Errorf("no verdict was %v", v)
		}
	}
	var sum RuleCount
	for i, g := range groups {
		if got := m.AppendCounts(nil, i); len(got) != len(g.Rules) {
			t.Fatalf("%s: %d counts of %d rules", names[i], len(got), len(g.Rules))
		}
		for k, rule := range g.Rules {
			want := countRule(g, k, urls)
			if got := m.AppendCounts(nil, i)[k]; got != want {
				t.Errorf("%s, line %d, %s: %+v, want %+v", names[i], rule.Line, rule, got, want)
			}
			sum.Matched += want.Matched
			sum.Decided += want.Decided
			sum.Frees += want.Frees
			sum.Blocks += want.Blocks
		}
	}
	if sum.Matched == 0 || sum.Decided == 0 || sum.Frees == 0 || sum.Blocks == 0 {
		t.Errorf("in all %+v: nothing was tested", sum)
	}
}

// countRule counts the effect of the k-th rule of g by its definition: with a
// group that has only this rule, and with one that has all others.
func countRule(g *Group, k int, urls []string) RuleCount {
	with := func(rules ...Rule) *Group {
		of := &Group{Rules: rules, access: g.access, ranking: newRanking(g.profile, rules)}
		of.rank()
		return of
	}
	alone := with(g.Rules[k])
	others := with(append(append([]Rule(nil), g.Rules[:k]...), g.Rules[k+1:]...)...)
	count := RuleCount{Rule: g.Rules[k]}
	for _, url := range urls {
		path, _ := g.profile.Encoding.path(url, nil)
		if best, _ := alone.bestTwo(path); best >= 0 {
			count.Matched++
		}
		d, without := g.Verdict(url), others.Verdict(url)
		if d.Rule != nil && *d.Rule == g.Rules[k] {
			count.Decided++
		}
		if d.Verdict != without.Verdict {
			switch without.Verdict {
			case Allow:
				count.Frees++
			case Disallow:
				count.Blocks++
			}
		}
	}
	return count
}

// TestMatrixSame checks which groups are tested together.
func TestMatrixSame(t *testing.T) {
	google, _ := ProfileByName("google")
	rfc, _ := ProfileByName("rfc9309")
	of := func(p *Profile, token string) *Group {
		return p.Parse([]byte(matrixBody)).Group(Crawler{Tokens: []string{token}})
	}
	gone := func(p *Profile) *Group { return p.Read(File{Status: 404}).Group(Crawler{Tokens: []string{"a"}}) }
	m := NewMatrix(of(google, "Googlebot"), of(google, "FooBot"), of(google, "BarBot"), of(rfc, "FooBot"), of(google, "Googlebot"), gone(google), gone(rfc), of(rfc, "BarBot"))
	want := []int{0, 1, 1, 3, 0, 5, 5, 3}
	for i, same := range want {
		if got := m.Same(i); got != same {
			t.Errorf("Same(%d) = %d, want %d", i, got, same)
		}
	}
	m.Verdicts("/page", make([]Decision, len(want)))
	// The same patterns and the same paths, but only one of the two always allows
	// /robots.txt.
	judged := *rfc
	judged.RobotsTxtJudged = true
	simple := []byte("User-agent: *\nDisallow: /r\n")
	foo := Crawler{Tokens: []string{"FooBot"}}
	out := make([]Decision, 2)
	k := NewMatrix(judged.Parse(simple).Group(foo), rfc.Parse(simple).Group(foo))
	if k.Verdicts("/robots.txt", out); k.Same(1) == 0 || out[0].Verdict == out[1].Verdict {
		t.Errorf("Same(1) = %d, verdicts on /robots.txt %v", k.Same(1), out)
	}
	if a, b := m.AppendCounts(nil, 1), m.AppendCounts(nil, 2); a[0].Decided != 1 || !slices.Equal(a, b) {
		t.Errorf("groups that are tested as one do not share their counts: %v, %v", a, b)
	}
}

// TestMatrixEmpty checks a Matrix without groups and one whose groups have no rules.
func TestMatrixEmpty(t *testing.T) {
	NewMatrix().Verdicts("/a", nil)
	p, _ := ProfileByName("google")
	m := NewMatrix(p.Parse(nil).Group(Crawler{Tokens: []string{"a"}}))
	out := make([]Decision, 1)
	m.Verdicts("/a", out)
	if out[0].Verdict != Allow || out[0].Rule != nil || len(m.AppendCounts(nil, 0)) != 0 {
		t.Errorf("%+v, %v", out, m.AppendCounts(nil, 0))
	}
}

// TestNoAllocation: verdicts, contests and a Matrix do not allocate after their preparation, even
// on rewritten paths, and for lines whose deletion joins groups.
func TestNoAllocation(t *testing.T) {
	groups, _ := matrixGroups(t)
	groups = append(groups, mustProfile(t, "google").Parse([]byte("User-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /a/b\nAllow: /a\n")).Group(token("FooBot")))
	m, out := NewMatrix(groups...), make([]Decision, len(groups))
	urls := matrixURLs(200)
	for what, ask := range map[string]func(g *Group, url string){
		"Verdict": func(g *Group, url string) { g.Verdict(url) },
		"Contest": func(g *Group, url string) { g.Contest(url) },
		"Matrix": func(g *Group, url string) {
			if g == groups[0] {
				m.Verdicts(url, out)
			}
		},
	} {
		all := func() {
			for _, url := range urls {
				if raced && plainPath(url) == "" {
					continue // it is rewritten in a pooled buffer
				}
				for _, g := range groups {
					ask(g, url)
				}
			}
		}
		all()
		if n := testing.AllocsPerRun(3, all); n >= 1 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

// TestVerdictConcurrent calls one group from several goroutines from its first
// URL on, while it prepares itself.
func TestVerdictConcurrent(t *testing.T) {
	rules, paths := matchtest.Default(500).Draw(300)
	w := benchBody(rules)
	p, _ := ProfileByName("google")
	fresh := func() *Group { return p.Parse(w).Group(Crawler{Tokens: []string{"FooBot"}}) }
	want := make([]Decision, len(paths))
	for i, path := range paths {
		want[i] = fresh().Verdict(path)
	}
	g := fresh()
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for i := range paths {
				i = (i + k*70) % len(paths)
				if d := g.Verdict(paths[i]); d.Verdict != want[i].Verdict || d.Line() != want[i].Line() {
					t.Errorf("%q: %v by line %d, want %v by line %d", paths[i], d.Verdict, d.Line(), want[i].Verdict, want[i].Line())
				}
			}
		})
	}
	wait.Wait()
	if g.set.Load() == nil {
		t.Errorf("%d verdicts did not make the group prepare itself", 4*len(paths))
	}
}

// FuzzMatrix compares, for every profile at once, a Matrix with single groups: fresh
// ones, which scan their rules, and groups that have prepared themselves.
func FuzzMatrix(f *testing.F) {
	for _, url := range append(matrixURLs(12), "/robots.txt") {
		f.Add(matrixBody, url)
	}
	for _, body := range trickyFiles {
		for _, url := range []string{"/", "/a", "/abc", "/fish/x", "/x?a", "https://a.example/robots.txt"} {
			f.Add(body, url)
		}
	}
	f.Fuzz(func(t *testing.T, body, url string) {
		var groups []*Group
		for _, p := range Profiles() {
			r := p.Parse([]byte(body))
			for _, token := range []string{"Googlebot", "FooBot"} {
				groups = append(groups, r.Group(Crawler{Name: token, Tokens: []string{token}}))
			}
			groups = append(groups, r.Groups()...)
		}
		m, out := NewMatrix(groups...), make([]Decision, len(groups))
		m.Verdicts(url, out)
		compiled, again := NewMatrix(groups...), make([]Decision, len(groups))
		compiled.tried = 1 << 30 // enough to compile
		if compiled.Verdicts(url, again); !slices.Equal(out, again) {
			t.Fatalf("one by one %v, compiled %v", out, again)
		}
		for i, g := range groups {
			if a, b := m.AppendCounts(nil, i), compiled.AppendCounts(nil, i); !slices.Equal(a, b) {
				t.Fatalf("%s: one by one %+v, compiled %+v", g.profile.Name, a, b)
			}
			first := g.Verdict(url)
			g.tried.Store(1 << 30) // enough to compile
			if later := g.Verdict(url); later != first || out[i].Verdict != first.Verdict || out[i].Line() != first.Line() {
				t.Fatalf("%s: one by one %v, prepared %v, in a Matrix %v", g.profile.Name, first, later, out[i])
			}
			for _, c := range m.AppendCounts(nil, i) {
				if c.Decided > c.Matched || c.Frees+c.Blocks > c.Matched && c.Join.Line == 0 || out[i].Rule != nil && c.Rule == *out[i].Rule && c.Decided != 1 {
					t.Fatalf("%s: %+v", g.profile.Name, c)
				}
			}
		}
	})
}

// TestMatrixWatched checks whether watched rules match the last URL, even if another
// rule decides: before and after the patterns are compiled together.
func TestMatrixWatched(t *testing.T) {
	rfc9309, _ := ProfileByName("rfc9309")
	oss, _ := ProfileByName("google-oss")
	const file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: *c\nAllow: /a/index.html\n"
	m := NewMatrix(rfc9309.Parse([]byte(file)).Group(Crawler{}), oss.Parse([]byte(file)).Group(Crawler{}))
	for i := range 2 {
		m.Watch(i, 0)
		m.Watch(i, 2)
		m.Watch(i, 3)
	}
	for range m.Watched {
		t.Error("a rule matches before there was a URL")
	}
	out := make([]Decision, 2)
	for range 2 {
		for url, want := range map[string]string{
			"http://h.example/a": "[2 2]", "http://h.example/a/b": "[2 2]", "http://h.example/a/bc": "[2 2 4 4]", "http://h.example/x": "[]",
			"http://h.example/a/": "[2 2 5]", // the directory of an index page, for google-oss
		} {
			m.Verdicts(url, out)
			lines := []int{}
			for line := range m.Watched {
				lines = append(lines, line)
			}
			slices.Sort(lines)
			if got := fmt.Sprint(lines); got != want {
				t.Errorf("%s: %s, want %s", url, got, want)
			}
		}
		m.tried = 1 << 30 // enough to compile
		m.Verdicts("http://h.example/", out)
	}
}

// TestPlainlyAs: groups for which PlainlyAs is true give plain URLs the same verdicts, by the same
// lines.
func TestPlainlyAs(t *testing.T) {
	groups, names := matrixGroups(t)
	alike := 0
	for i, a := range groups {
		for k, b := range groups[:i] {
			if !a.PlainlyAs(b) {
				continue
			}
			if a.profile != b.profile {
				alike++
			}
			for _, url := range append(matrixURLs(2000), "/robots.txt", "https://example.com/%61") {
				if x, y := a.Verdict(url), b.Verdict(url); PlainURL(url) && (x.Verdict != y.Verdict || x.Line() != y.Line()) {
					t.Errorf("%s and %s on %s: %v and %v", names[i], names[k], url, x, y)
				}
			}
		}
	}
	if alike == 0 {
		t.Error("no two profiles are alike")
	}
}
