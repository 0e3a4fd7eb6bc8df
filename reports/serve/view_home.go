package serve

import (
	"net/url"
	"strings"
)

// latest is the newest finished run of a schedule.
type latest struct {
	listed
	Open int64 `json:"schedule_open_alerts"` // open alerts that runs of the schedule raised

	Tiles []homeTile `json:"-"`
}

// homeTile is a figure that leads to what it counts. Path "" = it leads nowhere.
type homeTile struct {
	Class  string
	Figure *int64
	Share  string // in place of Figure
	Name   string
	Sub    string
	Path   string
}

// maxLatest limits the schedules whose newest run has tiles.
const maxLatest = 20

// newest returns the newest finished run of each schedule that audited all of its sites, newest first. Without a
// history there is no schedule: it is the newest of all runs.
func (d *Desk) newest(list []*listed) (all []latest) {
	open := map[string]int64{}
	for _, l := range list {
		if l.Alerts != nil {
			open[l.Schedule] += *l.Alerts
		}
	}
	seen := map[string]bool{}
	for _, l := range list {
		if !l.done() || l.Partial || seen[l.Schedule] || len(all) == maxLatest {
			continue
		}
		seen[l.Schedule] = true
		all = append(all, latest{listed: *l, Open: open[l.Schedule]})
	}
	for i := range all {
		all[i].Tiles = d.homeTiles(&all[i], len(all) > 1)
	}
	return all
}

// homeTiles are the figures of a run. Their links name the schedule if there are several.
func (d *Desk) homeTiles(l *latest, several bool) []homeTile {
	over := func(path string, q url.Values) string {
		switch {
		case l.Alerts == nil && l.Gone:
			return ""
		case l.Alerts == nil: // it is in no history
			return l.Link
		case several && l.Schedule == "": // no filter selects runs that were entered by hand
			return ""
		case several:
			q.Set("schedule", l.Schedule)
		}
		return strings.TrimSuffix(d.o.link(path)+"?"+q.Encode(), "?")
	}
	state := func(state string) string { return over("/time", url.Values{"only": {state}}) }
	tiles := []homeTile{
		{Class: "critical", Figure: l.Critical, Name: "critical", Path: state("critical")},
		{Class: "warn", Figure: l.Warn, Name: "warning", Path: state("warn")},
		{Class: "unknown", Figure: l.Unknown, Name: "unknown", Path: state("unknown")},
		{Class: "ok", Figure: l.OK, Name: "OK", Path: state("ok")},
	}
	if share := l.Share(); share != "" {
		tile := homeTile{Share: share, Name: "of URLs blocked", Path: over("/time", url.Values{"sort": {"blocked"}})}
		switch moved := l.Moved(); moved {
		case "":
		case "0":
			tile.Sub = "as in the run before"
		default:
			tile.Sub = moved + " points since the run before"
		}
		tiles = append(tiles, tile)
	}
	if l.Newly != nil {
		tiles = append(tiles, homeTile{Figure: l.Newly, Name: "sites newly blocked", Path: l.Compared}, homeTile{Figure: l.Freed, Name: "sites newly allowed", Path: l.Compared})
	}
	if l.Alerts != nil {
		tiles = append(tiles, homeTile{Figure: &l.Open, Name: "open alerts", Path: over("/alerts", url.Values{})})
	}
	return tiles
}
