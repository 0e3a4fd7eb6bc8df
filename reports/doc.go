// Package reports turns an audit's records into the files that people open.
//
// A run is a folder. Run.Add is given the records of many sites as they come,
// interleaved. Those of a small site are buffered until the last of them is there,
// and its report is made in one go; those of a large site are written as they come,
// from a few small buffers. With a site's last record Add returns its Report. To
// finish it concerns no other site, so the program finishes several side by side.
//
// Files of a site are written as temporary files. Report.Finish completes them,
// renames all of them to their final names, and appends the site's line to the run's
// journal. So every file appears complete or not at all, a run that was killed goes
// on where it stopped, and memory depends on the number of sites in work, neither on
// their URLs nor on the length of the list. The line has the checksums of the site's
// files, and its own: damage is found when the run goes on or its reports are made
// again (Options.Rebuild), and is always reported.
//
// Sites may as well be done in many places, and the folder be put together of what they
// come to: Sites makes the files and the line of one site at a time, Run.Enter takes the
// lines, and Run.Close writes what a run of one machine would have written, to the byte.
//
//	OUT/
//	  summary.xlsx summary.json summary.md run.json
//	  <host>[_<port>].xlsx            one workbook a site
//	  <same>.csv .jsonl .parquet      its rows of URLs, where Options.Formats asks for them;
//	  <same>.csv.gz .jsonl.zst        the same, compressed
//	  brief.html briefs/<same>.html   one printed page for clients, where Options.Reports asks for it
//	  index.html pages/<same>.html    the run and each site as a page; more rows of it in pages/<same>.rows/
//	  pages/page-<hash>.css .js       style and script of all pages of sites
//	  records/<same>.jsonl.zst        every record of the site: the source of all of the above
//	  records/journal.zst             a line of each finished site, with checksums of its files
//	  evidence/<same>/                robots.txt and response headers as fetched
//	  .robots-audit/                  lock, journal while the run goes on, and temporary files
//
// Of a large run hardly any of the workbooks and pages is ever opened. Options.Reports may
// name a level (levels.go): of which sites there are files beside their records. Nothing is
// lost by that: Options.Demand makes the files of single sites later, the same bytes.
//
// # Rooms
//
// This package is the run: its folder, journal and lock, records and evidence on
// disk, resuming and rebuilding. What is said, and how it looks, is in packages below
// it, each of which imports only those above it in this list:
//
//	internal/disk     a file system that may fail: temporary files, checksums, files that are none
//	internal/xlsx     the writer of workbooks; knows nothing of audits
//	internal/site     what is said of one site, as plain data: neither cells nor markup
//	internal/summary  what is said of a run, likewise
//	internal/book     the workbooks, from site and summary
//	internal/page     the HTML pages, from site and summary
//	internal/brief    one printed page for clients, from summary
//	internal/export   CSV, JSON Lines and Parquet, from site
//
// Book, page, brief and export are outputs: each makes one kind of file, and none imports
// another, so what two of them say is said in site or summary. A record goes from
// Run.Add to the site's siteRun, which writes it to the file of records and adds it
// to the site's data (site.Site); that passes it on to each output. outputKinds and
// newRunOutputs list the outputs of a site and of the run, in their order.
//
// # Workbooks
//
// A sheet is data: a list of columns, each with a title, a width and a function that
// takes its cell out of a row. Text from a site is never a formula and never a link;
// it is cut, with a mark, at the cell's limit; control characters are shown as \x0A.
// Numbers are numbers, times are dates in UTC, and no meaning is carried by colour
// alone. The same records give the same bytes.
//
// # Pages
//
// The page of a site has the first rows of its large table; further rows, up to 200,000,
// lie beside it, and so do style and script, once for all pages of the run. index.html has both
// in it, and in a run in a single file each page has. Nothing comes from the
// network, and the page's Content-Security-Policy lets no script run but its own;
// what a site says is text, and characters that hide or mislead are shown as [U+202E].
//
// # Ids and counts
//
// Two runs are joined by url_id and rule_id: the first 16 hexadecimal digits of
// the SHA-256 of a URL (scheme and host in lower case, no default port, path and
// query as RFC 9309 compares them), and of a rule with the product tokens of its
// group. The line is no part of a rule's id, since lines move. Every count of a
// summary is the number of its rows: pages are on the sheets Blocked and Undecided,
// images, videos and alternates on Resources, a row for each URL and line that decides,
// which names the crawlers in its column Crawlers. A sheet without rows says why, but for
// Blocked, whose rows programs count.
//
// # Words
//
// "Blocked from crawling": a blocked URL can still be indexed. "Known URLs":
// those that the site's sitemaps, followed links or the user's own list name, never
// "the site". "Unknown" is a class
// of its own, and never counted as fine.
package reports
