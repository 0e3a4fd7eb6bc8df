package migration

// Expectations is the result of a team's expectations of the new site.
type Expectations struct {
	File     string        `json:"file"`
	Headline string        `json:"headline"`
	Failing  int64         `json:"failing"`
	Unclear  int64         `json:"unclear"` // could not be judged
	List     []Expectation `json:"list"`    // those that are not met, at most MaxExpectations
	More     int64         `json:"more"`    // number of further ones
}

// MaxExpectations is the maximum number of listed expectations that are not met.
const MaxExpectations = 1000

// Expectation is one that is not met.
type Expectation struct {
	Line    int    `json:"line"` // of the file
	Site    string `json:"site"`
	URL     string `json:"url"` // or pattern
	Crawler string `json:"crawler"`
	Outcome string `json:"outcome"` // failed, vacuous, no_site, unclear
	What    string `json:"what"`    // the expectation and the actual result
	Note    string `json:"note,omitempty"`
}
