package alert

import (
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
		text = strings.TrimRight(string([]rune(text)[:maxSubject-1]), " ") + "…"
	}
	return text
}

// headline is the gravest of what a message tells, and how much more there is.
func (m *Message) headline() string {
	if len(m.Lines) == 0 {
		return wording.Plural(len(m.Undelivered), "earlier message") + " could not be delivered"
	}
	l := &m.Lines[0]
	head := l.label() + ": "
	if more := len(m.Lines) - 1 + m.LinesMore; more > 0 {
		head = l.label() + " and " + wording.Thousands(more) + " more: "
	}
	return head + strings.TrimSuffix(l.Text, ".")
}

// label is what a line begins with: "Critical", "Ended".
func (l *Line) label() string {
	if l.Kind == Ended {
		return "Ended"
	}
	return upper(string(l.Severity))
}

// clock is when the run was started.
func (m *Message) clock() string { return m.At.Format("2 Jan 2006 15:04 MST") }

// Text is the message as plain text, lines ended by "\n".
func (m Message) Text() string {
	var b strings.Builder
	for _, s := range m.sections() {
		fmt.Fprintf(&b, "%s\n\n", strings.ToUpper(s.Title))
		for _, l := range s.Lines {
			fmt.Fprintf(&b, "* %s\n", l.Text)
			for _, d := range l.Details {
				fmt.Fprintf(&b, "  - %s\n", d)
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
}

// sections are the lines of a message by what they are.
func (m *Message) sections() (list []section) {
	for _, l := range m.Lines {
		if n := len(list); n == 0 || list[n-1].Title != l.label() {
			list = append(list, section{Title: l.label(), Name: strings.ToLower(l.label())})
		}
		s := &list[len(list)-1]
		s.Lines = append(s.Lines, l)
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
	add("Page", show(m.Links.Page, 300))
	add("Workbook", show(m.Links.Workbook, 300))
	add("Comparison", show(m.Links.Comparison, 300))
	for _, l := range m.Lines {
		if l.Kind != Ended && l.Severity != compare.Info {
			add("To be told no more until a day", "robots-audit schedule -ack "+l.Alerts[0]+" -until DATE -note TEXT")
			break
		}
	}
	add("Message", m.ID)
	return list
}
