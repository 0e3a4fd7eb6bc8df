package alert

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
)

// Message is the report of one run to one channel, stored until it is delivered
// (history.Delivery.Message, in JSON). The fields above Events are those of the webhook's body. If
// a message has several events, they are those of the most severe one.
type Message struct {
	ID        string           `json:"id"` // stable: depends on the channel, the run and the events
	Condition string           `json:"condition"`
	Severity  compare.Severity `json:"severity"`
	Site      string           `json:"site"`
	Since     time.Time        `json:"since"`
	Run       string           `json:"run"`
	Lead      string           `json:"text"` // the lead sentences, one per line: at most MaxLines, the rest is counted
	Counts    URLCounts        `json:"url_counts"`
	Links     Links            `json:"links"` // of the run

	Schedule    string         `json:"schedule"`
	At          time.Time      `json:"at"`       // start of the run, in the schedule's time zone
	Zone        string         `json:"zone"`     // its short name, "CET", which a JSON time lacks
	Sites       int            `json:"sites"`    // number of sites with events
	SitesBy     map[string]int `json:"sites_by"` // by their most severe event: "critical" …; and "ended"
	Events      []Event        `json:"events"`   // most severe first, at most MaxEvents
	EventsMore  int            `json:"events_more,omitempty"`
	Lines       []Line         `json:"lines"` // the events, grouped by site, or for many sites with the same event; at most MaxLines
	LinesMore   int            `json:"lines_more,omitempty"`
	Attachments []string       `json:"attachments,omitempty"`        // workbooks of the sites, paths below the history's folder, most severe first, at most MaxAttachments
	Start       *Start         `json:"monitoring_started,omitempty"` // nil = the run has no site whose monitoring starts
	Period      *Period        `json:"period,omitempty"`             // nil = the message is about one run
	Undelivered []string       `json:"undelivered,omitempty"`        // earlier messages to this channel that were given up, a sentence each

	Test bool `json:"test,omitempty"` // it only shows that messages arrive; see Example

	Home Home `json:"-"`
}

// Bounds of a message.
const (
	MaxEvents      = 2000 // of a channel, in JSON
	MaxLines       = 50   // for people
	MaxAttachments = 20
	maxStartLines  = 20 // of MaxLines, if the monitoring of sites starts
)

// Context is the data about the run in a message.
type Context struct {
	Run      string
	Schedule string                  // its name
	At       time.Time               // start of the run, in the schedule's time zone
	Links    Links                   // of the run
	Site     func(site string) Links // for a site; nil = none
	Order    func(site string) int   // its position in the summaries of the run; nil = the sites have no order
	Started  []string                // sites whose monitoring starts
	Brief    bool                    // the message counts their alerts, and does not list them
	Period   *Period                 // nil = the message is about the run
}

// Digest puts all events of a run into one message. Filter makes a bounded one of it for a channel.
// false = there is nothing to report, and the message is only an input of Filter.
func Digest(c Context, events []Event) (Message, bool) {
	m := Message{Run: c.Run, Schedule: c.Schedule, At: c.At, Links: c.Links, Period: c.Period}
	events = slices.Clone(events)
	for i := range events {
		if e := &events[i]; c.Site != nil && e.Links == (Links{}) {
			e.Links = c.Site(e.Site)
		}
	}
	place := func(e *Event) int {
		if c.Order == nil {
			return 0
		}
		return c.Order(e.Site)
	}
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Or(compareKinds(&a, &b), cmp.Compare(place(&a), place(&b)), compareEvents(&a, &b))
	})
	if m.Start = startOf(&c, events); m.Start != nil && c.Brief {
		started := c.started()
		events = slices.DeleteFunc(events, func(e Event) bool { return e.Initial && started[e.Site] })
	}
	m.fill(events)
	return m, !m.Empty()
}

// compareKinds orders events: most severe first, ended ones last. Within a severity they are in the
// order of their sites in the summaries of the run: by state, blocked clicks, share and URLs.
func compareKinds(a, b *Event) int {
	if n := compareSeverities(a.Severity, b.Severity); n != 0 || (a.Kind == Ended) == (b.Kind == Ended) {
		return n
	}
	if b.Kind == Ended {
		return -1
	}
	return 1
}

// compareEvents orders otherwise equal events by the number of URLs, then by site, so that the
// order is stable.
func compareEvents(a, b *Event) int {
	return cmp.Or(
		cmp.Compare(b.Counts.Concerned, a.Counts.Concerned), strings.Compare(a.Site, b.Site),
		strings.Compare(a.Condition, b.Condition), strings.Compare(a.Alert, b.Alert),
	)
}

// fill sets the message's sorted events.
func (m *Message) fill(events []Event) {
	m.Condition, m.Severity, m.Site, m.Since, m.Counts = "", compare.Info, "", time.Time{}, URLCounts{}
	m.Lead, m.Sites, m.Events, m.Attachments, m.Lines = "", 0, []Event{}, nil, linesOf(events)
	if len(events) > 0 {
		worst := &events[0]
		m.Condition, m.Severity, m.Site, m.Since = worst.Condition, worst.Severity, worst.Site, worst.Since
	}
	seen := map[string]bool{}
	for i := range events {
		e := &events[i]
		m.Counts.Concerned += e.Counts.Concerned
		if seen[e.Site] {
			continue
		}
		seen[e.Site] = true
		m.Counts.Known += e.Counts.Known
		m.Counts.Blocked += e.Counts.Blocked
		m.Counts.NewlyBlocked += e.Counts.NewlyBlocked
		m.Counts.NewlyAllowed += e.Counts.NewlyAllowed
		if e.Links.Workbook != "" && len(m.Attachments) < MaxAttachments {
			m.Attachments = append(m.Attachments, e.Links.Workbook)
		}
	}
	m.Sites, m.SitesBy = len(seen), map[string]int{}
	for i := range m.Lines {
		m.SitesBy[m.Lines[i].name()] += m.Lines[i].Sites
	}
	m.Events = append(m.Events, events...)
	most := MaxLines
	if m.Start != nil {
		most = maxStartLines
	}
	if n := len(m.Lines) - most; n > 0 {
		m.Lines, m.LinesMore = m.Lines[:most], n
	} else {
		m.LinesMore = 0
	}
	var lead []string
	if m.Start != nil {
		lead = append(lead, m.Start.sentence())
	}
	if m.Period != nil {
		lead = append(lead, m.Period.sentence(m))
	}
	for i := range m.Lines {
		lead = append(lead, m.Lines[i].Text)
	}
	if m.LinesMore > 0 {
		lead = append(lead, wording.Thousands(m.LinesMore)+" more: see the page of the run.")
	}
	m.Lead = strings.Join(lead, "\n")
}

// Filter returns the message for a channel with severities from least on. The end of an alert
// counts with its last reported severity, so that receivers of the alert also get its end.
// undelivered are sentences about earlier messages to this channel that were given up, see GivenUp.
// false = there is nothing to report. The ID depends on channel, run and events: the same events
// have the same ID.
func (m Message) Filter(channel string, least compare.Severity, undelivered []string) (Message, bool) {
	var events []Event
	id := []string{channel, m.Run}
	if m.Start != nil {
		id = append(id, "start")
	}
	for _, e := range m.Events {
		if compareSeverities(e.Was, least) <= 0 {
			events = append(events, e)
			id = append(id, string(e.Kind)+" "+e.Alert)
		}
	}
	m.fill(events)
	if n := len(m.Events) - MaxEvents; n > 0 {
		m.Events, m.EventsMore = m.Events[:MaxEvents], n
	}
	m.Zone = cmp.Or(m.Zone, m.At.Format("MST"))
	m.ID = hash(append(id, undelivered...)...)
	if m.Period != nil {
		m.ID = m.Period.ID(channel)
	}
	m.Undelivered = slices.Clone(undelivered)
	if n := len(m.Undelivered) - maxUndelivered; n > 0 {
		m.Undelivered = append(m.Undelivered[:maxUndelivered], wording.Plural(n, "more message")+" could not be sent.")
	}
	return m, !m.Empty() || len(undelivered) > 0
}

// Empty reports whether a message has no news of its own.
func (m Message) Empty() bool {
	return len(m.Events) == 0 && m.Start == nil && (m.Period == nil || m.Period.Kind == KindDigest)
}

// maxUndelivered bounds the listed messages that were given up.
const maxUndelivered = 20

// GivenUp describes in one sentence a message that could not be delivered, for the next message to
// the same channel. "" = it had no event.
func (m Message) GivenUp(problem string) string {
	if m.Empty() {
		return ""
	}
	about := "message about the run"
	if m.Period != nil {
		about = m.Period.Kind
	}
	return sentence("The " + about + " of " + m.clock() + " could not be sent (" + show(problem, 200) + "). It said: " + m.headline())
}
