package main

// room returns how many sites may be at work of those that are asked for, how
// many more may wait for their servers beside them (audit.Auditor.Waiting;
// -1 = none), and how many descriptors more than one each they may have in all
// (crawl.Client.Extra; 0 = any number). A site that waits for its answer has one, its
// connection, and needs a second only for the moment of looking a name up and
// connecting, or where it asks two hosts. So where there are fewer descriptors than two
// a site, two of three are for sites; some are left for the reports.
// files is 0 where nobody knows.
func room(files, asked int) (working, waiting, extra int) {
	const most, own = 10_000, 128
	if files <= 0 {
		return asked, -1, 0
	}
	files = max(2, files-min(own, files/2))
	sites := min(asked+most, max(files/2, files*2/3))
	working = min(asked, max(1, files/2)) // those may all have two
	if waiting = sites - working; waiting <= 0 {
		sites, waiting = working, -1
	}
	if extra = files - sites; extra >= sites {
		extra = 0
	}
	return working, waiting, extra
}
