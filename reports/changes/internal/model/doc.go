// Package model has the data on a comparison, independent of files and markup.
//
// The outputs of a comparison never import each other: texts that two of them use are here once.
// There are three kinds of data.
//
// Words: classes, causes, changed lines and changes as text for people, and the first sentence on
// each site and on the comparison as a whole. Text from sites is made visible and cut to a length,
// and an output escapes it only for its own markup.
//
// Samples: the changed URLs of a site with the most weight, a bounded number of them, independent
// of the order in which they come.
//
// Entries: the data that is kept when a site is done, about two kilobytes, and the order of the
// sites, the most important one first.
package model
