package serve

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"robots-audit/reports"
)

const sitePath = "/runs/monday/sites/shop.example"

// savedProposal saves a proposal with a note, and returns the dashboard's client and the answer.
func savedProposal(t *testing.T, sites map[string]testSite, robots, note string) (*Desk, *asker, savedView) {
	t.Helper()
	dir := t.TempDir()
	auditRun(t, filepath.Join(dir, "monday"), sites, reports.Options{})
	d, a := newDesk(t, Options{Runs: []string{filepath.Join(dir, "monday")}, Proposals: filepath.Join(dir, "proposals")})
	saved, err := d.save("shop.example", []proposed{{".txt", robots}, {".note.txt", note}})
	noError(t, err)
	name := strings.TrimSuffix(filepath.Base(saved[0]), ".txt")
	return d, a, savedView{Name: name, When: proposalName(name), Link: sitePath + "/proposals/" + name}
}

// TestProposal shows a proposal for a review: in the list, as a page, as JSON and as files.
func TestProposal(t *testing.T) {
	was := strings.ReplaceAll(testRobots, "%s", "shop.example")
	robots := strings.Replace(was, "Disallow: /shop/private/\n", "Allow: /shop/private/b1\n", 1)
	note := "Ticket 7 <b>@you</b> https://evil.example\nsecond line"
	_, a, saved := savedProposal(t, map[string]testSite{"shop.example": shop(40)}, robots, note)

	var list proposalsView
	a.json(sitePath+"/proposals", &list)
	if len(list.List) != 1 || list.List[0].Link != saved.Link || list.List[0].Note != note || list.List[0].Added != 1 || list.List[0].Removed != 1 || !list.List[0].Counted {
		t.Errorf("the list: %+v", list)
	}
	var one proposalView
	a.json(saved.Link, &one)
	if one.Robots != robots || one.Note != note || one.Told.Totals.NewlyAllowed != 10 || one.Told.Totals.NewlyBlocked != 0 || one.Known != 40 || one.Same {
		t.Errorf("the proposal: %+v %+v", one, one.Told.Totals)
	}
	for _, path := range []string{sitePath + "/proposals", saved.Link} {
		answer, text := a.do("GET", path, "")
		if answer.StatusCode != 200 || !strings.Contains(text, "Ticket 7 &lt;b&gt;@you&lt;/b&gt;") || !strings.Contains(text, "second line") || strings.Contains(text, `\x0A`) {
			t.Errorf("%s: %s %s", path, answer.Status, text)
		}
		harmless(t, path, text)
	}
	for file, want := range map[string]string{
		"robots.txt":      robots,
		"robots.patch":    "diff --git a/robots.txt b/robots.txt\n--- a/robots.txt\n+++ b/robots.txt\n@@ -1,5 +1,5 @@\n User-agent: *\n-Disallow: /shop/private/\n+Allow: /shop/private/b1\n Disallow: /search\n \n User-agent: Bingbot\n",
		"pull-request.md": "> Ticket 7 `<b>@you</b>`",
	} {
		answer, text := a.do("GET", saved.Link+"/"+file, "")
		if answer.StatusCode != 200 || !strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment") || answer.Header.Get("Content-Type") != "text/plain; charset=utf-8" || text != want && file != "pull-request.md" || !strings.Contains(text, want) {
			t.Errorf("%s: %s %v\n%s", file, answer.Status, answer.Header, text)
		}
	}
	_, pull := a.do("GET", saved.Link+"/pull-request.md", "")
	for _, part := range []string{"@you", "<b>", "evil.example"} { // only in code
		if strings.Contains(regexp.MustCompile("`[^`]*`").ReplaceAllString(pull, ""), part) {
			t.Errorf("the pull request has %q:\n%s", part, pull)
		}
	}
	for path, want := range map[string]int{
		"/proposals/20261126T060000.000Z": 404, "/proposals/..": 404, "/proposals/" + saved.Name + ".note": 404, "/proposals/" + saved.Name + "/run.json": 404,
		"/proposals/%2e%2e%2fx": 404, "/proposals/" + url.PathEscape("../shop.example/"+saved.Name): 404,
	} {
		if answer, text := a.do("GET", sitePath+path, "", "Accept", "application/json"); answer.StatusCode != want && answer.StatusCode != 307 && answer.StatusCode != 301 {
			t.Errorf("%s: %s %s", path, answer.Status, text)
		}
	}
}

// TestEditAddress opens the editor with what an address asks for.
func TestEditAddress(t *testing.T) {
	d, a, saved := savedProposal(t, map[string]testSite{"shop.example": shop(40)}, "User-agent: *\n", "")
	was := strings.ReplaceAll(testRobots, "%s", "shop.example")
	run, err := d.runs.find("monday")
	noError(t, err)
	_, site, err := run.site("shop.example")
	noError(t, err)
	dir, err := d.made.site(run, site)
	noError(t, err)
	made, err := os.ReadFile(filepath.Join(dir, "pages", "shop.example.html"))
	noError(t, err)
	at := strings.Index(string(made), "../../sites/shop.example/edit?do=")
	if at < 0 {
		t.Fatalf("the made page has no link to an edit: %s", made)
	}
	link := strings.ReplaceAll(string(made)[at+len("../../sites/shop.example"):][:strings.IndexByte(string(made)[at:], '"')-len("../../sites/shop.example")], "&amp;", "&")
	var v editView
	a.json(sitePath+link, &v)
	if v.Begin == nil || v.Begin.Robots == was || !strings.Contains(v.Begin.Words, "line") || v.Robots != was {
		t.Errorf("%s: %+v", link, v.Begin)
	}
	stored, err := os.ReadFile(filepath.Join(run.dir, "pages", "shop.example.html"))
	if err != nil || strings.Contains(string(stored), "/edit") {
		t.Errorf("the page in the run's folder links to the editor: %v", err)
	}
	for query, want := range map[string]struct {
		status int
		words  string
	}{
		"?start=live":                       {200, "Disallow: /shop/private/"},
		"?start=empty":                      {200, `"robots":""`},
		"?start=proposal:" + saved.Name:     {200, `"robots":"User-agent: *\n"`},
		"?start=proposal:20261126T060000.0": {404, "there is no such proposal"},
		"?start=version:abc":                {404, "there is no history"},
		"?start=other":                      {400, "Expected live, empty"},
		"?line=3":                           {200, `"line":3`},
		"?wish=allow&url=/search":           {200, `"wish":"allow"`},
		"?wish=free":                        {400, "expected"},
		"?do=delete&line=2&was=0000":        {422, "It has changed since the link was made"},
		"?do=delete&line=999&was=0000":      {422, "It has changed since the link was made"},
		"?do=run&line=2&was=0000":           {400, "could not be read"},
	} {
		answer, text := a.do("GET", sitePath+"/edit"+query, "", "Accept", "application/json")
		if answer.StatusCode != want.status || !strings.Contains(text, want.words) {
			t.Errorf("%s: %s %s", query, answer.Status, text)
		}
	}
}

// TestTryAgainst compares with another text than that of the run.
func TestTryAgainst(t *testing.T) {
	_, a, saved := savedProposal(t, map[string]testSite{"shop.example": shop(40)}, "User-agent: *\nDisallow: /\n", "")
	var v tryView
	if status := a.post(sitePath+"/try", edited{Robots: "User-agent: *\nDisallow: /blog/\n", Against: "proposal:" + saved.Name}, &v); status != 200 || v.Told.Totals.NewlyAllowed != 30 || v.Told.Totals.NewlyBlocked != 0 {
		t.Errorf("%d %+v", status, v.Told)
	}
	if status := a.post(sitePath+"/try", edited{Robots: "User-agent: *\nDisallow: /\n", Against: "proposal:" + saved.Name}, &v); status != 200 || !v.Same || v.Told.Totals.Flips() != 0 {
		t.Errorf("the same text: %d %+v", status, v)
	}
	var refused troubleView
	if status := a.post(sitePath+"/try", edited{Against: "proposal:x"}, &refused); status != 404 || refused.Error != "there is no such proposal" {
		t.Errorf("%d %+v", status, refused)
	}
}

// TestHandOver writes patches and pull requests of texts with all line ends.
func TestHandOver(t *testing.T) {
	crlf, latin := shop(40), shop(40)
	crlf.robots = "User-agent: *\r\nDisallow: /shop/\r\n"
	latin.robots = "User-agent: *\nDisallow: /\xe4\n"
	_, a, _ := savedProposal(t, map[string]testSite{"shop.example": crlf, "latin.example": latin}, "", "")
	var hand handView
	if status := a.post(sitePath+"/patch", edited{Robots: "User-agent: *\r\nDisallow: /shop/x\r\n"}, &hand); status != 200 || !strings.HasSuffix(hand.Text, "@@ -1,2 +1,2 @@\n User-agent: *\r\n-Disallow: /shop/\r\n+Disallow: /shop/x\r\n") {
		t.Errorf("%d %q", status, hand.Text)
	}
	if status := a.post(sitePath+"/patch", edited{Robots: "User-agent: *\nDisallow: /shop/\n"}, &hand); status != 200 || hand.Text != "" {
		t.Errorf("the same text: %d %q", status, hand.Text)
	}
	if status := a.post(sitePath+"/pull-request", edited{Robots: "User-agent: *\nDisallow: /shop/a\n", Note: "why"}, &hand); status != 200 || hand.Name != "pull-request.md" || !strings.Contains(hand.Text, "> why") || !strings.Contains(hand.Text, "| Googlebot |  | 10 |") {
		t.Errorf("%d %s", status, hand.Text)
	}
	var refused troubleView
	if status := a.post("/runs/monday/sites/latin.example/patch", edited{Robots: "x"}, &refused); status != 422 || !strings.Contains(refused.Error, "not UTF-8") {
		t.Errorf("%d %+v", status, refused)
	}
}

// TestShared tests an edit on all sites with the same file, at most fifty.
func TestShared(t *testing.T) {
	sites := map[string]testSite{}
	for i := range maxShared + 2 {
		site := shop(8 + i%2*4)
		site.robots = "User-agent: *\nDisallow: /shop/private/\n"
		sites[fmt.Sprintf("s%02d.example", i)] = site
	}
	other := maps.Clone(sites)["s00.example"]
	other.robots = "User-agent: *\n"
	sites["shop.example"] = other
	_, a, _ := savedProposal(t, sites, "", "")
	var edit editView
	a.json("/runs/monday/sites/s07.example/edit", &edit)
	if edit.Same != maxShared+2 || edit.Most != maxShared {
		t.Errorf("the editor: %d sites, %d tested", edit.Same, edit.Most)
	}
	a.json(sitePath+"/edit", &edit)
	if edit.Same != 0 {
		t.Errorf("a file of one site: %d", edit.Same)
	}
	var v sharedView
	if status := a.post("/runs/monday/sites/s07.example/shared", edited{Robots: "User-agent: *\nDisallow: /blog/\n"}, &v); status != 200 || v.Of != maxShared+2 || len(v.List) != maxShared || !strings.Contains(v.Untested, "2 sites were not tested: only the first 50") {
		t.Fatalf("%d %+v", status, v)
	}
	var blocked, allowed, known int64
	for _, s := range v.List {
		if s.Error != "" || s.Totals == nil || s.Edit != "/runs/monday/sites/"+s.Site+"/edit" {
			t.Fatalf("%+v", s)
		}
		blocked, allowed, known = blocked+s.Totals.NewlyBlocked, allowed+s.Totals.NewlyAllowed, known+s.Totals.Known
	}
	if blocked != v.Totals.NewlyBlocked || allowed != v.Totals.NewlyAllowed || known != v.Totals.Known || blocked != allowed || blocked < 2*maxShared || known < 8*maxShared {
		t.Errorf("%d, %d of %d; %+v", blocked, allowed, known, v.Totals)
	}
	answer, _ := a.do("GET", "/runs/monday/sites/s07.example/shared", "")
	if answer.StatusCode == http.StatusOK {
		t.Error("it can be read by a link")
	}
}
