package fleet

import (
	"fmt"
	"strings"
)

// manualHead is what comes before the metrics.
const manualHead = `What a fleet keeps where, and what status tells. Promised, as flags and file names are, are the
names in the bucket below runs/, the keys of status -json and the names of metrics. Streams,
subjects and what lies below fleet/ may change with a version; while members are replaced one by
one, those of two versions that follow each other work together.

The queue, in the streams of NATS JetStream that the nodes keep (one copy with one or two nodes,
three with three or more):

  RUNS              runs.VERSION.ID     a run; who holds the message coordinates the run
  JOBS              jobs.REGION_VERSION.HOST
                                        a site; of a host one message, so one worker, at a time
  RESULTS           results.ID          that a site's result lies in the bucket
  KV CHECKPOINT                         how far the list of a run has been queued
  fleet.held                            is asked by a worker that gets a site a second time: is
                                        another still at work on it?
  fleet.who                             is asked by status; each member answers for itself
  fleet.progress.ID                     how far a run is, for submit -wait

What the queue loses is queued again from the bucket. The bucket:

  runs/ID/                    the folder of the run, as one machine makes it
  fleet/ID/run.json           the run: settings, region, version
  fleet/ID/list.txt  input/   its list, and the files that flags name
  fleet/ID/site/HH/HASH.json  a site's result; where it is, the site is done
  fleet/ID/try/HH/HASH.json   how often a site was given back to be tried again
  fleet/submission-HASH.json  the run that was submitted last with a list and settings
  fleet/ID/merged.json        the run is done: what is below fleet/ID may be removed
  fleet/ID/failed.json        the run was given up, and why

status -json; times are in UTC, lists are bounded:

  time  problems              when it was asked; what is wrong with the queue, or done by nobody
  members                     the workers that answered within half a second
    name region version host started
    slots runSlots working    sites and runs that it takes at a time; sites in work
    oldest                    sites in work longest: site run since try
    waiting waitingSites      sites that were given out before, until no other worker can still be
                              at work on them; those that wait longest: site run since try
    done unknown failed       sites with a result since the start; of them: the site could not be
                              read; there is no audit, since too many tries came to no end
    givenBack                 sites given back: to be tried again, or for others
    putOff                    of those, sites that wait for their time: sites next last
    perMinute                 sites done a minute in the last 1 and 5 minutes
    slowest failures          of those done: site run ended ms try urls; why, if it failed
    problem                   what keeps it from taking sites now
    runs                      that it puts together: run region submitted sites fed done missing
                              since last (when it took the run, and merged a site)
  queues                      stream name waiting held redelivered pulls: messages that nobody had
                              yet; in work or put off; given out again; requests that wait
  streams                     name messages bytes replicas leader; lagging: nodes that are away, or
                              not up to date

Metrics, of worker -listen and status -listen alike, each with the prefix robots_audit_fleet_:

`

// Manual is what "robots-audit-fleet help fleet" prints: what lies where, and the names that are promised.
func Manual() string {
	var b strings.Builder
	b.WriteString(manualHead)
	for _, m := range metrics {
		name := m.name
		if len(m.labels) > 0 {
			name += " {" + strings.Join(m.labels, ",") + "}"
		}
		fmt.Fprintf(&b, "  %s\n      %s\n", name, m.help)
	}
	return b.String()
}
