package alert

import (
	"time"

	"robots-audit/audit/compare"
)

// Message is what one run has to tell to one channel, as it is stored until it is
// delivered (history.Delivery.Message, in JSON). The fields above Events are those of
// the webhook's body; where a message tells of several events, they are those of the gravest.
type Message struct {
	ID        string           `json:"id"` // stable: of the channel, the run and what is told
	Condition string           `json:"condition"`
	Severity  compare.Severity `json:"severity"`
	Site      string           `json:"site"`
	Since     time.Time        `json:"since"`
	Run       string           `json:"run"`
	Lead      string           `json:"text"` // the lead sentences, a line each: at most MaxLines, the rest counted
	Counts    URLCounts        `json:"url_counts"`
	Links     Links            `json:"links"` // of the run

	Schedule    string    `json:"schedule"`
	At          time.Time `json:"at"`     // start of the run, in the schedule's time zone
	Sites       int       `json:"sites"`  // of which something is told
	Events      []Event   `json:"events"` // the gravest first, at most MaxEvents
	EventsMore  int       `json:"events_more,omitempty"`
	Lines       []Line    `json:"lines"`                 // the events, those of many sites to which the same happened put together
	Attachments []string  `json:"attachments,omitempty"` // workbooks of the sites, paths below the history's folder, the gravest first, at most MaxAttachments
	Undelivered []string  `json:"undelivered,omitempty"` // what earlier messages to this channel would have told, a sentence each
}

// Bounds of a message.
const (
	MaxEvents      = 10_000 // in JSON
	MaxLines       = 50     // that people read
	MaxAttachments = 20
)

// Line is one or several events that are told as one.
type Line struct {
	Kind     Kind             `json:"event"`
	Severity compare.Severity `json:"severity"`
	Sites    int              `json:"sites"`
	Text     string           `json:"text"`
	Details  []string         `json:"details,omitempty"`
}

// Context is what a message says of its run.
type Context struct {
	Run      string
	Schedule string                  // its name
	At       time.Time               // start of the run, in the schedule's time zone
	Links    Links                   // of the run
	Site     func(site string) Links // of a site; nil = there are none
}

// Digest puts the events of a run into one message to all channels; Filter makes that of
// a channel of it. false = there is nothing to tell.
func Digest(c Context, events []Event) (Message, bool) { return Message{}, false }

// Filter is the message to a channel that wants to know of severities from least on; the
// end of an alert is told to those who were told of the alert, so it goes by the alert's
// severity. undelivered are sentences on earlier messages to this channel that were given
// up (see GivenUp). false = there is nothing to tell. The ID of a message is that of its channel, run and events.
func (m Message) Filter(channel string, least compare.Severity, undelivered []string) (Message, bool) {
	return Message{}, false
}

// GivenUp says, in one sentence, what a message would have told that could not be
// delivered: for the next one to the same channel.
func (m Message) GivenUp(problem string) string { return "" }

// Subject is the message in one line of at most 120 characters, without any that a mail's
// header may not have.
func (m Message) Subject() string { return "" }

// Text is the message as plain text, lines ended by "\n".
func (m Message) Text() string { return "" }

// HTML is the message as a page without anything from elsewhere, for mail.
func (m Message) HTML() string { return "" }
