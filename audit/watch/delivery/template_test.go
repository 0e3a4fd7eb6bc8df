package delivery

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// templateOf reads a template that is right.
func templateOf(t *testing.T, text string) *Template {
	t.Helper()
	tmpl, err := newTemplate("my.tmpl", text)
	noError(t, err)
	return tmpl
}

// example reads a template of the examples.
func example(t *testing.T, name string) *Template {
	t.Helper()
	tmpl, err := ReadTemplate(filepath.Join("..", "..", "..", ".github", "examples", name))
	noError(t, err)
	return tmpl
}

// samples are messages of all sizes: one alert, many, and one that only reports losses.
func samples(t *testing.T) []parcel {
	lost, _ := digest().Filter("test 1", compare.Info, []string{"A message could not be sent: " + hostile})
	return []parcel{parcelOf(t, blocked), flood(t, 40), flood(t, 3000), {id: "1", message: lost}}
}

// TestTemplateMistakes: a mistake is reported with its file and line, before a message is sent.
func TestTemplateMistakes(t *testing.T) {
	old := templateTime
	defer func() { templateTime = old }()
	for _, c := range []struct{ text, want string }{
		{"{\n\"a\": {{json .text}\n}", "my.tmpl:2: "},
		{"{\n\"a\": {{jsn .text}}\n}", `my.tmpl:2: function "jsn" not defined`},
		{"{\n\n\"a\": {{json .txet}}\n}", `my.tmpl:3: <.txet>: map has no entry for key "txet"`},
		{"{\n\"a\": \"{{.subject}}\",\n\"b\": {{.text}}\n}", "my.tmpl:3: it does not write valid JSON: invalid character 'T' looking for beginning of value after"},
		{"{{- /* a\n\ncomment */ -}}\n{\n\"a\": {{json .text}}\n\"b\": 1}", "my.tmpl:6: it does not write valid JSON: invalid character '\"' after object key:value pair"},
		{"{{$x := 1}}\n[{{range .lines}}\n{{$x}},{{end}}]", "my.tmpl:3: it does not write valid JSON: invalid character ']'"},
		{"{\n{{with .period}}\"a\": {{json .knd}}{{end}}}", "my.tmpl:2: <.knd>: map has no entry for key \"knd\""},
		{"{\n{{with .monitoring_started}}\"a\": {{.names}}{{end}}}", "my.tmpl:2: it does not write valid JSON: invalid character 's'"},
		{"", "my.tmpl:1: it does not write valid JSON: unexpected end of JSON input"},
		{"{{json (index .lines 0).text}}", "my.tmpl:1: "}, // a message without lines
		{"{{json .Home}}", `my.tmpl:1: <.Home>: map has no entry for key "Home"`},
		{"{{json secret}}", "my.tmpl:1: <secret>: error calling secret: the channel has no secret. Add secret_file"},
		{`"{{range 1000000}}0123456789{{end}}"`, "my.tmpl: the template writes more than 1000000 bytes"},
		{"{{define \"x\"}}{{if true}}\n{{template \"x\"}}{{end}}{{end}}1", "my.tmpl:2: {{template}} is not possible. Write what it does here"},
		{`{{range 1000000000000}}{{if true}}{{range 3}}{{end}}{{end}}{{end}}1`, "my.tmpl: the template takes more than 200ms"},
		{`{{range 1000000000000}}{{end}}1`, "my.tmpl: the template takes more than 200ms"},
	} {
		if templateTime = old; strings.Contains(c.want, "200ms") {
			templateTime = 200 * time.Millisecond
		}
		tmpl, err := newTemplate("my.tmpl", c.text)
		if err == nil {
			err = (&Webhook{URL: "https://hooks.example.com/x", Template: tmpl}).Check()
		}
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), "template: "), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	unquoted := &Webhook{URL: "https://hooks.example.com/x", Secret: keySecret, Template: templateOf(t, `{"a": {{secret}}`)}
	if err := unquoted.Check(); err == nil || strings.Contains(err.Error(), keySecret[:10]) {
		t.Errorf("a secret that is written without json: %v", err)
	}
}

// TestTemplateFields: a template gets all fields of the JSON, also empty ones, and nothing else.
func TestTemplateFields(t *testing.T) {
	p := parcelOf(t, blocked)
	var of map[string]any
	body, err := jsonBody(p)
	noError(t, err)
	noError(t, json.Unmarshal(body, &of))
	data := messageData(p)
	if err := within("", of, data); err != nil {
		t.Error(err)
	}
	event := eventData(p, messageData(p), 0)
	for _, name := range []string{"ended", "length", "next", "follows", "message", "level"} {
		if _, ok := event[name]; !ok {
			t.Errorf("an event has no %s", name)
		}
	}
	if _, ok := data["Home"]; ok {
		t.Error("it has the place of the files")
	}
	text, err := templateOf(t, `{{if gt .sites 0}}{{range .events}}{{json .level}}{{end}}{{end}}`).execute(data, "")
	if err != nil || string(text) != `"critical"` {
		t.Errorf("%s %v", text, err)
	}
}

// TestTemplateGuide: the guide's template works, and the fields that its table lists are there.
func TestTemplateGuide(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "docs", "alerts.md"))
	noError(t, err)
	sample := regexp.MustCompile(`(?m)^    (\{"text": .*)$`).FindSubmatch(guide)
	if sample == nil {
		t.Fatal("the guide has no template")
	}
	p := parcelOf(t, blocked)
	noError(t, (&Webhook{URL: "https://chat.example/x", Template: templateOf(t, string(sample[1]))}).Check())
	data, rows := messageData(p), 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`\\.[^|]*)\\| ([^|]*)").FindAllSubmatch(guide, -1) {
		rows++
		var of []any // the values whose fields the second column may name
		for _, name := range regexp.MustCompile("`\\.([a-z_]+)`").FindAllSubmatch(row[1], -1) {
			value, ok := data[string(name[1])]
			if !ok {
				t.Errorf("a message has no %s", name[1])
			}
			if list, ok := value.([]any); ok {
				value = list[0]
			}
			of = append(of, value)
		}
		for _, name := range regexp.MustCompile("`\\.([a-z_]+)`").FindAllSubmatch(row[2], -1) {
			m, _ := of[0].(map[string]any)
			if _, ok := m[string(name[1])]; !ok && data[string(name[1])] == nil {
				t.Errorf("%s has no %s", row[1], name[1])
			}
		}
	}
	if rows < 6 {
		t.Errorf("the table of the guide has %d rows", rows)
	}
}

// within reports a field of JSON that the data of a template does not have.
func within(at string, of, data any) error {
	switch of := of.(type) {
	case map[string]any:
		m, ok := data.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: %T", at, data)
		}
		for key, value := range of {
			if _, ok := m[key]; !ok {
				return fmt.Errorf("no %s.%s", at, key)
			} else if err := within(at+"."+key, value, m[key]); err != nil {
				return err
			}
		}
	case []any:
		list, ok := data.([]any)
		if !ok || len(list) != len(of) {
			return fmt.Errorf("%s: %v, want %v", at, data, of)
		}
		for i := range of {
			if err := within(at, of[i], list[i]); err != nil {
				return err
			}
		}
	default:
		if fmt.Sprint(of) != fmt.Sprint(data) {
			return fmt.Errorf("%s: %v, want %v", at, data, of)
		}
	}
	return nil
}

// TestDiscord: the body has Discord's form and limits, and markup of sites does nothing.
func TestDiscord(t *testing.T) {
	w := &Webhook{URL: "https://discord.example/x", Template: example(t, "alerts-discord.tmpl")}
	noError(t, w.Check())
	for _, p := range samples(t) {
		_, body, err := w.Template.message(p, "")
		noError(t, err)
		var m struct {
			Content string
			Allowed struct{ Parse []string } `json:"allowed_mentions"`
			Flags   int
		}
		noError(t, json.Unmarshal(body, &m))
		if n := len(m.Content); n == 0 || n > 2000 || m.Allowed.Parse == nil || len(m.Allowed.Parse) > 0 || m.Flags != 4 {
			t.Errorf("%d bytes, %+v", n, m)
		}
		if text := strings.ReplaceAll(strings.TrimPrefix(m.Content, "**"), `\`, ""); !strings.HasPrefix(text, p.message.Subject()+"**\n\n") {
			t.Errorf("content %.200s", m.Content)
		}
		for at, r := range strings.TrimPrefix(m.Content, "**") {
			if escaped := at > 0 && m.Content[at+1] == '\\'; strings.ContainsRune("<>[@`~", r) && !escaped && !strings.HasPrefix(m.Content[at+2:], "[cut]") {
				t.Errorf("markup of a site at %.40q", m.Content[at+2:])
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a.example: *b* and _c_":               `a.example\: \*b\* and \_c\_`,
		"see https://dash.example/a_b-c/?d=e.": "see https://dash.example/a_b-c/?d=e.",
		"[x](https://evil.example/) @here":     `\[x\]\(https://evil.example/\) \@here`,
		":tada: <@U01> \\":                     `\:tada\: \<\@U01\> \\`,
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestGoogleChat: the body is a card within Google's limit, whose text has no markup of sites.
func TestGoogleChat(t *testing.T) {
	w := &Webhook{URL: "https://chat.example/x", Template: example(t, "alerts-google-chat.tmpl")}
	noError(t, w.Check())
	for _, p := range samples(t) {
		_, body, err := w.Template.message(p, "")
		noError(t, err)
		var m struct {
			FallbackText string
			CardsV2      []struct {
				CardId string
				Card   struct {
					Header   struct{ Title string }
					Sections []struct {
						Widgets []struct{ TextParagraph struct{ Text string } }
					}
				}
			}
		}
		noError(t, json.Unmarshal(body, &m))
		card := m.CardsV2[0].Card
		text := card.Sections[0].Widgets[0].TextParagraph.Text
		if len(body) > 32_000 || m.CardsV2[0].CardId != p.id || m.FallbackText != p.message.Subject() || card.Header.Title != p.message.Subject() || text == "" || strings.ContainsAny(strings.ReplaceAll(text, "<br>", ""), "<>\n") {
			t.Errorf("%d bytes: %.300s", len(body), body)
		}
	}
}

// TestTelegram: the body has Telegram's form and limit, and no mode that reads markup.
func TestTelegram(t *testing.T) {
	w := &Webhook{URL: "https://api.telegram.example/bot1/sendMessage", Template: example(t, "alerts-telegram.tmpl")}
	noError(t, w.Check())
	for _, p := range samples(t) {
		_, body, err := w.Template.message(p, "")
		noError(t, err)
		var m map[string]any
		noError(t, json.Unmarshal(body, &m))
		text, _ := m["text"].(string)
		if n := len(text); n == 0 || n > 4096 || !utf8.ValidString(text) || len(m) != 3 || m["chat_id"] == "" || !strings.HasPrefix(text, p.message.Subject()+"\n\n") {
			t.Errorf("%d bytes: %.300s", n, body)
		}
	}
}

// pagerDuty is a body of PagerDuty's Events API v2.
type pagerDuty struct {
	RoutingKey  string `json:"routing_key"`
	EventAction string `json:"event_action"`
	DedupKey    string `json:"dedup_key"`
	Payload     struct {
		Summary, Source, Severity, Timestamp string
	}
}

// TestPagerDuty: each alert is a request that opens it, and one that resolves it with the same key.
func TestPagerDuty(t *testing.T) {
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	r.Template, r.PerEvent = example(t, "alerts-pagerduty.tmpl"), true
	noError(t, r.Check())
	if got := Test(t.Context(), r.Webhook, alert.Home{}, began); got.State != Accepted {
		t.Fatalf("%+v", got)
	}
	over := blocked
	over.Kind, over.Severity = alert.Ended, compare.Info
	long := event("b.example", "AL12", compare.Medium, "b.example: "+strings.Repeat(hostile, 20))
	if got := sendOne(t, r.Webhook, blocked, long); got.State != Accepted {
		t.Fatalf("%+v", got)
	}
	if got := sendOne(t, r.Webhook, over); got.State != Accepted {
		t.Fatalf("%+v", got)
	}
	var told []string
	for _, request := range r.all() {
		var m pagerDuty
		noError(t, json.Unmarshal([]byte(request.body), &m))
		_, err := time.Parse(time.RFC3339, m.Payload.Timestamp)
		if n := len(m.Payload.Summary); err != nil || m.RoutingKey != keySecret || n == 0 || n > 1024 || m.Payload.Source == "" || len(m.DedupKey) > 255 ||
			!slices.Contains([]string{"critical", "error", "warning", "info"}, m.Payload.Severity) {
			t.Errorf("%s", request.body)
		}
		told = append(told, m.EventAction+" "+m.Payload.Severity+" "+m.DedupKey)
	}
	key := strings.Fields(told[0])[2]
	want := []string{
		"trigger critical " + key, "resolve info " + key, // of the test
		"trigger critical " + blocked.Alert, "trigger warning " + long.Alert, "resolve info " + blocked.Alert,
	}
	if !strings.HasPrefix(key, "test-") || !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// TestOpsgenie: each alert is a request that opens it, and one that closes it by its alias.
func TestOpsgenie(t *testing.T) {
	var paths []string
	r := newReceiver(t, nil)
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var m struct {
			Message, Alias, Description, Entity, Source, Priority string
		}
		noError(t, json.NewDecoder(req.Body).Decode(&m))
		closes := strings.Contains(req.URL.Path, "/close")
		if n := len(m.Message); req.Header.Get("Authorization") != "GenieKey "+keySecret || !closes && (n == 0 || n > 130 || m.Alias == "" || len(m.Alias) > 512 || len(m.Description) > 15_000 || len(m.Entity) > 512) || m.Source != "robots-audit" {
			t.Errorf("%+v %+v", req.Header, m)
		}
		paths = append(paths, m.Priority+" "+req.URL.RequestURI())
		w.WriteHeader(http.StatusAccepted)
	})
	r.Webhook.URL, r.Secret, r.Authorization = Secret(r.Server.URL+"/v2/alerts"), "", "GenieKey "+keySecret
	r.Template, r.PerEvent = example(t, "alerts-opsgenie.tmpl"), true
	noError(t, r.Check())
	over := blocked
	over.Kind, over.Severity = alert.Ended, compare.Info
	for _, e := range []alert.Event{event("b.example", "AL12", compare.Medium, "b.example: "+strings.Repeat(hostile, 200)), blocked, over} {
		if got := sendOne(t, r.Webhook, e); got.State != Accepted {
			t.Fatalf("%+v", got)
		}
	}
	if want := []string{"P3 /v2/alerts", "P1 /v2/alerts", " /v2/alerts/" + blocked.Alert + "/close?identifierType=alias"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	for _, path := range []string{"@evil.example/", "//evil.example/", "/../x y", "/a\\nb", "https://evil.example/"} {
		r.Template = templateOf(t, `{{define "path"}}`+path+`{{end}}{}`)
		if err := r.Check(); err == nil || !strings.HasPrefix(err.Error(), "template: my.tmpl: its path is ") {
			t.Errorf("path %q: %v", path, err)
		}
	}
	r.Authorization = "a\r\nb"
	if err := r.Check(); err == nil || !strings.HasPrefix(err.Error(), "authorization") {
		t.Errorf("%v", err)
	}
}

// TestPerEvent: a refused event does not keep the others back, and a try does not repeat those that
// were accepted. The ids of requests are the same at every try.
func TestPerEvent(t *testing.T) {
	refuse := map[string]int{"b.example": 400}
	var seen []string
	r := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {})
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var site string
		noError(t, json.NewDecoder(req.Body).Decode(&site))
		seen = append(seen, site+" "+req.Header.Get("X-Robots-Audit-Delivery"))
		if status := refuse[site]; status != 0 {
			w.WriteHeader(status)
		}
	})
	r.Template, r.PerEvent = templateOf(t, `{{json .site}}`), true
	p := parcelOf(t, event("a.example", "AL01", compare.Critical, "a."), event("b.example", "AL02", compare.Critical, "b."), event("c.example", "AL03", compare.Critical, "c."))
	try := func(want string) {
		t.Helper()
		seen = nil
		_, err := r.Webhook.send(t.Context(), p)
		text := ""
		for _, s := range seen {
			site, id, _ := strings.Cut(s, " ")
			if want := p.id + "-a1b2c3d4-" + site + "-raised"; id != want {
				t.Errorf("id %q, want %q", id, want)
			}
			text += site[:1]
		}
		var of *failure
		switch {
		case err == nil:
			text += " accepted"
		case errors.As(err, &of) && of.ofMessage:
			text += " refused"
		default:
			text += " failed"
		}
		if text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	try("abc refused")
	try("b refused")
	refuse["b.example"] = 0
	try("b accepted")
	refuse["b.example"] = 503
	try("ab failed") // the message again: nothing is left of it
	refuse["b.example"] = 0
	try("bc accepted")
}

// TestTemplateLinks: with a base URL, the templates for services have the links of a message.
func TestTemplateLinks(t *testing.T) {
	p, page := placed(t)
	run := runLinks["Page of the run"]
	for _, c := range []struct {
		name     string
		perEvent bool
		want     []string
	}{
		{"alerts-discord.tmpl", false, []string{page, run}}, {"alerts-telegram.tmpl", false, []string{page, run}}, {"alerts-google-chat.tmpl", false, []string{run}},
		{"alerts-pagerduty.tmpl", true, []string{page}}, {"alerts-opsgenie.tmpl", true, []string{page}},
	} {
		var body []byte
		var err error
		if tmpl := example(t, c.name); c.perEvent {
			for i, e := range p.message.Events {
				if e.Site == blocked.Site {
					body, err = tmpl.execute(eventData(p, messageData(p), i), "key")
				}
			}
		} else {
			body, err = tmpl.execute(messageData(p), "")
		}
		noError(t, err)
		var texts []string // of the JSON, without its escapes
		var collect func(v any)
		collect = func(v any) {
			switch of := v.(type) {
			case string:
				texts = append(texts, of)
			case []any:
				for _, each := range of {
					collect(each)
				}
			case map[string]any:
				for _, each := range of {
					collect(each)
				}
			}
		}
		var v any
		noError(t, json.Unmarshal(body, &v))
		collect(v)
		for _, url := range c.want {
			if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, url) }) {
				t.Errorf("%s has no %s: %s", c.name, url, body)
			}
		}
	}
}

// TestManyEvents: the requests of many events take a time that grows with their number, not with its
// square.
func TestManyEvents(t *testing.T) {
	requests := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	defer s.Close()
	tmpl, err := newTemplate("x", `{"id": {{json .id}}, "run": {{json .message.run}}}`)
	noError(t, err)
	w := &Webhook{Route: Route{Name: "webhook 1"}, URL: Secret(s.URL), Internal: true, PerEvent: true, Template: tmpl}
	var events []alert.Event
	for i := range alert.MaxEvents {
		events = append(events, event(fmt.Sprintf("s%d.example", i), "AL01", compare.Critical, "the home page is blocked."))
	}
	m, _ := digest(events...).Filter("webhook 1", compare.Info, nil)
	start := time.Now()
	_, err = w.send(t.Context(), parcel{id: m.ID, message: m, entered: began})
	if took := time.Since(start); err != nil || requests != alert.MaxEvents || took > 10*time.Second {
		t.Errorf("%d requests in %s: %v", requests, took, err)
	}
}
