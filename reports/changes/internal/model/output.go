package model

import "robots-audit/audit/compare"

// Output makes one file of a comparison, step by step. Sites come one after the other.
type Output interface {
	Begin(site *compare.Site) error // of a site; its Name and Crawlers are known
	Flip(f *compare.Flip) error     // of the current site; f is valid until Flip returns
	End(site *Site) error           // all of it is known; only its Entry may be kept
	Finish(of *Comparison) error    // completes the file under its temporary name
	Commit() error                  // gives it its final name
	Discard()                       // removes the temporary file; does nothing after Commit
}
