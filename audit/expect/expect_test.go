package expect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// served is a robots.txt as it was answered.
func served(status int, body string) crawl.RobotsFile {
	f := crawl.RobotsFile{Outcome: crawl.Outcome{Status: status}, Body: []byte(body)}
	if status == 0 {
		f.Code = crawl.CodeTimeout
	}
	return f
}

// testOrigin is an origin of a site whose records are made up.
type testOrigin struct {
	name string
	file crawl.RobotsFile
	urls []string // of the origin, by their paths
}

// records returns the parts of a site's audit records that matter here.
func records(name string, ordinal int, done bool, state audit.State, origins ...testOrigin) (list []audit.Record) {
	list = append(list, audit.Record{Domain: name, Site: &audit.Site{Name: name, Ordinal: ordinal}})
	for i, o := range origins {
		list = append(list, audit.Record{Domain: name, Robots: &audit.Robots{Index: i, Origin: o.name, File: o.file}})
		batch := &audit.URLs{}
		for _, path := range o.urls {
			batch.List = append(batch.List, audit.URL{Loc: o.name + path, Origin: i, Kind: crawl.KindLoc})
		}
		list = append(list, audit.Record{Domain: name, URLs: batch})
	}
	if done {
		list = append(list, audit.Record{Domain: name, Done: &audit.Done{State: state, Why: "nobody answers"}})
	}
	return list
}

const shopBefore = "User-agent: *\nDisallow: /cart/\nDisallow: /*?sort=\n\nUser-agent: GPTBot\nDisallow: /\n"

// shopProposed blocks /de/p as well; its last two rules are the example that Google's page
// of 2019 calls undefined.
const shopProposed = shopBefore + "\nUser-agent: *\nDisallow: /de/p\nAllow: /page\nDisallow: /*.htm\n"

// world is the records of three sites.
func world() [][]audit.Record {
	shop := testOrigin{"https://shop.example", served(200, shopBefore), []string{
		"/", "/de/", "/de/p", "/de/produkte/", "/cart/1", "/cart/22", "/img/a.png", "/a?sort=1", "/b?x=1&sort=2", "/stra%C3%9Fe/1x", "/page.htm",
	}}
	cdn := testOrigin{"https://cdn.example", served(200, "User-agent: *\nDisallow: /app.\n"), []string{"/app.js", "/lib.js", "/pic.webp"}}
	rest := testOrigin{"https://rest.example", served(404, ""), []string{"/only", "/de/produkte/"}}
	gone := testOrigin{"https://gone.example", served(0, ""), nil}
	return [][]audit.Record{
		records("gone.example", 2, true, audit.Undetermined, gone),
		records("shop.example", 0, true, audit.OK, shop, cdn),
		records("rest.example", 1, true, audit.OK, rest),
	}
}

// judgeAll judges records, and returns the suites by name.
func judgeAll(t *testing.T, j *Judge, sites [][]audit.Record) map[string]*Suite {
	t.Helper()
	suites := map[string]*Suite{}
	add := func(s *Suite) {
		if s != nil {
			if suites[s.Name] != nil {
				t.Errorf("two suites %s", s.Name)
			}
			suites[s.Name] = s
		}
	}
	for _, list := range sites {
		for _, rec := range list {
			add(j.Add(rec))
		}
	}
	for _, s := range j.End() {
		add(s)
	}
	return suites
}

// readTable reads a file of testdata.
func readTable(t *testing.T, name string) *Set {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	noError(t, err)
	set, err := Read(name, text, table.Options{})
	noError(t, err)
	return set
}

func proposal(host, file, body string) *Proposal {
	return &Proposal{Host: host, File: file, Body: []byte(body)}
}

// TestTable judges expectations whose notes give their expected results, at one site or at each.
func TestTable(t *testing.T) {
	set := readTable(t, "table.csv")
	if len(set.List) < 40 {
		t.Fatalf("%d expectations", len(set.List))
	}
	j, err := NewJudge(set, proposal("shop.example", "new.txt", shopProposed))
	noError(t, err)
	got := map[int][]string{} // by line
	seen := map[Outcome]int{}
	suites := judgeAll(t, j, world())
	for name, suite := range suites {
		for _, r := range suite.Results {
			got[r.Line] = append(got[r.Line], fmt.Sprintf("%s %s", r.Outcome, name))
			seen[r.Outcome]++
			if r.Site != name || (r.Why == "") != (r.Outcome == Met || r.Outcome == Failed || r.Unclear > 0) || r.Outcome == Failed && (len(r.Samples) == 0 || r.Samples[0].URL == "") {
				t.Errorf("line %d: %+v", r.Line, r)
			}
		}
	}
	for i := range set.List {
		e := &set.List[i]
		have, want := got[e.Line], strings.Split(e.Note, "; ")
		if len(want) == 1 && len(have) == 1 {
			have = []string{strings.Fields(have[0])[0]}
		}
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("line %d: %s %s %s: %q, want %q", e.Line, e.URL, e.Crawler, e.Want, have, want)
		}
	}
	for o := Met; o <= Unclear; o++ {
		if seen[o] == 0 {
			t.Errorf("none is %s", o)
		}
	}
	if len(j.Unused()) > 0 {
		t.Errorf("unused: %v", j.Unused()[0])
	}
	for _, r := range suites["shop.example"].Results {
		if r.URL == "https://shop.example/de/*" && r.Want == Disallow {
			if r.Matched != 3 || r.Failing != 1 || len(r.Samples) != 1 || r.Samples[0].URL != "https://shop.example/de/" || r.Samples[0].Robots != "new.txt" || r.Samples[0].Got.Why != "no rule matches" {
				t.Errorf("%+v", r)
			}
		}
		if r.URL == "https://shop.example/de/p" && r.Want == Same {
			want := engine.Rule{Value: "/de/p", Line: 9}
			if s := r.Samples[0]; s.Got.Rule != want || s.Got.Verdict != engine.Disallow || s.Was.Verdict != engine.Allow {
				t.Errorf("%+v", s)
			}
		}
	}
}

// TestCutShort judges records that end too early: the missing ones may be those that fail.
func TestCutShort(t *testing.T) {
	set, err := Read("e.csv", []byte("/a*,Googlebot,allow\n/b*,Googlebot,allow\n/c*,Googlebot,allow\n/a,Googlebot,allow\n"), table.Options{})
	noError(t, err)
	j, err := NewJudge(set)
	noError(t, err)
	for _, rec := range records("a.example", 0, false, "", testOrigin{"https://a.example", served(200, "User-agent: *\nDisallow: /b"), []string{"/a", "/b"}}) {
		if j.Add(rec) != nil {
			t.Fatal("a suite before the end")
		}
	}
	var got []Outcome
	for _, r := range j.Cut("a.example").Results {
		got = append(got, r.Outcome)
	}
	if want := []Outcome{Unclear, Failed, Unclear, Met}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestElsewhere judges an origin that two sites know, and that is a third site's own. Its own site
// counts; without it the first site of the list counts, in any order of records.
func TestElsewhere(t *testing.T) {
	set, err := Read("e.csv", []byte("https://cdn.example/*,Googlebot,disallow\n"), table.Options{})
	noError(t, err)
	cdn := func(urls ...string) testOrigin {
		return testOrigin{"https://cdn.example", served(200, "User-agent: *\nDisallow: /x"), urls}
	}
	first := records("a.example", 0, true, audit.OK, testOrigin{name: "https://a.example", file: served(404, "")}, cdn("/x1", "/x2"))
	second := records("b.example", 1, true, audit.OK, testOrigin{name: "https://b.example", file: served(404, "")}, cdn("/y"))
	own := records("cdn.example", 2, true, audit.OK, cdn("/x1", "/x2", "/x3"))
	for _, c := range []struct {
		sites   [][]audit.Record
		name    string
		matched int64
	}{
		{[][]audit.Record{first, second}, "https://cdn.example", 2},
		{[][]audit.Record{second, first}, "https://cdn.example", 2},
		{[][]audit.Record{second}, "https://cdn.example", 1},
		{[][]audit.Record{first, own, second}, "cdn.example", 3},
		{[][]audit.Record{own, first}, "cdn.example", 3},
		{[][]audit.Record{first, own}, "cdn.example", 3},
	} {
		j, err := NewJudge(set)
		noError(t, err)
		suites := judgeAll(t, j, c.sites)
		if s := suites[c.name]; len(suites) != 1 || s == nil || s.Results[0].Matched != c.matched {
			t.Errorf("%v, want %s with %d", suites, c.name, c.matched)
		}
	}
}

// TestOnlyProposed judges only hosts with a proposal: an own one, or one of several of a site. A host
// that is probably meant to be one of these fails.
func TestOnlyProposed(t *testing.T) {
	set, err := Read("e.csv", []byte("/de/*,Googlebot,allow\n/,Googlebot,allow\nhttps://cdn.example/lib.js,Googlebot,allow\n*.js$,Googlebot,allow\nhttps://rest.example/*,Googlebot,allow\nhttps://nobody.example/,Googlebot,allow\nhttps://www.rest.example/,Googlebot,allow\n"), table.Options{})
	noError(t, err)
	for _, c := range []struct{ host, want string }{
		{"shop.example", "shop.example 1 failed, shop.example 2 met, shop.example 4 vacuous; 2 sites, 4 expectations [cdn.example rest.example nobody.example www.rest.example]"},
		{"cdn.example", "https://cdn.example 3 met, shop.example 4 met; 2 sites, 3 expectations [rest.example nobody.example www.rest.example]"},
		{"rest.example", "https://www.rest.example 7 no_site, rest.example 1 failed, rest.example 2 met, rest.example 4 vacuous, rest.example 5 failed; 2 sites, 2 expectations [cdn.example nobody.example]"},
	} {
		j, err := NewJudge(set, proposal(c.host, "new.txt", shopProposed))
		noError(t, err)
		j.OnlyProposed()
		var got []string
		for name, suite := range judgeAll(t, j, world()) {
			for _, r := range suite.Results {
				got = append(got, fmt.Sprintf("%s %d %s", name, r.Line, r.Outcome))
			}
		}
		slices.Sort(got)
		o := j.Others()
		if text := fmt.Sprintf("%s; %d sites, %d expectations %v", strings.Join(got, ", "), o.Sites, o.Expectations, o.Hosts); text != c.want {
			t.Errorf("%s: %s\nwant %s", c.host, text, c.want)
		}
	}
}

// TestNoMatch checks the reason why a pattern matches no URL, or why no site is judged by it.
func TestNoMatch(t *testing.T) {
	site := func(name string, urls ...string) []audit.Record {
		own := testOrigin{"http://" + name, served(404, ""), nil}
		var others []testOrigin
		for _, url := range urls {
			others = append(others, testOrigin{url, served(404, ""), []string{"/a", "/b"}})
		}
		return records(name, 0, true, audit.OK, append([]testOrigin{own}, others...)...)
	}
	for _, c := range []struct {
		pattern, want string
		sites         [][]audit.Record
	}{
		{"/x*", "no URL of the site was found", [][]audit.Record{site("a.example")}},
		{"/x*", "none of the 2 URLs is matched", [][]audit.Record{site("a.example", "https://a.example")}},
		{"http://a.example/*", "no URL of the site was found", [][]audit.Record{site("a.example")}},
		{"http://a.example/*", "no URL of http://a.example was found. The URLs found have another scheme, such as https://a.example", [][]audit.Record{site("a.example", "https://b.example", "https://a.example")}},
		{"http://a.example/*", "no URL of http://a.example was found. The URLs found have another host, such as http://www.a.example", [][]audit.Record{site("a.example", "http://b.example", "http://www.a.example")}},
		{"http://a.example/*", "no URL of http://a.example was found. The URLs found have another port, such as http://a.example:81", [][]audit.Record{site("a.example", "http://a.example:81")}},
		{"https://a.example/*", "none of the tested sites is https://a.example. http://a.example has another scheme", [][]audit.Record{site("a.example"), site("b.example")}},
		{"http://a.example:81/*", "none of the tested sites is http://a.example:81. http://a.example has another port", [][]audit.Record{site("a.example"), site("b.example")}},
		{"http://www.a.example/*", "none of the tested sites is http://www.a.example. http://a.example has another host", [][]audit.Record{site("a.example"), site("b.example")}},
		{"http://c.example/*", "none of the tested sites is http://c.example. The only one, http://a.example, has another host", [][]audit.Record{site("a.example")}},
		{"http://c.example/*", "none of the tested sites is http://c.example. All have another host", [][]audit.Record{site("a.example"), site("b.example")}},
	} {
		set, err := Read("e.csv", []byte(c.pattern+",Googlebot,allow\n"), table.Options{})
		noError(t, err)
		j, err := NewJudge(set)
		noError(t, err)
		for _, suite := range judgeAll(t, j, c.sites) {
			if suite.Name != "b.example" && suite.Results[0].Why != c.want {
				t.Errorf("%s: %s, want %s", c.pattern, suite.Results[0].Why, c.want)
			}
		}
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
