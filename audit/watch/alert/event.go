package alert

import (
	"time"

	"robots-audit/audit/compare"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events.
const (
	Raised Kind = "raised"
	Worse  Kind = "worse"
	Ended  Kind = "ended" // AL14
)

// Event is one report about one alert. Its texts have no hidden or misleading characters, because
// quotes from sites are escaped.
type Event struct {
	Kind      Kind             `json:"event"`
	Alert     string           `json:"id"`             // ID of the alert, for acknowledging it
	Condition string           `json:"condition"`      // of the alert; also where it has ended
	Severity  compare.Severity `json:"severity"`       // "info" if it has ended
	Was       compare.Severity `json:"alert_severity"` // of the alert, as last reported
	Site      string           `json:"site"`
	Since     time.Time        `json:"since"` // UTC: start of the run that raised it
	Run       string           `json:"run"`   // ID of the reported run
	Ended     *time.Time       `json:"ended,omitempty"`
	Length    string           `json:"length,omitempty"`  // if it has ended: "3 h 12 min"
	Text      string           `json:"text"`              // one sentence, with the name of the site
	Details   []string         `json:"details"`           // further sentences: who, which line, before and after
	Next      string           `json:"next,omitempty"`    // the first thing to do, a sentence
	Initial   bool             `json:"initial,omitempty"` // it was already so in the site's first run
	Follows   bool             `json:"follows,omitempty"` // it is only the consequence of a more severe event of the same site and run
	Counts    URLCounts        `json:"url_counts"`
	Links     Links            `json:"links"`
	Cause     string           `json:"cause"` // the text without the site and its URLs: equal for sites with the same event
}

// URLCounts are counts of known URLs, which are pages.
type URLCounts struct {
	Concerned    int64 `json:"concerned"` // URLs affected by the alerts; 0 = the alert is not about URLs
	Known        int64 `json:"known"`     // to the run
	Blocked      int64 `json:"blocked"`   // for at least one crawler
	NewlyBlocked int64 `json:"newly_blocked"`
	NewlyAllowed int64 `json:"newly_allowed"`
}

// Links are paths below the history's folder, with slashes. In a message that is sent, they are URLs if the
// configuration has a base_url. "" = no such file.
type Links struct {
	Page       string `json:"page,omitempty"`       // of the site; of a message: of the run
	Workbook   string `json:"workbook,omitempty"`   // of the site; of a message: the run's summary
	Comparison string `json:"comparison,omitempty"` // page with the changes since the previous run
}
