// Package fleet is one audit over many machines: a queue of sites in NATS JetStream, the
// workers that take sites from it, and the coordinator that puts their results together.
//
// It knows neither robots.txt nor reports. What is done for a site is a [Work], what becomes of
// the results a [Merge]; both are given. The queue is disposable: the list of sites and the
// results, which lie in a bucket, are the record, and whatever the queue loses is fed again.
//
//	RUNS     work queue     a message is a run; who has it coordinates the run
//	JOBS     work queue     jobs.<region>.<host>, a message is a site; one at most of a host
//	RESULTS  until merged   results.<run>, a message says that a site's result lies in the bucket
//
// A message stays in its queue until it is acknowledged, which comes after its result is stored.
// Who has it holds it by a [Lease]: the server is told now and then that work goes on, and
// confirms it. A holder that has had no confirmation for some time stops by itself, before the
// server gives the message to another: so no two work on one site, be a process paused, or cut off.
package fleet
