// Package changes turns comparisons (package compare) into the files that people open: what changed
// between two runs, or what another robots.txt would change.
//
//	OUT/
//	  index.html      the page: sites by weight, flips by directory, robots.txt side by side
//	  changes.xlsx    the workbook
//	  changes.json    for programs
//	  changes.md      for a mail, or a comment in a review
//
// A Report gets the items of one site after the other, in the order of the run's list, and passes
// them on to each output. Texts that two outputs share come from Comparison. Memory depends only on
// the number of sites, and each site keeps only the data that the files show. Files are written
// under temporary names and renamed at the end: they appear complete or not at all.
package changes
