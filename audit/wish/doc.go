// Package wish answers what a person wishes of a site's robots.txt: that some URLs are
// allowed for crawlers, or blocked, and that no other known URL flips. It reads the list
// of the URLs, finds in a site's records the file that governs them, and has package
// edit look for the smallest change of it.
//
// Package edit takes at most [edit.MaxSet] URLs at a time. Of a longer list a part is
// asked about, spread over it; what the change leaves as it was joins the part, and it is
// asked again, until the change does what is wished for all of the list. The list is
// held in memory, known URLs are not: they are read again for each pass.
package wish
