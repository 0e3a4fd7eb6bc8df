// Package inorder does many jobs side by side, as many at a time as there are cores, and
// hands out their results in the order of the jobs: what is made of them is the same as if
// one had followed the other. It is for passes over many sites that touch nothing they
// have in common; what they have, whoever takes the results does, in one goroutine.
package inorder

import (
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// ahead is how many jobs may be finished or at work beyond those of the cores, so that a
// long one does not keep the others waiting.
const ahead = 4

// Map yields work's results of the jobs, in their order. Jobs are asked for, and results are
// yielded, by the goroutine that ranges over them; work is called by others. At most
// (1 + ahead) × GOMAXPROCS jobs were asked for and have not been yielded. Leaving the loop
// waits for those that are at work.
func Map[Job, Result any](jobs iter.Seq[Job], work func(Job) Result) iter.Seq[Result] {
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
			for len(waiting) > 0 && (len(waiting) > ahead*workers || len(waiting[0]) > 0) {
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
