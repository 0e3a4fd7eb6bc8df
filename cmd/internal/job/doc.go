// Package job is one scheduled job from start to end, in this order:
//
//	recover   complete what an earlier start has left: store finished runs that are not in
//	          the history, the oldest first, and continue a run that was interrupted
//	audit     into HISTORY/runs/ID
//	compare   with the schedule's previous run, into HISTORY/comparisons/ID
//	confirm   ask again if an alert depends on an answer: HISTORY/confirmations/ID.jsonl
//	judge     which alerts open, get worse and are resolved
//	store     all of it, with the messages to send, in one transaction
//	deliver   the messages
//	prune     run folders beyond the retention
//
// Each step leaves complete files or none, and the transaction comes after all of them. So a kill
// loses only the step in progress: the next start finds a folder that the database lacks, and
// continues with it. Rebuilding a history does the same steps with the existing folders.
//
// A fleet continues its audits without this process: HISTORY/submitted/ID.json records such a run
// until its folder is in its place, see [Note].
//
// The file of confirmations has facts that cannot be found later: repeated answers for robots.txt,
// the number of tries, and the sites in a maintenance window.
package job
