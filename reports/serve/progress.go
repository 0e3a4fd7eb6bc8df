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

// readProgress reads the progress of the run in a folder; nil = it reports none, or has not for a while.
func readProgress(dir string) *reports.Progress {
	p, err := reports.ReadProgress(dir)
	if err != nil || p == nil || time.Since(p.At) > stale {
		return nil
	}
	return p
}

// progressView is a run's progress.
type progressView struct {
	*reports.Progress
	Text  string `json:"text"`
	Ended bool   `json:"ended"` // it has finished or stopped
}

// progressWords describe a run's progress, in a sentence without its full stop.
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
	maxStreams   = 64 // streams at once
	longestTell  = 12 * time.Hour
	sendTime     = 10 * time.Second // time for a client to take one message
)

// viewProgress reports a run's progress: once as JSON, or as server-sent events until the run ends.
func (d *Desk) viewProgress(e *exchange) error {
	if e.wantsJSON() {
		return e.json(http.StatusOK, e.run.progress())
	}
	leave, err := d.streams.enter(e.gone)
	if err != nil {
		return err
	}
	defer leave()
	h := e.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy must pass on each message at once
	out := http.NewResponseController(e.w)
	out.SetReadDeadline(time.Time{}) // the request has no more to read; an error here also occurs below
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
			return nil // the client has disconnected, or the run has ended
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

// progress is the run's progress.
func (r *run) progress() progressView {
	p := readProgress(r.dir)
	if p == nil {
		return progressView{Text: "no program is working on this run", Ended: true}
	}
	return progressView{Progress: p, Text: progressWords(p)}
}
