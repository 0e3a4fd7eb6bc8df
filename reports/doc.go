// Package reports turns an audit's records into the files that people open.
//
// A run is a folder. Run takes the records of many sites as they come,
// interleaved. Those of a small site are held until the last of them is there,
// and its report is made in one go; of a large site the records are written as
// compressed JSON Lines and rows of the workbook as compressed sheet XML while
// they come, from a few small buffers. With a site's last record Run hands out
// its Report; to finish it concerns no other site, so the program finishes
// several side by side. Finishing puts workbook and page together, renames
// everything of that site into place, and says so with one line of the run's
// journal. So every file appears whole or not at all, a run that was killed goes
// on where it stopped, and memory depends on the number of sites in flight,
// neither on their URLs nor on the length of the list. The line holds the
// checksums of the site's files, and its own: what is damaged later is found
// when the run goes on or is made again (see Options.Rebuild), and never passed over.
//
//	OUT/
//	  summary.xlsx summary.json summary.md run.json
//	  <host>[_<port>].xlsx            one workbook a site
//	  <same>.csv .jsonl .parquet      its rows of URLs, where Options.Formats asks for them
//	  index.html pages/<same>.html    the run and each site as a page; more rows of it in pages/<same>.rows/
//	  records/<same>.jsonl.zst        every record of the site: the source of all of the above
//	  evidence/<same>/                robots.txt and response headers as fetched
//	  .robots-audit/                  lock, journal, and the files of sites in flight
//
// # Workbooks
//
// They are written by internal/xlsx, which knows nothing of audits; here a sheet
// is data, a list of columns with a title, a width and a function that takes the
// value out of a row. Text from a site is never a formula and never a link; it is
// cut, with a mark, at the cell's limit; control characters are shown as \x0A.
// Numbers are numbers, times are dates in UTC, and no meaning is carried by colour
// alone. The same records give the same bytes: Rebuild makes a run's reports again.
//
// # Pages
//
// A page is one file, made by html/template (the rows of its two longest tables
// by hand, ten times as fast and held to be the same), with its style, its script and the
// first rows of its large table. Further rows, up to 200,000, lie beside it in
// scripts that are loaded when they are looked at, since a page opened from
// disk may not read files. Nothing comes from the network, and the page's
// Content-Security-Policy lets no script run but those; what a site says is
// text, and characters that hide or mislead are shown as [U+202E].
//
// # Ids and counts
//
// Two runs are joined by url_id and rule_id: the first 16 hexadecimal digits of
// the SHA-256 of a URL (scheme and host in lower case, no default port, path and
// query as RFC 9309 compares them), and of a rule with the product tokens of its
// group. The line is no part of a rule's id, since lines move. Every count of a
// summary is the number of its rows: pages on Blocked and Undecided, what is no
// page on Resources, and a sheet without rows says why, but for Blocked, whose
// rows programs count.
//
// What the records do not say, the engine is asked again: the runner-up of a
// verdict, the cause of a disagreement (found by trying which point of the
// profiles makes the difference), the access of crawlers that nobody asked
// about, the classes that Clean-param makes.
//
// # Words
//
// "Blocked from crawling": a blocked URL can still be indexed. "Known URLs":
// those that the site's sitemaps name, never "the site". "Unknown" is a class
// of its own, and never counted as fine.
package reports
