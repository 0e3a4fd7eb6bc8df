package edit

import (
	"errors"
	"fmt"
	"iter"

	"robots-audit/engine"
)

// Bounds of a request.
const (
	maxSet      = 1000 // URLs of a set
	maxCrawlers = 64   // crawlers, others included
)

// Crawler is one reader of the file.
type Crawler struct {
	Label      string // "Googlebot": how results name it
	Crawler    engine.Crawler
	Profile    *engine.Profile
	HopBlocked bool // for engine.File: robots.txt blocks a redirect to the file for this crawler
}

// request is a request to change a robots.txt.
type request struct {
	File     engine.File             // the answer, with its body; HopBlocked depends on the crawler
	Crawlers []Crawler               // crawlers for which the set must get the verdict
	Others   []Crawler               // other crawlers, whose flips also count
	Set      []string                // URLs or paths, of the file's origin
	Want     engine.Verdict          // engine.Allow or engine.Disallow
	Known    func() iter.Seq[string] // all known URLs of the file's origin; may be called several times; nil = none
}

// Result is the smallest change found.
type Result struct {
	Want    engine.Verdict   `json:"want"`
	Edits   []Edit           `json:"edits"`      // in the order of the file; none = no change is needed, or none helps
	Body    []byte           `json:"-"`          // the edited file
	Needed  int              `json:"needed"`     // pairs of a URL of the set and a crawler that lack the verdict
	Had     int              `json:"had"`        // pairs that have it already
	NoLine  []Reason         `json:"no_line"`    // crawlers for which no line can decide
	Unmet   []Flip           `json:"unmet"`      // pairs that no tried edit can change; Is = Was
	Flips   int64            `json:"flips"`      // other verdicts that change: a URL counts once for each crawler
	URLs    int64            `json:"urls"`       // URLs with such a flip
	ByLabel map[string]int64 `json:"by_crawler"` // Flips by crawler, if any
	Samples []Flip           `json:"samples"`    // the first maxSamples of these flips
	Known   int64            `json:"known"`      // known URLs judged, without those of the set
	Proved  bool             `json:"proved"`     // the edited file was judged on all of them, and on the set
	Tried   int              `json:"tried"`      // number of tested changes
	Bounded string           `json:"bounded"`    // why not every planned change was tested, in words; "" = all were
}

// maxSamples bounds Result.Samples.
const maxSamples = 50

// Reason says why no line decides for a crawler.
type Reason struct {
	Crawler string `json:"crawler"`
	Why     string `json:"why"` // "HTTP 503: …"
}

// Flip is a changed verdict.
type Flip struct {
	URL     string         `json:"url"`
	Crawler string         `json:"crawler"`
	Was     engine.Verdict `json:"was"`
	Is      engine.Verdict `json:"is"`
}

// check returns an error for a request that cannot be answered.
func (r *request) check() error {
	switch {
	case r.Want != engine.Allow && r.Want != engine.Disallow:
		return fmt.Errorf("edit: %q is neither allow nor disallow", r.Want)
	case len(r.Set) == 0:
		return errors.New("edit: name at least one URL")
	case len(r.Set) > maxSet:
		return fmt.Errorf("edit: %d URLs are too many. Name at most %d", len(r.Set), maxSet)
	case len(r.Crawlers) == 0:
		return errors.New("edit: name at least one crawler")
	case len(r.Crawlers)+len(r.Others) > maxCrawlers:
		return fmt.Errorf("edit: %d crawlers are too many. Name at most %d", len(r.Crawlers)+len(r.Others), maxCrawlers)
	}
	return nil
}
