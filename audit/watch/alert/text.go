package alert

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// maxSubject bounds the subject of a mail, in characters.
const maxSubject = 120

// Subject is the message in one line of at most 120 characters, without any that a mail's
// header may not have.
func (m Message) Subject() string {
	text := escape.Printable(strings.ReplaceAll(m.headline(), "\t", " "))
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
	if len(m.Lines) == 0 {
		return wording.Plural(len(m.Undelivered), "earlier message") + " could not be delivered"
	}
	first := m.sections()[0]
	further := ""
	if n := m.Sites - first.Sites; n > 0 {
		further = wording.Plural(n, "further site")
	}
	if l := &first.Lines[0]; len(first.Lines) == 1 {
		if further != "" {
			further = " and " + further
		}
		return l.label() + further + ": " + strings.TrimSuffix(l.Text, ".")
	}
	var names []string
	for _, l := range first.Lines {
		names = append(names, l.Names...)
	}
	names = names[:min(len(names), named)]
	if n := first.Sites - len(names); n > 0 {
		names = append(names, wording.Thousands(n)+" more")
	}
	head := wording.Plural(first.Sites, first.Name+" site")
	if first.Name == string(Ended) {
		head = "Ended at " + wording.Plural(first.Sites, "site")
	}
	if further != "" {
		head += " and " + strings.TrimSuffix(strings.TrimSuffix(further, " sites"), " site")
	}
	return head + ": " + wording.And(names)
}

// label is what a line begins with: "Critical", "Ended".
func (l *Line) label() string { return upper(l.name()) }

func (l *Line) name() string {
	if l.Kind == Ended {
		return string(Ended)
	}
	return string(l.Severity)
}

// clock is when the run was started.
func (m *Message) clock() string {
	return m.At.Format("2 Jan 2006 15:04 ") + cmp.Or(show(m.Zone, 20), m.At.Format("MST"))
}

// Summary says in a sentence what the message is about: of how many sites there is news,
// and when it was found. "" = there is no news.
func (m Message) Summary() string {
	var counts []string
	var parts []string
	for _, s := range m.sections() {
		if s.Name != string(Ended) {
			counts = append(counts, wording.Thousands(s.Sites)+" "+s.Name)
		}
	}
	if counts != nil {
		parts = append(parts, wording.And(counts))
	}
	if n := m.SitesBy[string(Ended)]; n > 0 {
		parts = append(parts, "alerts have ended at "+wording.Thousands(n))
	}
	if parts == nil {
		return ""
	}
	how := ""
	if m.Links.Comparison != "" {
		how = " by comparing with the run before"
	}
	return sentence("News of " + wording.Plural(m.Sites, "site") + ", found on " + m.clock() + how + ": " + strings.Join(parts, "; "))
}

// Text is the message as plain text, lines ended by "\n".
func (m Message) Text() string {
	var b strings.Builder
	if text := m.Summary(); text != "" {
		b.WriteString(text + "\n\n")
	}
	for _, s := range m.sections() {
		fmt.Fprintf(&b, "%s\n\n", strings.ToUpper(s.Title))
		for _, l := range s.Lines {
			fmt.Fprintf(&b, "* %s\n", l.Text)
			if l.Next != "" {
				fmt.Fprintf(&b, "  What to do first: %s\n", l.Next)
			}
			for _, d := range l.Details {
				fmt.Fprintf(&b, "  - %s\n", d)
			}
			for _, a := range l.Also {
				fmt.Fprintf(&b, "  - Also: %s\n", a)
			}
			for _, r := range l.Report() {
				fmt.Fprintf(&b, "  %s: %s\n", r[0], r[1])
			}
			fmt.Fprintf(&b, "  %s\n\n", l.IDs())
		}
	}
	if m.LinesMore > 0 {
		fmt.Fprintf(&b, "And %s more: see the run's page.\n\n", wording.Thousands(m.LinesMore))
	}
	if len(m.Undelivered) > 0 {
		b.WriteString("NOT DELIVERED BEFORE\n\n")
		for _, text := range m.Undelivered {
			fmt.Fprintf(&b, "* %s\n", text)
		}
		b.WriteString("\n")
	}
	for _, f := range m.Footer() {
		fmt.Fprintf(&b, "%s: %s\n", f[0], f[1])
	}
	return b.String()
}

// section is a part of a message.
type section struct {
	Title string
	Name  string // "critical", "ended": of the style
	Lines []Line
	Sites int // also of lines that are left out
}

// sections are the lines of a message by what they are.
func (m *Message) sections() (list []section) {
	for _, l := range m.Lines {
		if n := len(list); n == 0 || list[n-1].Title != l.label() {
			list = append(list, section{Title: l.label(), Name: l.name(), Sites: m.SitesBy[l.name()]})
		}
		s := &list[len(list)-1]
		s.Lines = append(s.Lines, l)
	}
	return list
}

// Report says where more is to be read of a line's site: names and paths.
func (l Line) Report() (list [][2]string) {
	if l.Links.Page != "" {
		list = append(list, [2]string{"The site's page", show(l.Links.Page, 300)})
	}
	return list
}

// IDs name the alerts of a line.
func (l Line) IDs() string {
	text := l.Condition + ", alert " + strings.Join(l.Alerts, ", ")
	if l.Kind == Ended {
		text = ended + ", the end of " + text
	}
	if more := l.Sites - len(l.Alerts); more > 0 {
		text += " and " + wording.Thousands(more) + " more"
	}
	return text
}

// Footer is what a message says of its run, and what can be done: names and values.
func (m Message) Footer() (list [][2]string) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	add("Schedule", show(m.Schedule, 100))
	add("Run", m.Run+", started "+m.clock())
	add("Comparison (what has changed)", show(m.Links.Comparison, 300))
	add("All sites", show(m.Links.Page, 300))
	add("As a workbook", show(m.Links.Workbook, 300))
	if m.Links != (Links{}) {
		add("These files lie below the folder of the history", "[history] dir")
	}
	for _, l := range m.Lines {
		if l.Kind != Ended && l.Severity != compare.Info {
			add("Known already? To hear no more of an alert until a day", "robots-audit schedule -config FILE -ack "+l.Alerts[0]+" -until DATE -note TEXT")
			break
		}
	}
	for _, l := range m.Lines {
		if l.Kind != Ended && Acceptable(l.Condition) {
			add("As it should be? To end an alert", "robots-audit schedule -config FILE -accept "+l.Alerts[0]+" -note TEXT")
			break
		}
	}
	add("Message", m.ID)
	return list
}
