package audit

import (
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// jobsAhead is how many jobs may be finished or at work beyond those of the cores, so that a
// long one does not keep the others waiting.
const jobsAhead = 4

// InOrder does jobs side by side, as many at a time as there are cores, and yields work's
// results in the order of the jobs: what is made of them is the same as if one had followed
// the other. The jobs may touch nothing that they have in common. Jobs are asked for, and results are
// yielded, by the goroutine that ranges over them; work is called by others. At most
// (1 + jobsAhead) × GOMAXPROCS jobs were asked for and have not been yielded. Leaving the loop
// waits for those that are at work.
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
