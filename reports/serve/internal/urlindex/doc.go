// Package urlindex searches all URLs that a run found, of one site or of thousands, while the user types.
// An index is one file in the run's folder. It is built from the records on first use, contains nothing
// else, and may be deleted at any time.
//
// The URLs are sorted, in blocks that are compressed with zstd. A table has the first URL of every block,
// so that a search for a prefix or a whole URL reads few blocks. Any other search reads all blocks, on all
// cores.
//
// Each block has its columns apart from its text: the verdicts, template, segment, status and numbers of its
// URLs. A search for a text reads no columns, and a search by filters reads no text. Verdicts and names are
// numbers of a dictionary, which is in the table. It is limited: what it does not keep is unknown to filters,
// and never counts as allowed.
//
// Building sorts in limited memory: it sorts as many URLs as fit, writes them to a temporary file as
// blocks, and then merges these sorted runs.
//
// Every zstd frame has a checksum: a damaged index gives an error, never a wrong answer.
package urlindex
