package delivery

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/watch/alert"
	"robots-audit/engine/wording"
)

// paragraph is a part of a message in a chat.
type paragraph struct {
	label   string // severity, or "Resolved"; "" = none
	colour  string // for Teams, by the severity
	text    string
	details []string
	ids     string // of the alerts, to acknowledge or accept them; "" = none
	page    string // URL of the page of its site; "" = none
}

// paragraphs returns the text after the subject in a chat: each line of the message, and earlier
// undelivered messages.
func paragraphs(m alert.Message) []paragraph {
	var list []paragraph
	if m.Start != nil || m.Period != nil {
		list = append(list, paragraph{text: m.Summary()})
	}
	if m.Test {
		list = append(list, paragraph{text: alert.TestNote})
	}
	for _, l := range m.Lines {
		colour := string(l.Severity)
		if l.Kind == alert.Ended {
			colour = string(alert.Ended)
		}
		var beneath []string
		if l.Next != "" {
			beneath = append(beneath, "What to do: "+l.Next)
		}
		beneath = append(beneath, l.Details...)
		for _, a := range l.Also {
			beneath = append(beneath, "Also: "+a)
		}
		list = append(list, paragraph{l.Label(), teamsColor[colour], l.Text, beneath, l.IDs(), m.Page(l)})
	}
	for _, text := range slices.Concat(m.Still(), m.Undelivered) {
		list = append(list, paragraph{text: text})
	}
	return list
}

// leftOut says how many paragraphs did not fit; "" = none.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("… and %s more: see the mail or the page of the run.", wording.Thousands(n))
}

// foot names the source of a message.
func foot(p parcel) string {
	parts := []string{"robots-audit"}
	if p.message.Schedule != "" {
		parts = append(parts, "schedule "+p.message.Schedule)
	}
	if p.message.Run != "" {
		parts = append(parts, "run "+p.message.Run)
	}
	if folder, files := p.message.Files(); files != "" {
		parts = append(parts, folder+": "+files)
	}
	return strings.Join(append(parts, "message "+p.id), " · ")
}

// pageOfSite is the text of a link to the page of a site. It has no text of the site, which could be markup.
const pageOfSite = "Page of the site"
