// Package migration writes the folder of a pre-migration check.
//
//	migration.jsonl   the journal: one line a pair, as soon as it is done
//	migration.xlsx    all pairs, gravest first; targets of several; what leaked
//	changes.json      the figures, and the gravest pairs
//	changes.md        the same, fit to be pasted into a mail
//	index.html        the same as a page: classes, and the redirects as they went
//
// Open begins a folder, or goes on with one; Add takes the results as they come;
// Finish writes the reports from the journal, so that memory holds 40 bytes a pair
// and no result. A check may be killed at any moment: a line of the journal counts
// once it is whole, by its checksum, and what is not there is asked again. A later
// line on a pair stands for an earlier one. Reports are there whole or not at all.
package migration
