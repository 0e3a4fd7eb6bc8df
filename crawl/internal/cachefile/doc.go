// Package cachefile keeps values by their keys in one file, over many runs. It
// knows nothing of what they mean: package crawl puts the answers to robots.txt
// into it.
//
// A File is a database of SQLite, used by one run at a time. Values wait in memory
// until there are enough of them for one write (Bounds in file.go); Close writes
// the rest. Those that nobody put for 60 days are dropped.
//
// What a disk, a cable or another program may do to a file must not end a run.
// SQLite notices damage to its pages, and each value has a checksum of itself and
// its key: a value that is not what was put is not there.
//
// A file that is damaged is renamed, never deleted, and a new one takes its
// place; Warning or the error of Close says where it is. An error of the file
// system, such as a full disk, ends the use of the file, and Get and Put do
// nothing from then on.
package cachefile
