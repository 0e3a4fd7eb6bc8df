package resources

// MostWaiting is how many sites may wait for their servers at a time if resources allow.
const MostWaiting = 10_000

// waitingSite is the approximate memory of a waiting site, in bytes. With https it is more, but few
// of these wait at a time.
const waitingSite = 40 << 10

// SiteLimits divides the file descriptors of this process (files; 0 = unknown) among the sites of a
// run with a number of workers. Waiting sites may use a quarter of its memory (bytes; 0 = unknown):
//
//   - working: sites at work at a time;
//   - waiting: further sites that may wait for their servers
//     (audit.Auditor.Waiting; -1 = none);
//   - extra: descriptors beyond one a site, for all sites together
//     (crawl.Client.Extra; 0 = any number).
//
// A site that waits for a response has one descriptor, its connection. It needs a second one only
// while it looks up a name and connects, or if it requests from two hosts. If there are fewer than
// two per site, two thirds are for the first ones. Some are reserved for the reports.
func SiteLimits(files int, memory int64, workers int) (working, waiting, extra int) {
	const reserved = 128
	mostWaiting := MostWaiting
	if memory > 0 {
		mostWaiting = int(min(MostWaiting, max(64, memory/4/waitingSite)))
	}
	if files <= 0 {
		return workers, -1, 0
	}
	files = max(2, files-min(reserved, files/2))
	sites := min(workers+mostWaiting, max(files/2, files*2/3))
	working = min(workers, max(1, files/2)) // each of these may have two
	if waiting = sites - working; waiting <= 0 {
		sites, waiting = working, -1
	}
	if extra = files - sites; extra >= sites {
		extra = 0
	}
	return working, waiting, extra
}
