package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// MaxSentences is the maximum number of Sentences.
const MaxSentences = 3

// Sentences returns the first sentences of a site's reports: the lead, which is the same everywhere
// (audit.Done.Why), and additions to it.
func (s *Site) Sentences(d *audit.Done) (list []string) {
	list = append(list, strings.TrimSpace(d.Why+" "+s.givenWords()))
	if d.BlockedAny > 0 {
		words := "A blocked URL can still be indexed."
		if more := s.beyondLead(d); more != "" {
			words = more + ". " + words
		}
		if d.Clicks > 0 {
			words += fmt.Sprintf(" The blocked URLs have %s of %s.", wording.Thousands(d.BlockedClicks), wording.Plural(d.Clicks, "click"))
		}
		if h, of := s.LeadHits(d); h.All > 0 {
			words += fmt.Sprintf(" %s of %s by %s %s for blocked URLs.", wording.Thousands(h.Blocked), wording.Plural(h.All, "request"), of, wording.Verb(h.Blocked, "was", "were"))
		}
		list = append(list, words)
	}
	if d.Unknown > 0 {
		words := unclearWords(d.Unknown)
		list = append(list, strings.ToUpper(words[:1])+words[1:]+".")
	}
	return list
}

// givenWords lists the robots.txt that were not requested, because files of -robots replace them;
// "" = all were requested.
func (s *Site) givenWords() string {
	own, others := "", 0
	for r := range s.Files {
		switch {
		case !r.File.Given:
		case r.Index == 0:
			own = "robots.txt was not fetched; your draft was used instead (" + checksum(r) + ")."
		default:
			others++
		}
	}
	if others > 0 {
		own += fmt.Sprintf(" Your drafts also replaced the robots.txt of %s.", wording.Plural(others, "other host"))
	}
	return strings.TrimSpace(own)
}

// checksum identifies a file by the beginning of its checksum.
func checksum(r *audit.Robots) string {
	return "sha256 " + r.File.SHA256[:min(16, len(r.File.SHA256))] + "…"
}

// leadCounts reports whether the lead says that n URLs are blocked for a crawler.
func leadCounts(d *audit.Done, label string, n int64) bool {
	count := wording.Thousands(n)
	return strings.Contains(d.Why, label) && (n == d.URLs || strings.Contains(d.Why, count+" of ") || strings.Contains(d.Why, count+" for "))
}

// StateName is the word for a site's state, for people.
func StateName(s audit.State) string {
	switch s {
	case audit.OK:
		return "OK"
	case audit.Warn:
		return "Warning"
	case audit.Critical:
		return "Critical"
	}
	return "Unknown"
}

// beyondLead says how many URLs are blocked for each crawler that the lead does not name, the first
// few by name: "Also blocked: GPTBot (45)"; "" = the lead names them all.
func (s *Site) beyondLead(d *audit.Done) string {
	const most = 5
	var parts []string
	more, begin := 0, "Blocked: "
	for i, c := range s.Crawlers {
		n := BlockedFor(d, i)
		switch {
		case n == 0:
		case leadCounts(d, c.Label, n):
			begin = "Also blocked: "
		case len(parts) == most:
			more++
		default:
			parts = append(parts, fmt.Sprintf("%s (%s)", c.Label, wording.Thousands(n)))
		}
	}
	if more > 0 {
		parts = append(parts, wording.Plural(more, "further crawler"))
	}
	if parts == nil {
		return ""
	}
	return begin + strings.Join(parts, ", ")
}

// anyOf names the crawlers, only the first few of many.
func (s *Site) anyOf() string {
	var names []string
	for _, c := range s.Crawlers {
		names = append(names, c.Label)
	}
	if len(names) > 6 {
		return strings.Join(names[:5], ", ") + " and " + wording.Thousands(len(names)-5) + " more crawlers"
	}
	return strings.Join(names, ", ")
}
