package changes

import (
	"time"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// Limits of a site in changes.json. The number of skipped entries is stored next to each list.
const (
	maxJSONSamples = 100
	maxJSONLines   = 1000 // of one robots.txt
	maxJSONChanges = 1000
	maxJSONOrigins = 100
	maxJSONNotes   = 100
	maxJSONText    = 2000 // bytes of a line, or of a change's subject
)

// SiteData is a site in changes.json. Lists are never null.
type SiteData struct {
	Domain      string                    `json:"domain"`
	Changed     bool                      `json:"changed"`
	Lead        string                    `json:"lead"`
	Old         *sideJSON                 `json:"old"` // null = that run does not have the site
	New         *sideJSON                 `json:"new"`
	Totals      compare.Totals            `json:"totals"`
	Robots      robotsJSON                `json:"robots"`            // of the site's own origin
	Origins     []originJSON              `json:"origins,omitempty"` // all others
	OriginsMore int                       `json:"origins_more,omitempty"`
	Flips       map[string]flipsJSON      `json:"flips"` // by crawler, only those with changed verdicts
	Causes      map[string]int64          `json:"causes"`
	Kinds       map[string]compare.Totals `json:"kinds,omitempty"` // images, videos, alternates: counted separately
	Changes     []compare.Change          `json:"changes"`
	ChangesMore int                       `json:"changes_more,omitempty"`
	Samples     []sampleJSON              `json:"samples"`
	SamplesMore int64                     `json:"samples_more,omitempty"` // changed URLs, or new and blocked URLs, that samples do not list
	Notes       []string                  `json:"notes,omitempty"`
}

type sideJSON struct {
	Started  *time.Time  `json:"started,omitempty"`
	Finished *time.Time  `json:"finished,omitempty"` // omitted if the run was cut short within the site
	State    audit.State `json:"state,omitempty"`
	URLs     int64       `json:"known_urls"`
	Blocked  int64       `json:"blocked_urls"`
}

type robotsJSON struct {
	Old      *answerJSON `json:"old"` // null = that side has no response
	New      *answerJSON `json:"new"`
	Diff     []lineJSON  `json:"diff"`
	DiffMore int         `json:"diff_more,omitempty"`
}

type originJSON struct {
	Origin string `json:"origin"`
	SameAs string `json:"same_as,omitempty"` // an earlier origin with the same file
	robotsJSON
}

type answerJSON struct {
	Status   int               `json:"status"`
	SHA256   string            `json:"sha256"`
	Access   string            `json:"access"`              // for the first crawler
	AccessTo map[string]string `json:"access_to,omitempty"` // for crawlers with another access
	Error    string            `json:"error,omitempty"`     // code of the error
	Bytes    int64             `json:"bytes"`
	Body     compare.BodyKind  `json:"body,omitempty"`
	FinalURL string            `json:"final_url,omitempty"`
	Hops     int               `json:"hops,omitempty"`
	Given    bool              `json:"given,omitempty"` // no request was sent: the file of -robots
}

type lineJSON struct {
	Op           compare.Op `json:"op"`
	OldLine      int        `json:"old_line"` // 0 = it was added
	NewLine      int        `json:"new_line"` // 0 = it was removed
	Text         string     `json:"text"`
	OldText      string     `json:"old_text,omitempty"` // if it was edited
	NewlyBlocked int64      `json:"newly_blocked"`
	NewlyAllowed int64      `json:"newly_allowed"`
	OtherFlips   int64      `json:"other_flips,omitempty"`
	Together     int64      `json:"together,omitempty"` // pages that change back only if this line and others are restored
	Weight       int64      `json:"weight,omitempty"`
	NotCounted   bool       `json:"not_counted,omitempty"` // its effect on verdicts is not known
}

type flipsJSON struct {
	compare.CrawlerTotals
	ClicksBlocked *int64 `json:"clicks_blocked,omitempty"` // omitted if no clicks are known
	ClicksAllowed *int64 `json:"clicks_allowed,omitempty"`
	Hits          *int64 `json:"hits,omitempty"` // requests of the crawler for all URLs; omitted without access logs
	HitsBlocked   *int64 `json:"hits_blocked,omitempty"`
	HitsAllowed   *int64 `json:"hits_allowed,omitempty"`
}

// siteJSON is the data of a site in changes.json.
func siteJSON(s *model.Site) *SiteData {
	j := &SiteData{
		Domain: s.Name, Changed: s.Changed(), Lead: s.Entry.Lead, Old: newSideJSON(s.Old), New: newSideJSON(s.New), Totals: s.Totals, Kinds: s.Kinds,
		Robots: robotsJSON{Diff: []lineJSON{}}, Flips: map[string]flipsJSON{}, Causes: map[string]int64{}, Notes: notesJSON(s.Notes),
	}
	for i := range s.Origins {
		switch o := &s.Origins[i]; {
		case i == 0:
			j.Robots = newRobotsJSON(s, o)
		case i > maxJSONOrigins:
			j.OriginsMore++
		default:
			j.Origins = append(j.Origins, originJSON{o.Name, o.SameAs, newRobotsJSON(s, o)})
		}
	}
	for _, f := range s.CrawlerFlips() {
		of := flipsJSON{CrawlerTotals: f.CrawlerTotals}
		if s.Clicks != nil {
			of.ClicksBlocked, of.ClicksAllowed = &f.Clicks.Lost, &f.Clicks.Gained
		}
		if s.Hits != nil {
			of.Hits, of.HitsBlocked, of.HitsAllowed = &f.Hits.Known, &f.Hits.NewlyBlocked, &f.Hits.NewlyAllowed
		}
		j.Flips[f.Label] = of
	}
	for cause, n := range s.Causes {
		j.Causes[cause.String()] = n
	}
	j.Changes = changesJSON(s.Changes)
	j.ChangesMore = len(s.Changes) - len(j.Changes)
	j.Samples, j.SamplesMore = samplesJSON(s)
	return j
}

// changesJSON returns the first changes; an empty list if there are none.
func changesJSON(changes []compare.Change) []compare.Change {
	list := []compare.Change{}
	for _, c := range changes[:min(len(changes), maxJSONChanges)] {
		c.What, c.Before, c.After = textJSON(c.What), textJSON(c.Before), textJSON(c.After)
		list = append(list, c)
	}
	return list
}

// notesJSON returns the first notes, and the number of the others.
func notesJSON(notes []string) (list []string) {
	for i, note := range notes {
		if i == maxJSONNotes {
			return append(list, "And "+wording.Plural(len(notes)-i, "more note")+".")
		}
		list = append(list, textJSON(note))
	}
	return list
}

// textJSON is text from a site: bytes that are not UTF-8 are shown as escapes, so that none is
// lost.
func textJSON(s string) string {
	return escape.Cut(escape.ShowInvalid(s[:min(len(s), maxJSONText+utf8.UTFMax)]), maxJSONText)
}

func newSideJSON(s *compare.Side) *sideJSON {
	if s == nil {
		return nil
	}
	return &sideJSON{timeJSON(s.Started), timeJSON(s.Finished), s.State, s.URLs, s.Blocked}
}

func newRobotsJSON(s *model.Site, o *compare.Origin) robotsJSON {
	j := robotsJSON{Old: newAnswerJSON(s, o.Old), New: newAnswerJSON(s, o.New), Diff: []lineJSON{}}
	for _, l := range o.Diff[:min(len(o.Diff), maxJSONLines)] {
		of := lineJSON{l.Op, l.OldLine, l.NewLine, textJSON(l.New), "", l.NewlyBlocked, l.NewlyAllowed, l.OtherFlips, l.Together, l.Weight, l.NotCounted}
		switch l.Op {
		case compare.Removed:
			of.Text = textJSON(l.Old)
		case compare.Edited:
			of.OldText = textJSON(l.Old)
		}
		j.Diff = append(j.Diff, of)
	}
	j.DiffMore = len(o.Diff) - len(j.Diff)
	return j
}

func newAnswerJSON(s *model.Site, a *compare.Answer) *answerJSON {
	if a == nil {
		return nil
	}
	j := &answerJSON{Status: a.Status, SHA256: a.SHA256, Access: engine.AccessUnknown.String(), Error: a.Code, Bytes: a.Bytes, Body: a.Kind, FinalURL: textJSON(a.FinalURL), Hops: a.Hops, Given: a.Given}
	for i, access := range a.Access {
		switch {
		case i == 0:
			j.Access = access.String()
		case access.String() != j.Access:
			if j.AccessTo == nil {
				j.AccessTo = map[string]string{}
			}
			j.AccessTo[s.Crawlers[i].Label] = access.String()
		}
	}
	return j
}

// sampleJSON is the change of a URL for one crawler, and for others with the same change.
type sampleJSON struct {
	URL     string         `json:"url"`
	Kind    string         `json:"kind,omitempty"` // omitted for a page
	Crawler string         `json:"crawler"`
	Also    []string       `json:"also,omitempty"` // further crawlers
	Class   string         `json:"class"`          // "newly_blocked", …, "appeared_blocked"
	Was     engine.Verdict `json:"was"`
	Is      engine.Verdict `json:"is"`
	OldRule string         `json:"old_rule"` // "disallow: /a"; "" = no rule decided
	OldLine int            `json:"old_line"` // 0 = none
	NewRule string         `json:"new_rule"`
	NewLine int            `json:"new_line"`
	Cause   string         `json:"cause"` // "" for a new URL
	Why     string         `json:"why"`   // the cause in words
	Weight  int64          `json:"weight"`
	Hits    int64          `json:"hits,omitempty"` // requests of Crawler in the access logs
}

// samplesJSON returns the first samples of a site, and the number of URLs without one.
func samplesJSON(s *model.Site) (list []sampleJSON, more int64) {
	list, more = []sampleJSON{}, s.Samples.Seen
	for _, sample := range s.Samples.First(maxJSONSamples) {
		own := len(list)
		for alike := range model.Outcomes(&sample.Flip) {
			if len(list) == maxJSONSamples {
				break
			}
			first := alike[0]
			v := &sample.Verdicts[first]
			of := sampleJSON{
				URL: textJSON(sample.Loc), Crawler: s.Crawlers[first].Label, Class: sample.ClassKey(first), Was: v.Was, Is: v.Is,
				OldRule: ruleJSON(v.Old), OldLine: v.Old.Line, NewRule: ruleJSON(v.New), NewLine: v.New.Line,
				Cause: v.Cause.String(), Why: model.CauseWords(s.Site, &sample.Flip, first), Weight: sample.Clicks(),
			}
			if first < len(sample.Hits) {
				of.Hits = sample.Hits[first]
			}
			if !audit.IsPage(sample.Kind) {
				of.Kind = sample.Kind.String()
			}
			for _, i := range alike[1:] {
				of.Also = append(of.Also, s.Crawlers[i].Label)
			}
			list = append(list, of)
		}
		if len(list) > own {
			more--
		}
	}
	return list, more
}

func ruleJSON(r engine.Rule) string {
	if r.Line == 0 {
		return ""
	}
	return textJSON(r.String())
}
