package delivery

import (
	"strings"
	"unicode/utf8"

	"robots-audit/audit/watch/alert"
)

// The limits of Slack's messages (docs.slack.dev/reference/block-kit).
const (
	slackBlocks = 50
	slackText   = 3000 // characters of a text object
	slackHeader = 150
	slackIDs    = 300 // of a text object, reserved for the ids of its alerts
)

type slackMessage struct {
	Text        string       `json:"text"` // text of notifications
	Blocks      []slackBlock `json:"blocks"`
	UnfurlLinks bool         `json:"unfurl_links"` // false: no previews of links in a site's text
	UnfurlMedia bool         `json:"unfurl_media"`
}

type slackBlock struct {
	Type     string       `json:"type"`
	Text     *slackObject `json:"text,omitempty"`
	Fields   []any        `json:"fields,omitempty"` // links below the text
	Elements []any        `json:"elements,omitempty"`
}

type slackObject struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji bool   `json:"emoji"` // false: ":name:" does not become a picture
}

// slackLinks is a text object of links, with markup.
type slackLinks struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Verbatim bool   `json:"verbatim"` // true: only the markup of links
}

// slackBody is a message for an incoming webhook of Slack: a header, a section for each paragraph,
// and a line of context. All texts are of type plain_text, without markup. So "/*?sort=*" does not
// become bold and "<!here>" notifies no one. Links need markup: they are text objects of their own, with no
// text of a site.
func slackBody(p parcel) ([]byte, error) {
	subject := p.message.Subject()
	m := slackMessage{Text: slackEscape(subject, slackText)}
	m.Blocks = append(m.Blocks, slackBlock{Type: "header", Text: plainText(subject, slackHeader)})
	list := paragraphs(p.message)
	room := slackBlocks - 3 // for header, number of omitted paragraphs, and context
	for _, g := range list[:min(room, len(list))] {
		lines := []string{g.text}
		if g.label != "" {
			lines[0] = "[" + g.label + "] " + g.text
		}
		for _, d := range g.details {
			lines = append(lines, "• "+d)
		}
		text := plainText(strings.Join(lines, "\n"), slackText-slackIDs)
		if g.ids != "" {
			text.Text += "\n" + slackEscape(g.ids, slackIDs-1)
		}
		section := slackBlock{Type: "section", Text: text}
		if g.page != "" {
			section.Fields = []any{linked(alert.Fact{Name: pageOfSite, URL: g.page})}
		}
		m.Blocks = append(m.Blocks, section)
	}
	if text := leftOut(len(list) - min(room, len(list)) + p.message.LinesMore); text != "" {
		m.Blocks = append(m.Blocks, slackBlock{Type: "section", Text: plainText(text, slackText)})
	}
	context := []any{plainText(foot(p), slackText)}
	if links := p.message.RunLinks(); len(links) > 0 {
		context = append(context, linked(links...))
	}
	m.Blocks = append(m.Blocks, slackBlock{Type: "context", Elements: context})
	return encode(m)
}

// linked is the text object of links.
func linked(links ...alert.Fact) slackLinks {
	var list []string
	for _, l := range links {
		list = append(list, "<"+slackEscape(l.URL, slackText)+"|"+l.Name+">")
	}
	return slackLinks{Type: "mrkdwn", Text: strings.Join(list, " · "), Verbatim: true}
}

func plainText(text string, limit int) *slackObject {
	if text == "" {
		text = "-" // Slack refuses a text object without text
	}
	return &slackObject{Type: "plain_text", Text: slackEscape(text, limit)}
}

// slackEscape escapes the three characters that delimit Slack's control sequences. It cuts the text
// to a number of characters, counting escapes in full.
func slackEscape(text string, limit int) string {
	var b strings.Builder
	count := 0
	for i, r := range text {
		piece := string(r)
		switch r {
		case '&':
			piece = "&amp;"
		case '<':
			piece = "&lt;"
		case '>':
			piece = "&gt;"
		}
		n := utf8.RuneCountInString(piece)
		if last := i+utf8.RuneLen(r) >= len(text); count+n > limit || count+n == limit && !last {
			return b.String() + "…"
		}
		b.WriteString(piece)
		count += n
	}
	return b.String()
}
