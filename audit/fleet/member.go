package fleet

import "time"

// Member is a process of a fleet as it tells of itself.
type Member struct {
	Name         string         `json:"name"`
	Region       string         `json:"region,omitempty"` // whose sites it takes; "" = none
	Version      string         `json:"version"`
	Host         string         `json:"host"`
	Started      time.Time      `json:"started"` // UTC
	Slots        int            `json:"slots"`   // sites at work at a time; more may be in work, waiting for their servers
	RunSlots     int            `json:"runSlots"`
	Working      int            `json:"working"`      // sites in work
	Oldest       []Working      `json:"oldest"`       // of them: those longest in work, at most 20
	Waiting      int            `json:"waiting"`      // sites that were given out before, until no other worker can still be at work on them
	WaitingSites []Working      `json:"waitingSites"` // of them: those longest waiting, at most 20; try is how often they were given out
	Done         int64          `json:"done"`         // sites with a result, since it started
	Unknown      int64          `json:"unknown"`      // of them: the site could not be read, which its report says
	Failed       int64          `json:"failed"`       // of them: nothing but a failed site
	GivenBack    int64          `json:"givenBack"`
	PerMinute    [2]float64     `json:"perMinute"` // sites done a minute, in the last 1 and 5 minutes
	Slowest      []Finished     `json:"slowest"`   // of those done, slowest first, at most 10
	Failures     []Finished     `json:"failures"`  // the last that failed or are unknown, newest first, at most 20
	PutOff       PutOff         `json:"putOff"`
	Problem      string         `json:"problem"` // what keeps it from taking sites now
	Runs         []Coordinating `json:"runs"`
}

// Working is a site in work.
type Working struct {
	Site  string    `json:"site"`
	Run   string    `json:"run"`
	Since time.Time `json:"since"`
	Try   int       `json:"try"` // 1-based
}

// PutOff are the sites that a member gave back, to be tried again at a time that has not come yet, by
// whichever member. Times are of some seconds.
type PutOff struct {
	Sites int       `json:"sites"`
	Next  time.Time `json:"next,omitzero"` // when the first may be tried, UTC
	Last  time.Time `json:"last,omitzero"`
}

// Finished is a site that is done.
type Finished struct {
	Site   string    `json:"site"`
	Run    string    `json:"run"`
	Ended  time.Time `json:"ended"`
	Millis int64     `json:"ms"` // of work
	Try    int       `json:"try"`
	URLs   int64     `json:"urls"`
	Why    string    `json:"why,omitempty"` // it failed, or is unknown
}

// Coordinating is a run that is put together.
type Coordinating struct {
	Run       string    `json:"run"`
	Region    string    `json:"region"`
	Submitted time.Time `json:"submitted"` // UTC
	Sites     int       `json:"sites"`     // of the list
	Fed       int       `json:"fed"`       // of them: have been in the queue
	Done      int       `json:"done"`      // of them: merged
	Missing   int       `json:"missing"`
	Since     time.Time `json:"since,omitzero"` // when its coordinator took it, UTC
	Last      time.Time `json:"last,omitzero"`  // when a site was merged last, by this coordinator, UTC
}

// Bounds of what a member tells.
const (
	maxOldest   = 20
	maxSlowest  = 10
	maxFailures = 20
	maxRunsTold = 100
	maxTextTold = 200 // bytes
)
