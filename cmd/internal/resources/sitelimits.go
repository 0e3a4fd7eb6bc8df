package resources

// MostWaiting is how many sites may wait for their servers at a time where there is room.
const MostWaiting = 10_000

// waitingSite is about the memory of a site that waits, in bytes: by https more, but few wait at a time.
const waitingSite = 40 << 10

// SiteLimits divides the file descriptors that this process may have (files;
// 0 = nobody knows) among the sites of a run that asks for so many workers, and sees to it
// that those that wait take a quarter of its memory at most (bytes; 0 = nobody knows):
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
	working = min(workers, max(1, files/2)) // those may all have two
	if waiting = sites - working; waiting <= 0 {
		sites, waiting = working, -1
	}
	if extra = files - sites; extra >= sites {
		extra = 0
	}
	return working, waiting, extra
}
