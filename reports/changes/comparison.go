package changes

import (
	"time"

	"robots-audit/audit/compare"
)

// Run is one of the two sides of a comparison.
type Run struct {
	Path     string    // as the user gave it
	ID       string    // "" = not known
	Version  string    // of the program that made it
	Started  time.Time // UTC
	Finished time.Time // UTC; zero = it was cut short
	Crawlers []string  // labels
	Robots   string    // simulate: the file that was put in the place of robots.txt; "" = none
}

// Comparison is what is said of a whole comparison.
type Comparison struct {
	Old, New Run
	Totals   Totals
	Notes    []string // what the reader must know of the comparison as a whole, a sentence each
}

// Totals count sites, and the pages of all sites.
type Totals struct {
	Sites        int // of either run
	SitesChanged int
	OnlyOld      int // sites that the new run does not know
	OnlyNew      int
	compare.Totals
}
