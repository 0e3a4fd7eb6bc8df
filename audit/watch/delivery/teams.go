package delivery

import (
	"strings"

	"robots-audit/engine/escape"
)

// teamsSize bounds a message to Teams in bytes. Teams accepts 28 KB (learn.microsoft.com: limits
// and specifications of Teams).
const teamsSize = 27_000

// teamsCut bounds one text of a message to Teams, in bytes.
const teamsCut = 4_000

type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	Content     teamsCard `json:"content"`
}

type teamsCard struct {
	Schema  string            `json:"$schema"`
	Type    string            `json:"type"`
	Version string            `json:"version"`
	Body    []teamsBlock      `json:"body"`
	Actions []teamsAction     `json:"actions,omitempty"`
	Teams   map[string]string `json:"msteams"`
}

// teamsBlock is a RichTextBlock with its runs, or a TextBlock with Markdown.
type teamsBlock struct {
	Type      string         `json:"type"`
	Inlines   []teamsTextRun `json:"inlines,omitempty"`
	Text      string         `json:"text,omitempty"`
	Separator bool           `json:"separator,omitempty"`
}

// teamsAction is a button that opens a URL.
type teamsAction struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

type teamsTextRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Weight string `json:"weight,omitempty"`
	Size   string `json:"size,omitempty"`
	Color  string `json:"color,omitempty"`
	Subtle bool   `json:"isSubtle,omitempty"`
}

// teamsColor is the color of a label.
var teamsColor = map[string]string{"critical": "Attention", "high": "Warning", "medium": "Accent", "ended": "Good"}

// teamsBody is an Adaptive Card for a Teams workflow that posts the content of a webhook. All texts
// are text runs, which have no Markdown. Links to sites are Markdown with no text of a site.
func teamsBody(p parcel) ([]byte, error) {
	list := paragraphs(p.message)
	for shown := len(list); ; shown-- {
		text, err := encode(teamsCardOf(p, list[:shown], leftOut(len(list)-shown+p.message.LinesMore)))
		if err != nil || len(text) <= teamsSize || shown == 0 {
			return text, err
		}
	}
}

func teamsCardOf(p parcel, list []paragraph, left string) teamsMessage {
	body := []teamsBlock{richText(teamsTextRun{Text: p.message.Subject(), Weight: "Bolder", Size: "Medium"})}
	for _, g := range list {
		var runs []teamsTextRun
		if g.label != "" {
			runs = append(runs, teamsTextRun{Text: g.label + ": ", Weight: "Bolder", Color: g.colour})
		}
		line := richText(append(runs, teamsTextRun{Text: g.text})...)
		line.Separator = true
		body = append(body, line)
		for _, d := range g.details {
			body = append(body, richText(teamsTextRun{Text: "• " + d}))
		}
		if g.ids != "" {
			body = append(body, richText(teamsTextRun{Text: g.ids, Subtle: true, Size: "Small"}))
		}
		if g.page != "" {
			body = append(body, teamsBlock{Type: "TextBlock", Text: "[" + pageOfSite + "](" + g.page + ")"})
		}
	}
	if left != "" {
		body = append(body, richText(teamsTextRun{Text: left}))
	}
	body = append(body, richText(teamsTextRun{Text: foot(p), Subtle: true, Size: "Small"}))
	var actions []teamsAction
	for _, l := range p.message.RunLinks() {
		actions = append(actions, teamsAction{Type: "Action.OpenUrl", Title: l.Name, URL: l.URL})
	}
	return teamsMessage{Type: "message", Attachments: []teamsAttachment{{
		ContentType: "application/vnd.microsoft.card.adaptive",
		Content: teamsCard{
			Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.4",
			Body: body, Actions: actions, Teams: map[string]string{"width": "Full"},
		},
	}}}
}

func richText(runs ...teamsTextRun) teamsBlock {
	for i := range runs {
		runs[i].Type = "TextRun"
		runs[i].Text = escape.Cut(strings.ReplaceAll(runs[i].Text, "{{", "{ {"), teamsCut) // Teams would evaluate {{DATE(…)}}
	}
	return teamsBlock{Type: "RichTextBlock", Inlines: runs}
}
