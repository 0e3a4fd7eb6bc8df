package assist

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"robots-audit/engine/wording"
)

// summaryArguments are the arguments of site_summary.
type summaryArguments struct {
	Run  string `json:"run,omitempty" jsonschema:"name of the run. Without it: the newest finished run"`
	Site string `json:"site,omitempty" jsonschema:"name of a site. Without it: the whole run"`
	From int64  `json:"from,omitempty" jsonschema:"number of sites to skip, for the next part of the list"`
}

// summaryAnswer is the answer of site_summary.
type summaryAnswer struct {
	Summary string   `json:"summary" jsonschema:"the answer in words"`
	Run     string   `json:"run"`
	Runs    []string `json:"runs,omitempty" jsonschema:"names of the newest runs, newest first"`
	Totals  any      `json:"totals,omitempty" jsonschema:"counts of the run: sites by state, URLs, blocked URLs, findings"`
	Sites   []any    `json:"sites,omitempty" jsonschema:"sites, most severe first, with their state and the sentence that matters most"`
	From    int64    `json:"from"`
	Total   int64    `json:"total" jsonschema:"number of sites of the run"`
	Next    *int64   `json:"next,omitempty" jsonschema:"value of from for the next part; missing = this is the last"`

	Site     any      `json:"site,omitempty" jsonschema:"the site: state, lead, figures, and to_do, the list of what to fix with line, URLs and advice"`
	Crawlers []string `json:"crawlers,omitempty" jsonschema:"crawlers that the run tested on the site"`
	Origins  []any    `json:"origins,omitempty" jsonschema:"robots.txt of the site, and of other hosts of its URLs"`
}

// Limits of a summary.
const (
	summarySites = 50
	summaryRuns  = 10
)

func (s *Server) siteSummary(ctx context.Context, in *summaryArguments) (*summaryAnswer, error) {
	run, err := s.runOr(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	a := &summaryAnswer{Run: run, From: in.From}
	if in.Site != "" {
		return a, s.summaryOfSite(ctx, a, in.Site)
	}
	list, err := s.runs(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range list[:min(len(list), summaryRuns)] {
		a.Runs = append(a.Runs, r.Run)
	}
	file, err := s.stored(ctx, runPath(run))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var totals struct {
		Sites, Critical, Warn, Unknown, OK int64
		URLs                               int64
		Blocked                            int64 `json:"blocked_urls"`
	}
	if err := json.Unmarshal(file.head["totals"], &totals); err != nil {
		return nil, errUnreadable
	}
	a.Totals, a.Total = file.head["totals"], totals.Sites
	for at := int64(0); file.sites.More() && len(a.Sites) < summarySites; at++ {
		var raw json.RawMessage
		var site map[string]any
		switch err := file.sites.Decode(&raw); {
		case err != nil:
			return nil, errUnreadable
		case at < in.From:
		case decodeView(bytes.NewReader(raw), &site) != nil:
			return nil, errUnreadable
		default:
			a.Sites = append(a.Sites, brief(site))
		}
	}
	a.Summary = fmt.Sprintf("%s: %s critical, %s, %s unknown, %s OK. %s of %s are blocked for at least one crawler.", wording.Plural(totals.Sites, "site"), wording.Thousands(totals.Critical),
		wording.Plural(totals.Warn, "warning"), wording.Thousands(totals.Unknown), wording.Thousands(totals.OK), wording.Thousands(totals.Blocked), wording.URLs(totals.URLs))
	return a, nil
}

// brief is a site in the list of a run.
func brief(site map[string]any) map[string]any {
	of := map[string]any{}
	for from, to := range map[string]string{"domain": "site", "state": "state", "lead": "lead", "urls": "urls", "blocked_urls": "blocked_urls", "unknown_urls": "unknown_urls", "clicks": "clicks", "blocked_clicks": "blocked_clicks"} {
		if v, ok := site[from]; ok {
			of[to] = v
		}
	}
	of["to_do"] = len(list(site["to_do"]))
	return of
}

// summaryOfSite fills in a site.
func (s *Server) summaryOfSite(ctx context.Context, a *summaryAnswer, named string) error {
	facts, err := s.site(ctx, a.Run, named)
	if err != nil {
		return err
	}
	file, err := s.stored(ctx, runPath(a.Run))
	if err != nil {
		return err
	}
	defer file.Close()
	for file.sites.More() {
		var raw json.RawMessage
		var name struct{ Domain string }
		if err := file.sites.Decode(&raw); err != nil || json.Unmarshal(raw, &name) != nil {
			return errUnreadable
		}
		if name.Domain != facts.Site {
			continue
		}
		var site map[string]any
		if decodeView(bytes.NewReader(raw), &site) != nil {
			return errUnreadable
		}
		delete(site, "workbook")
		delete(site, "records")
		a.Site, a.Crawlers, a.Origins, a.From, a.Total = site, facts.Crawlers, facts.Origins, 0, 1
		a.Summary = fmt.Sprintf("%s is %s. %s", facts.Site, cmp.Or(stateWords[text(site["state"])], text(site["state"])), cmp.Or(text(site["lead"]), text(site["why"])))
		return nil
	}
	return fmt.Errorf("the summary of the run %s does not have the site %s", a.Run, facts.Site)
}

// stateWords are states whose name in JSON is not their word.
var stateWords = map[string]string{"warn": "a warning", "ok": "OK", "": "without a state"}

var errUnreadable = errors.New("a file of the run could not be read: it is not as expected")

// listFile is a file of a run or a comparison: an object whose last member is the list of sites.
type listFile struct {
	io.Closer
	head  map[string]json.RawMessage // the other members
	sites *json.Decoder              // reads the sites one by one: there may be 100,000. Numbers keep their form
}

// stored reads a stored file of a view up to its list.
func (s *Server) stored(ctx context.Context, path string) (*listFile, error) {
	from, _, err := s.ask(ctx, path, nil, nil)
	if err != nil {
		return nil, err
	}
	return newListFile(from)
}

func newListFile(from io.ReadCloser) (*listFile, error) {
	f := &listFile{from, map[string]json.RawMessage{}, json.NewDecoder(from)}
	f.sites.UseNumber()
	if err := f.readHead(); err != nil {
		from.Close()
		return nil, err
	}
	return f, nil
}

func (f *listFile) readHead() error {
	if open, _ := f.sites.Token(); open != json.Delim('{') {
		return errUnreadable
	}
	for f.sites.More() {
		key, _ := f.sites.Token()
		if key == "sites" {
			if open, _ := f.sites.Token(); open != json.Delim('[') {
				return errUnreadable
			}
			return nil
		}
		var value json.RawMessage
		if f.sites.Decode(&value) != nil {
			return errUnreadable
		}
		f.head[fmt.Sprint(key)] = value
	}
	return errUnreadable
}
