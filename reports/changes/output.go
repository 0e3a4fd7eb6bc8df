package changes

import "robots-audit/audit/compare"

// output makes one file of a comparison, step by step.
type output interface {
	Begin(site *compare.Site) error // of a site; its Name and Crawlers are known
	Flip(f *compare.Flip) error     // of that site; f holds until Flip returns
	End(site *compare.Site) error   // all of it is known; flips and bodies are not to be kept
	Finish(of *Comparison) error    // completes the file under its temporary name
	Commit() error                  // gives it its final name
	Discard()                       // removes the temporary file; does nothing after Commit
}
