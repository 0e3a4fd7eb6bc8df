// Package job is one scheduled job from end to end, in a straight line:
//
//	recover   what an earlier start has left: runs that are complete and not entered are
//	          entered, the oldest first; one that was cut short is gone on with
//	audit     into HISTORY/runs/ID
//	compare   with the schedule's run before, into HISTORY/comparisons/ID
//	confirm   asks robots.txt again where its answer is the news: HISTORY/confirmations/ID.jsonl
//	judge     which alerts come, get worse and are resolved
//	enter     all of it, with the messages to send, in one transaction
//	deliver   what was entered
//	prune     run folders beyond the retention
//
// Each step leaves files that are whole or not there, and the transaction comes after all
// of them, so that a kill at any moment costs what was under way and nothing else: the
// next start finds a folder that the database lacks, and goes on with that. A history
// made again goes through the same steps over the folders that are there.
//
// An audit that others make, a fleet, goes on without us: HISTORY/submitted/ID.json says so from
// before it is submitted until its folder is in its place, see [Note].
//
// What only the moment knew is in the file of confirmations: what robots.txt answered when it
// was asked again, of how many tries, and which sites were within a maintenance window.
package job
