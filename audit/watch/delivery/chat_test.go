package delivery

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// flood is a message of so many alerts that nothing puts together, with texts as long
// as they get.
func flood(t *testing.T, n int) parcel {
	events := make([]alert.Event, n)
	for i := range events {
		site := fmt.Sprintf("s%04d.example", i)
		text := site + ": " + hostile + strings.Repeat(" <&>ü", 200)
		events[i] = event(site, "AL02", compare.Critical, text, hostile, strings.Repeat("ß&", 900))
		events[i].Cause = text
	}
	return parcelOf(t, events...)
}

// The formats' own limits hold for one alert and for thousands.
func TestSlack(t *testing.T) {
	for _, p := range []parcel{parcelOf(t, blocked), flood(t, 40), flood(t, 3000)} {
		body, err := slackBody(p)
		noError(t, err)
		var m struct {
			Text   string
			Unfurl *bool `json:"unfurl_links"`
			Blocks []struct {
				Type string
				Text *struct {
					Type, Text string
					Emoji      *bool
				}
				Elements []struct{ Type, Text string }
			}
		}
		noError(t, json.Unmarshal(body, &m))
		if len(m.Blocks) < 3 || len(m.Blocks) > 50 || m.Unfurl == nil || *m.Unfurl || m.Blocks[0].Type != "header" || m.Blocks[len(m.Blocks)-1].Type != "context" {
			t.Errorf("%d blocks", len(m.Blocks))
		}
		texts := []string{m.Text}
		for i, b := range m.Blocks {
			for _, e := range b.Elements {
				if e.Type != "plain_text" {
					t.Errorf("block %d is of %s", i, e.Type)
				}
				texts = append(texts, e.Text)
			}
			if b.Text == nil {
				continue
			}
			limit := 3000
			if b.Type == "header" {
				limit = 150
			}
			if n := utf8.RuneCountInString(b.Text.Text); n == 0 || n > limit {
				t.Errorf("block %d, %s: %d characters", i, b.Type, n)
			}
			if b.Text.Type != "plain_text" || b.Text.Emoji == nil || *b.Text.Emoji {
				t.Errorf("block %d: %s", i, b.Text.Type)
			}
			texts = append(texts, b.Text.Text)
		}
		for _, text := range texts {
			if strings.ContainsAny(text, "<>") {
				t.Errorf("a control character of Slack: %.300s", text)
			}
			for rest := text; ; { // each & begins one of the three escapes
				_, after, found := strings.Cut(rest, "&")
				if !found {
					break
				}
				if !strings.HasPrefix(after, "amp;") && !strings.HasPrefix(after, "lt;") && !strings.HasPrefix(after, "gt;") {
					t.Errorf("an & by itself before %.20q", after)
				}
				rest = after
			}
		}
		if unescaped := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(m.Blocks[1].Text.Text); !strings.Contains(unescaped, hostile) {
			t.Errorf("it does not say what the site says: %s", unescaped)
		}
		for _, g := range paragraphs(p.message)[:min(len(p.message.Lines), len(m.Blocks)-3)] {
			if g.ids == "" || !slices.ContainsFunc(texts, func(text string) bool { return strings.HasSuffix(text, "\n"+g.ids) }) {
				t.Errorf("it does not end with %q", g.ids)
			}
		}
		if n := len(p.message.Events) + p.message.EventsMore; n == 3000 && !strings.Contains(string(body), "… and 2,953 more") {
			t.Errorf("nothing tells of what is left out: %s", body[len(body)-600:])
		}
	}
}

func TestSlackCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"a&b", 7, "a&amp;b"}, {"a&b", 6, "a…"}, {"ü&", 6, "ü&amp;"}, {"&&", 6, "&amp;…"}, {"&&", 5, "…"}, {"", 3, ""},
		{"\xff<", 5, "\ufffd&lt;"},
	} {
		if got := slackEscape(c.text, c.limit); got != c.want || utf8.RuneCountInString(got) > c.limit {
			t.Errorf("%q to %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func TestTeams(t *testing.T) {
	for _, p := range []parcel{parcelOf(t, blocked), flood(t, 40), flood(t, 3000)} {
		body, err := teamsBody(p)
		noError(t, err)
		if len(body) > 28_000 {
			t.Errorf("%d bytes", len(body))
		}
		var m struct {
			Type        string
			Attachments []struct {
				ContentType string
				Content     struct {
					Type, Version string
					Body          []struct {
						Type    string
						Inlines []struct{ Type, Text string }
					}
				}
			}
		}
		noError(t, json.Unmarshal(body, &m))
		if m.Type != "message" || len(m.Attachments) != 1 || m.Attachments[0].ContentType != "application/vnd.microsoft.card.adaptive" || m.Attachments[0].Content.Type != "AdaptiveCard" {
			t.Fatalf("envelope %+v", m)
		}
		var all strings.Builder
		for _, b := range m.Attachments[0].Content.Body {
			if b.Type != "RichTextBlock" {
				t.Errorf("a block of type %s, where Markdown may apply", b.Type)
			}
			for _, r := range b.Inlines {
				if r.Type != "TextRun" || strings.Contains(r.Text, "{{") {
					t.Errorf("%s: %.100q", r.Type, r.Text)
				}
				all.WriteString(r.Text + "\n")
			}
		}
		if !strings.Contains(all.String(), strings.ReplaceAll(hostile, "{{", "{ {")) {
			t.Errorf("it does not say what the site says: %.500s", all.String())
		}
		if ids := p.message.Lines[0].IDs(); !strings.Contains(all.String(), "\n"+ids+"\n") {
			t.Errorf("it does not say %q: %.500s", ids, all.String())
		}
		if n := len(p.message.Events); n > 1 && !strings.Contains(all.String(), " more: see the mail") {
			t.Errorf("nothing tells of what is left out")
		}
	}
}

// A JSON body is smaller than the limit of servers, and has the number of omitted events.
func TestJSONBound(t *testing.T) {
	p := flood(t, 3000)
	before := len(p.message.Events)
	body, err := jsonBody(p)
	noError(t, err)
	var m alert.Message
	noError(t, json.Unmarshal(body, &m))
	if len(body) > maxJSON || len(body) < maxJSON/4 || len(m.Events)+m.EventsMore != 3000 {
		t.Errorf("%d bytes, %d events and %d more", len(body), len(m.Events), m.EventsMore)
	}
	if len(p.message.Events) != before {
		t.Error("the message itself was cut")
	}
}

// TestForms sends each form over the wire; TEST_KEEP keeps what was received.
func TestForms(t *testing.T) {
	ended := event("old.example", "AL03", compare.Critical, "old.example: robots.txt can be fetched again, after 3 h 12 min.")
	ended.Kind, ended.Severity = alert.Ended, compare.Info
	for format := range formats {
		r := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
		r.Format = format
		noError(t, r.Check())
		channels := []Channel{r.Webhook}
		tries, _ := send(t, newTable(plan(t, channels, began, blocked, ended)...), channels, began)
		if tries[0].State != Accepted || !json.Valid([]byte(r.all()[0].body)) {
			t.Errorf("%s: %+v", format, tries)
		}
		save(t, "webhook-"+format+".json", r.all()[0].body)
	}
}

func TestWebhookCheck(t *testing.T) {
	for url, want := range map[string]string{
		"https://hooks.example.com/x": "", "http://hooks.example.com/x": "https", "hooks.example.com/x": "https", "": "https", "ftp://hooks.example.com": "https",
		"https://user:" + pathSecret + "@hooks.example.com/x": "has a user or a password", "https://hooks.example.com/%zz" + pathSecret: "https", "https:///x": "https",
	} {
		err := (&Webhook{Route: Route{Name: "webhook 1"}, URL: Secret(url)}).Check()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), pathSecret)) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	noError(t, (&Webhook{Route: Route{Name: "webhook 1"}, URL: "http://chat.lan:8065/x", Internal: true}).Check())
}

// linkBase is where the files of the tests with links are shown; its path would be markup in each chat.
const linkBase = "https://audit.example/a&b/"

// placed is a parcel with links, of a site whose files have a name that would be markup.
func placed(t *testing.T) (p parcel, page string) {
	m, _ := alert.Digest(alert.Context{
		Run: "20261123T060000Z", Schedule: "shops", At: began,
		Links: alert.Links{Page: "runs/20261123T060000Z/index.html", Workbook: "runs/20261123T060000Z/summary.xlsx", Comparison: "comparisons/20261123T060000Z/index.html"},
		Site: func(site string) alert.Links {
			return alert.Links{Page: "runs/20261123T060000Z/pages/" + site + `>|x](b) "<!here>.html`}
		},
	}, []alert.Event{blocked, event("<!here>|[x](y).example", "AL01", compare.Critical, hostile)})
	m, _ = m.Filter("test 1", compare.Info, nil)
	m.Place(alert.Home{Folder: "/var/lib/robots-audit", Base: linkBase})
	return parcel{id: m.ID, message: m, entered: began}, linkBase + "runs/20261123T060000Z/pages/" + blocked.Site + "%3E%7Cx%5D%28b%29%20%22%3C%21here%3E.html"
}

// runLinks are the links of the run of placed.
var runLinks = map[string]string{"Page of the run": linkBase + "runs/20261123T060000Z/index.html", "What changed": linkBase + "comparisons/20261123T060000Z/index.html", "Workbook": linkBase + "runs/20261123T060000Z/summary.xlsx"}

// TestSlackLinks: texts with markup are links of ours, and nothing else.
func TestSlackLinks(t *testing.T) {
	p, page := placed(t)
	body, err := slackBody(p)
	noError(t, err)
	var m struct {
		Blocks []struct {
			Fields, Elements []struct {
				Type, Text string
				Verbatim   bool
			}
		}
	}
	noError(t, json.Unmarshal(body, &m))
	form := regexp.MustCompile(`^<(https://audit\.example/a&amp;b/[A-Za-z0-9/.%_-]+)\|([A-Z][a-z ]+)>$`)
	links := map[string][]string{}
	for i, b := range m.Blocks {
		for _, e := range append(b.Fields, b.Elements...) {
			if e.Type != "mrkdwn" {
				continue
			}
			for _, link := range strings.Split(e.Text, " · ") {
				parts := form.FindStringSubmatch(link)
				if parts == nil || !e.Verbatim {
					t.Fatalf("block %d: markup %q", i, e.Text)
				}
				links[parts[2]] = append(links[parts[2]], strings.ReplaceAll(parts[1], "&amp;", "&"))
			}
		}
	}
	for text, link := range runLinks {
		if !slices.Equal(links[text], []string{link}) {
			t.Errorf("%s: %q, want %s", text, links[text], link)
		}
	}
	if all := links[pageOfSite]; len(all) != 2 || !slices.Contains(all, page) || len(links) != 4 {
		t.Errorf("links %q, want %s", links, page)
	}
	if strings.Contains(string(body), "/var/lib") {
		t.Errorf("it names the folder: %s", body)
	}
	save(t, "links-slack.json", string(body))
}

// TestTeamsLinks: blocks with Markdown are links of ours, and nothing else.
func TestTeamsLinks(t *testing.T) {
	p, page := placed(t)
	body, err := teamsBody(p)
	noError(t, err)
	var m struct {
		Attachments []struct {
			Content struct {
				Body    []struct{ Type, Text string }
				Actions []struct{ Type, Title, URL string }
			}
		}
	}
	noError(t, json.Unmarshal(body, &m))
	form := regexp.MustCompile(`^\[Page of the site\]\((https://audit\.example/a&b/[A-Za-z0-9/.%_-]+)\)$`)
	var pages []string
	card := m.Attachments[0].Content
	for i, b := range card.Body {
		if b.Type == "RichTextBlock" {
			continue
		}
		parts := form.FindStringSubmatch(b.Text)
		if b.Type != "TextBlock" || parts == nil {
			t.Fatalf("block %d: %s %q", i, b.Type, b.Text)
		}
		pages = append(pages, parts[1])
	}
	if len(pages) != 2 || !slices.Contains(pages, page) {
		t.Errorf("pages %q, want %s", pages, page)
	}
	for _, a := range card.Actions {
		if a.Type != "Action.OpenUrl" || runLinks[a.Title] != a.URL {
			t.Errorf("action %+v", a)
		}
	}
	if len(card.Actions) != len(runLinks) || strings.Contains(string(body), "/var/lib") {
		t.Errorf("%d actions: %s", len(card.Actions), body)
	}
	save(t, "links-teams.json", string(body))
}

// TestFoot: without a base URL, a chat says where the files are, in one line.
func TestFoot(t *testing.T) {
	p := parcelOf(t, blocked)
	const want = "robots-audit · schedule shops · run 20261123T060000Z · Files in /var/lib/robots-audit: runs/20261123T060000Z/index.html · message "
	p.message.Place(alert.Home{Folder: "/var/lib/robots-audit"})
	if got := foot(p); got != want+p.id {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestJSONLinks: the links of a JSON body are paths, or URLs with a base URL.
func TestJSONLinks(t *testing.T) {
	for base, want := range map[string]string{"": "runs/20261123T060000Z/index.html", linkBase: runLinks["Page of the run"]} {
		store := newTable(plan(t, []Channel{&File{Route: Route{Name: "file 1"}}}, began, blocked)...)
		file := &File{Route: Route{Name: "file 1"}, Path: filepath.Join(t.TempDir(), "alerts.jsonl")}
		_, _, err := Send(t.Context(), store, []Channel{file}, alert.Home{Base: base}, func() time.Time { return began })
		noError(t, err)
		text, err := os.ReadFile(file.Path)
		noError(t, err)
		var m alert.Message
		noError(t, json.Unmarshal(text, &m))
		if m.Links.Page != want || m.Events[0].Links.Workbook != base+"runs/20261123T060000Z/"+blocked.Site+".xlsx" {
			t.Errorf("links %+v, %+v, want %s", m.Links, m.Events[0].Links, want)
		}
	}
}
