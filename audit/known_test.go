package audit

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"robots-audit/audit/table"
	"robots-audit/crawl"
)

// knownOf reads a list of URLs that is in order.
func knownOf(t *testing.T, text string) *Known {
	t.Helper()
	k, err := readKnown(strings.NewReader(text), "")
	noError(t, err)
	return k
}

// readKnown reads a table of URLs; column is the one with the URLs, "" = find it.
func readKnown(r io.Reader, column string) (*Known, error) {
	o := table.Options{Want: KnownColumns}
	if column != "" {
		o.Columns = map[table.Meaning]string{table.URL: column}
	}
	file, err := table.Read(r, o)
	if err != nil {
		return nil, err
	}
	return ReadKnown(file.Table(), "")
}

func TestReadKnown(t *testing.T) {
	for _, c := range []struct {
		name, text, column string
		want               []string
	}{
		{"a list", "\uFEFFhttps://a.example/1\r\n\r\nhttps://a.example/2,x?y=1,2\nno URL\n", "", []string{"https://a.example/1 0 0", "https://a.example/2,x?y=1,2 0 0", "no URLs 1"}},
		{"an export", "Top pages,Clicks,Impressions,CTR,Position\nhttps://a.example/1,\"1,234\",99,1%,2.5\nhttps://a.example/2,7,8,9%,1\n", "", []string{"https://a.example/1 1234 99", "https://a.example/2 7 8", "no URLs 0"}},
		{"semicolons", "Seite;Klicks;Impressionen\nhttps://a.example/1;1.234;99\n", "", []string{"https://a.example/1 1234 99", "no URLs 0"}},
		{"numbers as people and programs write them", "url\tclicks\timpressions\nhttps://a.example/1\t1234.0\t1 234\nhttps://a.example/2\t1,234.5\t1.234.567\nhttps://a.example/3\t0.125\t12'345\nhttps://a.example/4\tmany\t-1\n", "",
			[]string{"https://a.example/1 1234 1234", "https://a.example/2 1234 1234567", "https://a.example/3 0 12345", "https://a.example/4 0 0", "no URLs 0"}},
		{"tabs and no titles", "https://a.example/1\t5\n", "", []string{"https://a.example/1 0 0", "no URLs 0"}},
		{"a column by title", "from,to,hits\nhttps://b.example/,https://a.example/1,3\n", "To", []string{"https://a.example/1 3 0", "no URLs 0"}},
		{"a column by number", "from,to,hits\nhttps://b.example/,https://a.example/1,3\n", "2", []string{"https://a.example/1 3 0", "no URLs 0"}},
	} {
		k, err := readKnown(strings.NewReader(c.text), c.column)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for loc, w := range k.urlsOf("a.example") {
			got = append(got, fmt.Sprintf("%s %d %d", loc, w.Clicks, w.Impressions))
		}
		got = append(got, fmt.Sprintf("no URLs %d", k.NoURL.Rows))
		checkEqual(t, c.name, got, c.want)
	}
	if _, err := readKnown(strings.NewReader("a,b\n"), "page"); err == nil || !strings.Contains(err.Error(), `no column "page"`) {
		t.Errorf("a column that is not there: %v", err)
	}
}

// TestKnown lends weight to the URLs of a sitemap, and tests those that only
// the user knows.
func TestKnown(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /p/\n",
		"a.example/sitemap.xml": urlset("http://a.example/p/1", "http://a.example/2"),
	})
	a.Known = knownOf(t, "page,clicks\nhttp://a.example/p/1,5\nhttp://a.example/p/1#x,2\nhttp://a.example/p/3,11\nhttp://other.example/,1\n")
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				got = append(got, fmt.Sprintf("%s %v %d %d", u.Loc, u.Kind, u.Sitemap, u.Clicks))
			}
			for i, u := range rewritten(t, rec).URLs.List {
				if u.Weight != rec.URLs.List[i].Weight || u.Kind != rec.URLs.List[i].Kind {
					t.Errorf("%+v was written, %+v read", rec.URLs.List[i], u)
				}
			}
		}
		if d := rec.Done; d != nil {
			got = append(got, fmt.Sprintf("%d URLs, %d blocked; %d clicks, %d on blocked URLs", d.URLs, d.BlockedAny, d.Clicks, d.BlockedClicks))
		}
	}
	want := []string{
		"http://a.example/p/1 loc 0 7", "http://a.example/2 loc 0 0", "http://a.example/p/3 list -1 11",
		"3 URLs, 2 blocked; 18 clicks, 18 on blocked URLs",
	}
	checkEqual(t, "URLs", got, want)
	if crawl.KindList.String() != "list" {
		t.Error(crawl.KindList)
	}
}

// A number given as 0 is distinguished from a missing one, also in records. Older records without
// this difference are read as before.
func TestGivenZero(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "",
		"a.example/sitemap.xml": urlset("http://a.example/0", "http://a.example/none", "http://a.example/unlisted", "http://a.example/0+none"),
	})
	a.Known = knownOf(t, "page,clicks,impressions\nhttp://a.example/0,0,00\nhttp://a.example/none,,-\n"+
		"http://a.example/0+none#a,,0\nhttp://a.example/0+none#b,0,\nhttp://a.example/fraction,0.0,0.5\n")
	told := func(u *URL) string {
		return fmt.Sprint(u.Loc, " ", u.HasClicks(), u.Clicks, u.HasImpressions(), u.Impressions)
	}
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs == nil {
			continue
		}
		again := rewritten(t, rec)
		for i := range again.URLs.List {
			got = append(got, told(&again.URLs.List[i]))
			if now := told(&rec.URLs.List[i]); now != got[len(got)-1] {
				t.Errorf("%s was written, %s read", now, got[len(got)-1])
			}
		}
	}
	want := []string{
		"http://a.example/0 true 0 true 0", "http://a.example/none false 0 false 0", "http://a.example/unlisted false 0 false 0",
		"http://a.example/0+none true 0 true 0", "http://a.example/fraction true 0 true 0",
	}
	checkEqual(t, "URLs", got, want)
	for rec, err := range Decode(strings.NewReader(`{"domain":"a","url":{"loc":"x","sm":-1,"v":"a","clicks":5}}` + "\n" + `{"url":{"loc":"y","sm":-1,"v":"a"}}`)) {
		noError(t, err)
		if x, y := told(&rec.URLs.List[0]), told(&rec.URLs.List[1]); x != "x true 5 false 0" || y != "y false 0 false 0" {
			t.Errorf("records of before are read as %s, %s", x, y)
		}
	}
}

// A known URL is tested with one site of the list: that of its origin, or else the nearest of its
// host, with or without "www.". URLs of no site are counted.
func TestKnownSites(t *testing.T) {
	robots := "User-agent: *\nDisallow: /p\n"
	a := world(t, map[string]string{
		"a.example/robots.txt": robots, "www.a.example/robots.txt": robots, "a.example:8080/robots.txt": robots, "b.example/robots.txt": robots, "www.b.example/robots.txt": robots,
		"www.c.example/robots.txt": robots, "c.example/robots.txt": robots, "xn--bcher-kva.example/robots.txt": robots, "shop.b.example/robots.txt": robots,
	})
	a.Client.ConnectTo = append(a.Client.ConnectTo, ":8080:"+strings.TrimPrefix(a.Client.ConnectTo[0], ":80:"))
	urls := []string{
		"http://a.example/1", "http://www.a.example/2", "http://a.example:8080/3", "http://a.example:9090/4", "http://b.example/5", "http://www.b.example/p6",
		"http://WWW.C.example./7", "http://c.example/p8", "http://b\u00fccher.example/9", "http://shop.b.example/10", "http://shop.b.example/11", "http://else.example/12",
	}
	a.Known = knownOf(t, "page,clicks\n"+strings.Join(urls, ",3\n")+",3\nnothing\n")
	list := "http://a.example\nhttp://a.example:8080\nhttp://www.a.example\nhttp://b.example\nhttp://www.c.example\nhttp://xn--bcher-kva.example\nbad line\n"
	a.Known.Assign(Domains(strings.NewReader(list)))
	got := map[string][]string{}
	for rec := range a.All(t.Context(), Domains(strings.NewReader(list))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				got[rec.Domain] = append(got[rec.Domain], fmt.Sprint(u.Loc, " ", u.Clicks))
			}
		}
		if d := rec.Done; d != nil && d.URLs > 0 {
			got[rec.Domain] = append(got[rec.Domain], fmt.Sprintf("%d URLs, %d blocked, %d clicks, %d given", d.URLs, d.BlockedAny, d.Clicks, d.ClicksGiven))
		}
	}
	want := map[string][]string{
		"a.example":             {"http://a.example/1 3", "1 URLs, 0 blocked, 3 clicks, 1 given"},
		"www.a.example":         {"http://www.a.example/2 3", "1 URLs, 0 blocked, 3 clicks, 1 given"},
		"a.example:8080":        {"http://a.example:8080/3 3", "1 URLs, 0 blocked, 3 clicks, 1 given"},
		"b.example":             {"http://b.example/5 3", "http://www.b.example/p6 3", "2 URLs, 1 blocked, 6 clicks, 2 given"},
		"www.c.example":         {"http://www.c.example./7 3", "http://c.example/p8 3", "2 URLs, 1 blocked, 6 clicks, 2 given"},
		"xn--bcher-kva.example": {"http://xn--bcher-kva.example/9 3", "1 URLs, 0 blocked, 3 clicks, 1 given"},
	}
	// No server listens at port 9090, so that Google takes the site for closed.
	want["a.example"] = []string{"http://a.example/1 3", "http://a.example:9090/4 3", "2 URLs, 1 blocked, 6 clicks, 2 given"}
	checkEqual(t, "URLs", got, want)
	var left []string
	for _, p := range a.Known.LeftOut() {
		left = append(left, fmt.Sprint(p.Stage, " ", p.Code, " ", p.Host, " ", p.URLs, ": ", p.Detail))
	}
	wantLeft := []string{
		"urls not_listed shop.b.example 2: shop.b.example: 2 URLs of the list of URLs were not tested, because the host is not in the list of sites",
		"urls not_listed else.example 1: else.example: 1 URL of the list of URLs was not tested, because the host is not in the list of sites",
		"urls no_url  1: 1 row of the list of URLs skipped: line 14 \"nothing\": no absolute http or https URL",
	}
	checkEqual(t, "left out", left, wantLeft)
}

// Of many hosts that are not in the list, those with most URLs are named.
func TestManyUnlistedHosts(t *testing.T) {
	var urls []string
	for i := range 30 {
		for range i + 1 {
			urls = append(urls, fmt.Sprintf("http://h%d.example/", i))
		}
	}
	k := knownOf(t, strings.Join(urls, "\n"))
	k.Assign(Domains(strings.NewReader("")))
	left := k.LeftOut()
	total := int64(0)
	for _, p := range left {
		total += p.URLs
	}
	if last := left[len(left)-1]; len(left) != 21 || left[0].Host != "h29.example" || left[0].URLs != 30 || last.Host != "10 more hosts" || last.URLs != 55 || total != k.URLs {
		t.Errorf("%+v", left)
	}
}

// A list of indexed URLs is tested as any other, marks the URLs that sitemaps name,
// and lends them no clicks.
func TestIndexed(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /p/\n",
		"a.example/sitemap.xml": urlset("http://a.example/p/1", "http://a.example/p/2", "http://a.example/3"),
	})
	a.Known = knownOf(t, "page,clicks\nhttp://a.example/p/1,5\nhttp://a.example/p/9,1\n")
	indexed := knownOf(t, "URL,Clicks,Last crawled\nhttp://a.example/p/1,70,2026-01-02\nhttp://a.example/p/8,80,2026-01-02\nhttp://a.example/3#x,0,\nhttp://other.example/,0,\nnone,0,\n")
	if indexed.Column != 0 {
		t.Fatal(indexed.Column)
	}
	a.Known.AddIndexed(indexed)
	a.Known.Assign(Domains(strings.NewReader("http://a.example")))
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for i, u := range rewritten(t, rec).URLs.List {
				got = append(got, fmt.Sprintf("%s %v %d %v", u.Loc, u.Kind, u.Clicks, u.Indexed))
				if u.Weight != rec.URLs.List[i].Weight {
					t.Errorf("%+v was written, %+v read", rec.URLs.List[i], u)
				}
			}
		}
		if d := rec.Done; d != nil {
			got = append(got, fmt.Sprintf("%d URLs, %d clicks, indexed %+v", d.URLs, d.Clicks, *d.Indexed))
		}
	}
	for _, p := range a.Known.LeftOut() {
		got = append(got, p.Code+" "+p.Detail)
	}
	want := []string{
		"http://a.example/p/1 loc 5 true", "http://a.example/p/2 loc 0 false", "http://a.example/3 loc 0 true",
		"http://a.example/p/9 list 1 false", "http://a.example/p/8 list 0 true",
		"5 URLs, 6 clicks, indexed {URLs:3 Blocked:2}",
		"not_listed other.example: 1 URL of the list of URLs was not tested, because the host is not in the list of sites",
		"no_url 1 row of the list of indexed URLs skipped: line 6 \"none\": no absolute http or https URL",
	}
	checkEqual(t, "URLs", got, want)
	a.Known = nil
	if d := finished(t, a, "http://a.example"); d.Indexed != nil {
		t.Errorf("without a list: %+v", d.Indexed)
	}
}
