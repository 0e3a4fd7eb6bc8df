// Package urlindex searches all URLs that a run found, of one site or of thousands, while
// somebody types. An index is one file beside the run. It holds nothing that the records do not,
// is made from them on first use, and may be deleted at any time.
//
// The URLs are in order, in blocks that are compressed by zstd. A table holds the first URL of
// every block, so that a prefix or a whole URL reads few blocks. Any other text is looked for in
// all blocks, by all cores.
//
// Building sorts in bounded memory: as many URLs as there is room for are sorted and written to a
// temporary file as blocks, and these runs are merged.
//
// Every frame of zstd has a checksum: a damaged index is an error, never another answer.
package urlindex
