package resources

// SiteLimits divides the file descriptors that this process may have (files;
// 0 = nobody knows) among the sites of a run that asks for so many workers:
//
//   - working: sites at work at a time;
//   - waiting: sites that may wait for their servers beside them
//     (audit.Auditor.Waiting; -1 = none);
//   - extra: descriptors beyond one a site, for all sites together
//     (crawl.Client.Extra; 0 = any number).
//
// A site that waits for an answer has one descriptor, its connection. It needs a
// second one only for the moment of looking a name up and connecting, or where it
// asks two hosts. So where there are fewer than two for each site, two of three
// are for the sites' first. Some are left for the reports.
func SiteLimits(files, workers int) (working, waiting, extra int) {
	const mostWaiting, reserved = 10_000, 128
	if files <= 0 {
		return workers, -1, 0
	}
	files = max(2, files-min(reserved, files/2))
	sites := min(workers+mostWaiting, max(files/2, files*2/3))
	working = min(workers, max(1, files/2)) // those may all have two
	if waiting = sites - working; waiting <= 0 {
		sites, waiting = working, -1
	}
	if extra = files - sites; extra >= sites {
		extra = 0
	}
	return working, waiting, extra
}
