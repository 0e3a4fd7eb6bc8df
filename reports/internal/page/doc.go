// Package page makes the HTML pages: index.html of the run (Index), and one of each
// site, pages/<base>.html (Site), for those who would rather look than open a
// workbook. What stands in them comes from packages site and summary.
//
// Beside the pages of sites lie their style and their script, once for all of them
// (WriteAssets), in files whose names have a hash of what they hold: a page never meets a
// style or a script that was made for another. A page that was sent without them can be read,
// and says what is missing. index.html is one file with both in it, and so are all pages of a
// run in a single file. The first rows of a page's large table, blocked URLs or sites, are
// in it. Further rows, up to 200,000, are in the folder pages/<base>.rows, as scripts that
// are loaded when the rows are looked at, since a page opened from disk may not read files.
// Lists are bounded; the workbook has them whole.
//
// What a site says is text and nothing else: markup.text and markup.attr escape it, the script
// never makes markup out of it, and the page's Content-Security-Policy, see package
// layout, lets run nothing else. Only a page with files beside it may run scripts
// of its own folder, too. Characters that hide or mislead are shown as [U+202E].
//
// A site's page is appended to a buffer, a section a file (section_….go, in the order of
// parts in document.go), since html/template takes fifteen times as long. What is written
// once a run, and the timeline, is left to html/template. Tests hold the escapes and the
// rows of the longest tables to it.
//
// While records come, a site's page takes the memory of its bounded lists and of one
// buffer of rows. Blocked rows go to disk as they come; all else is put together at
// the site's end, as a view: one struct with what the page shows, in its order.
package page
