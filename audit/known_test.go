package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/crawl"
)

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
		k, err := ReadKnown(strings.NewReader(c.text), c.column)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for loc, w := range k.urlsOf("a.example") {
			got = append(got, fmt.Sprintf("%s %d %d", loc, w.Clicks, w.Impressions))
		}
		got = append(got, fmt.Sprintf("no URLs %d", k.NoURLs))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if _, err := ReadKnown(strings.NewReader("a,b\n"), "page"); err == nil || !strings.Contains(err.Error(), `no column "page"`) {
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
	var err error
	a.Known, err = ReadKnown(strings.NewReader("page,clicks\nhttp://a.example/p/1,5\nhttp://a.example/p/1#x,2\nhttp://a.example/p/3,11\nhttp://other.example/,1\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				got = append(got, fmt.Sprintf("%s %v %d %d", u.Loc, u.Kind, u.Sitemap, u.Clicks))
			}
			// What is written is read again.
			for again := range Decode(strings.NewReader(string(Encode(nil, rec)))) {
				for i, u := range again.URLs.List {
					if u.Weight != rec.URLs.List[i].Weight || u.Kind != rec.URLs.List[i].Kind {
						t.Errorf("%+v was written, %+v read", rec.URLs.List[i], u)
					}
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"other.example"}, a.Known.UnlistedHosts(func(host string) bool { return host == "a.example" })); diff != "" {
		t.Error(diff)
	}
	if crawl.KindList.String() != "list" {
		t.Error(crawl.KindList)
	}
}

// A number that the list gives as 0 is told from one that it does not give, in
// the records too; records of before the difference was kept are read as they were.
func TestGivenZero(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "",
		"a.example/sitemap.xml": urlset("http://a.example/0", "http://a.example/none", "http://a.example/unlisted", "http://a.example/0+none"),
	})
	var err error
	a.Known, err = ReadKnown(strings.NewReader("page,clicks,impressions\nhttp://a.example/0,0,00\nhttp://a.example/none,,-\n"+
		"http://a.example/0+none#a,,0\nhttp://a.example/0+none#b,0,\nhttp://a.example/fraction,0.0,0.5\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	told := func(u *URL) string {
		return fmt.Sprint(u.Loc, " ", u.HasClicks(), u.Clicks, u.HasImpressions(), u.Impressions)
	}
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs == nil {
			continue
		}
		for again, err := range Decode(strings.NewReader(string(Encode(nil, rec)))) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range again.URLs.List {
				got = append(got, told(&again.URLs.List[i]))
				if now := told(&rec.URLs.List[i]); now != got[len(got)-1] {
					t.Errorf("%s was written, %s read", now, got[len(got)-1])
				}
			}
		}
	}
	want := []string{
		"http://a.example/0 true 0 true 0", "http://a.example/none false 0 false 0", "http://a.example/unlisted false 0 false 0",
		"http://a.example/0+none true 0 true 0", "http://a.example/fraction true 0 true 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for rec, err := range Decode(strings.NewReader(`{"domain":"a","url":{"loc":"x","sm":-1,"v":"a","clicks":5}}` + "\n" + `{"url":{"loc":"y","sm":-1,"v":"a"}}`)) {
		if err != nil {
			t.Fatal(err)
		}
		if x, y := told(&rec.URLs.List[0]), told(&rec.URLs.List[1]); x != "x true 5 false 0" || y != "y false 0 false 0" {
			t.Errorf("records of before are read as %s, %s", x, y)
		}
	}
}
