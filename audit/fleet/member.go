package fleet

import "time"

// Member is a process of a fleet, as it describes itself.
type Member struct {
	Name         string         `json:"name"`
	Region       string         `json:"region,omitempty"` // region whose sites it takes; "" = none
	Version      string         `json:"version"`
	Host         string         `json:"host"`
	Started      time.Time      `json:"started"` // UTC
	Slots        int            `json:"slots"`   // sites that may be at work at a time; more may be in work, waiting for their servers
	RunSlots     int            `json:"runSlots"`
	Working      int            `json:"working"`      // sites in work
	Oldest       []Working      `json:"oldest"`       // the longest in work, at most 20
	Waiting      int            `json:"waiting"`      // redelivered sites that wait until no other worker can be at work on them
	WaitingSites []Working      `json:"waitingSites"` // the longest waiting, at most 20; Try is how often the site was delivered
	Done         int64          `json:"done"`         // sites with a result, since it started
	Unknown      int64          `json:"unknown"`      // of Done: the site could not be read, as its report says
	Failed       int64          `json:"failed"`       // of Done: the result is only a failed site
	GivenBack    int64          `json:"givenBack"`
	PerMinute    [2]float64     `json:"perMinute"` // sites done per minute, over the last 1 and 5 minutes
	Slowest      []Finished     `json:"slowest"`   // of Done, slowest first, at most 10
	Failures     []Finished     `json:"failures"`  // the latest that failed or are unknown, newest first, at most 20
	PutOff       PutOff         `json:"putOff"`
	Problem      string         `json:"problem"` // why it takes no sites now; "" = it does
	Runs         []Coordinating `json:"runs"`
}

// Working is a site in work.
type Working struct {
	Site  string    `json:"site"`
	Run   string    `json:"run"`
	Since time.Time `json:"since"`
	Try   int       `json:"try"` // 1-based
}

// PutOff counts the sites that a member gave back and that may not be tried yet, by any member. Times are
// rounded to some seconds.
type PutOff struct {
	Sites int       `json:"sites"`
	Next  time.Time `json:"next,omitzero"` // when the first of them may be tried, UTC
	Last  time.Time `json:"last,omitzero"`
}

// Finished is a site that is done.
type Finished struct {
	Site   string    `json:"site"`
	Run    string    `json:"run"`
	Ended  time.Time `json:"ended"`
	Millis int64     `json:"ms"` // duration of the work
	Try    int       `json:"try"`
	URLs   int64     `json:"urls"`
	Why    string    `json:"why,omitempty"` // reason of a failed or unknown site
}

// Coordinating is a run that a member coordinates.
type Coordinating struct {
	Run       string    `json:"run"`
	Region    string    `json:"region"`
	Submitted time.Time `json:"submitted"` // UTC
	Sites     int       `json:"sites"`     // sites of the list
	Fed       int       `json:"fed"`       // sites that have been in the queue
	Done      int       `json:"done"`      // sites merged
	Missing   int       `json:"missing"`
	Since     time.Time `json:"since,omitzero"` // when its coordinator took it, UTC
	Last      time.Time `json:"last,omitzero"`  // when this coordinator last merged a site, UTC
}

// Limits of a member's description.
const (
	maxOldest   = 20
	maxSlowest  = 10
	maxFailures = 20
	maxRunsTold = 100
	maxTextTold = 200 // bytes
)
