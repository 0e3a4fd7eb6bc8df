package alert

import (
	"strings"

	"robots-audit/engine/wording"
)

// Start is the beginning of the monitoring of sites: those without an earlier run, or without one since
// they were removed.
type Start struct {
	Sites  int            `json:"sites"`
	Names  []string       `json:"names"`      // the first, at most MaxIDs
	Alerts map[string]int `json:"alerts"`     // number of these sites by their most severe alert, "critical" …; without sites that have none
	Brief  bool           `json:"not_listed"` // the message does not list these alerts
}

// startOf counts sites and their alerts, which are sorted.
func startOf(c *Context, events []Event) *Start {
	if len(c.Started) == 0 {
		return nil
	}
	s := &Start{Sites: len(c.Started), Names: c.Started[:min(len(c.Started), MaxIDs)], Alerts: map[string]int{}, Brief: c.Brief}
	started := c.started()
	seen := map[string]bool{}
	for i := range events {
		if e := &events[i]; e.Kind != Ended && started[e.Site] && !seen[e.Site] {
			seen[e.Site] = true
			s.Alerts[string(e.Severity)]++
		}
	}
	return s
}

// started is the set of the sites whose monitoring starts.
func (c *Context) started() map[string]bool {
	set := map[string]bool{}
	for _, name := range c.Started {
		set[show(name, len(name))] = true
	}
	return set
}

// what says whose monitoring starts.
func (s *Start) what() string {
	if s.Sites == 1 {
		return "Monitoring of " + s.Names[0] + " started"
	}
	return "Monitoring of " + wording.Plural(s.Sites, "site") + " started"
}

// sentence says whose monitoring starts, and where something is already wrong.
func (s *Start) sentence() string {
	var list []string
	n := 0
	for _, severity := range Severities {
		if of := s.Alerts[string(severity)]; of > 0 {
			n += of
			list = append(list, severity.Word()+" at "+wording.Thousands(of))
		}
	}
	text := s.what() + ". "
	switch {
	case n == 0:
		return text + "There is no alert."
	case s.Sites == 1:
		text += "There are alerts already."
	default:
		text += wording.Plural(n, "site") + wording.Verb(n, " has", " have") + " alerts already: " + strings.Join(list, ", ") + "."
	}
	if s.Brief {
		text += " They are open from now on, and not listed here."
	}
	return text
}

// onlyStarts reports whether a message has no news of sites that were monitored before.
func (m *Message) onlyStarts() bool {
	if m.Start == nil {
		return false
	}
	for i := range m.Events {
		if !m.Events[i].Initial {
			return false
		}
	}
	return true
}

// startHeadline is the headline of a message about the start of monitoring alone.
func (m *Message) startHeadline() string {
	s := m.Start
	if s.Sites == 1 && len(m.Lines) > 0 {
		return s.what() + ": " + conditionOf(m.Lines[0].Condition).short
	}
	n, worst := 0, ""
	for _, severity := range Severities {
		of := s.Alerts[string(severity)]
		if n += of; of > 0 && worst == "" {
			worst = " (" + severity.Word() + ": " + wording.Thousands(of) + ")"
		}
	}
	if n == 0 {
		return s.what() + ", without alerts"
	}
	return s.what() + ": " + wording.Thousands(n) + " with alerts" + worst
}
