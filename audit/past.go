package audit

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// wirePast is the form of Past in a site's first record. A map may have a hundred thousand URLs.
// URLs blocked since the same run by the same line share an entry, so that each needs only its id.
// Rules that came with the same run also share one, since most came with the first. Listed is not
// included: each URL has a flag of its own.
type wirePast struct {
	Begins  time.Time   `json:"begins,omitzero"`
	Points  []Point     `json:"points,omitempty"`
	Rules   []wireRules `json:"rules,omitempty"`
	Blocked []wireSince `json:"blocked,omitempty"`
	Notes   []wireNote  `json:"notes,omitempty"`
}

type wireRules struct {
	RulePast
	Rules []string `json:"rules"` // ids
}

type wireSince struct {
	Since
	Crawler string   `json:"crawler"`
	URLs    []string `json:"urls"` // ids
}

type wireNote struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Text string `json:"text"`
}

// MarshalJSON writes all fields except Listed. The same Past gives the same bytes.
func (p *Past) MarshalJSON() ([]byte, error) {
	wire := wirePast{Begins: p.Begins, Points: p.Points}
	rules := slices.SortedFunc(maps.Keys(p.Rules), func(a, b string) int {
		r, s := p.Rules[a], p.Rules[b]
		return cmp.Or(r.Since.Compare(s.Since), r.First.Compare(s.First), cmp.Compare(a, b))
	})
	for _, id := range rules {
		past := p.Rules[id]
		if n := len(wire.Rules); n == 0 || wire.Rules[n-1].RulePast != past {
			wire.Rules = append(wire.Rules, wireRules{RulePast: past})
		}
		last := &wire.Rules[len(wire.Rules)-1]
		last.Rules = append(last.Rules, id)
	}
	keys := slices.SortedFunc(maps.Keys(p.Blocked), func(a, b BlockedKey) int {
		s, t := p.Blocked[a], p.Blocked[b]
		return cmp.Or(cmp.Compare(a.Crawler, b.Crawler), s.Run.Compare(t.Run), cmp.Compare(s.Line, t.Line), cmp.Compare(s.Rule, t.Rule), cmp.Compare(s.SHA256, t.SHA256), cmp.Compare(a.URLID, b.URLID))
	})
	for _, key := range keys {
		since := p.Blocked[key]
		if n := len(wire.Blocked); n == 0 || wire.Blocked[n-1].Crawler != key.Crawler || wire.Blocked[n-1].Since != since {
			wire.Blocked = append(wire.Blocked, wireSince{Since: since, Crawler: key.Crawler})
		}
		last := &wire.Blocked[len(wire.Blocked)-1]
		last.URLs = append(last.URLs, key.URLID)
	}
	for _, key := range slices.SortedFunc(maps.Keys(p.Notes), NoteKey.Compare) {
		wire.Notes = append(wire.Notes, wireNote{key.Kind, key.ID, p.Notes[key]})
	}
	return json.Marshal(wire)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (p *Past) UnmarshalJSON(text []byte) error {
	var wire wirePast
	if err := json.Unmarshal(text, &wire); err != nil {
		return err
	}
	*p = Past{Begins: wire.Begins, Points: wire.Points}
	for _, of := range wire.Rules {
		if p.Rules == nil {
			p.Rules = map[string]RulePast{}
		}
		for _, id := range of.Rules {
			p.Rules[id] = of.RulePast
		}
	}
	for _, since := range wire.Blocked {
		if p.Blocked == nil {
			p.Blocked = map[BlockedKey]Since{}
		}
		for _, id := range since.URLs {
			p.Blocked[BlockedKey{id, since.Crawler}] = since.Since
		}
	}
	for _, note := range wire.Notes {
		if p.Notes == nil {
			p.Notes = map[NoteKey]string{}
		}
		p.Notes[NoteKey{note.Kind, note.ID}] = note.Text
	}
	return nil
}

// Compare orders keys by kind and id.
func (k NoteKey) Compare(other NoteKey) int {
	return cmp.Or(cmp.Compare(k.Kind, other.Kind), cmp.Compare(k.ID, other.ID))
}

// Past has the results of earlier runs of the same schedule for a site. nil = no history: the
// reports have no column, sheet or chart about it.
type Past struct {
	Begins  time.Time             // start of the first run of this site; zero = this run is the first
	Points  []Point               // earlier runs of the site, oldest first, at most MaxPoints
	Rules   map[string]RulePast   // by rule_id: rules in the file of the previous run
	Blocked map[BlockedKey]Since  // URLs of the important list that were blocked in the previous run
	Notes   map[NoteKey]string    // owner notes
	Listed  func(url string) bool // whether a URL is in the important list, which records its date; nil = there is no list
}

// MaxPoints bounds the runs that a timeline shows.
const MaxPoints = 1000

// Point is one earlier run of a site, on its timeline.
type Point struct {
	Started time.Time        `json:"started"`
	Answer  string           `json:"answer"`            // class of the answer for robots.txt: see the constants of package history
	Status  int              `json:"status,omitempty"`  // 0 = no answer
	SHA256  string           `json:"sha256,omitempty"`  // of robots.txt; "" = there was no file
	Known   int64            `json:"known"`             // known URLs
	Blocked map[string]int64 `json:"blocked,omitempty"` // blocked ones of Known, by a crawler's label; do not change it, because points share it
}

// RulePast says since when a rule exists.
type RulePast struct {
	First time.Time `json:"first"` // start of the first run with the rule
	Since time.Time `json:"since"` // start of the run since which every run has it
}

// BlockedKey names a blocked URL for a crawler.
type BlockedKey struct {
	URLID   string
	Crawler string // its label
}

// Since says since when a URL is blocked.
type Since struct {
	Run    time.Time `json:"run"`              // start of the first run that found it blocked
	SHA256 string    `json:"sha256,omitempty"` // of the robots.txt of that run; "" = there was none
	Rule   string    `json:"rule,omitempty"`   // the rule that decided then: "disallow: /a"; "" = none
	Line   int       `json:"line,omitempty"`
}

// NoteKey names the row that an owner note belongs to.
type NoteKey struct {
	Kind string // "url", "rule"
	ID   string // url_id, rule_id
}
