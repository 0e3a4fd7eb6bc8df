// Package page makes the HTML pages: index.html of the run (Index), and one of each
// site, pages/<base>.html (Site), for those who would rather look than open a
// workbook. What stands in them comes from packages site and summary.
//
// A page is one file that can be mailed: style and script are in it, and so are the
// first rows of its large table, blocked URLs or sites. Further rows, up to 200,000,
// are in the folder pages/<base>.rows, as scripts that are loaded when the rows are
// looked at, since a page opened from disk may not read files. Lists are bounded; the
// workbook has them whole.
//
// What a site says is text and nothing else. html/template escapes it, the script
// never makes markup out of it, and the page's Content-Security-Policy, see package
// layout, lets run nothing else. Only a page with rows in files beside it may run scripts
// of its own folder, too. Characters that hide or mislead are shown as [U+202E].
//
// The rows of two tables, lines of robots.txt and findings, are written by hand
// (markup.go), ten times as fast as html/template; a test holds both to be equal.
//
// While records come, a site's page takes the memory of its bounded lists and of one
// buffer of rows. Blocked rows go to disk as they come; all else is put together at
// the site's end, as a view: one struct with what the template shows, in its order.
package page
