package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// manifest is run.json.
type manifest struct {
	ID               string                     `json:"id"`
	Version          string                     `json:"version"`
	Format           int                        `json:"format"` // see runFormat; missing = 1
	Started          time.Time                  `json:"started"`
	Finished         *time.Time                 `json:"finished"` // null while the run is not finished
	Rows             string                     `json:"rows"`
	AllSheets        bool                       `json:"all_sheets,omitempty"`
	Formats          []string                   `json:"formats,omitempty"`
	CSVMark          bool                       `json:"csv_bom,omitempty"`
	Reports          []string                   `json:"reports,omitempty"` // a level, and kinds; none = all
	Brief            Sender                     `json:"brief,omitzero"`
	SingleFile       bool                       `json:"single_file,omitempty"`
	Crawlers         []audit.Crawler            `json:"crawlers"`
	Segments         []Segment                  `json:"segments,omitempty"`
	Profiles         []site.ProfileInfo         `json:"profiles"`
	Settings         map[string]json.RawMessage `json:"settings"`
	ListProblems     []audit.Problem            `json:"list_problems,omitempty"` // lines of the list that name no site, and URLs of the user's own list that no site tests
	ListProblemsMore int                        `json:"list_problems_more,omitempty"`

	Unfinished int      `json:"unfinished,omitempty"` // sites in progress when the run was stopped
	Stopped    bool     `json:"stopped,omitempty"`    // before the end of its list
	Remarks    []string `json:"notes,omitempty"`      // about the run as a whole, for example that it had no cache
	Sites      *int     `json:"sites,omitempty"`      // sites in the summaries; nil while the run is not finished
}

// maxManifest bounds run.json. About 1,000 lines of the list that name no site make it a megabyte
// long at most.
const maxManifest = 16 << 20

// MaxCrawlers bounds the crawlers of a run. Each is a column of several sheets, and the time to
// draw these grows with the square of their number.
const MaxCrawlers = 256

// profileInfos returns the notes of all profiles that the crawlers follow.
func profileInfos(crawlers []audit.Crawler) []site.ProfileInfo {
	notes := []site.ProfileInfo{}
	for _, c := range crawlers {
		if n := site.ProfileInfoOf(c.Profile); !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// MismatchError lists the settings in which a run to be resumed differs from the current options.
type MismatchError struct {
	Differences []string // "rows: the run has \"all\", now \"blocked\""
}

// Error names the settings that differ, with both values.
func (e *MismatchError) Error() string {
	text := "the run was started with other settings:"
	for _, d := range e.Differences {
		text += " " + d + ";"
	}
	return text[:len(text)-1]
}

// readManifest reads run.json; nil = there is none.
func readManifest(name string) (*manifest, error) {
	root := disk.NewRoot(filepath.Dir(name))
	defer root.Close()
	text, err := disk.ReadFile(root, name, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := checkFormat(text); err != nil { // first: a newer format may cause the other errors
		return nil, fmt.Errorf("run.json: %w", err)
	}
	if err := unseal(text, m); err != nil {
		return nil, fmt.Errorf("run.json cannot be used: %w", err)
	}
	if n := len(m.Crawlers); n == 0 || n > MaxCrawlers {
		return nil, fmt.Errorf("run.json cannot be used: it names %d crawlers, and a run has 1 to %d", n, MaxCrawlers)
	}
	if m.Rows != "blocked" && m.Rows != "all" {
		return nil, fmt.Errorf("run.json cannot be used: rows is %.20q, neither \"blocked\" nor \"all\"", m.Rows)
	}
	if err := checkReports(m.Reports); err != nil {
		return nil, fmt.Errorf("run.json cannot be used: %w", err)
	}
	if err := CheckFormats(m.Formats); err != nil {
		return nil, fmt.Errorf("run.json cannot be used: %w", err)
	}
	if _, err := site.NewSegments(m.Segments); err != nil {
		return nil, fmt.Errorf("run.json cannot be used: %w", err)
	}
	if err := m.Brief.Check(); err != nil {
		return nil, fmt.Errorf("run.json cannot be used: %w", err)
	}
	return m, nil
}

// compare compares the settings of the run's start with the current ones. Settings that do not
// change the results may differ.
func (m *manifest) compare(o *Options) error {
	var diff []string
	differ := func(name string, was, is any) {
		a, errA := json.Marshal(was)
		b, errB := json.Marshal(is)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			diff = append(diff, fmt.Sprintf("%s: the run has %s, now %s", name, a, b))
		}
	}
	if !goesOn(o.Version, m.Version) {
		differ("version", m.Version, o.Version)
	}
	differ("rows", m.Rows, o.Rows)
	differ("all-sheets", m.AllSheets, o.AllSheets)
	differ("formats", m.Formats, o.Formats)
	differ("csv-bom", m.CSVMark, o.CSVMark)
	differ("segments", m.Segments, o.Segments)
	differ("reports", reportsNamed(m.Reports), reportsNamed(o.Reports))
	differ("single-file", m.SingleFile, o.SingleFile)
	differ("crawlers", site.Specs(m.Crawlers), site.Specs(o.Crawlers))
	for _, key := range slices.Sorted(maps.Keys(m.Settings)) {
		if is, ok := o.Settings[key]; ok && !freeSettings[key] {
			differ(key, m.Settings[key], is)
		}
	}
	if len(diff) > 0 {
		return &MismatchError{diff}
	}
	return nil
}

// KeepCrawlers sets the crawlers' profiles to those with which the run in dir began. A later
// version may have another default profile for a crawler, as 0.2.0 has for Bingbot.
func KeepCrawlers(dir string, crawlers []audit.Crawler) {
	m, err := readManifest(filepath.Join(dir, "run.json"))
	if err != nil || m == nil {
		return // Open reports why the run cannot be resumed
	}
	for i := range crawlers {
		for _, was := range m.Crawlers {
			if was, ok := was.Restored(); ok && was.Label == crawlers[i].Label && was.Name == crawlers[i].Label {
				crawlers[i] = was
			}
		}
	}
}

// freeSettings are the settings that do not change the results of a run.
var freeSettings = map[string]bool{
	"out": true, "resume": true, "workers": true, "quiet": true, "log-format": true, "fail-on": true, "config": true, "domains": true,
	"rows": true, "csv-bom": true, "reports": true, "single-file": true, "crawlers": true, "segments": true, "timeout": true, "retries": true, "delay": true, "site-timeout": true,
}

// writeManifest writes run.json; a zero time means that the run is not finished.
func (r *Run) writeManifest(finished time.Time) error {
	m := manifest{
		ID: r.id(), Version: r.Version, Format: runFormat, Started: r.Started, Rows: r.Rows, AllSheets: r.AllSheets, Formats: r.Formats, CSVMark: r.CSVMark, Reports: r.Reports, Brief: r.Brief, SingleFile: r.SingleFile, Crawlers: r.Crawlers, Segments: r.Segments, Profiles: profileInfos(r.Crawlers), Settings: map[string]json.RawMessage{},
		ListProblems: r.listProblems, ListProblemsMore: r.listProblemCount - len(r.listProblems), Unfinished: r.unfinished, Stopped: r.stopped, Remarks: r.remarks,
	}
	if !finished.IsZero() {
		m.Finished, m.Sites = &finished, &r.done.totals.Sites
	}
	for key, value := range r.Settings {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("setting %s: %w", key, err)
		}
		m.Settings[key] = text
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(r.folder.FS, r.path("run.json"), r.temp("run.json"), append(seal(escape.JSON(text), true), '\n'))
}

// id returns the name of the run: its start time.
func (r *Run) id() string { return r.Started.Format("20060102T150405Z") }
