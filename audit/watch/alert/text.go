package alert

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// maxSubject bounds the subject of a mail, in characters.
const maxSubject = 70

// Subject is the message in one line of at most 70 characters, all of them valid in a mail header.
func (m Message) Subject() string {
	text := escape.Printable(strings.ReplaceAll(m.headline(), "\t", " "))
	if m.Test {
		text = "Test: " + text
	}
	if utf8.RuneCountInString(text) > maxSubject {
		text = string([]rune(text)[:maxSubject-1])
		if n := strings.LastIndexByte(text, ' '); n > len(text)/2 { // between two words
			text = text[:n]
		}
		text = strings.TrimRight(text, " .,:;") + "…"
	}
	return text
}

// headline names the sites of the most severe line, and counts the others.
func (m *Message) headline() string {
	switch {
	case m.onlyStarts():
		return m.startHeadline()
	case m.Period != nil && m.Period.Kind == KindSummary:
		return m.Period.headline()
	}
	if len(m.Lines) == 0 {
		return wording.Plural(len(m.Undelivered), "earlier message") + " could not be sent"
	}
	first := m.sections()[0]
	further := ""
	if n := m.Sites - first.Sites; n > 0 {
		further = " (+" + wording.Plural(n, "site") + ")"
	}
	if l := &first.Lines[0]; len(first.Lines) == 1 {
		return l.Label() + ": " + l.subject() + further
	}
	var names []string
	for _, l := range first.Lines {
		names = append(names, l.Names...)
	}
	names = names[:min(len(names), named)]
	if n := first.Sites - len(names); n > 0 {
		names = append(names, wording.Thousands(n)+" more")
	}
	return first.Title + " at " + wording.Plural(first.Sites, "site") + further + ": " + wording.And(names)
}

// Label is the beginning of a line: "Critical", "Resolved".
func (l *Line) Label() string {
	if l.Kind == Ended {
		return "Resolved"
	}
	return upper(l.Severity.Word())
}

// subject says briefly what happened, and where.
func (l *Line) subject() string {
	c := conditionOf(l.Condition)
	what := c.short
	if l.Kind == Ended {
		what = c.over
	}
	if l.Sites > 1 {
		return wording.Plural(l.Sites, "site") + ": " + what
	}
	return l.Names[0] + ": " + what
}

func (l *Line) name() string {
	if l.Kind == Ended {
		return string(Ended)
	}
	return string(l.Severity)
}

// clock is the start of the run.
func (m *Message) clock() string { return m.clockOf(m.At) }

// clockOf is a time in the zone of the message.
func (m *Message) clockOf(t time.Time) string {
	return t.In(m.At.Location()).Format("2 Jan 2006 15:04 ") + cmp.Or(show(m.Zone, 20), m.At.Format("MST"))
}

// Summary says in a sentence how many sites have news, and when it was found. "" = no news.
func (m Message) Summary() string {
	var parts []string
	for _, s := range m.sections() {
		parts = append(parts, strings.ToLower(s.Title)+" at "+wording.Thousands(s.Sites))
	}
	text := ""
	switch {
	case m.onlyStarts():
		text = m.Start.sentence()
	case m.Period != nil && parts == nil:
		return m.Period.sentence(&m)
	case parts == nil:
		return ""
	default:
		text = "Alerts for " + wording.Plural(m.Sites, "site") + ": " + strings.Join(parts, ", ") + "."
		if m.Start != nil {
			text = m.Start.sentence() + " " + text
		}
	}
	if m.Period != nil {
		return text + " " + m.Period.sentence(&m)
	}
	return text + " Run of " + m.clock() + "."
}

// Text is the message as plain text, with lines ended by "\n".
func (m Message) Text() string {
	var b strings.Builder
	if m.Test {
		b.WriteString(TestNote + "\n\n")
	}
	if text := m.Summary(); text != "" && !m.Single() {
		b.WriteString(text + "\n\n")
	}
	for _, s := range m.sections() {
		if !m.Single() {
			fmt.Fprintf(&b, "%s\n\n", strings.ToUpper(s.Title))
		}
		for _, l := range s.Lines {
			if m.Single() {
				fmt.Fprintf(&b, "%s: %s\n\n", s.Title, l.Text)
			} else {
				fmt.Fprintf(&b, "* %s\n", l.Text)
			}
			if l.Next != "" {
				fmt.Fprintf(&b, "  What to do: %s\n", l.Next)
			}
			for _, d := range l.Short() {
				fmt.Fprintf(&b, "  - %s\n", d)
			}
			if page := m.Page(l); page != "" {
				fmt.Fprintf(&b, "  Page of the site: %s\n", page)
			}
			fmt.Fprintf(&b, "  %s\n\n", l.IDs())
		}
	}
	if m.LinesMore > 0 {
		fmt.Fprintf(&b, "%s more: see the page of the run.\n\n", wording.Thousands(m.LinesMore))
	}
	if open := m.Still(); open != nil {
		b.WriteString("OPEN ALERTS\n\n")
		for _, text := range open {
			fmt.Fprintf(&b, "* %s\n", text)
		}
		b.WriteString("\n")
	}
	if len(m.Undelivered) > 0 {
		b.WriteString("NOT SENT BEFORE\n\n")
		for _, text := range m.Undelivered {
			fmt.Fprintf(&b, "* %s\n", text)
		}
		b.WriteString("\n")
	}
	for _, f := range m.Footer() {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, cmp.Or(f.URL, f.Value))
	}
	return b.String()
}

// Single reports whether a message has only one line, which then comes first.
func (m Message) Single() bool {
	return len(m.Lines) == 1 && len(m.Undelivered) == 0 && m.Start == nil && m.Period == nil
}

// Still lists the open alerts of a summary; nil = it is none, or none is open.
func (m Message) Still() (list []string) {
	if m.Period == nil || m.Period.Kind != KindSummary || m.Period.Open == 0 {
		return nil
	}
	list = slices.Clone(m.Period.Still)
	if n := m.Period.More; n > 0 {
		list = append(list, wording.Plural(n, "more alert")+".")
	}
	return list
}

// mostShort bounds the details of a line, and the other alerts of its sites, in a mail.
const mostShort = 2

// Short returns the first details of a line and the first other alerts of its sites.
func (l Line) Short() (list []string) {
	list = slices.Clone(l.Details[:min(len(l.Details), mostShort)])
	for _, a := range l.Also[:min(len(l.Also), mostShort)] {
		list = append(list, "Also: "+a)
	}
	if n := len(l.Details) + len(l.Also) - len(list); n > 0 {
		page := "site"
		if l.Sites > 1 {
			page = "run"
		}
		list = append(list, wording.Plural(n, "more detail")+": see the page of the "+page+".")
	}
	return list
}

// section is a part of a message.
type section struct {
	Title string
	Name  string // "critical", "ended": name of the style
	Lines []Line
	Sites int // including those of omitted lines
}

// sections groups the lines of a message by label.
func (m *Message) sections() (list []section) {
	for _, l := range m.Lines {
		if n := len(list); n == 0 || list[n-1].Title != l.Label() {
			list = append(list, section{Title: l.Label(), Name: l.name(), Sites: m.SitesBy[l.name()]})
		}
		s := &list[len(list)-1]
		s.Lines = append(s.Lines, l)
	}
	return list
}

// Home is the place of a message's files, and of the configuration on the machine that sends it. It is not
// stored, because a folder may move before a message is sent.
type Home struct {
	Folder string // of the history, absolute; "" = not known
	Config string // path of the configuration, absolute; likewise
	Base   string // URL with a final slash where the history is shown: by the dashboard, or as published files; "" = nowhere
}

// url is the URL of a file of the history.
func (h *Home) url(link string) string {
	if link == "" {
		return ""
	}
	parts := strings.Split(link, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return h.Base + strings.Join(parts, "/")
}

// Place sets the place of the message's files. If they are shown somewhere, its links become URLs.
func (m *Message) Place(home Home) {
	m.Home = home
	if home.Base == "" {
		return
	}
	links := []*Links{&m.Links}
	for i := range m.Events {
		links = append(links, &m.Events[i].Links)
	}
	for i := range m.Lines {
		links = append(links, &m.Lines[i].Links)
	}
	for _, l := range links {
		l.Page, l.Workbook, l.Comparison = home.url(l.Page), home.url(l.Workbook), home.url(l.Comparison)
	}
}

// command is the command to type for an alert.
func (h *Home) command(flags string) string {
	config := cmp.Or(h.Config, "config.toml")
	if strings.ContainsAny(config, " '\"$") {
		config = strconv.Quote(config)
	}
	return "robots-audit schedule -config " + show(config, 300) + " " + flags
}

// Page is the URL of the page of a line's site; "" = it has none.
func (m Message) Page(l Line) string {
	if m.Home.Base == "" {
		return ""
	}
	return l.Links.Page
}

// Files names the folder and the files in it; "" = the message has links to them, or there are none.
func (m Message) Files() (folder, files string) {
	if m.Home.Base != "" {
		return "", ""
	}
	var list []string
	for _, link := range []string{m.page(), m.Links.Comparison} {
		if link != "" {
			list = append(list, show(link, 300))
		}
	}
	return "Files in " + cmp.Or(show(m.Home.Folder, 300), "the folder of the history"), strings.Join(list, ", ")
}

// page is the link to the page with all that the message reports: of its only site, or of the run.
func (m *Message) page() string {
	if m.Sites == 1 && len(m.Lines) > 0 && m.Lines[0].Links.Page != "" {
		return m.Lines[0].Links.Page
	}
	return m.Links.Page
}

// IDs lists the alerts of a line.
func (l Line) IDs() string {
	text := l.Condition + ", alert " + strings.Join(l.Alerts, ", ")
	if l.Kind == Ended {
		text = ended + ", resolves " + text
	}
	if more := l.Sites - len(l.Alerts); more > 0 {
		text += " and " + wording.Thousands(more) + " more"
	}
	return text
}

// Fact is one line of the end of a message.
type Fact struct{ Name, Value, URL string } // URL "" = it has a value, and no link

// Footer lists facts about the run and possible actions.
func (m Message) Footer() (list []Fact) {
	if m.Test { // its alert cannot be answered
		return []Fact{{Name: "Message", Value: m.ID}}
	}
	add := func(name, value string) {
		if value != "" {
			list = append(list, Fact{Name: name, Value: value})
		}
	}
	if m.Period == nil {
		add("Run", m.clock()+", schedule "+show(m.Schedule, 100))
	}
	list = append(list, m.RunLinks()...)
	add(m.Files())
	pause, accept := "To pause this alert for a week", "If this is intended, accept it"
	if len(m.Lines) > 1 {
		pause, accept = "To pause an alert for a week", "To accept what is intended"
	}
	for _, l := range m.Lines {
		if l.Kind != Ended && l.Severity != compare.Info {
			add(pause, m.Home.command("-ack "+l.Alerts[0]+" -until "+m.At.AddDate(0, 0, 7).Format(time.DateOnly)))
			break
		}
	}
	for _, l := range m.Lines {
		if l.Kind != Ended && Acceptable(l.Condition) {
			all := ""
			if len(l.Also) > 0 && !m.onlyStarts() { // the other alerts of the same change
				all = " -all"
			}
			add(accept, m.Home.command("-accept "+l.Alerts[0]+all))
			break
		}
	}
	add("Message", m.ID)
	return list
}

// RunLinks links to the changes and to the run's page, and to its workbook unless the message is about one
// site. A message about a period says that they are those of the newest run.
func (m Message) RunLinks() (list []Fact) {
	add := func(name, link string) {
		if link != "" && m.Home.Base != "" {
			list = append(list, Fact{Name: name, URL: link})
		}
	}
	changed, page := "What changed", "Page of the run"
	if m.Period != nil {
		changed, page = "What changed in the newest run", "Page of the newest run"
	}
	add(changed, m.Links.Comparison)
	add(page, m.Links.Page)
	if m.Sites != 1 {
		add("Workbook", m.Links.Workbook)
	}
	return list
}
