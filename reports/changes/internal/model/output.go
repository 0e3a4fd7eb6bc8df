package model

import "robots-audit/audit/compare"

// Output makes one file of a comparison, step by step. Sites come one after the other.
type Output interface {
	Begin(site *compare.Site) error // of a site; its Name and Crawlers are known
	Flip(f *compare.Flip) error     // of that site; f holds until Flip returns
	End(site *Site) error           // all of it is known; but for its Entry, nothing is to be kept of it
	Finish(of *Comparison) error    // completes the file under its temporary name
	Commit() error                  // gives it its final name
	Discard()                       // removes the temporary file; does nothing after Commit
}
