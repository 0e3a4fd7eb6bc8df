package job

import (
	"context"
	"slices"
	"sync"
	"time"
)

// urgent are the sites, by schedule, whose robots.txt has changed: they are audited at once, or after
// the run in progress.
type urgent struct {
	mu    sync.Mutex
	sites map[string][]string
	lost  int                // times that sites were taken or dropped, and their run has failed
	wake  context.CancelFunc // ends the wait for the next run; nil = nothing waits
}

// add adds a site, and ends the wait.
func (u *urgent) add(schedule, site string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sites == nil {
		u.sites = map[string][]string{}
	}
	if !slices.Contains(u.sites[schedule], site) {
		u.sites[schedule] = append(u.sites[schedule], site)
	}
	if u.wake != nil {
		u.wake()
	}
}

// take returns the sites, and forgets them.
func (u *urgent) take() map[string][]string {
	u.mu.Lock()
	defer u.mu.Unlock()
	sites := u.sites
	u.sites = nil
	return sites
}

// drop forgets the sites of a schedule: a run of all sites begins.
func (u *urgent) drop(schedule string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.sites, schedule)
}

// failed counts a run that failed: its sites are to be found again.
func (u *urgent) failed() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost++
}

func (u *urgent) failures() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.lost
}

// wait calls a function that waits until a time, and ends it early if there is a site. The error is
// that of ctx.
func (u *urgent) wait(ctx context.Context, until time.Time, wait func(context.Context, time.Time) error) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	u.mu.Lock()
	if len(u.sites) > 0 {
		cancel()
	}
	u.wake = cancel
	u.mu.Unlock()
	err := wait(waiting, until)
	u.mu.Lock()
	u.wake = nil
	u.mu.Unlock()
	if ctx.Err() == nil && waiting.Err() != nil {
		return nil
	}
	return err
}
