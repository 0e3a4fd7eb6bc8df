// Package reports turns an audit's records into the files that people open.
//
// A run is a folder. Run.Add gets the records of many sites as they come, interleaved. Records of a small
// site are buffered until the last of them is there, and its report is made at once; those of a large site
// are written as they come, from a few small buffers. With a site's last record Add returns its Report.
// Finishing it affects no other site, so the program finishes several in parallel.
//
// Files of a site are written as temporary files. Report.Finish completes them, renames all of them to
// their final names, and appends the site's line to the run's journal. So every file appears complete or
// not at all, and a run that was killed continues where it stopped. Memory depends on the number of sites
// in progress, not on their URLs or the length of the list. The line has the checksums of the site's files,
// and its own. Damage is found when the run is resumed or its reports are made again (Options.Rebuild), and
// is always reported.
//
// Sites may also be done in many places, and the folder put together from the results. Sites makes the
// files and the line of one site at a time, Run.Enter takes the lines, and Run.Close writes the same bytes
// as a run on one machine.
//
//	OUT/
//	  summary.xlsx summary.json summary.md run.json
//	  <host>[_<port>].xlsx            one workbook for each site
//	  <same>.csv .jsonl .parquet      its rows of URLs, if Options.Formats has them;
//	  <same>.csv.gz .jsonl.zst        the same, compressed
//	  logs/<same>.crawlers.csv …      crawlers in its access logs, in the same formats: .rules, .days, .parts
//	  brief.html briefs/<same>.html   one printed page for clients, if Options.Reports has it
//	  index.html pages/<same>.html    the run and each site as a page; more rows of it in pages/<same>.rows/
//	  pages/page-<hash>.css .js       style and script of all pages of sites
//	  records/<same>.jsonl.zst        every record of the site: the source of all files above
//	  records/journal.zst             a line of each finished site, with checksums of its files
//	  evidence/<same>/                robots.txt and response headers as fetched
//	  .robots-audit/                  lock, journal while the run goes on, and temporary files
//
// In a large run hardly any of the workbooks and pages is ever opened. Options.Reports may name a level
// (levels.go), which decides which sites get files in addition to their records. Nothing is lost:
// Options.Demand makes the files of single sites later, with the same bytes.
//
// # Packages
//
// This package is the run: its folder, journal and lock, records and evidence on disk, resuming and
// rebuilding. The content of reports and its form are in packages below it. Each imports only packages
// above it in this list:
//
//	internal/disk     a file system that may fail: temporary files, checksums, protection against pipes and links
//	internal/xlsx     the writer of workbooks; independent of audits
//	internal/site     the data on one site: neither cells nor markup
//	internal/summary  the data on a run, likewise
//	internal/book     the workbooks, from site and summary
//	internal/page     the HTML pages, from site and summary
//	internal/brief    one printed page for clients, from summary
//	internal/export   CSV, JSON Lines and Parquet, from site and crawls
//
// Book, page, brief and export are outputs: each makes one kind of file, and none imports another, so data
// that two of them use is in site or summary. A record goes from Run.Add to the site's siteRun, which
// writes it to the file of records and adds it to the site's data (site.Site); that passes it on to each
// output. outputKinds and newRunOutputs list the outputs of a site and of the run, in their order.
//
// # Workbooks
//
// A sheet is data: a list of columns, each with a title, a width and a function that returns its cell for a
// row. Text from a site is never a formula and never a link. It is cut, with a mark, at the cell's limit;
// control characters are shown as \x0A. Numbers are numbers, times are dates in UTC, and colour alone never
// carries meaning. The same records give the same bytes.
//
// # Pages
//
// The page of a site has the first rows of its large table; further rows, up to 200,000, are in separate
// files, and so are style and script, once for all pages of the run. index.html includes both, and so does
// each page of a run in a single file. Nothing comes from the network, and the page's
// Content-Security-Policy allows only its own scripts. Text from a site stays text, and characters that
// hide or mislead are shown as [U+202E].
//
// # Ids and counts
//
// Two runs are joined by url_id and rule_id: the first 16 hexadecimal digits of the SHA-256 of a URL
// (scheme and host in lower case, no default port, path and query as RFC 9309 compares them), and of a rule
// with the product tokens of its group. A rule's id does not include the line, since lines move. Every
// count of a summary is the number of its rows. Pages are on the sheets Blocked and Undecided, images,
// videos and alternates on Resources. There is a row for each URL and deciding line, with the crawlers in
// its column Crawlers. A sheet without rows says why, except Blocked, whose rows programs count.
//
// # Words
//
// "Blocked from crawling": a blocked URL can still be indexed. "Known URLs": those found in the site's
// sitemaps, in followed links or in the user's own list, never "the site". "Unknown" is a separate class,
// and never counts as OK.
package reports
