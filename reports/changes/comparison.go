package changes

import "robots-audit/reports/changes/internal/model"

// What is said of a comparison, see package model.
type (
	Run        = model.Run        // one of its two sides
	Comparison = model.Comparison // all of it
	Totals     = model.Totals     // sites, and the pages of all sites
)

// Gates are the kinds of change by which Totals.Fails goes, as -fail-on has them: flip,
// newly-blocked, change, never.
func Gates() []string { return model.Gates() }
