package schedule

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// Write describes the plan for people: for each entry the next runs, in its zone and in UTC, and
// the effects of the next two clock changes; for each window its next start. "robots-audit
// schedule" prints it at its start and for -plan.
func (p Plan) Write(w io.Writer, now time.Time, runs int) error {
	out := bufio.NewWriter(w)
	linef := func(form string, args ...any) { fmt.Fprintf(out, form+"\n", args...) }
	for _, e := range p.Entries {
		if e.Of != "" {
			linef("schedule %s: %s in %s, robots.txt of the sites of schedule %s", e.Name, e.Cron, e.Cron.Zone(), e.Of)
			if at := e.Cron.Next(now); !at.IsZero() {
				linef("  %s", at.Format("Mon 2006-01-02 15:04 MST"))
			}
			continue
		}
		late := "missed runs are replaced by one late run"
		if !e.CatchUp {
			late = "missed runs are skipped"
		}
		by := ""
		if e.Fleet {
			by = ", by the fleet"
		}
		linef("schedule %s: %s in %s, sites of %s%s; %s", e.Name, e.Cron, e.Cron.Zone(), e.Domains, by, late)
		at := now
		for range runs {
			if at = e.Cron.Next(at); at.IsZero() {
				break
			}
			text := at.Format("Mon 2006-01-02 15:04 MST")
			if e.Cron.Zone() != time.UTC {
				text += at.UTC().Format(" (2006-01-02 15:04 UTC)")
			}
			linef("  %s", text)
		}
		for _, change := range e.Cron.Changes(now, 2) {
			linef("  %s", change.Text)
		}
	}
	for _, window := range p.Windows {
		name := "maintenance"
		if window.Name != "" {
			name += " " + window.Name
		}
		linef("%s: %s in %s, for %v", name, window.Cron, window.Cron.Zone(), window.Duration)
		if at := window.Cron.Next(now); !at.IsZero() {
			const form = "Mon 2006-01-02 15:04 MST"
			linef("  %s to %s", at.Format(form), at.Add(window.Duration).Format(form))
		}
	}
	return out.Flush()
}
