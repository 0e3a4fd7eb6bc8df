package main

// room returns how many sites may be at work of those that are asked for, and
// how many more may wait for their servers beside them (audit.Auditor.Waiting;
// -1 = none): together as many as there are file descriptors for, at two a site (a
// connection in use and one kept, or a name being looked up), with some
// left for the reports. files is 0 where nobody knows.
func room(files, asked int) (working, waiting int) {
	const most, own, each = 10_000, 128, 2
	if files <= 0 {
		return asked, -1
	}
	sites := max(1, (files-min(own, files/2))/each)
	working = min(asked, sites)
	if waiting = min(most, sites-working); waiting == 0 {
		waiting = -1
	}
	return working, waiting
}
