package alert

import (
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/history"
)

// Input is what one run says of one site, and what is known of the site until then.
type Input struct {
	Site     string        // its name
	Run      string        // ID of the run
	Started  time.Time     // of the run; texts tell times of day in its location
	Settled  string        // ID of the site's last settled run; "" = there is none
	Compared *compare.Site // of that run with this one. Never nil: where there is no such run, its Old is nil; where the site is audited no longer, its New
	Open     []Open        // alerts that hold

	Confirmed        Confirmation // what came of asking again; the zero value where there was nothing to ask
	Quiet            bool         // the run was started within a maintenance window of the site
	UnreachableSince time.Time    // start of the first of the runs, up to this one, that without a break could not get robots.txt; zero = this one is the first
}

// Open is an alert that holds.
type Open struct {
	history.Alert
	Compared *compare.Site // of its Base with this run; nil = it has no base
}

// Judged is what becomes of a site's alerts by a run.
type Judged struct {
	Settled bool            // later runs are compared with this one
	Alerts  []history.Alert // to be saved: those that are raised, told again, or ended, by condition
	Events  []Event         // to be told, the gravest first
}

// Questions are the URLs of robots.txt that have to be asked again before the run is
// judged: those of which it brings a condition that a hiccup of the network, too, would
// bring (AL03 to AL06). nil = none, and Input.Confirmed is NotAsked.
func Questions(in Input) []string { return nil }

// Judge says what becomes of a site's alerts by a run, and what is to be told of it.
func Judge(in Input) Judged { return Judged{} }

// ID is the stable ID of an alert.
func ID(site, condition, raisedRun string) string { return "" }
