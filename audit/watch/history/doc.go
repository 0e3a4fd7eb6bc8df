// Package history stores results over many runs: since when is this URL blocked, by which version
// of the file, and what changed meanwhile.
//
// It is one SQLite file, history.db, next to the folders of the runs. A run is entered in one
// transaction after its folder is complete, so the file has it completely or not at all. Runs
// missing after a kill are entered when the file is opened next. The file has no data that the
// folders lack, except acknowledgements and deliveries. It can be rebuilt from them, and from the
// old file for removed folders: see Rebuild.
//
// One process writes: Open takes a lock until Close. Others may read meanwhile (OpenReader), and
// may acknowledge an alert (OpenBeside). A rebuilt file waits for these before it takes the old
// one's name (lock-name). A commit is on the disk when it returns. Errors of a file are ErrLocked,
// ErrNewer, ErrDamaged, ErrReadOnly and syscall.ENOSPC, each in a sentence that says what to do.
// None of them ever removes or overwrites a file.
//
// SQLite keeps no checksums: it detects damage to the structure of a file, but not a changed digit.
//
// Two tables store stretches of runs, not a row for each run: rule_seen and url_blocked. Only
// settled answers begin and end them. While a site's robots.txt cannot be fetched, or was not
// confirmed, its content is unknown, and all stretches continue. They belong to a site, for all
// schedules together.
package history
