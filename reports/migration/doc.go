// Package migration writes the folder of a pre-migration check.
//
//	migration.jsonl   the journal: one line for each pair, as soon as it is done
//	migration.xlsx    all pairs, most severe first; targets of several; what leaked
//	changes.json      the figures, and the most severe pairs
//	changes.md        the same, short enough for a mail
//	index.html        the same as a page: classes, and the redirects as they went
//
// Open begins a folder, or resumes one; Add adds the results as they come; Finish writes the
// reports from the journal, so that memory takes 40 bytes for each pair and no results. A check may
// be killed at any moment: a line of the journal counts if it is complete, by its checksum, and
// missing pairs are requested again. A later line on a pair replaces an earlier one. Each report is
// complete, or there is none.
package migration
