package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// Overview is a short description of a run, without its sites.
type Overview struct {
	ID       string // of the run: "20261122T060000Z"
	Version  string // of the program that made the run
	Started  time.Time
	Finished time.Time // zero = the run was cut short, or is not finished
	Totals   *Totals   // from its summary; nil = there is no summary yet
}

// maxOverview bounds the bytes read from a summary to find its totals, which come before its sites.
const maxOverview = 4 << 20

// ReadOverview reads the overview of the run in a folder: a few kilobytes, however large it is. The
// error is ErrNoRun if the folder contains none.
func ReadOverview(dir string) (Overview, error) {
	m, err := readManifest(filepath.Join(dir, "run.json"))
	switch {
	case err != nil:
		return Overview{}, fmt.Errorf("%s: %w", dir, err)
	case m == nil:
		return Overview{}, fmt.Errorf("%s: %w", dir, ErrNoRun)
	}
	o := Overview{ID: m.ID, Version: m.Version, Started: m.Started}
	if m.Finished != nil {
		o.Finished = *m.Finished
	}
	o.Totals, err = readTotals(filepath.Join(dir, "summary.json"))
	if err != nil {
		return o, fmt.Errorf("%s: summary.json: %w", dir, err)
	}
	return o, nil
}

// SiteOrder returns the place of each site in the summary of a run: most severe first. If the
// summary is long, it reads only the first sites. All others share one place, the last.
func SiteOrder(dir string) func(site string) int {
	places := map[string]int{}
	eachSite(dir, maxOverview, func(domain string, _ summary.Robots) { places[domain] = len(places) })
	return func(site string) int {
		if place, ok := places[site]; ok {
			return place
		}
		return len(places)
	}
}

// maxServing bounds the bytes read from a summary for SitesServing: thousands of sites.
const maxServing = 32 << 20

// SitesServing returns the names of the sites of a run by the SHA-256 of their own robots.txt, only of files that two
// sites or more serve. If the summary is long, it reads only the first sites.
func SitesServing(dir string) map[string][]string {
	names := map[string][]string{}
	eachSite(dir, maxServing, func(domain string, robots summary.Robots) {
		if robots.SHA256 != "" && robots.Bytes > 0 && robots.Status/100 == 2 {
			names[robots.SHA256] = append(names[robots.SHA256], domain)
		}
	})
	maps.DeleteFunc(names, func(_ string, sites []string) bool { return len(sites) < 2 })
	return names
}

// eachSite calls a function for the sites of a run's summary, up to an error.
func eachSite(dir string, limit int, do func(domain string, robots summary.Robots)) {
	readSummary(filepath.Join(dir, "summary.json"), "sites", limit, func(in *json.Decoder) error { // sites read before an error count
		_, err := in.Token()
		for err == nil && in.More() {
			var site struct {
				Domain string         `json:"domain"`
				Robots summary.Robots `json:"robots"`
			}
			if err = in.Decode(&site); err == nil {
				do(site.Domain, site.Robots)
			}
		}
		return err
	})
}

// readTotals reads the totals of a summary; nil = there is none.
func readTotals(name string) (totals *Totals, err error) {
	err = readSummary(name, "totals", maxOverview, func(in *json.Decoder) error { return in.Decode(&totals) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return totals, err
}

// readSummary reads a summary up to a key, then calls read for its value.
func readSummary(name, key string, limit int, read func(*json.Decoder) error) error {
	root := disk.NewRoot(filepath.Dir(name))
	defer root.Close()
	file, err := root.Open(name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	in := json.NewDecoder(bufio.NewReader(&boundedReader{file, limit}))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return errors.Join(errors.New("it is not a JSON object"), err)
	}
	for in.More() {
		found, err := in.Token()
		if err != nil {
			return err
		}
		if found == key {
			return read(in)
		}
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			return err
		}
	}
	return errors.New("it has no " + key)
}

// boundedReader is a reader that fails beyond a number of bytes.
type boundedReader struct {
	file *os.File
	left int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errors.New("it is too long")
	}
	n, err := r.file.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
