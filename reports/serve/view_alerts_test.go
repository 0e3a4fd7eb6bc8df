package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
)

// TestAlerts lists alerts, and accepts answers only from the dashboard's own forms.
func TestAlerts(t *testing.T) {
	dir, _ := newHistory(t, shopFirst)
	var entered []string
	acknowledge := func(_ context.Context, of Answer) (string, error) {
		if of.Until == "yesterday" {
			return "", &Refusal{"that is over"}
		}
		entered = append(entered, fmt.Sprint(strings.Join(of.Alerts, ","), of.Until, of.Note, of.Accept))
		return "said of " + of.Alerts[0] + " <b>", nil
	}
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge})
	var v alertsView
	if a.json("/alerts", &v); len(v.Open) != 3 || len(v.Ended) != len(hostileTexts)-3 || !v.Answers || v.Open[0].URLs != 3 || !v.Open[0].Acceptable {
		t.Fatalf("%+v", v)
	}
	v = alertsView{}
	if a.json("/alerts?site=other.example", &v); len(v.Open)+len(v.Ended) != 0 {
		t.Errorf("of another site: %+v", v)
	}
	var runs runsView
	if a.json("/", &runs); runs.Alerts != 3 {
		t.Errorf("%d alerts are told beside the runs, want 3", runs.Alerts)
	}
	answer, page := a.do("GET", "/alerts", "")
	harmless(t, "alerts", page)
	if !strings.Contains(page, "Alerts (3)") {
		t.Error("the bar does not count the alerts")
	}
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	cookie := answer.Header.Get("Set-Cookie")
	if token == nil || cookie == "" {
		t.Fatal("the page has no form")
	}
	cookie, _, _ = strings.Cut(cookie, ";")
	post := func(form url.Values, cookie string) (*http.Response, string) {
		return a.do("POST", "/alerts/alert1", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
	}
	form := func(token, do, until string) url.Values {
		return url.Values{"form_token": {token}, "do": {do}, "until": {until}, "note": {"mine"}}
	}
	for what, c := range map[string]struct {
		form   url.Values
		cookie string
		status int
	}{
		"no token":        {form("", "acknowledge", "2026-12-31"), cookie, 403},
		"wrong token":     {form(token[1]+"x", "acknowledge", "2026-12-31"), cookie, 403},
		"no cookie":       {form(token[1], "acknowledge", "2026-12-31"), "", 403},
		"another session": {form(token[1], "acknowledge", "2026-12-31"), "robots-audit-session=" + strings.Repeat("a", 43), 403},
		"nothing to do":   {form(token[1], "", "2026-12-31"), cookie, 400},
		"no day":          {form(token[1], "acknowledge", ""), cookie, 400},
		"refused":         {form(token[1], "acknowledge", "yesterday"), cookie, 422},
	} {
		if answer, text := post(c.form, c.cookie); answer.StatusCode != c.status {
			t.Errorf("%s: %s %s", what, answer.Status, text)
		}
	}
	if entered != nil {
		t.Fatalf("entered: %q", entered)
	}
	answer, _ = post(form(token[1], "acknowledge", "2026-12-31"), cookie)
	if answer.StatusCode != http.StatusSeeOther || len(entered) != 1 || entered[0] != "alert12026-12-31minefalse" {
		t.Fatalf("%s, entered %q", answer.Status, entered)
	}
	_, page = a.do("GET", answer.Header.Get("Location"), "")
	harmless(t, "what was said", page)
	if !strings.Contains(page, "Said of alert1 &lt;b&gt;.") {
		t.Error("what was said is not shown")
	}
	if _, page := a.do("GET", "/alerts?said=send+your+password&by=x", ""); strings.Contains(page, "password") {
		t.Error("a link has the desk say anything")
	}
	if answer, _ := post(form(token[1], "accept", ""), cookie); answer.StatusCode != http.StatusSeeOther || len(entered) != 2 || entered[1] != "alert1minetrue" {
		t.Errorf("accepted: %s, entered %q", answer.Status, entered)
	}

	_, a = newDesk(t, Options{History: dir})
	_, page = a.do("GET", "/alerts", "")
	token = regexp.MustCompile(`content="([^"]+)" name="form-token"|name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	if token != nil || !strings.Contains(page, "can show alerts, but not answer them") {
		t.Error("alerts that can only be read have a form")
	}
	if answer, _ := post(form("x", "accept", ""), ""); answer.StatusCode != http.StatusForbidden {
		t.Errorf("answer to what can only be read: %s", answer.Status)
	}
}

// historyWithChanges is a history with alerts of two runs. The second run changed the shop's robots.txt, and
// has a comparison.
func historyWithChanges(t *testing.T) (dir string, ids []string) {
	t.Helper()
	dir, ids = newHistory(t, shopFirst, shopSecond)
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	save := func(id, site, condition, severity string, urls int64) {
		a := history.Alert{ID: id, Site: site, Condition: condition, Severity: severity, Base: ids[0], Raised: ids[1], Since: time.Date(2026, 11, 4, 6, 0, 0, 0, time.UTC), URLs: urls, Text: site + ": the text of " + id + "."}
		if id == "quiet" {
			a.Text, a.Subjects = "", []string{"DIR003"}
		}
		noError(t, tx.SaveAlert(a))
	}
	save("share", shopHost, "AL11", "high", 9)
	save("gone", shopHost, "AL04", "high", 2)
	save("quiet", shopHost, "AL12", "medium", 0)
	save("map", "evil.example.com", "AL07", "medium", 0)
	noError(t, tx.Commit())
	compared := filepath.Join(dir, "comparisons", ids[1])
	noError(t, os.MkdirAll(compared, 0o755))
	noError(t, os.WriteFile(filepath.Join(compared, "changes.json"), []byte(`{"lead":"l","old":{},"new":{},"totals":{},"sites":[{"domain":"`+shopHost+`","changed":true,"lead":"x"}]}`), 0o644))
	return dir, ids
}

// An alert that access logs show leads to them.
func TestAlertLogs(t *testing.T) {
	d, _ := newDesk(t, Options{Runs: []string{t.TempDir()}})
	for condition, want := range map[string]string{"AL17": "/runs/r/sites/s.example/logs", "AL15": "/runs/r/sites/s.example/logs", "AL07": ""} {
		c := effect{Site: "s.example", Run: "r", List: []alertView{{Condition: condition}}}
		if d.linkEffect(&c, &listed{}, nil); c.Logs != want {
			t.Errorf("%s: %q", condition, c.Logs)
		}
	}
}

// The alerts of one cause are one card, with links to what changed.
func TestAlertCards(t *testing.T) {
	dir, ids := historyWithChanges(t)
	acknowledge := func(context.Context, Answer) (string, error) { return "done", nil }
	now := func() time.Time { return time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC) }
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge, Now: now})
	var v alertsView
	a.json("/alerts", &v)
	cards := func(v alertsView) (list []string) {
		for _, c := range v.Changes {
			list = append(list, c.Site+" "+strings.Join(c.Alerts, ","))
		}
		return list
	}
	first, second, other := shopHost+" alert0,alert1,alert2", shopHost+" gone,quiet,share", "evil.example.com map"
	if got := strings.Join(cards(v), "; "); got != first+"; "+second+"; "+other || len(v.Open) != 7 {
		t.Fatalf("%d open alerts: %s", len(v.Open), got)
	}
	if c := v.Changes[0]; c.Versions != "" || c.Compared != "" || !strings.HasSuffix(c.Link, ids[0]+"/sites/"+shopHost) {
		t.Errorf("the first run has no run before it: %+v", c)
	}
	if c := v.Changes[2]; c.Versions != "" || c.Compared == "" {
		t.Errorf("a site with the same robots.txt: %+v", c)
	}
	for link, want := range map[string]string{v.Changes[1].Compared: `id="site-` + shopHost + `"`, v.Changes[1].Versions: "From “3 Nov 2026” to “since 4 Nov 2026”"} {
		if answer, page := a.do("GET", link, ""); answer.StatusCode != 200 || !strings.Contains(page, want) {
			t.Errorf("%s: %s", link, answer.Status)
		}
	}
	if answer, _ := a.do("GET", v.Changes[1].Link, ""); answer.StatusCode >= 400 {
		t.Errorf("%s: %s", v.Changes[1].Link, answer.Status)
	}

	for card, want := range []string{"If this is not intended, allow / in robots.txt.", "If you did not remove the file on purpose", "Check that each sitemap can be read"} {
		if got := v.Changes[card].List; got != nil {
			t.Error("the alerts of a card are in its JSON twice")
		}
		id := v.Changes[card].Alerts[0]
		at := slices.IndexFunc(v.Open, func(a alertView) bool { return a.ID == id })
		if !strings.HasPrefix(v.Open[at].Next, want) {
			t.Errorf("card %d says to do %q, want %q", card, v.Open[at].Next, want)
		}
	}
	_, page := a.do("GET", "/alerts", "")
	harmless(t, "cards", page)
	for _, want := range []string{
		"7 open alerts with 3 causes", "Accept 2 of 3<", "never accepted", "Acknowledge all 3<", "Accept all 3<", ">The text of gone.<",
		"robots.txt has a new issue. No message was sent yet.", `formaction="/alerts/quiet"`, `href="/alerts?site=evil.example.com"`, "robots.txt before and after", "<strong>What to do:</strong> Check that each sitemap",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if n := strings.Count(page, `<article class="alert`); n != 3 {
		t.Errorf("%d cards", n)
	}
	if strings.Contains(page, "Acknowledge all 7") {
		t.Error("all alerts of all sites can be acknowledged at once")
	}
	answerTo := func(ids ...string) string { // the card of the second run, once these are accepted
		t.Helper()
		db, err := history.OpenBeside(t.Context(), dir)
		noError(t, err)
		noError(t, db.Accept(t.Context(), ids, now(), ""))
		noError(t, db.Close())
		_, page := a.do("GET", "/alerts", "")
		card := page[strings.Index(page, ">The text of gone."):]
		return card[:strings.Index(card, "</article>")]
	}
	if card := answerTo("gone"); !strings.Contains(card, "Acknowledge 2 of 3<") || !strings.Contains(card, "Accept 2 of 3<") || strings.Count(card, ">Accept<") != 2 || !strings.Contains(card, "accepted; the next run resolves it") {
		t.Errorf("one of three is accepted: %s", card)
	}
	if card := answerTo("quiet", "share"); strings.Contains(card, " of 3<") || strings.Contains(card, " all 3<") || strings.Contains(card, ">Accept<") || strings.Count(card, ">Acknowledge<") != 3 {
		t.Errorf("all three are accepted: %s", card)
	}
	_, page = a.do("GET", "/alerts?site="+shopHost+"&severity=error", "")
	if !strings.Contains(page, `<a href="/alerts/answer?severity=error&amp;site=`+shopHost+`">Answer 6 alerts at once</a>`) || !strings.Contains(page, "6 of 7 open alerts with 2 causes") {
		t.Error("with a filter, only what it shows can be answered at once")
	}
	_, page = a.do("GET", "/alerts/answer?severity=error&site="+shopHost, "")
	harmless(t, "the alerts of a filter", page)
	for _, want := range []string{"<h1>Answer 6 alerts</h1>", "6 open alerts of <bdi>" + shopHost, "Acknowledge 3 of 6<", "Accept 2 of 6<", "Assign all 6<", "AL04: robots.txt is missing", `name="severity" value="error"`, "never accepted"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page that answers all has no %s", want)
		}
	}
	if strings.Count(page, `name="id"`) != 6 || strings.Contains(page, `value="map"`) {
		t.Error("the form is not about the alerts of the filter")
	}
	var all confirmView
	if a.json("/alerts/answer", &all); len(all.Alerts) != 7 || fmt.Sprint(all.Sites) != "[evil.example.com "+shopHost+"]" || len(all.Kinds) != 7 || all.Kinds[0].Severity != "critical" {
		t.Errorf("all: %+v", all)
	}
	if _, page := a.do("GET", "/alerts/answer?site=none.example", ""); !strings.Contains(page, "No open alert matches.") || strings.Contains(page, `name="id"`) {
		t.Error("an answer to no alert")
	}

	for query, want := range map[string]string{
		"severity=critical":              first,
		"severity=error":                 first + "; " + second,
		"severity=warning":               first + "; " + second + "; " + other,
		"severity=info":                  first + "; " + second + "; " + other,
		"age=day":                        second + "; " + other,
		"age=week":                       first + "; " + second + "; " + other,
		"age=older":                      "",
		"age=day&severity=error":         second,
		"site=evil.example.com":          other,
		"site=evil.example.com&age=week": other,
		"site=none.example":              "",
		"condition=AL04":                 shopHost + " gone",
		"owner=-&condition=AL07":         other,
		"owner=Ann":                      "",
		"state=open":                     first + "; " + other,
		"state=accepted":                 second,
		"state=acknowledged":             "",
		"run=" + ids[1]:                  second + "; " + other,
		"schedule=none":                  "",
	} {
		var v alertsView
		a.json("/alerts?"+query, &v)
		if got := strings.Join(cards(v), "; "); got != want {
			t.Errorf("%s: %s; want %s", query, got, want)
		}
	}
	for _, query := range []string{"age=older", "site=none.example"} {
		if _, page := a.do("GET", "/alerts?"+query, ""); !strings.Contains(page, "No match among 7 open alerts") || !strings.Contains(page, `<a href="/alerts">Show all</a>`) {
			t.Errorf("%s: the page does not say that nothing matches", query)
		}
	}
	for _, query := range []string{"severity=high", "severity=x", "age=1", "state=x", "page=0"} {
		if answer, _ := a.do("GET", "/alerts?"+query, ""); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", query, answer.Status)
		}
	}
}

// sharedEdits is a history in which some sites share an edit, with more causes of alerts than a page has.
func sharedEdits(t *testing.T) (dir string, runs []string) {
	t.Helper()
	dir = t.TempDir()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	for day, text := range []int{0, 1, 2, 1, 2} {
		at := portfolioDay.AddDate(0, 0, day)
		run := history.Run{ID: at.Format("20060102T150405Z"), Started: at, Finished: at, Folder: "runs/" + fmt.Sprint(day)}
		noError(t, tx.AddRun(run))
		runs = append(runs, run.ID)
		for i := range 60 {
			body := "User-agent: *\nDisallow: /" + fmt.Sprint(text)
			if i >= 5 {
				body += fmt.Sprint(i) // each has a file of its own
			}
			noError(t, tx.AddSite(t.Context(), history.Entry{Settled: true, Site: history.Site{Name: fmt.Sprintf("s%02d.example", i), State: "warn", Answer: history.AnswerOK, SHA256: fmt.Sprintf("%x", hashed(body)), Bytes: int64(len(body)), Body: []byte(body)}}))
		}
	}
	save := func(site int, condition, severity, base, raised string) {
		name := fmt.Sprintf("s%02d.example", site)
		noError(t, tx.SaveAlert(history.Alert{ID: name + condition + raised, Site: name, Condition: condition, Severity: severity, Base: base, Raised: raised, Since: portfolioDay, Text: name + ": x"}))
	}
	for i := range 60 {
		save(i, "AL12", "medium", runs[1], runs[2])
	}
	save(1, "AL01", "critical", runs[1], runs[2])
	save(2, "AL10", "high", runs[0], runs[1]) // an edit of an earlier run
	save(3, "AL03", "critical", "", runs[0])  // no edit
	save(4, "AL11", "high", runs[3], runs[4]) // the same edit again, in a later run
	noError(t, tx.Commit())
	return dir, runs
}

// One edit that several sites share is one card with its sites. Cards of more than a page have links to the others.
func TestAlertCauses(t *testing.T) {
	dir, runs := sharedEdits(t)
	_, a := newDesk(t, Options{History: dir, Acknowledge: func(context.Context, Answer) (string, error) { return "", nil }})
	var v alertsView
	a.json("/alerts", &v)
	if len(v.Open) != 64 || len(v.Changes) != 59 {
		t.Fatalf("%d alerts, %d causes", len(v.Open), len(v.Changes))
	}
	shared := v.Changes[slices.IndexFunc(v.Changes, func(c change) bool { return c.Site == "s01.example" })]
	var sites []string
	for _, s := range shared.Sites {
		sites = append(sites, s.Site+fmt.Sprint(len(s.Alerts)))
	}
	if got := strings.Join(sites, " "); got != "s01.example2 s00.example1 s02.example1 s03.example1 s04.example1" || len(shared.Alerts) != 6 || shared.Alerts[0] != "s01.exampleAL01"+runs[2] {
		t.Errorf("the shared edit: %s, %q", got, shared.Alerts)
	}
	for _, c := range v.Changes {
		if c.Site != "s01.example" && c.Sites != nil {
			t.Errorf("%s has sites", c.Site)
		}
	}
	_, page := a.do("GET", "/alerts", "")
	for _, want := range []string{"64 open alerts with 59 causes", "and 4 more sites</h3>", "The same edit of robots.txt on 5 sites", `<li><a href="/alerts?site=s04.example">`, "Acknowledge all 6<", "Page 1 of 3", `<a href="/alerts?page=2">Next</a>`, "Answer all 64 alerts at once"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if n := strings.Count(page, `<article class="alert`); n != maxCards {
		t.Errorf("%d cards", n)
	}
	if _, page = a.do("GET", "/alerts?page=9", ""); strings.Count(page, `<article class="alert`) != 9 || !strings.Contains(page, `<a href="/alerts?page=2">Previous</a>`) {
		t.Error("the last page")
	}
}

// An owner is saved by the form of an answer, and alerts can be filtered by owner.
func TestAlertOwner(t *testing.T) {
	dir, _ := newHistory(t, shopFirst)
	acknowledge := func(ctx context.Context, of Answer) (string, error) {
		db, err := history.OpenBeside(ctx, dir)
		if err != nil {
			return "", err
		}
		defer db.Close()
		return "done", db.Decide(ctx, of.Alerts, portfolioDay, history.Decision{Assign: of.Assign, Accept: of.Accept, Owner: of.Owner, Note: of.Note})
	}
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge})
	answer, page := a.do("GET", "/alerts", "")
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	assign := func(owner string, ids ...string) int {
		answer, _ := a.do("POST", "/alerts", url.Values{"form_token": {token[1]}, "do": {"assign"}, "owner": {owner}, "id": ids}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
		return answer.StatusCode
	}
	for _, owner := range []string{noOwner, strings.Repeat("x", maxOwner+1)} {
		if code := assign(owner, "alert0"); code != 400 {
			t.Errorf("owner %q: %d", owner, code)
		}
	}
	owner := hostileTexts[0]
	if code := assign(owner, "alert0", "alert1"); code != 303 {
		t.Fatalf("%d", code)
	}
	var v alertsView
	if a.json("/alerts?owner="+url.QueryEscape(owner), &v); len(v.Open) != 2 || v.Open[0].Owner != owner || !v.Open[0].Accepted.IsZero() || !v.Open[0].Acknowledged.IsZero() {
		t.Errorf("%+v", v.Open)
	}
	v = alertsView{}
	if a.json("/alerts?owner=-&state=open", &v); len(v.Open) != 1 || v.Open[0].ID != "alert2" {
		t.Errorf("without an owner: %+v", v.Open)
	}
	_, page = a.do("GET", "/alerts?owner="+url.QueryEscape(owner), "")
	harmless(t, "an owner", page)
	if strings.Count(page, " · Owner: <bdi>") != 2 {
		t.Error("the cards do not show the owner")
	}
	assign("", "alert0", "alert1")
	v = alertsView{}
	if a.json("/alerts?owner=-", &v); len(v.Open) != 3 {
		t.Errorf("%d alerts without an owner", len(v.Open))
	}
}

// The card of a run whose folder was removed links to the site in the newest run. The list of runs does not
// say that there are no alerts.
func TestCardOfRemovedRun(t *testing.T) {
	dir, ids := historyWithChanges(t)
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	noError(t, db.MarkPruned(t.Context(), ids[0]))
	noError(t, db.Close())
	noError(t, os.RemoveAll(filepath.Join(dir, "runs", ids[0])))
	_, a := newDesk(t, Options{History: dir})
	var v alertsView
	a.json("/alerts", &v)
	if first, second := v.Changes[0], v.Changes[1]; first.Link != "" || !strings.HasSuffix(first.Newest, ids[1]+"/sites/"+shopHost) || second.Link == "" || second.Newest != "" {
		t.Fatalf("links of the cards: %q, newest %q; %q, newest %q", first.Link, first.Newest, second.Link, second.Newest)
	}
	if _, page := a.do("GET", "/alerts", ""); strings.Count(page, `<a href="`+v.Changes[0].Newest+`">Page of the site, newest run</a>`) != 1 {
		t.Error("the card has no link to the newest run")
	}
	if answer, _ := a.do("GET", v.Changes[0].Newest, ""); answer.StatusCode >= 400 {
		t.Errorf("%s: %s", v.Changes[0].Newest, answer.Status)
	}
	if _, page := a.do("GET", "/", ""); strings.Contains(page, "No open alerts") || !strings.Contains(page, "<strong>7</strong>open alerts") {
		t.Error("the list of runs does not count the open alerts")
	}
}

func TestSentence(t *testing.T) {
	for words, want := range map[string]string{
		"the home page is blocked":       "The home page is blocked.",
		"again: more URLs are blocked":   "Again: more URLs are blocked.",
		"robots.txt has a new issue.":    "robots.txt has a new issue.",
		"https://a.example/ is blocked.": "https://a.example/ is blocked.",
		"":                               "",
	} {
		if got := sentence(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// Several alerts are answered at once, from the dashboard's own form only. The filter stays.
func TestAnswerSeveral(t *testing.T) {
	dir, _ := newHistory(t, shopFirst)
	var entered []Answer
	acknowledge := func(_ context.Context, of Answer) (string, error) {
		entered = append(entered, of)
		return "done", nil
	}
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge, Now: func() time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) }})
	answer, page := a.do("GET", "/alerts?severity=error&age=older&site="+shopHost, "")
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if token == nil || !strings.Contains(page, `name="age" value="older"`) || !strings.Contains(page, `name="severity" value="error"`) {
		t.Fatal("the form does not have the filter")
	}
	form := func(ids []string, more ...string) url.Values {
		f := url.Values{"form_token": {token[1]}, "do": {"accept"}, "note": {"mine"}, "id": ids}
		for i := 0; i < len(more); i += 2 {
			f.Set(more[i], more[i+1])
		}
		return f
	}
	two := []string{"alert0", "alert1"}
	for what, c := range map[string]struct {
		form   url.Values
		header []string
		status int
	}{
		"no token":         {form(two, "form_token", ""), nil, 403},
		"another site":     {form(two), []string{"Origin", "http://evil.example"}, 403},
		"another site too": {form(two), []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"no alert":         {form(nil), nil, 400},
		"too many":         {form(make([]string, maxAlerts+1)), nil, 400},
		"a long note":      {form(two, "note", strings.Repeat("x", maxAnswer+1)), nil, 400},
		"no day":           {form(two, "do", "acknowledge"), nil, 400},
		"another filter":   {form(two, "age", "//evil.example"), nil, 400},
	} {
		if answer, text := a.do("POST", "/alerts", c.form.Encode(), append(c.header, "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)...); answer.StatusCode != c.status {
			t.Errorf("%s: %s %s", what, answer.Status, text)
		}
	}
	if entered != nil {
		t.Fatalf("entered %v", entered)
	}
	for _, path := range []string{"/alerts", "/alerts/alert2"} {
		answer, _ = a.do("POST", path, form(two, "severity", "error", "age", "week", "site", "//evil.example/?a&said=x").Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
		to, err := url.Parse(answer.Header.Get("Location"))
		noError(t, err)
		if q := to.Query(); answer.StatusCode != http.StatusSeeOther || to.Host != "" || to.Path != "/alerts" || q.Get("severity") != "error" || q.Get("age") != "week" || q.Get("site") != "//evil.example/?a&said=x" || q.Get("said") != "done" {
			t.Errorf("%s leads to %s", path, to)
		}
	}
	if got := fmt.Sprint(entered); got != "[{[alert0 alert1] true  mine false } {[alert2] true  mine false }]" {
		t.Errorf("entered %s", got)
	}
}

// A version that is older than those that are listed can be compared, too.
func TestOldVersion(t *testing.T) {
	dir, _ := newHistory(t, shopFirst, shopSecond)
	d, _ := newDesk(t, Options{History: dir})
	all, err := d.versions(t.Context(), shopHost)
	noError(t, err)
	d.past.read(func(db *history.DB) error {
		known, err := db.Versions(t.Context(), shopHost, 1)
		if err != nil || len(known) != 1 || known[0].SHA256 == all.Versions[1].SHA256 {
			t.Fatalf("%v, %v", known, err)
		}
		known, err = withVersions(t.Context(), db, shopHost, known, []string{"", "none", known[0].SHA256, all.Versions[1].SHA256})
		if err != nil || len(known) != 2 || known[1].SHA256 != all.Versions[1].SHA256 || known[1].Body == nil {
			t.Errorf("%v, %v", known, err)
		}
		return nil
	})
}
