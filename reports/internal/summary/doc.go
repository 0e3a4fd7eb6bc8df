// Package summary has the data on a run as a whole.
//
// A finished site is a Line of the run's journal, and within it an Entry of summary.json. The
// Totals are counted line by line while the run goes on. At its end all lines are read from the
// journal, one at a time and in the order of their Place, which is the same in all summaries. They
// are added to the Overview, with which the summaries begin, and to the Common facts of sites.
// Together they are a Run. Its memory does not grow with the number of sites: the lines are on
// disk, and lists of sites, codes and rules are bounded.
//
// Packages book and page make summary.xlsx and index.html from a Run; package reports makes
// summary.json and summary.md.
package summary
