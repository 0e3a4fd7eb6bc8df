package alert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

var messageContext = Context{
	Run: "20261122T070000Z", Schedule: "shops", At: time.Date(2026, 11, 22, 8, 0, 0, 0, cet),
	Links: Links{Page: "runs/20261122T070000Z/index.html", Workbook: "runs/20261122T070000Z/summary.xlsx", Comparison: "comparisons/20261122T070000Z/index.html"},
	Site: func(site string) Links {
		return Links{Page: "runs/20261122T070000Z/pages/" + site + ".html", Workbook: "runs/20261122T070000Z/" + site + ".xlsx"}
	},
}

// someEvents are real ones, each of a site with a name of its own.
func someEvents(t *testing.T) (events []Event) {
	t.Helper()
	for n, test := range conditionCases {
		if strings.Contains(test.name, " ") && n%2 == 0 {
			continue
		}
		s := newSite(t, plain())
		s.options = test.options
		s.run(0, false, nil)
		events = append(events, renamed(s.next(test.bad).Events, fmt.Sprintf("shop%d.example", n))...)
		s.serves(plain())
		if n == 4 {
			events = append(events, renamed(s.run(192*time.Minute, false, nil).Events, "again.example")...)
		}
	}
	return events
}

// renamed are events of a site of another name.
func renamed(events []Event, site string) []Event {
	for i := range events {
		e := &events[i]
		e.Site, e.Alert = site, ID(site, e.Condition, e.Run)
		e.Text, e.Details = strings.ReplaceAll(e.Text, host, site), slices.Clone(e.Details)
		for n := range e.Details {
			e.Details[n] = strings.ReplaceAll(e.Details[n], host, site)
		}
	}
	return events
}

// messageOf is the message of events to a channel that wants to know of all.
func messageOf(c Context, events []Event) Message {
	m, _ := Digest(c, events)
	m, _ = m.Filter("mail 1", compare.Info, nil)
	return m
}

// stored returns a message as JSON, and the message read back from it.
func stored(t *testing.T, m Message) (text []byte, back Message) {
	t.Helper()
	text, err := json.Marshal(m)
	noError(t, err)
	noError(t, json.Unmarshal(text, &back))
	return text, back
}

// TestDigest: 200 sites behind one dead server are one line, and all of them stand in JSON.
func TestDigest(t *testing.T) {
	one := eventsOf(t, plain(), with(func(s *served) { s.status = 503 }))[0]
	var events []Event
	for n := range 200 {
		e := one
		e.Site = fmt.Sprintf("site%03d.example", n)
		e.Alert, e.Text = ID(e.Site, e.Condition, e.Run), strings.Replace(e.Text, host, e.Site, 1)
		events = append(events, e)
	}
	events = append(events, eventsOf(t, plain(), body(robots+"Disalow: /x\n"))...)

	m, ok := Digest(messageContext, events)
	m, wanted := m.Filter("mail 1", compare.Info, nil)
	if !ok || !wanted || len(m.Lines) != 2 || len(m.Events) != 201 || m.Sites != 201 || len(m.Attachments) != MaxAttachments {
		t.Fatalf("%d lines, %d events of %d sites, %d workbooks", len(m.Lines), len(m.Events), m.Sites, len(m.Attachments))
	}
	const want = "200 sites: robots.txt has been unavailable since 08:00 CET: HTTP 503 Service Unavailable. Everything is blocked for Googlebot until 20:00 CET at the latest: " +
		"site000.example, site001.example, site002.example and 197 more."
	if m.Lines[0].Text != want || len(m.Lines[0].Alerts) != MaxIDs || !slices.Contains(m.Lines[0].Details, "1,800 URLs in total.") {
		t.Errorf("told as %+v", m.Lines[0])
	}
	if want := "Critical: 200 sites: robots.txt could not be fetched (+1 site"; !strings.HasPrefix(m.Subject(), want) || len([]rune(m.Subject())) > 70 {
		t.Errorf("subject %q", m.Subject())
	}
	for n, want := range map[int]string{200: "6 more details: see the page of the run.", 1: "6 more details: see the page of the site."} {
		line := m.Lines[0]
		line.Sites = n
		if short := line.Short(); short[len(short)-1] != want {
			t.Errorf("%d sites: shortened to %q, want %q", n, short, want)
		}
	}
	if n := len(m.Text()); n > 4000 {
		t.Errorf("a text of %d bytes", n)
	}
	high, _ := m.Filter("mail 2", compare.High, nil)
	if len(high.Lines) != 1 || high.Sites != 200 || high.ID == m.ID {
		t.Errorf("of the high ones: %+v", high.Lines)
	}
	for n := range 5000 {
		e := one
		e.Site = fmt.Sprintf("further%04d.example", n)
		e.Alert = ID(e.Site, e.Condition, e.Run)
		events = append(events, e)
	}
	many := messageOf(messageContext, events)
	if text, err := json.Marshal(many); len(many.Events) != MaxEvents || many.EventsMore != 5201-MaxEvents || !strings.HasPrefix(many.Lines[0].Text, "5,200 sites: ") || err != nil || len(text) > 8<<20 {
		t.Errorf("%d events and %d more, %d bytes: %s", len(many.Events), many.EventsMore, len(text), many.Lines[0].Text)
	}
	two, _ := Digest(messageContext, events[:2])
	if len(two.Lines) != 2 {
		t.Errorf("two sites are told as %+v", two.Lines)
	}
}

// TestDetails: the details of an alert say what the lead does not, and why it is so.
func TestDetails(t *testing.T) {
	missing := with(func(s *served) { s.status = 404 })
	for _, test := range []struct {
		base, now served
		condition string
		want      []string
	}{
		{plain(), body(strings.Replace(robots, "/private", "/private\nDisallow: /e", 1)), "AL11", []string{`Line 3 is new: "Disallow: /e"; 1 URL newly blocked.`}},
		{missing, plain(), "AL11", []string{"http://shop.example/robots.txt, before: HTTP 404 Not Found. Now: HTTP 200 OK."}},
		{plain(), with(func(s *served) {
			s.sitemaps["/sitemap.xml"] = append(s.sitemaps["/sitemap.xml"], "/private/y", "/private/z")
		}), "AL11",
			[]string{"No verdict changed. The URLs are different."}},
		{plain(), missing, "AL04", []string{"http://shop.example/robots.txt, before: HTTP 200 OK. Now: HTTP 404 Not Found: everything is allowed now, 1 URL newly allowed."}},
		{body("User-agent: *\nDisallow: /nowhere\nSitemap: http://shop.example/sitemap.xml\n"), missing, "AL04",
			[]string{"http://shop.example/robots.txt, before: HTTP 200 OK. Now: HTTP 404 Not Found: everything is allowed now."}},
		{plain(), body(robots + "\nUser-agent: GPTBot\nDisallow: /\n"), "AL10", []string{"AI training (GPTBot), before: may fetch part of the site: 10 % of its pages are blocked. Now: may fetch nothing."}},
	} {
		events := eventsOf(t, test.base, test.now)
		n := slices.IndexFunc(events, func(e Event) bool { return e.Condition == test.condition })
		if n < 0 || !slices.Equal(events[n].Details, test.want) {
			t.Errorf("%s: told as %+v, want %q", test.condition, events, test.want)
		}
	}
}

// TestEndedTogether: alerts that began and ended with the most severe alert of a site share one
// sentence. Another one, or an accepted one, has its own.
func TestEndedTogether(t *testing.T) {
	s := settledSite(t, plain())
	s.next(body("# staging\n" + robots)) // AL09
	s.next(body("# staging\nUser-agent: *\nDisallow: /\n"))
	s.open[slices.IndexFunc(s.open, func(a history.Alert) bool { return a.Condition == "AL10" })].Accepted = s.runs[2].started.Add(time.Minute)
	s.serves(plain())
	m := messageOf(messageContext, s.run(24*time.Hour, false, nil).Events)
	id := func(condition string) string {
		for _, a := range s.all {
			if a.Condition == condition {
				return condition + ", alert " + a.ID
			}
		}
		return ""
	}
	want := []string{
		"robots.txt no longer looks like that of a test system, after 1 day 1 h (first seen on 22 Nov 2026 08:00 CET). " + id("AL09") + ".",
		"accepted as intended, without a note, after 1 day (first seen on 22 Nov 2026 09:00 CET). " + id("AL10") + ".",
		"the share of blocked URLs is about as before and no sitemap is missing now. " + id("AL11") + "; " + id("AL07") + ".",
	}
	if len(m.Lines) != 1 || m.Lines[0].Text != host+": the home page is allowed again, after 1 day (first seen on 22 Nov 2026 09:00 CET)." {
		t.Fatalf("told as %+v", m.Lines)
	}
	for _, w := range want {
		if len(m.Lines[0].Also) != len(want) || !slices.ContainsFunc(m.Lines[0].Also, func(a string) bool { return a == w }) {
			t.Errorf("also %q, want %q", m.Lines[0].Also, w)
		}
	}
}

// TestFirstRun: a site that is unreachable in its first run is reported without a comparison, and
// without a start.
func TestFirstRun(t *testing.T) {
	s := newSite(t, with(func(s *served) { s.status = 503 }))
	c := messageContext
	c.Links.Comparison = ""
	m := messageOf(c, s.run(0, false, nil).Events)
	if want := "Alerts for 1 site: critical at 1. Run of 22 Nov 2026 08:00 CET."; m.Summary() != want {
		t.Errorf("%q, want %q", m.Summary(), want)
	}
	if details := m.Lines[0].Details; details[len(details)-1] != "No run has fetched robots.txt yet. This may have started earlier, so the times may be shorter." {
		t.Errorf("details %q", details)
	}
}

// TestFilter: a receiver of an alert also gets its end; equal messages have equal IDs.
func TestFilter(t *testing.T) {
	event := func(kind Kind, severity, was compare.Severity, id string) Event {
		return Event{Kind: kind, Alert: id, Condition: "AL07", Severity: severity, Was: was, Site: "a.example", Text: id}
	}
	events := []Event{event(Ended, compare.Info, compare.Critical, "1"), event(Raised, compare.Medium, compare.Medium, "2"), event(Ended, compare.Info, compare.Medium, "3"), event(Worse, compare.High, compare.High, "4")}
	m, _ := Digest(messageContext, events)
	for least, want := range map[compare.Severity]string{compare.Critical: "1", compare.High: "4 1", compare.Medium: "4 2 1 3", compare.Info: "4 2 1 3"} {
		got, ok := m.Filter("mail 1", least, nil)
		var ids []string
		for _, e := range got.Events {
			ids = append(ids, e.Alert)
		}
		if strings.Join(ids, " ") != want || !ok {
			t.Errorf("from %s on: %q, want %s", least, ids, want)
		}
	}
	slices.Reverse(events)
	other, _ := Digest(messageContext, events)
	a, _ := m.Filter("mail 1", compare.Info, nil)
	b, _ := other.Filter("mail 1", compare.Info, nil)
	c, _ := m.Filter("mail 2", compare.Info, nil)
	if a.ID != b.ID || a.ID == c.ID || len(a.ID) != 16 {
		t.Errorf("ids %q, %q, %q", a.ID, b.ID, c.ID)
	}
	if _, ok := Digest(messageContext, nil); ok {
		t.Error("nothing is told")
	}
	none, _ := Digest(messageContext, events[:1])
	if _, ok := none.Filter("mail 1", compare.Critical, nil); ok && events[0].Was != compare.Critical {
		t.Error("a channel is told of what it does not want to know")
	}
	lost, ok := none.Filter("mail 1", compare.Critical, []string{m.GivenUp("421 try later\r\nBcc: x")})
	if !ok || !strings.Contains(lost.Text(), `(421 try later\x0D\x0ABcc: x). It said: Error: a.example: a sitemap is missing`) || !strings.Contains(lost.Subject(), "1 earlier message could not be sent") {
		t.Errorf("%q\n%s", lost.Subject(), lost.Text())
	}
	if lost.GivenUp("x") != "" {
		t.Errorf("it had nothing new: %q", lost.GivenUp("x"))
	}
}

// TestMessageForms: JSON and back is the same message; nothing hidden gets into any form,
// and nothing from elsewhere into the page.
func TestMessageForms(t *testing.T) {
	events := append(someEvents(t), eventsOf(t, plain(), body("# staging \u202egnp.exe \x1b[31m <img src=x onerror=alert(1)>\x00\n"+robots))...)
	m, _ := Digest(messageContext, events)
	m, _ = m.Filter("mail 1", compare.Info, []string{"The message about the run of 21 Nov 2026 07:00 CET could not be sent (535 refused). It said: Critical: b.example: robots.txt is empty: everything is open."})
	text, back := stored(t, m)
	if again, _ := stored(t, back); string(again) != string(text) {
		t.Errorf("JSON and back:\n%s\n%s", text, again)
	}
	for _, form := range []string{m.Text(), m.HTML(), m.Subject(), m.Lead, back.Text(), back.HTML()} {
		for _, r := range form {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%q in %s", r, form)
			}
		}
		if len(form) == 0 {
			t.Error("a form is empty")
		}
	}
	if strings.ContainsAny(m.Subject(), "\r\n") {
		t.Errorf("subject %q", m.Subject())
	}
	m.Home = Home{Folder: "/var/lib/robots-audit", Config: "/etc/robots audit.toml"}
	for _, command := range []string{
		`robots-audit schedule -config "/etc/robots audit.toml" -ack ` + m.Lines[0].Alerts[0] + " -until 2026-11-29\n", `robots-audit schedule -config "/etc/robots audit.toml" -accept `,
		"\nFiles in /var/lib/robots-audit: runs/20261122T070000Z/index.html, comparisons/20261122T070000Z/index.html\n",
	} {
		if !strings.Contains(m.Text(), command) {
			t.Errorf("it does not say what to type, %q:\n%s", command, m.Text())
		}
	}
	page := m.HTML()
	if !slices.ContainsFunc(m.Events, func(e Event) bool { return e.Severity == compare.High }) {
		t.Fatal("no event is an error")
	}
	for _, form := range []string{m.Text(), page[strings.Index(page, "<body>"):], m.Summary()} {
		if zones := regexp.MustCompile(`\d\d:\d\d [A-Z]+`).FindAllString(form, -1); slices.ContainsFunc(zones, func(z string) bool { return !strings.HasSuffix(z, " CET") }) {
			t.Errorf("times in several zones: %q", zones)
		}
		for _, word := range []string{"High", "HIGH", "Medium", "MEDIUM"} {
			if strings.Contains(form, word) {
				t.Errorf("%q is of another scale: %s", word, form)
			}
		}
	}
	ids := map[string]string{}
	for _, e := range m.Events {
		if site, ok := ids[e.Alert]; ok && site != e.Site {
			t.Errorf("alert %s is one of %s and of %s", e.Alert, site, e.Site)
		}
		ids[e.Alert] = e.Site
	}
	for _, no := range []string{"<img", "<script", "<link", "url(", `src="`, `href="`, "http-equiv", "@import"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
	for _, l := range m.Lines {
		if !strings.Contains(m.Text(), l.Text) || !strings.Contains(page, l.Alerts[0]) {
			t.Errorf("the message does not say %q", l.Text)
		}
	}
	if dir := os.Getenv("ROBOTS_AUDIT_MESSAGE"); dir != "" { // to be looked at
		os.WriteFile(filepath.Join(dir, "message.html"), []byte(page), 0o644)
		os.WriteFile(filepath.Join(dir, "message.txt"), []byte(m.Text()), 0o644)
		os.WriteFile(filepath.Join(dir, "message.json"), text, 0o644)
	}
}

// TestSitesTogether: what there is of a site is one entry, and the subject counts sites.
func TestSitesTogether(t *testing.T) {
	event := func(site, condition string, severity compare.Severity, concerned int64, follows bool) Event {
		return Event{Kind: Raised, Alert: ID(site, condition, "r"), Condition: condition, Severity: severity, Was: severity, Site: site, Text: site + ": has " + condition + ".", Cause: site + " has " + condition,
			Next: "Mend it.", Follows: follows, Counts: URLCounts{Concerned: concerned}}
	}
	staging := []Event{event("b.example", "AL11", compare.Medium, 67, true), event("b.example", "AL07", compare.High, 0, false), event("b.example", "AL10", compare.Medium, 0, true),
		event("b.example", "AL01", compare.Critical, 67, false), event("b.example", "AL09", compare.Critical, 0, false)}
	end := event("b.example", "AL12", compare.Info, 0, false)
	end.Kind, end.Was, end.Text = Ended, compare.Medium, "b.example: the new issues in robots.txt are gone: ended after 3 h."
	events := append(staging, end, event("a.example", "AL05", compare.Critical, 3, false), event("d.example", "AL05", compare.Critical, 3000, false), event("c.example", "AL07", compare.High, 0, false))
	for n := range 4 { // the same happened to them, with a share of their own beneath
		site := fmt.Sprintf("many%d.example", n)
		first := event(site, "AL07", compare.High, 0, false)
		first.Cause = "a sitemap is gone"
		events = append(events, first)
		if n > 0 {
			events = append(events, event(site, "AL11", compare.Medium, 5, false))
		}
	}
	m := messageOf(messageContext, events)
	var got []string
	for _, l := range m.Lines {
		got = append(got, fmt.Sprint(l.name(), " ", l.Condition, " ", l.Names, " ", l.Also))
	}
	of := func(condition string) string { return condition + ", alert " + ID("b.example", condition, "r") }
	want := []string{
		"critical AL05 [d.example] []",
		"critical AL01 [b.example] [has AL09. " + of("AL09") + ". has AL07. " + of("AL07") + ". with the same change, the share of blocked URLs changed and the policy for AI crawlers changed. " + of("AL11") + "; " + of("AL10") + ".]",
		"critical AL05 [a.example] []",
		"high AL07 [c.example] []",
		"high AL07 [many0.example many1.example many2.example many3.example] [At 3 of them: the share of blocked URLs changed (AL11).]",
		"ended AL12 [b.example] []",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told as\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(m.Events) != len(events) || m.Sites != 8 {
		t.Errorf("%d of %d events of %d sites", len(m.Events), len(events), m.Sites)
	}
	if want := "Critical at 3 sites (+5 sites): d.example, b.example and a.example"; m.Subject() != want {
		t.Errorf("subject %q, want %q", m.Subject(), want)
	}
	if want := "Alerts for 8 sites: critical at 3, error at 5, resolved at 1. Run of 22 Nov 2026 08:00 CET."; m.Summary() != want {
		t.Errorf("%q, want %q", m.Summary(), want)
	}
	if m.Condition != "AL05" || m.Site != "d.example" {
		t.Errorf("of the gravest: %s of %s", m.Condition, m.Site)
	}
}

// TestStoredZone: a message that was stored before its delivery shows the same times.
func TestStoredZone(t *testing.T) {
	events := someEvents(t)[:2]
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"} {
		zone, err := time.LoadLocation(name)
		noError(t, err)
		c := messageContext
		c.At = c.At.In(zone)
		m := messageOf(c, events)
		_, back := stored(t, m)
		if !strings.Contains(m.Text(), c.At.Format("15:04 MST")) || back.Text() != m.Text() || back.HTML() != m.HTML() || back.GivenUp("x") != m.GivenUp("x") {
			t.Errorf("%s: stored, it tells\n%s", name, back.Text())
		}
	}
}

// hrefs returns the links of a page with their texts.
func hrefs(t *testing.T, page string) map[string]string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	noError(t, err)
	links := map[string]string{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" {
				links[a.Val] = n.FirstChild.Data
			}
		}
	}
	return links
}

// TestLinks: with a base URL each path is a link, in each form. Without, the folder is named once.
func TestLinks(t *testing.T) {
	const base, run = "https://audit.example/a&b/", "20261122T070000Z"
	c := messageContext
	c.Site = func(site string) Links { // a site with a name that would be markup
		return Links{Page: "runs/" + run + `/pages/` + site + `"><a> (b)|?#%.html`, Workbook: "runs/" + run + "/" + site + ".xlsx", Comparison: c.Links.Comparison}
	}
	const page = base + "runs/" + run + "/pages/shop0.example%22%3E%3Ca%3E%20%28b%29%7C%3F%23%25.html"
	run1, compared, book := base+"runs/"+run+"/index.html", base+"comparisons/"+run+"/index.html", base+"runs/"+run+"/summary.xlsx"
	events := someEvents(t)
	for name, test := range map[string]struct {
		events []Event
		want   map[string]string
	}{
		"a site":     {events[:1], map[string]string{page: "Page of shop0.example", compared: "What changed", run1: "Page of the run"}},
		"many sites": {events, map[string]string{page: "Page of shop0.example", compared: "What changed", run1: "Page of the run", book: "Workbook"}},
	} {
		plain := messageOf(c, test.events)
		plain.Place(Home{Folder: "/var/lib/robots-audit"})
		if n := strings.Count(plain.Text(), "/var/lib/robots-audit"); n != 1 || strings.Contains(plain.HTML(), "href") {
			t.Errorf("%s: without a base URL, the folder is named %d times:\n%s", name, n, plain.Text())
		}
		m := messageOf(c, test.events)
		m.Place(Home{Folder: "/var/lib/robots-audit", Base: base})
		if strings.Contains(m.Text(), "/var/lib/robots-audit") || strings.Contains(m.HTML(), "/var/lib/robots-audit") {
			t.Errorf("%s: the folder is named beside the links:\n%s", name, m.Text())
		}
		links := hrefs(t, m.HTML())
		for link, text := range test.want {
			if links[link] != text || !strings.Contains(m.Text(), ": "+link+"\n") {
				t.Errorf("%s: no link %q to %s:\n%q\n%s", name, text, link, links, m.Text())
			}
		}
		for link := range links {
			if !strings.HasPrefix(link, base) || !strings.Contains(m.Text(), link) {
				t.Errorf("%s: the page links to %s:\n%s", name, link, m.Text())
			}
		}
		if name == "a site" && len(links) != len(test.want) {
			t.Errorf("links %q", links)
		}
		text, _ := stored(t, m)
		var all struct {
			Links         Links
			Lines, Events []struct{ Links Links }
		}
		noError(t, json.Unmarshal(text, &all))
		for _, l := range append(append(all.Lines, all.Events...), struct{ Links Links }{all.Links}) {
			for _, link := range []string{l.Links.Page, l.Links.Workbook, l.Links.Comparison} {
				if link != "" && !strings.HasPrefix(link, base) {
					t.Errorf("%s: JSON has the link %s", name, link)
				}
			}
		}
		if len(m.Attachments) == 0 || strings.Contains(m.Attachments[0], base) {
			t.Errorf("%s: attachments %q", name, m.Attachments)
		}
	}

	few := c // reports = "summary" writes no pages of sites
	few.Site = func(string) Links { return Links{} }
	m := messageOf(few, events[:1])
	m.Place(Home{Base: base})
	if links := hrefs(t, m.HTML()); links[run1] != "Page of the run" || len(links) != 2 {
		t.Errorf("without pages of sites: %q", links)
	}
	m = messageOf(Context{Run: run, At: c.At}, events[:1]) // reports = "none"
	m.Place(Home{Base: base})
	if links := hrefs(t, m.HTML()); len(links) != 0 || strings.Contains(m.Text(), base) {
		t.Errorf("without files: %q\n%s", links, m.Text())
	}
	if m.Place(Home{Folder: "/x"}); strings.Contains(m.Text(), "Files in") {
		t.Errorf("without files:\n%s", m.Text())
	}
}

// TestSameEdit: the same edit of several sites is one line, however many URLs it concerns on each.
func TestSameEdit(t *testing.T) {
	options := compare.Options{Share: 5, Important: func(url string) bool { return strings.Contains(url, "/e") }}
	for _, first := range []bool{false, true} {
		var events []Event
		for n := range 4 {
			base := plain()
			base.sitemaps = map[string][]string{"/sitemap.xml": {"/", "/a", "/b", "/c", "/e1"}}
			for i := range n {
				base.sitemaps["/sitemap.xml"] = append(base.sitemaps["/sitemap.xml"], fmt.Sprint("/e/", i), fmt.Sprint("/x/", i))
			}
			edited := base
			edited.robots = strings.Replace(robots, "/private", "/private\nDisallow: /e", 1)
			name := fmt.Sprintf("shop%d.example", n)
			if first {
				s := newSite(t, edited)
				s.options = options
				events = append(events, renamed(s.run(0, false, nil).Events, name)...)
				continue
			}
			s := newSite(t, base)
			s.options = options
			s.run(0, false, nil)
			events = append(events, renamed(s.next(edited).Events, name)...)
		}
		m := messageOf(messageContext, events)
		if len(m.Lines) != 1 || m.Lines[0].Sites != 4 || !slices.Contains(m.Lines[0].Details, "10 URLs in total.") {
			t.Errorf("first run: %v: %d lines, %+v", first, len(m.Lines), m.Lines)
		}
	}
}
