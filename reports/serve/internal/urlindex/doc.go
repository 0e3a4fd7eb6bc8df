// Package urlindex searches all URLs that a run knows of, of one site or of thousands,
// while somebody types. An index is one file beside the run. It holds nothing that the
// records do not, is made from them on first use, and may be thrown away at any time.
//
// The URLs lie in order, in blocks of some 64 KB. In a block each is written as what it
// does not share with the one before it, in columns, compressed by zstd. A table holds the
// first URL of every block; it is all that stays in memory. What lies between two
// neighbours of the table begins with what these two begin with, so that the table alone
// tells of most blocks that all of their URLs begin so, or none, or that all of them contain
// a text. Such blocks are counted and not read: a prefix reads two blocks at most, however many
// it finds, and so does "https".
//
// What the table cannot tell is looked for in the blocks, by all cores. Two things keep
// that short. A filter says for each three letters in which blocks they may occur, so that what is
// rare reads few blocks. And a text that lies within what a URL shares with the one before it
// need not be looked for again, so that each line costs as much as it has of its own.
//
// Building sorts in bounded memory: as many URLs as there is room for are sorted and go to
// a temporary file, and these runs are merged. Both know how much each URL shares with the one before
// it, which is what merging compares first, and what the blocks are written from.
//
// Every part of the file has a checksum: a damaged index is an error, never another answer.
package urlindex
