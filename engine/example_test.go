package engine_test

import (
	"fmt"

	"robots-audit/engine"
)

func Example() {
	body := []byte(`
User-agent: *
Disallow: /search
Allow: /search/about

User-agent: Googlebot-News
Disallow: /archive
`)
	google, _ := engine.ProfileByName("google")
	robots := google.Parse(body)
	for _, name := range []string{"Googlebot", "Googlebot-News"} {
		crawler, _ := engine.ParseCrawler(name)
		group := robots.Group(crawler)
		for _, url := range []string{"https://example.com/search?q=a", "https://example.com/search/about"} {
			d := group.Verdict(url)
			fmt.Println(name, group.Reason, url, d.Verdict, d.Line())
		}
	}
	// Output:
	// Googlebot global https://example.com/search?q=a disallow 3
	// Googlebot global https://example.com/search/about allow 4
	// Googlebot-News exact https://example.com/search?q=a allow 0
	// Googlebot-News exact https://example.com/search/about allow 0
}

// One file, one URL, four readers: four answers.
func ExampleProfileByName() {
	body := []byte("user-agent: *\nallow: /page\ndisallow: /*.htm\n")
	for _, name := range []string{"google", "google-2019", "yandex", "rep-1994"} {
		p, _ := engine.ProfileByName(name)
		d := p.Parse(body).Group(engine.Crawler{Tokens: []string{"ExampleBot"}}).Verdict("/page.htm")
		fmt.Printf("%-11s %-9s %d\n", p.Name, d.Verdict, d.Line())
	}
	// Output:
	// google      disallow  3
	// google-2019 undefined 3
	// yandex      allow     2
	// rep-1994    allow     0
}

func ExampleProfile_Read() {
	google, _ := engine.ProfileByName("google")
	yandex, _ := engine.ProfileByName("yandex")
	down := engine.File{Status: 503, UnreachableHours: 6}
	for _, p := range []*engine.Profile{google, yandex} {
		r := p.Read(down)
		fmt.Println(p.Name, r.Access)
		fmt.Println("  ", r.Why)
	}
	// Output:
	// google disallow_all
	//    HTTP 503: for the first 12 hours Google stops crawling and goes on trying
	// yandex allow_all
	//    HTTP 503: robots.txt must answer 200: else the site is open
}

func ExampleProfile_Forecast() {
	google, _ := engine.ProfileByName("google")
	for _, prediction := range google.Forecast(engine.File{Status: 503}) {
		fmt.Println(prediction)
	}
	// Output:
	// now: disallow_all
	// after 12 hours, if a good copy was kept: parsed
	// after 12 hours, if no copy was kept: allow_all
	// after 30 days, if the site answers otherwise: allow_all
	// after 30 days, if the site does not answer either: disallow_all
}

func ExampleGroup_Explain() {
	body := []byte("user-agent: *\ndisallow: /shop/\nallow: /shop/open\n")
	google, _ := engine.ProfileByName("google")
	e := google.Parse(body).Group(engine.Crawler{Tokens: []string{"ExampleBot"}}).Explain("https://example.com/shop/open/1")
	fmt.Println(e.Verdict, e.Rule, e.Line())
	fmt.Println(e.Why)
	fmt.Println("without it:", e.Without)
	// Output:
	// allow allow: /shop/open 3
	// line 3, "allow: /shop/open", is 4 octets longer than line 2, "disallow: /shop/"
	// without it: disallow
}

func ExampleRobots_Lines() {
	body := []byte("Disallow: /early\nUser-agent: *\nDisallow: /a # why\nNoindex: /b\n")
	google, _ := engine.ProfileByName("google")
	for line := range google.Parse(body).Lines() {
		fmt.Printf("%d %s %v %q\n", line.Number, line.Kind, line.Counts, line.Why)
	}
	// Output:
	// 1 disallow false "it belongs to no group"
	// 2 user-agent true ""
	// 3 disallow true ""
	// 4 other false "an unknown field"
}

func ExampleRobots_Canonical() {
	body := []byte("User-agent: Yandex\nDisallow:\nClean-param: ref /book\n")
	yandex, _ := engine.ProfileByName("yandex")
	fmt.Println(yandex.Parse(body).Canonical("https://example.com/book?ref=site_1&id=123"))
	// Output: https://example.com/book?id=123
}

func ExampleRobotsURL() {
	for _, url := range []string{"https://www.exämple.com:443/a?b", "http://example.com:8080/", "/a"} {
		fmt.Println(engine.RobotsURL(url))
	}
	// Output:
	// https://www.xn--exmple-cua.com/robots.txt true
	// http://example.com:8080/robots.txt true
	//  false
}
