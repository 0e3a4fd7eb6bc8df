package fleetwork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/store"
	"robots-audit/reports"
)

// Merge is the work of a coordinator.
type Merge struct{ *Place }

// Begin starts a run from the beginning.
func (m Merge) Begin(ctx context.Context, run *fleet.Run) (fleet.Merged, error) {
	b, err := m.begin(ctx, run, "run")
	if err != nil {
		return nil, err
	}
	folder, err := reports.Open(b.Options)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.dir))
	}
	r := &merged{begun: b, folder: folder, unused: map[string]bool{}}
	for host := range b.Auditor.Client.Served {
		r.unused[host] = true
	}
	for _, sentence := range b.Remarks {
		folder.Remark(sentence)
	}
	if b.Auditor.Known != nil {
		for _, p := range b.Auditor.Known.LeftOut() {
			r.outcome.Warnings = append(r.outcome.Warnings, b.Lists+": "+p.Detail)
			if _, err := folder.Add(audit.Record{Problem: &p}); err != nil {
				return nil, errors.Join(err, r.Close())
			}
		}
	}
	return r, nil
}

// merged is a run while its results are merged.
type merged struct {
	*begun
	folder  *reports.Run    // nil = closed
	unused  map[string]bool // hosts of -robots that no site has had so far
	outcome Outcome
}

// maxBadLines limits the lines without a site that are listed one by one.
const maxBadLines = 1000

// Problem adds a line of the list that names no site.
func (m *merged) Problem(p audit.Problem) error {
	if m.outcome.BadLines++; m.outcome.BadLines <= maxBadLines {
		m.outcome.Warnings = append(m.outcome.Warnings, "the list of sites: "+strings.TrimPrefix(p.Detail, "reading the list of sites, "))
	}
	_, err := m.folder.Add(audit.Record{Problem: &p})
	return err
}

// Add adds a site's result.
func (m *merged) Add(ordinal int, key string, data []byte) error {
	r, err := decodeResult(data, m.run.ID, ordinal, key)
	if err != nil {
		return fmt.Errorf("%w: %w", fleet.ErrRefused, err)
	}
	if err := m.folder.Enter(r.line); errors.Is(err, reports.ErrLine) {
		return fmt.Errorf("%w: %w", fleet.ErrRefused, err)
	} else if err != nil {
		return err
	}
	for _, host := range r.Given {
		delete(m.unused, host)
	}
	return nil
}

// GiveUp makes the result of a site whose results were all rejected, as a worker does after too
// many tries.
func (m *merged) GiveUp(ctx context.Context, job *fleet.Job, why string) ([]byte, error) {
	sites, err := Work{m.Place}.Begin(ctx, m.run)
	if err != nil {
		return nil, err
	}
	found, err := sites.Failed(ctx, job, why)
	if err := errors.Join(err, sites.Close()); err != nil {
		return nil, err
	}
	return found.Result, nil
}

// Finish stores the files of the whole run: first the outcome, then the others, run.json last.
func (m *merged) Finish(ctx context.Context) error {
	for _, host := range slices.Sorted(maps.Keys(m.unused)) {
		m.outcome.Unused = append(m.outcome.Unused, host)
		m.folder.Remark("No site of this run has the host " + host + ", so your draft of its robots.txt was not used.")
	}
	run := m.folder
	m.folder = nil
	if err := run.Close(); err != nil {
		return err
	}
	names, err := run.Written()
	if err != nil {
		return err
	}
	if err := m.outcome.of(run).put(ctx, m.Bucket, m.run.ID); err != nil {
		return err
	}
	for _, name := range names {
		if err := m.Bucket.Put(ctx, fleet.FolderKey(m.run.ID)+name, filepath.Join(run.Dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the run's files from this machine.
func (m *merged) Close() error {
	var err error
	if m.folder != nil {
		err = m.folder.Discard()
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}

// Outcome is the result of a run for the user who submitted it.
type Outcome struct {
	Totals   reports.Totals      `json:"totals"`
	Worst    []reports.WorstSite `json:"worst"`
	BadLines int                 `json:"bad_lines"`          // lines of the list that name no site
	Unused   []string            `json:"unused,omitempty"`   // hosts whose file of -robots was not used
	Warnings []string            `json:"warnings,omitempty"` // other input without effect
	// Severe and Blocked name the sites that fail by -fail-on and -fail-on-blocked, in words; "" = none does.
	Severe  string `json:"severe,omitempty"`
	Blocked string `json:"blocked,omitempty"`
}

// of adds the figures of a closed run.
func (o *Outcome) of(run *reports.Run) *Outcome {
	o.Totals, o.Worst = run.Totals(), run.Worst()
	if n := o.Totals.BySeverity; n.Sites > 0 {
		o.Severe = n.String()
	}
	if n := o.Totals.ByBlocked; n.Sites > 0 {
		o.Blocked = n.String()
	}
	return o
}

// outcomeKey is the key of the outcome in the bucket.
func outcomeKey(id string) string { return fleet.InputKey(id, "outcome.json") }

const maxOutcome = 16 << 20

func (o *Outcome) put(ctx context.Context, bucket *store.Bucket, id string) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return bucket.PutBytes(ctx, outcomeKey(id), text)
}

// ReadOutcome reads the outcome of a merged run.
func ReadOutcome(ctx context.Context, bucket *store.Bucket, id string) (*Outcome, error) {
	text, err := bucket.Get(ctx, outcomeKey(id), maxOutcome)
	if err != nil {
		return nil, err
	}
	o := new(Outcome)
	if err := json.Unmarshal(text, o); err != nil {
		return nil, fmt.Errorf("%s: %w", outcomeKey(id), err)
	}
	return o, nil
}
