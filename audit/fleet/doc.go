// Package fleet runs one audit on many machines. It has a queue of sites in NATS JetStream, workers
// that take sites from it, and a coordinator that merges their results.
//
// It does not know robots.txt or reports. A [Work] does a site, and a [Merge] handles the results;
// both are given. The queue may be lost: the list of sites and the results are in a bucket, and
// lost messages are queued again.
//
//	RUNS     work queue     a message is a run; its holder coordinates the run
//	JOBS     work queue     jobs.<region>.<host>, a message is a site; at most one per host
//	RESULTS  until merged   results.<run>, a message says that a site's result is in the bucket
//
// A message stays in its queue until it is acknowledged, after its result is stored. Its holder has
// a [Lease]: it reports regularly to the server that work continues, and the server confirms this.
// A holder without a confirmation for some time stops by itself, before the server gives the
// message to another one. So no two processes work on one site, even if one is paused or
// disconnected.
package fleet
