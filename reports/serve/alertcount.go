package serve

import (
	"context"
	"sync"
	"time"

	"robots-audit/audit/watch/history"
)

// alertCount is the last count of open alerts.
type alertCount struct {
	mu    sync.Mutex
	at    time.Time
	open  int
	known bool
}

// countAge is how long the count of alerts in the bar is valid.
const countAge = 5 * time.Second

// alerts is the number of open alerts. known is false if it could not be read, or there is no history.
func (p *past) alerts() (open int, known bool) {
	if p.dir == "" {
		return 0, false
	}
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	if time.Since(p.count.at) < countAge {
		return p.count.open, p.count.known
	}
	ctx, cancel := context.WithTimeout(context.Background(), countAge)
	defer cancel()
	p.count.open, p.count.at = 0, time.Now()
	err := p.read(func(db *history.DB) (err error) { // the page of alerts shows errors
		p.count.open, err = db.OpenCount(ctx)
		return err
	})
	p.count.known = err == nil
	return p.count.open, p.count.known
}

// forget makes the next call count the alerts again.
func (p *past) forget() {
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	p.count.at = time.Time{}
}
