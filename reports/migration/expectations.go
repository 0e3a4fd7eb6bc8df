package migration

// Expectations is what became of what a team expects of the new site.
type Expectations struct {
	File     string        `json:"file"`
	Headline string        `json:"headline"`
	Failing  int64         `json:"failing"`
	Unclear  int64         `json:"unclear"` // could not be judged
	List     []Expectation `json:"list"`    // those that are not met, up to MaxExpectations
	More     int64         `json:"more"`    // beyond these
}

// MaxExpectations is how many expectations are named that are not met.
const MaxExpectations = 1000

// Expectation is one that is not met.
type Expectation struct {
	Line    int    `json:"line"` // of the file
	Site    string `json:"site"`
	URL     string `json:"url"` // or pattern
	Crawler string `json:"crawler"`
	Outcome string `json:"outcome"` // failed, vacuous, no_site, unclear
	What    string `json:"what"`    // what was expected, and what there is instead
	Note    string `json:"note,omitempty"`
}
