// Package model is what is said of a comparison, as data: of no file and of no markup.
//
// The outputs of a comparison never import each other; what two of them say is said
// here once. There are three kinds of it.
//
// Words: classes, causes, changed lines and changes as people read them, and the
// sentence with which each site, and the comparison as a whole, begins. Text from sites
// is made visible and cut to a length in them, and an output escapes it for its markup alone.
//
// Samples: the URLs of a site that flip and weigh most, a bounded number of them,
// whatever the order in which they come.
//
// Entries: what is kept of a site when it is done, about two kilobytes, and the order
// of the sites: the first is the first to look at.
package model
