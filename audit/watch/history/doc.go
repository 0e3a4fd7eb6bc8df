// Package history is the memory over runs: since when is this URL blocked, by which
// version of the file, and what came and went meanwhile.
//
// It is one file of SQLite, history.db, beside the folders of the runs. A run is
// entered in one transaction after its folder is complete, so that the file holds it
// whole or not at all; what a kill leaves out is entered when it is opened next. The
// file holds nothing that the folders did not hold, but for acknowledgements and
// deliveries, and can be made again from them, and from the old file where folders have been
// removed: see Rebuild.
//
// One process writes: Open holds a lock until Close. Others read meanwhile
// (OpenReader), and may acknowledge an alert (OpenBeside), which a file that is made again
// waits for before it takes the old one's name (lock-name). A commit is on the disk when
// it returns. What is wrong with a file is told by ErrLocked, ErrNewer, ErrDamaged,
// ErrReadOnly and syscall.ENOSPC, each in a sentence that says what to do; none of
// these ever removes or overwrites a file.
//
// SQLite keeps no checksums: it notices where the structure of a file is damaged, not
// where another digit stands in a figure.
//
// Two tables hold stretches of runs, not a row for each run: rule_seen and url_blocked.
// Only settled answers begin and end them. While a site's robots.txt cannot be fetched, or
// was not confirmed, nothing is known of what it would say, and all stretches go on.
// They are of a site, whatever schedule asked for it.
package history
