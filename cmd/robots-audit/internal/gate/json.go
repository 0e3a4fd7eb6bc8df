package gate

import (
	"encoding/json"
	"io"

	"robots-audit/audit/expect"
	"robots-audit/engine/escape"
)

// JSON writes a JSON object per line for every expectation at every site, met or not.
type JSON struct {
	Out io.Writer
}

// jsonResult is a line.
type jsonResult struct {
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Site    string         `json:"site"`
	URL     string         `json:"url"`
	Crawler string         `json:"crawler"`
	Expect  string         `json:"expect"`
	Outcome expect.Outcome `json:"outcome"` // met, failed, vacuous, no_site, unclear
	What    string         `json:"what"`
	Note    string         `json:"note,omitempty"`
	Matched int64          `json:"matched"` // known URLs; 1 for a URL that is no pattern
	Failing int64          `json:"failing"`
	Unclear int64          `json:"unclear"`
	Samples []jsonSample   `json:"samples,omitempty"`
}

// jsonSample is the verdict on a URL, in the terms of check -jsonl.
type jsonSample struct {
	URL     string `json:"url"`
	Verdict string `json:"verdict"`
	Was     string `json:"was,omitempty"`
	Line    int    `json:"line"` // of robots.txt; 0 = no rule decided
	Rule    string `json:"rule"`
	Why     string `json:"why,omitempty"`
	Robots  string `json:"robots,omitempty"` // address of the robots.txt, or name of the file
}

// Suite writes the lines of a site.
func (j *JSON) Suite(s *expect.Suite) error {
	for i := range s.Results {
		r := &s.Results[i]
		line := jsonResult{File: r.File, Line: r.Line, Site: r.Site, URL: r.URL, Crawler: r.Crawler, Expect: r.Want.String(), Outcome: r.Outcome, What: What(r), Note: r.Note,
			Matched: r.Matched, Failing: r.Failing, Unclear: r.Unclear}
		for k := range r.Samples {
			of := &r.Samples[k]
			sample := jsonSample{URL: of.URL, Verdict: of.Got.Verdict.String(), Line: of.Got.Rule.Line, Why: of.Got.Why, Robots: of.Robots}
			if of.Got.Rule.Line > 0 {
				sample.Rule = of.Got.Rule.String()
			}
			if r.Want == expect.Same {
				sample.Was = of.Was.Verdict.String()
			}
			line.Samples = append(line.Samples, sample)
		}
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := j.Out.Write(append(escape.TerminalJSON(text), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// End writes nothing, since the lines are complete.
func (j *JSON) End(*Summary) error { return nil }
