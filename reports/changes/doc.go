// Package changes turns comparisons (package compare) into the files that people open:
// what changed between two runs, or what another robots.txt would change.
//
//	OUT/
//	  index.html      the page: sites by weight, flips by directory, robots.txt side by side
//	  changes.xlsx    the workbook
//	  changes.json    for programs
//	  changes.md      for a mail, or a comment in a review
//
// A Report is given the items of one site after the other, in the order of the run's
// list, and passes them on to each output; what two outputs say is said once, in
// Comparison. Memory depends on the number of sites alone, of which only what the
// files show is kept. Files are written beside their names and renamed at the end: they
// appear whole or not at all.
package changes
