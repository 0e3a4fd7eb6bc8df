package reports

import (
	"encoding/json"

	"robots-audit/audit"
)

// siteErrors are the problems of a site as summary.json lists them: the first
// of them word for word.
type siteErrors struct {
	list []siteError
	more int
}

type siteError struct {
	Stage  string `json:"stage"`
	Code   string `json:"code"`
	URL    string `json:"url"`
	Detail string `json:"detail"`
}

// maxErrors bounds the errors of one site in summary.json; its workbook has all.
const maxErrors = 200

func (e *siteErrors) add(p *audit.Problem) {
	if len(e.list) >= maxErrors && p.Stage != audit.StageReport {
		e.more++
		return
	}
	e.list = append(e.list, siteError{p.Stage, p.Code, p.URL, p.Detail})
}

// siteSummary is a site's entry of summary.json.
type siteSummary struct {
	Domain      string            `json:"domain"`
	Origin      string            `json:"origin"`
	State       string            `json:"state"`
	Why         string            `json:"why"`
	Robots      robotsSummary     `json:"robots"`
	Sitemaps    int               `json:"sitemaps"`
	URLs        int64             `json:"urls"`
	BlockedURLs int64             `json:"blocked_urls"`
	Blocked     json.RawMessage   `json:"blocked"`
	Unknown     int64             `json:"unknown_urls"`
	LeftOut     int64             `json:"left_out"`
	Differing   int64             `json:"differing_urls"`      // on which the crawlers' verdicts differ
	Policy      string            `json:"ai_policy,omitempty"` // what crawlers of AI may fetch, in a line
	Findings    *audit.Severities `json:"findings,omitempty"`  // by severity
	Errors      []siteError       `json:"errors"`
	ErrorsMore  int               `json:"errors_more,omitempty"`
	Workbook    string            `json:"workbook"`
	Records     string            `json:"records"`
}

type robotsSummary struct {
	Status int    `json:"status"`
	Access string `json:"access"`
	Error  string `json:"error"`
	Hops   int    `json:"hops"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// summary returns the site's entry of summary.json.
func (s *siteRun) summary(line *journalLine, d *audit.Done) json.RawMessage {
	e := siteSummary{
		Domain: s.site.Name, Origin: d.Origin, State: line.State, Why: line.Why, Sitemaps: d.Sitemaps, URLs: d.URLs, BlockedURLs: d.BlockedAny,
		Blocked: s.blockedByLabel(d), Unknown: d.Unknown, LeftOut: total(d.LeftOut), Differing: line.Differing, Policy: line.Policy, Findings: d.Findings, Errors: s.errors.list, ErrorsMore: s.errors.more,
		Robots: robotsSummary{Access: "unknown"},
	}
	if e.Errors == nil {
		e.Errors = []siteError{}
	}
	if line.Records > 0 {
		e.Workbook, e.Records = s.base+".xlsx", "records/"+s.base+recordsExt
	}
	if r := s.robots; r != nil {
		e.Robots = robotsSummary{
			Status: r.File.Status, Access: read(r, 0).Access.String(), Error: r.File.Code, Hops: s.hops,
			Bytes: r.File.Bytes, SHA256: r.File.SHA256,
		}
	}
	text, err := json.Marshal(e)
	if err != nil { // cannot happen: strings and whole numbers
		text, _ = json.Marshal(siteSummary{Domain: s.site.Name, State: string(audit.Undetermined), Why: err.Error()})
	}
	return text
}

// blockedByLabel is the object of blocked URLs in the order of the crawlers.
func (s *siteRun) blockedByLabel(d *audit.Done) json.RawMessage {
	text := []byte{'{'}
	for i, c := range s.site.Crawlers {
		if i > 0 {
			text = append(text, ',')
		}
		label, _ := json.Marshal(c.Label) // a string always can
		text = append(append(text, label...), ':')
		text = append(text, itoa(int(blockedFor(d, i)))...)
	}
	return append(text, '}')
}
