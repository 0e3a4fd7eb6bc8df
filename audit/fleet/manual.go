package fleet

import (
	"fmt"
	"strings"
)

// manualHead is the text before the metrics.
const manualHead = `Where a fleet stores what, and what status shows.

New versions keep the names below runs/ in the bucket, the keys of status -json, and the names of
metrics. They can change streams, subjects and everything below fleet/. During an upgrade, members
of two consecutive versions work together.

The queue is in streams of NATS JetStream on the nodes. One or two nodes have one copy, three or
more nodes have three copies.

  RUNS              runs.VERSION.ID     a run. The worker with this message coordinates the run
  JOBS              jobs.REGION_VERSION.HOST
                                        a site. A host has one message, so one worker, at a time
  RESULTS           results.ID          the result of a site is in the bucket
  KV CHECKPOINT                         how far the list of a run has been queued
  fleet.held                            a worker that gets a site again asks here whether another
                                        worker still works on it
  fleet.who                             status asks here. Each member answers for itself
  fleet.progress.ID                     progress of a run, for submit -wait

If the queue loses a message, it is queued again from the bucket. The bucket has:

  runs/ID/                    the folder of the run, the same as from one machine
  fleet/ID/run.json           the run: settings, region, version
  fleet/ID/list.txt  input/   the list of the run, and the files that flags name
  fleet/ID/site/HH/HASH.json  the result of a site. With this file the site is done
  fleet/ID/try/HH/HASH.json   how often a site was returned for a retry
  fleet/submission-HASH.json  the last run with this list and settings
  fleet/ID/merged.json        the run is done. You may delete everything below fleet/ID
  fleet/ID/failed.json        the run was given up, and why

Keys of status -json. Times are in UTC. Lists have a limited length.

  time  problems              time of the answer; problems of the queue, and missing workers
  members                     the workers that answered within half a second.
    name region version host started
    slots runSlots working    most sites and runs at the same time; sites in progress.
    oldest                    sites in progress for the longest time: site run since try.
    waiting waitingSites      sites that wait until no other worker can be working on them; those
                              that wait longest: site run since try.
    done unknown failed       sites with a result since the start. Of these: sites that could not
                              be read; sites without an audit after too many tries.
    givenBack                 sites returned to the queue, for a retry or for other workers.
    putOff                    of these, sites that wait for a retry: sites next last.
    perMinute                 sites per minute, in the last minute and the last 5 minutes.
    slowest failures          of the done sites: site run ended ms try urls; why, if it failed.
    problem                   what stops it from taking sites now.
    runs                      runs that it puts together: run region submitted sites fed done
                              missing since last (when it took the run, and last added a site).
  queues                      stream name waiting held redelivered pulls: messages not delivered
                              yet; in progress or waiting for a retry; delivered again; open
                              requests of workers
  streams                     name messages bytes replicas leader; lagging: nodes that are offline
                              or not up to date

Metrics of worker -listen and status -listen. Each name begins with robots_audit_fleet_:

`

// Summary is the output of "robots-audit-fleet help fleet": where a fleet stores its data.
func Summary() string {
	text, _, _ := strings.Cut(manualHead, "\nKeys of status -json.")
	return text
}

// Manual is the output of "robots-audit-fleet help fleet all": where a fleet stores its data, and
// the stable names.
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
