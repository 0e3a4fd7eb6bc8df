// Package cachefile keeps values by their keys in one file, over many runs. It
// knows nothing of what they mean: package crawl puts the answers to robots.txt
// into it.
//
// A File is a bbolt database of one bucket, used by one run at a time. Values
// wait in memory until there are enough of them for one write (Bounds in
// file.go); Close writes the rest. Those that nobody put for 60 days are dropped.
//
// What a disk, a cable or another program may do to a file must not end a run,
// and bbolt takes each page for what it says it is. So there are three lines of
// defence:
//
//   - Before bbolt follows the pages of a file, check looks at each of them
//     (check.go): a loop or a claim of a billion pages cannot be recovered from.
//   - What panics in bbolt all the same is recovered from (damage.go).
//   - Each value carries a checksum of itself and its key (seal.go): one that is
//     not what was put is not there.
//
// A file that is damaged is renamed, never deleted, and a new one takes its
// place; Warning or the error of Close tells where it is. An error of the file
// system, such as a full disk, ends the use of the file, and Get and Put do
// nothing from then on.
package cachefile
