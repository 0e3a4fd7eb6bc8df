package serve

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"
)

// progress is how far a run is that goes on, as it says itself.
type progress struct {
	At       time.Time `json:"at"`
	Sites    int64     `json:"sites"`
	Total    int64     `json:"total,omitempty"` // sites of the list; left out = not known
	URLs     int64     `json:"urls"`
	Blocked  int64     `json:"blocked"`
	Rate     float64   `json:"urls_per_second"`
	Left     float64   `json:"seconds_left,omitempty"` // left out = not known
	Waiting  string    `json:"waiting_for,omitempty"`  // the site that keeps the run waiting
	Stage    string    `json:"waiting_at,omitempty"`
	WaitedOn float64   `json:"waiting_seconds,omitempty"`
}

// stale is the age of a word of progress from which on nobody is taken to be at work.
const stale = 30 * time.Second

// readProgress reads how far the run in a folder is; nil = it does not say, or has said
// nothing for a while.
func readProgress(dir string) *progress {
	file, err := os.Open(filepath.Join(dir, ".robots-audit", "progress.json"))
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 64<<10))
	var p progress
	if err != nil || json.Unmarshal(text, &p) != nil || time.Since(p.At) > stale {
		return nil
	}
	return &p
}
