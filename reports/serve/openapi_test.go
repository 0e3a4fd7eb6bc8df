package serve

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

var update = flag.Bool("update", false, "write openapi.json again")

// TestOpenAPI compares openapi.json with the routes, and with the types of their answers.
func TestOpenAPI(t *testing.T) {
	text := newDocument(t).text()
	if *update {
		noError(t, os.WriteFile("openapi.json", []byte(text), 0o644))
		return
	}
	if text != openAPI {
		t.Error("openapi.json does not fit the routes and the types of their answers. Run go test ./reports/serve -run TestOpenAPI -update, and read git diff")
	}
	if len(text) > 200<<10 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestOpenAPIParams looks for parameters of queries that openapi.json does not have.
func TestOpenAPIParams(t *testing.T) {
	known := slices.Clone(ownParams)
	for _, of := range documented {
		for _, p := range of.params {
			known = append(known, p.name)
		}
	}
	sources, err := filepath.Glob("*.go")
	noError(t, err)
	for _, name := range sources {
		text, err := os.ReadFile(name)
		noError(t, err)
		for _, m := range regexp.MustCompile(`(?:e\.query|\bget)\("(\w+)"\)`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s reads the parameter %s, which the table documented does not have", name, m[1])
			}
		}
	}
}

// TestOpenAPIPlace asks a dashboard below a path for the document.
func TestOpenAPIPlace(t *testing.T) {
	_, a := newDesk(t, Options{Runs: []string{t.TempDir()}, BasePath: "/audits"})
	var of struct {
		OpenAPI string
		Info    struct{ Version string }
		Servers []struct{ URL string }
	}
	a.json("/audits/openapi.json", &of)
	if of.OpenAPI != "3.1.0" || of.Info.Version != "0.1.0" || of.Servers[0].URL != "/audits" {
		t.Errorf("%+v", of)
	}
	if _, page := a.do("GET", "/audits/", ""); !strings.Contains(page, `<a href="/audits/openapi.json">`) {
		t.Error("the page has no link to it")
	}
}

// contract is a served openapi.json, which allows no field that it does not have.
type contract struct {
	t     testing.TB
	paths map[string]map[string]struct {
		Responses map[string]response
	}
	responses map[string]response
	schemas   map[string]*jsonschema.Schema
	resolved  *jsonschema.Resolved // an object whose members are of the schemas with their names
	seen      map[string]bool      // "Schema.field", and operations
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema *jsonschema.Schema }
}

func newContract(a *asker) *contract {
	c := &contract{t: a.t, seen: map[string]bool{}}
	_, text := a.do("GET", "/openapi.json", "")
	var of struct {
		Paths map[string]map[string]struct {
			Responses map[string]response
		}
		Components struct {
			Schemas   map[string]*jsonschema.Schema
			Responses map[string]response
		}
	}
	noError(a.t, json.Unmarshal([]byte(strings.ReplaceAll(text, schemaPlace, "#/$defs/")), &of))
	c.paths, c.schemas, c.responses = of.Paths, of.Components.Schemas, of.Components.Responses
	none := func() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }
	all := &jsonschema.Schema{Defs: c.schemas, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: none()}
	for name, s := range c.schemas {
		s.AdditionalProperties = none()
		all.Properties[name] = &jsonschema.Schema{Ref: "#/$defs/" + name}
	}
	var err error
	c.resolved, err = all.Resolve(nil)
	noError(a.t, err)
	return c
}

// check compares an answer with the document.
func (c *contract) check(pattern string, answer *http.Response, text string) {
	c.t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.NewReplacer("{$}", "", "...}", "}").Replace(path)
	status := strconv.Itoa(answer.StatusCode)
	of, ok := c.paths[path][strings.ToLower(method)].Responses[status]
	if ref, is := strings.CutPrefix(of.Ref, "#/components/responses/"); is {
		of, ok = c.responses[ref]
	}
	s := of.Content["application/json"].Schema
	if !ok || s == nil {
		c.t.Errorf("%s: the document has no JSON for status %s: %.200s", pattern, status, text)
		return
	}
	var data any
	if err := json.Unmarshal([]byte(text), &data); err != nil || !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		c.t.Errorf("%s: %s %s: %v: %.200s", pattern, status, answer.Header.Get("Content-Type"), err, text)
		return
	}
	c.seen[path+" "+method+" "+status] = true
	c.fits(pattern+" "+status, s, data)
}

// fits compares data with a schema.
func (c *contract) fits(what string, s *jsonschema.Schema, data any) {
	c.t.Helper()
	name := strings.TrimPrefix(s.Ref, "#/$defs/")
	if name == "" {
		return
	}
	if err := c.resolved.Validate(map[string]any{name: data}); err != nil {
		c.t.Errorf("%s: %v", what, err)
	}
	c.mark(s, data)
}

// mark notes which fields an answer has.
func (c *contract) mark(s *jsonschema.Schema, data any) {
	if s == nil || data == nil {
		return
	}
	if s.AnyOf != nil {
		s = s.AnyOf[0]
	}
	name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
	if ok {
		s = c.schemas[name]
	}
	switch of := data.(type) {
	case []any:
		for _, v := range of {
			c.mark(s.Items, v)
		}
	case map[string]any:
		for key, v := range of {
			if p := s.Properties[key]; p != nil {
				c.seen[name+"."+key] = true
				c.mark(p, v)
			} else {
				c.mark(s.AdditionalProperties, v)
			}
		}
	}
}

// TestOpenAPIAnswers checks the answers of all routes, and that they have every field of the document.
func TestOpenAPIAnswers(t *testing.T) {
	o, ids := documentedWorld(t)
	d, a := newDesk(t, o)
	d.indexes.patient = time.Minute
	c := newContract(a)
	last, session := ids[len(ids)-1], &http.Cookie{Name: sessionCookie, Value: strings.Repeat("A", 43)}
	ask := func(method, path, body string, header ...string) {
		t.Helper()
		c.ask(d, a, method, path, body, header...)
	}
	shop, logged := "/runs/"+last+"/sites/"+shopHost, "/runs/mon%20day/sites/shop.example"
	for _, path := range []string{
		"/", "/runs/mon%20day", "/runs/" + last, "/runs/none", "/runs/tuesday/progress", "/runs/mon%20day/progress", "/runs/mon%20day/sites?q=shop",
		"/runs/mon%20day/search", "/runs/mon%20day/search?q=shop", "/runs/mon%20day/search?q=shop&site=shop.example", "/runs/" + last + "/search?q=%2Fshop&from=2", "/runs/tuesday/search?q=x", shop, shop + "x",
		"/runs/mon%20day/crawlers", "/runs/" + last + "/crawlers", "/runs/mon%20day/logs", logged + "/logs", shop + "/logs",
		shop + "/edit", shop + "/start?key=live", shop + "/start?key=x", shop + "/url?u=/shop/private/b1", shop + "/url?u=%3A", shop + "/url?u=http://other.example/", logged + "/url?u=/shop/a0",
		shop + "/versions", shop + "/versions?old=0123456789", logged + "/versions", "/time", "/time?days=365&q=shop", "/time?days=1", "/alerts", "/alerts?site=" + shopHost + "&severity=error&age=older", "/alerts?age=x",
		"/comparisons/" + last + "/", "/comparisons/none/", "/openapi.json", "/runs/mon%20day/report/none",
	} {
		ask("GET", path, "")
	}
	ask("GET", "/alerts?"+url.Values{"said": {"x"}, "by": {d.guard.sign("said", "x")}}.Encode(), "")
	for view, body := range map[string]edited{
		"try": {Robots: shopSecond + "Disallow: /blog/\nAllow: /shop/private/b5\n"}, "lint": {Robots: "Disalow: /\nUser-agent: *\nDisallow: /\nDisallow: /a\nDisallow: /a"},
		"wish": {Robots: shopSecond, Want: "allow", URLs: []string{"/shop/private/b1"}}, "expect": {Robots: "User-agent: *\nDisallow: /\n"},
		"save": {Robots: shopThird, Note: "n", Expect: true, FormToken: d.guard.formToken(session.Value)},
	} {
		text, err := json.Marshal(body)
		noError(t, err)
		ask("POST", shop+"/"+view, string(text), "Content-Type", "application/json", "Cookie", session.String())
		ask("POST", shop+"/"+view, `{"x":1}`, "Content-Type", "application/json")
		ask("POST", shop+"/"+view, string(text), "Content-Type", "text/plain", "Accept", "application/json")
	}
	ask("POST", shop+"/lint", string(mustJSON(t, edited{Robots: "Disallow: /x\nDisallow: /y\nUser-agent: *\n" + strings.Repeat("Disallow: /a\nDisalow: /b\n", 2000)})), "Content-Type", "application/json")
	ask("POST", shop+"/try", `{"robots":"`+strings.Repeat("x", maxRobots+1)+`"}`, "Content-Type", "application/json")
	ask("POST", shop+"/try", string(mustJSON(t, edited{Robots: strings.ReplaceAll(shopSecond, "%s", shopHost)})), "Content-Type", "application/json") // the same file
	ask("POST", shop+"/save", `{}`, "Content-Type", "application/json")
	ask("POST", shop+"/wish", `{"want":"allow","urls":["x"]}`, "Content-Type", "application/json")
	for _, form := range []url.Values{{"do": {"accept"}, "id": {"alert0"}, "form_token": {d.guard.formToken(session.Value)}}, {"do": {"x"}}} {
		for _, path := range []string{"/alerts", "/alerts/alert0"} {
			ask("POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json", "Cookie", session.String())
		}
	}
	ask("GET", "/", "", "Accept", "application/json", "X-Forwarded-For", "192.0.2.1")
	ask("GET", "/", "", "Accept", "application/json", "Host", "elsewhere.example")
	d.indexes.patient = 0
	d.indexes.remove(&run{Key: ids[0], dir: filepath.Join(o.History, "runs", ids[0])})
	ask("GET", "/runs/"+ids[0]+"/search?q=x", "")
	_, token := newDesk(t, Options{Runs: o.Runs, Token: testToken})
	noError(t, os.RemoveAll(filepath.Join(o.History, "runs", ids[0]))) // as retention does
	for _, path := range []string{"/", "/runs/" + ids[0], "/time", "/alerts"} {
		ask("GET", path, "")
	}
	answer, text := token.do("GET", "/time", "", "Accept", "application/json")
	c.check("GET /time", answer, text)
	c.otherWorlds()
	c.laterWorlds()
	c.storedFiles()
	c.complete()
}

// otherWorlds asks dashboards of a history over many days, and of one that version 0.1.0 has made, with a site that has
// an error and with changes.
func (c *contract) otherWorlds() {
	t := c.t
	old := filepath.Join(t.TempDir(), "history")
	noError(t, os.CopyFS(old, os.DirFS("../../cmd/robots-audit/testdata/0.1.0/history")))
	site := func(name string) []string {
		at := "/runs/20261103T060010Z/sites/" + name
		return []string{at, at + "/versions", at + "/edit", at + "/url?u=/", at + "/url?u=/shop/a.html"}
	}
	third, ids := newHistory(t, shopThird)
	for dir, paths := range map[string][]string{
		third:              {"/runs/" + ids[0] + "/sites/" + shopHost + "/url?u=/shop/private/b1"},
		old:                slices.Concat([]string{"/", "/runs/20261103T060010Z", "/comparisons/20261103T060010Z/", "/time", "/alerts", "/runs/20261103T060010Z/search?q=/"}, site("www.example.com"), site("down.example.com"), site("open.example.com")),
		newPortfolio(t, 5): {"/", "/time", "/time?days=365", "/alerts"},
	} {
		d, a := newDesk(t, Options{History: dir})
		for _, path := range paths {
			c.ask(d, a, "GET", path, "")
		}
	}
}

// laterWorlds asks for searches, proposals, alerts of several sites and single URLs.
func (c *contract) laterWorlds() {
	t := c.t.(*testing.T)
	get := func(d *Desk, a *asker, paths ...string) {
		t.Helper()
		d.indexes.patient = time.Minute
		for _, path := range paths {
			c.ask(d, a, "GET", path, "")
		}
	}
	d, a := newDesk(t, Options{Runs: []string{searchedRun(t, 12)}})
	get(d, a, "/runs/monday/search?blocked=any&crawler=Googlebot&rule=2&template=/shop/%7Bn%7D&segment=shop&status=none&sitemap=yes&kind=page&clicks=1&hits=1&sort=-hits",
		"/runs/monday/search?site=a.example", "/runs/monday/search?blocked=x", "/runs/monday/search.csv", "/runs/monday/search.xlsx?sort=x", "/runs/monday/sites/a.example/url?u=https://a.example/p/2")

	urls := []audit.URL{{Loc: "http://bare.example/private/a", Sitemap: 4, Weight: audit.Weight{Indexed: true, Clicks: 7, ClicksGiven: true, Impressions: 9, ImpressionsGiven: true}}, {Loc: "http://bare.example/b", Sitemap: 4}}
	d, a = newDesk(t, Options{Runs: []string{recordedRun(t, "bare.example", "https://bare.example", urls)}})
	get(d, a, "/url?u=http://bare.example/private/a", "/url?u=https://bare.example/private/a", "/runs/recorded/url?u=http://bare.example/b", "/url?u=x", "/runs/recorded/url?u=http://none.example/", "/runs/recorded/search?q=bare")

	robots := strings.ReplaceAll(testRobots, "%s", "shop.example")
	other := shop(8)
	other.robots = robots // one file on two sites
	d, a, saved := savedProposal(t, map[string]testSite{"shop.example": shop(40), "other.example": other}, robots, "a note")
	was := hashed("Disallow: /shop/private/\n")
	get(d, a, sitePath+"/proposals", saved.Link, saved.Link+"x", saved.Link+"/robots.patch", saved.Link+"/x", sitePath+"/edit?start=empty", sitePath+"/edit?wish=allow&url=/search", sitePath+"/edit?line=2", sitePath+fmt.Sprintf("/edit?do=delete&line=2&was=%x", was[:8]))
	for _, view := range []string{"/patch", "/pull-request", "/shared"} {
		c.ask(d, a, "POST", sitePath+view, string(mustJSON(t, edited{Robots: shopThird, Note: "n"})), "Content-Type", "application/json")
		c.ask(d, a, "POST", sitePath+view, `{"x":1}`, "Content-Type", "application/json")
	}

	history, _ := sharedEdits(t)
	d, a = newDesk(t, Options{History: history, Acknowledge: func(context.Context, Answer) (string, error) { return "", nil }})
	filter := "?site=s01.example&severity=error&age=older&condition=AL01&owner=Ann&state=open&run=x&schedule=x"
	get(d, a, "/alerts", "/alerts"+filter, "/alerts/answer", "/alerts/answer"+filter, "/alerts/answer?state=x", "/time?only=ok&sort=changed&schedule=x")

	d, a = newDesk(t, Options{History: homeHistory(t)})
	get(d, a, "/")

	versioned, ids := newHistory(t, shopFirst, shopSecond)
	d, a = newDesk(t, Options{History: versioned})
	d.compared.patient, d.compared.long = 0, 0
	leave, err := d.held.reading.enter(t.Context()) // no site can be read meanwhile
	noError(t, err)
	get(d, a, "/runs/"+ids[1]+"/sites/"+shopHost+"/versions")
	leave()
	get(d, a, "/runs/"+ids[1]+"/sites/"+shopHost+"/url?u=https://"+shopHost+"/shop/private/b1", "/runs/"+ids[1]+"/sites/"+shopHost+"/url?u=/caf%25c3%25a9")
}

// ask sends a request, and compares the answer with the document.
func (c *contract) ask(d *Desk, a *asker, method, path, body string, header ...string) {
	c.t.Helper()
	if header == nil {
		header = []string{"Accept", "application/json"}
	}
	r, err := http.NewRequest(method, path, nil)
	noError(c.t, err)
	_, pattern := d.mux.Handler(r)
	answer, text := a.do(method, path, body, header...)
	c.check(pattern, answer, text)
}

// storedFiles compares files that the dashboard sends as they are: as tests of their packages have them, and with a
// value in every field.
func (c *contract) storedFiles() {
	for name, schema := range map[string]string{
		"../testdata/summary.json": "Summary", "../changes/testdata/changes.json": "Changes",
		"../../cmd/robots-audit/testdata/0.1.0/run/summary.json": "Summary", "../../cmd/robots-audit/testdata/0.1.0/comparison/changes.json": "Changes",
	} {
		text, err := os.ReadFile(name)
		noError(c.t, err)
		c.fitsText(name, schema, text)
	}
	c.fitsText("a full summary.json", "Summary", mustJSON(c.t, filled(reflect.TypeFor[summaryFile]()).Interface()))
	c.fitsText("a full logs.json", "Logs", mustJSON(c.t, filled(reflect.TypeFor[logsFile]()).Interface()))
	c.fitsText("a full changes.json", "Changes", mustJSON(c.t, filled(reflect.TypeFor[changesFile]()).Interface()))
	c.fitsText("a full comparison of a site", "Told", mustJSON(c.t, filled(reflect.TypeFor[changes.Told]()).Interface()))
}

func (c *contract) fitsText(what, schema string, text []byte) {
	c.t.Helper()
	var data any
	noError(c.t, json.Unmarshal(text, &data))
	c.fits(what, &jsonschema.Schema{Ref: "#/$defs/" + schema}, data)
}

// filled is a value of a type with a value in every field.
func filled(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString("x")
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
		v.Elem().Set(filled(of.Elem()))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(filled(of.Key()), filled(of.Elem()))
	case reflect.Slice:
		if of == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte("{}"))
			break
		}
		v.Set(reflect.Append(v, filled(of.Elem())))
	case reflect.Array:
		for i := range of.Len() {
			v.Index(i).Set(filled(of.Elem()))
		}
	case reflect.Struct:
		if of == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
			break
		}
		for i := range of.NumField() {
			switch field := of.Field(i); {
			case field.Tag.Get("json") == "-":
			case field.Anonymous && field.Type.Kind() == reflect.Struct: // also of a name that is not exported
				for k := range field.Type.NumField() {
					if inner := v.Field(i).Field(k); inner.CanSet() && field.Type.Field(k).Tag.Get("json") != "-" {
						inner.Set(filled(inner.Type()))
					}
				}
			case field.IsExported():
				v.Field(i).Set(filled(field.Type))
			}
		}
	}
	return v
}

// complete fails for what no answer had.
func (c *contract) complete() {
	for path, ops := range c.paths {
		for method, op := range ops {
			for status, of := range op.Responses {
				if of.Content["application/json"].Schema != nil && !c.seen[path+" "+strings.ToUpper(method)+" "+status] {
					c.t.Errorf("no answer of %s %s has status %s", method, path, status)
				}
			}
		}
	}
	for name, s := range c.schemas {
		if name == "EditorRequest" || name == "AnswerForm" {
			continue
		}
		for key := range s.Properties {
			why, may := unseen[name+"."+key]
			switch seen := c.seen[name+"."+key]; {
			case !seen && !may:
				c.t.Errorf("no answer has %s.%s", name, key)
			case seen && may && why != limits:
				c.t.Errorf("an answer has %s.%s: remove it from unseen", name, key)
			}
		}
	}
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	noError(t, err)
	return text
}

// unseen are fields that the answers of the test do not have, with the reason.
var unseen = map[string]string{
	"AlertGroup.logs":       "needs a history with access logs: see TestAlertLogs",
	"SiteAlerts.logs":       "the same",
	"Alerts.more":           limits,
	"Expect.more":           limits,
	"Lint.more":             limits,
	"Past.stretches_more":   limits,
	"Time.cut":              limits,
	"Time.time_to_fix_cut":  limits,
	"UrlsFound.more":        limits,
	"UrlFound.not_judged":   limits,
	"Versions.answers_more": limits,
	"Versions.runs_more":    limits,
	"AlertsToAnswer.more":   limits,
	"Shared.untested":       limits,
	"Url.incomplete":        limits,
	"Flip.url":              sideEffects,
	"Flip.crawler":          sideEffects,
	"Flip.was":              sideEffects,
	"Flip.is":               sideEffects,
	"Known.link":            "needs a URL that two sites of a run have",
	"LatestRun.error":       "the newest finished run can be read",
	"LatestRun.gone":        "needs a history whose newest run was removed",
	"LatestRun.partial":     "the newest run of a schedule is one of all its sites",
	"LatestRun.progress":    "the newest finished run is not running",
	"Proposal.error":        "a proposal that cannot be read has no page",
	"ProposalListed.error":  "needs an error of the disk",
	"SharedSite.error":      "needs a site with damaged records",
	"SiteAlerts.compared":   sameLinks,
	"SiteAlerts.link":       sameLinks,
	"SiteAlerts.newest":     sameLinks,
	"SiteAlerts.search":     sameLinks,
	"SiteAlerts.versions":   sameLinks,
	"Finding.byte":          "is of findings in sitemaps; the editor has none",
	"Origin.same_as":        "needs a site with several hosts",
	"Stretch.unclear":       "needs a run in which a server failed after one in which it did not",
}

const (
	limits      = "needs more data than a limit, or than a time limit"
	sideEffects = "needs an edit that cannot do without changing other URLs"
	sameLinks   = "AlertGroup has it of its first site: both come from one type"
)

// documentedWorld is allViews with a real comparison, and with alerts in all states.
func documentedWorld(t *testing.T) (o Options, ids []string) {
	t.Helper()
	o = allViews(t)
	list, err := os.ReadDir(filepath.Join(o.History, "runs"))
	noError(t, err)
	for _, entry := range list {
		ids = append(ids, entry.Name())
	}
	last := ids[len(ids)-1]
	dir := filepath.Join(o.History, "comparisons", last)
	noError(t, os.RemoveAll(dir))
	old, err := reports.OpenStored(filepath.Join(o.History, "runs", ids[0]), "0.1.0")
	noError(t, err)
	new, err := reports.OpenStored(filepath.Join(o.History, "runs", last), "0.1.0")
	noError(t, err)
	run := func(s *reports.StoredRun, id string) changes.Run {
		return changes.Run{Path: id, ID: id, Version: "0.1.0", Started: s.Started, Finished: s.Finished, Crawlers: []string{"Googlebot"}}
	}
	report, err := changes.Open(changes.Options{Dir: dir, Old: run(old, ids[0]), New: run(new, last), Version: "0.1.0"})
	noError(t, err)
	for i := range new.Sites {
		_, err := report.AddSite(compare.Sides(old.Sites[i].Records(), new.Sites[i].Records(), compare.Options{}))
		noError(t, err)
	}
	noError(t, report.Finish())
	noError(t, report.Close())
	db, err := history.Open(t.Context(), o.History)
	noError(t, err)
	defer db.Close()
	tx, err := db.Begin(t.Context())
	noError(t, err)
	at := time.Date(2026, 11, 4, 6, 0, 0, 0, time.UTC)
	noError(t, tx.SaveAlert(history.Alert{ID: "noted", Site: shopHost, Condition: "AL05", Severity: "high", Base: ids[0], Raised: last, Since: at, Subjects: []string{"x"}, Text: "t"}))
	noError(t, tx.Commit())
	noError(t, db.Accept(t.Context(), []string{"alert0"}, at, "n"))
	noError(t, db.Acknowledge(t.Context(), []string{"noted"}, at.AddDate(1, 0, 0), at, "n"))
	noError(t, db.Decide(t.Context(), []string{"noted"}, at, history.Decision{Assign: true, Owner: "Ann"}))
	noError(t, os.WriteFile(filepath.Join(o.Runs[1], ".robots-audit", "progress.json"), mustJSON(t, reports.Progress{At: time.Now().UTC(), Sites: 1, Total: 2, URLs: 3, Left: 4, Waiting: "x", Stage: "x", WaitedOn: 5}), 0o644))
	o.Runs = append(o.Runs, t.TempDir()) // no run
	o.Acknowledge = func(context.Context, Answer) (string, error) { return "done", nil }
	return o, ids
}
