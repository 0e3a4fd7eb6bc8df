// Package cachefile keeps values by their keys in one file, over many runs. It
// does not know their meaning: package crawl stores the answers to robots.txt in
// it.
//
// A File is an SQLite database, used by one run at a time. Values stay in memory
// until there are enough for one write (limits in file.go); Close writes the rest.
// Values that were not written for 60 days are dropped.
//
// Damage to a file by a disk, a cable or another program must not end a run.
// SQLite detects damage to its pages, and each value has a checksum of itself and
// its key. A damaged value counts as missing.
//
// A damaged file is renamed, never deleted, and replaced by a new one. Warning or
// the error of Close has its new name. An error of the file system, such as a full
// disk, ends the use of the file, and Get and Put then do nothing.
package cachefile
