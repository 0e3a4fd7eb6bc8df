package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// stale is the age of a progress message after which the run counts as stopped.
const stale = 30 * time.Second

// readProgress reads how far the run in a folder is; nil = it does not say, or has said
// nothing for a while.
func readProgress(dir string) *reports.Progress {
	p, err := reports.ReadProgress(dir)
	if err != nil || p == nil || time.Since(p.At) > stale {
		return nil
	}
	return p
}

// progressView is how far a run is.
type progressView struct {
	*reports.Progress
	Text  string `json:"text"`
	Ended bool   `json:"ended"` // it has finished or stopped
}

// progressWords say how far a run is, in a sentence without its stop.
func progressWords(p *reports.Progress) string {
	var b strings.Builder
	b.WriteString(wording.Thousands(p.Sites))
	if p.Total > 0 {
		b.WriteString(" of " + wording.Thousands(p.Total))
	}
	fmt.Fprintf(&b, " sites, %s URLs (%s a second), %s blocked from crawling", wording.Thousands(p.URLs), wording.Thousands(int64(p.Rate)), wording.Thousands(p.Blocked))
	if p.Left > 0 {
		fmt.Fprintf(&b, ", about %s left", time.Duration(math.Ceil(p.Left))*time.Second)
	}
	if p.Waiting != "" {
		fmt.Fprintf(&b, ", waiting for %s (%s, %.0f s)", escape.Cut(escape.Show(p.Waiting), 100), p.Stage, p.WaitedOn)
	}
	return b.String()
}

// Limits for the progress of running runs.
const (
	tellInterval = time.Second
	maxStreams   = 64 // at once
	longestTell  = 12 * time.Hour
	sendTime     = 10 * time.Second // for one word to be taken
)

// viewProgress says how far a run is: as JSON once, else as server-sent events until it ends.
func (d *Desk) viewProgress(e *exchange) error {
	if e.wantsJSON() {
		return e.json(http.StatusOK, e.run.progress())
	}
	select {
	case d.streams <- struct{}{}:
		defer func() { <-d.streams }()
	default:
		return errBusy
	}
	h := e.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy is to hand on each word as it comes
	out := http.NewResponseController(e.w)
	out.SetReadDeadline(time.Time{}) // nothing more is asked; what fails here fails below, too
	tick := time.NewTicker(tellInterval)
	defer tick.Stop()
	for end := time.Now().Add(longestTell); time.Now().Before(end); {
		v := e.run.progress()
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		out.SetWriteDeadline(time.Now().Add(sendTime))
		fmt.Fprintf(e.w, "data: %s\n\n", text)
		if err := out.Flush(); err != nil || v.Ended {
			return nil // the client is gone, or the run has ended
		}
		select {
		case <-tick.C:
		case <-e.gone.Done():
			return nil
		case <-d.closing.Done():
			return nil
		}
	}
	return nil
}

// progress is how far the run is.
func (r *run) progress() progressView {
	p := readProgress(r.dir)
	if p == nil {
		return progressView{Text: "no program is working on this run", Ended: true}
	}
	return progressView{Progress: p, Text: progressWords(p)}
}
