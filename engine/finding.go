package engine

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a finding matters. A higher value is worse.
type Severity uint8

const (
	Info     Severity = iota // worth knowing; nothing is wrong
	Warning                  // probably not intended
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
	return fmt.Errorf("engine: %q is not a severity (info, warning, error, critical)", text)
}

// Finding is something about a robots.txt that its owner should know.
type Finding struct {
	ID       string   `json:"id"`       // key into the catalogue (FindingKinds); an id is never given to another finding
	Severity Severity `json:"severity"` // that of the catalogue, or of one of its departures (FindingKind.Otherwise)
	Profiles []string `json:"profiles"` // names of the profiles that it concerns: their crawlers read the line

	// The position. Lines are counted from 1; 0 is the file as a whole. Columns are
	// counted in bytes from 1, without a byte order mark; EndColumn is the first one
	// after the position. They count bytes of the line in the file, even if Text is
	// cut.
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"end_column"`
	Byte      int64  `json:"byte,omitempty"` // of a sitemap: likewise in its decompressed text in UTF-8, from 1
	Text      string `json:"text"`           // the line as written, without its end, at most 1,024 bytes of it

	What        string `json:"what"`                  // what is found, in one sentence without a full stop
	Why         string `json:"why"`                   // why it matters
	Fix         string `json:"fix"`                   // what to do, in words
	Replacement string `json:"replacement,omitempty"` // the whole line as it should be, of DIR010 the lines, with the file's line ends between them; "" = not known for sure
	Delete      []int  `json:"delete,omitempty"`      // lines that can go, with their ends, in order; never with a Replacement

	// Harmless: the edit, Replacement or Delete, is proved to change no verdict by any
	// of the chosen profiles. By an operator's profile, this is for its crawlers in the list and
	// those asked about. By a standard, it is for any crawler with one product token. Each edit
	// is proved alone: lint the file again after one of them. false = it changes verdicts on
	// purpose, or it is unknown.
	Harmless bool `json:"harmless,omitempty"`

	Lines   []int `json:"lines,omitempty"`   // the lines that it is about, where they are several: the first MaxLines of them
	Related []int `json:"related,omitempty"` // further lines that matter, such as the stronger rule
	More    int   `json:"more,omitempty"`    // findings of this id left out after this one (LintOptions.MaxPerID)
}

// MaxLines bounds Finding.Lines.
const MaxLines = 1000

// AboutLines are the lines that the finding is about: Lines, or Line alone; nil = it
// is about the file as a whole.
func (f *Finding) AboutLines() []int {
	switch {
	case len(f.Lines) > 0:
		return f.Lines
	case f.Line > 0:
		return []int{f.Line}
	}
	return nil
}

// FindingKind is an entry of the catalogue of findings.
type FindingKind struct {
	ID        string
	Name      string      // for people, beside the ID: "Whole site blocked"
	Severity  Severity    // the usual one
	Otherwise []Departure // the severities of weaker or more severe cases; nil = there are none
	Profiles  []string    // profiles that it concerns: names, "all", or "google*" for all names that begin with it
	Needs     string      // what is needed to find it: "file", "fetch" (its outcome or address), "site" (several fetches), "urls" (the site's URLs)
	What      string      // in few words, without a full stop
	Why       string
	Fix       string
}

// Departure is a severity that some cases of a finding have in place of the usual one.
type Departure struct {
	Severity Severity
	Where    string // which cases, in words: "the same URLs stay blocked"
}

// Severities says which severities the finding has: "error; info where the same
// URLs stay blocked".
func (k *FindingKind) Severities() string {
	words := k.Severity.String()
	for _, d := range k.Otherwise {
		words += "; " + d.Severity.String() + " where " + d.Where
	}
	return words
}

//go:embed findings.tsv
var findingsTSV string

var findingKinds = parseFindingKinds(findingsTSV)

var findingIndex = func() map[string]*FindingKind {
	index := make(map[string]*FindingKind, len(findingKinds))
	for i := range findingKinds {
		index[findingKinds[i].ID] = &findingKinds[i]
	}
	return index
}()

// parseFindingKinds reads the catalogue: tab-separated, one kind a line,
// comments begin with "#", the first other line names the columns.
func parseFindingKinds(text string) []FindingKind {
	var list []FindingKind
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "id\t") {
			continue
		}
		f := strings.Split(line, "\t")
		k := FindingKind{}
		if len(f) != 9 || k.Severity.UnmarshalText([]byte(f[2])) != nil || !k.parseOtherwise(f[3]) {
			panic(fmt.Sprintf("engine: findings.tsv:%d: %q", i+1, line))
		}
		k.ID, k.Name, k.Profiles, k.Needs, k.What, k.Why, k.Fix = f[0], f[1], strings.Fields(f[4]), f[5], f[6], f[7], f[8]
		list = append(list, k)
	}
	return list
}

// parseOtherwise reads "info where …; warning where …".
func (k *FindingKind) parseOtherwise(text string) bool {
	for part := range strings.SplitSeq(text, "; ") {
		if text == "" {
			break
		}
		name, where, found := strings.Cut(part, " where ")
		d := Departure{Where: where}
		if !found || d.Severity.UnmarshalText([]byte(name)) != nil {
			return false
		}
		k.Otherwise = append(k.Otherwise, d)
	}
	return true
}

// FindingKinds returns the catalogue of all findings: those of Lint and those that
// need the URLs of a site.
func FindingKinds() []FindingKind { return slices.Clone(findingKinds) }

// FindingKindByID finds an entry of the catalogue.
func FindingKindByID(id string) (FindingKind, bool) {
	kind, ok := findingIndex[id]
	if !ok {
		return FindingKind{}, false
	}
	return *kind, true
}

// Name is that of the finding's kind, for people: "Blank line splits a group"; "" =
// the catalogue has no such id.
func (f *Finding) Name() string {
	if kind := findingIndex[f.ID]; kind != nil {
		return kind.Name
	}
	return ""
}

// Finding makes a finding about a file as a whole with the texts of the
// catalogue.
func (k *FindingKind) Finding() Finding {
	return Finding{ID: k.ID, Severity: k.Severity, What: k.What, Why: k.Why, Fix: k.Fix}
}

// Concerns reports whether the finding concerns a profile.
func (k *FindingKind) Concerns(p *Profile) bool {
	for _, name := range k.Profiles {
		if family, ok := strings.CutSuffix(name, "*"); name == "all" || name == p.Name || ok && strings.HasPrefix(p.Name, family) {
			return true
		}
	}
	return false
}
