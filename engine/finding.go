package engine

import "fmt"

// Severity says how much a finding matters. A higher value is worse.
type Severity uint8

const (
	Info     Severity = iota // worth knowing; nothing is wrong
	Warning                  // probably not what was meant
	Error                    // does not work as it is written
	Critical                 // the whole site, or the whole file, is concerned
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error", Critical: "critical"}

// String returns "info", "warning", "error" or "critical".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "unknown"
}

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity's name; any other text is an error.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("engine: %q is no severity (info, warning, error, critical)", text)
}

// Finding is something about a robots.txt that its owner should know.
type Finding struct {
	ID       string   `json:"id"`       // key into the catalogue (FindingKinds), never used for anything else
	Severity Severity `json:"severity"` // that of the catalogue, but where the case at hand is weaker or graver
	Profiles []string `json:"profiles"` // names of the profiles whose readers it concerns

	// The place. Lines are counted from 1; 0 is the file as a whole. Columns are
	// counted in bytes from 1, a byte order mark left aside; EndColumn is the
	// first one after the place. They lie within the line as it stands in the
	// file, even where Text is cut.
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"end_column"`
	Text      string `json:"text"` // the line as written, without its end, at most 1,024 bytes of it

	What        string `json:"what"`                  // what is found, in one sentence without a full stop
	Why         string `json:"why"`                   // why it matters
	Fix         string `json:"fix"`                   // what to do, in words
	Replacement string `json:"replacement,omitempty"` // the whole line as it should be, where that is safe to say
	Related     []int  `json:"related,omitempty"`     // further lines that take part, such as the stronger rule
	More        int    `json:"more,omitempty"`        // findings of this id left out after this one (LintOptions.MaxPerID)
}
