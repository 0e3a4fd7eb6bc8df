package audit

import (
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// jobsAhead is how many jobs per core may be finished or running early, so that a long job does not
// block the others.
const jobsAhead = 4

// InOrder runs jobs in parallel, one per core, and yields the results of work in the order of the
// jobs. So the outcome is the same as without parallelism. Jobs must not share data that they
// change. The goroutine that ranges over the result also pulls the jobs; other goroutines call
// work. At most (1 + jobsAhead) × GOMAXPROCS jobs are pulled but not yet yielded. Leaving the loop
// waits for the running jobs.
func InOrder[Job, Result any](jobs iter.Seq[Job], work func(Job) Result) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		workers := runtime.GOMAXPROCS(0)
		var group errgroup.Group
		group.SetLimit(workers)
		defer group.Wait() // no job returns an error
		var waiting []chan Result
		for job := range jobs {
			result := make(chan Result, 1)
			group.Go(func() error { // waits while all workers are busy
				result <- work(job)
				return nil
			})
			waiting = append(waiting, result)
			for len(waiting) > 0 && (len(waiting) > jobsAhead*workers || len(waiting[0]) > 0) {
				if !yield(<-waiting[0]) {
					return
				}
				waiting = waiting[1:]
			}
		}
		for _, result := range waiting {
			if !yield(<-result) {
				return
			}
		}
	}
}
