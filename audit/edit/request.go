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
	HopBlocked bool // for engine.File: a redirect that led to the file is blocked for this crawler
}

// request is what is wanted of a robots.txt.
type request struct {
	File     engine.File             // the answer, with its body; HopBlocked is the crawlers'
	Crawlers []Crawler               // for whom the set is to have the verdict
	Others   []Crawler               // further crawlers: what flips for them counts as flipped, too
	Set      []string                // URLs or paths, of the file's origin
	Want     engine.Verdict          // engine.Allow or engine.Disallow
	Known    func() iter.Seq[string] // all known URLs of the file's origin, as often as it is called; nil = none
}

// Result is the smallest change that was found.
type Result struct {
	Want    engine.Verdict   `json:"want"`
	Edits   []Edit           `json:"edits"`      // in the order of the file; none = nothing needs a change, or none is of use
	Body    []byte           `json:"-"`          // the file with them
	Needed  int              `json:"needed"`     // pairs of a URL of the set and a crawler that lack the verdict
	Had     int              `json:"had"`        // pairs that have it already
	NoLine  []Reason         `json:"no_line"`    // crawlers for which no line decides, whatever it says
	Unmet   []Flip           `json:"unmet"`      // pairs for which no edit that was tried gives the verdict; Is = as it was
	Flips   int64            `json:"flips"`      // verdicts that change beside those that are to: a URL once for each crawler
	URLs    int64            `json:"urls"`       // URLs with such a flip
	ByLabel map[string]int64 `json:"by_crawler"` // Flips of each crawler that has some
	Samples []Flip           `json:"samples"`    // of these flips, the first maxSamples
	Known   int64            `json:"known"`      // known URLs that were judged, those of the set left out
	Proved  bool             `json:"proved"`     // the file that comes out was judged on all of them, and on the set
	Tried   int              `json:"tried"`      // changes that were looked at
	Bounded string           `json:"bounded"`    // why not every change was looked at that was to be, in words; "" = all
}

// maxSamples bounds Result.Samples.
const maxSamples = 50

// Reason is why no line decides for a crawler.
type Reason struct {
	Crawler string `json:"crawler"`
	Why     string `json:"why"` // "HTTP 503: …"
}

// Flip is a verdict that a change changes.
type Flip struct {
	URL     string         `json:"url"`
	Crawler string         `json:"crawler"`
	Was     engine.Verdict `json:"was"`
	Is      engine.Verdict `json:"is"`
}

// check says what of a request cannot be answered.
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
