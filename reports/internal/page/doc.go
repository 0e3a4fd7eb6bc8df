// Package page makes the HTML pages: index.html of the run (Index), and one for each site,
// pages/<base>.html (Site), for readers who do not want to open a workbook. Their content comes
// from packages site and summary.
//
// The style and script of the sites' pages are in files in the same folder, once for all pages
// (WriteAssets). The names of these files contain a hash of their content, so a page never uses a
// style or a script of another version. A page that was sent without them can be read, and says
// that they are missing. index.html is one file that includes both, and so are all pages of a run
// in a single file. A page includes the first rows of its large table, blocked URLs or sites.
// Further rows, up to 200,000, are in the folder pages/<base>.rows, as scripts that are loaded when
// the rows are viewed. A page opened from disk may not read files. Lists are bounded; the workbook
// has them completely.
//
// Text from a site is always text: markup.text and markup.attr escape it, the script never makes
// markup from it, and the page's Content-Security-Policy, see package layout, blocks everything
// else. Only a page with other files in its folder may also run scripts from there. Characters that
// hide or mislead are shown as [U+202E].
//
// A site's page is appended to a buffer, with one file for each section (section_….go, in the order
// of parts in document.go), since html/template takes fifteen times as long. html/template makes
// only the timeline and the parts written once for a run. Tests check that the escapes and the rows
// of the longest tables agree with it.
//
// While records arrive, a site's page takes the memory of its bounded lists and of one buffer of
// rows. Blocked rows go to disk as they come. The rest is put together at the site's end as a view:
// one struct with the content of the page, in its order.
package page
