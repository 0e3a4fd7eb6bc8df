package changes

import "robots-audit/reports/changes/internal/model"

// The data of a comparison, see package model.
type (
	Run        = model.Run        // one of its two sides
	Comparison = model.Comparison // the whole comparison
	Totals     = model.Totals     // sites, and the pages of all sites
)
