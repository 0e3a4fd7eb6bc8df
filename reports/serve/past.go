package serve

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"robots-audit/audit/watch/history"
	"robots-audit/reports/internal/disk"
)

// past reads the history, whose file may be replaced while the dashboard is open.
type past struct {
	dir   string
	base  string // Options.BasePath
	count alertCount

	mu   sync.Mutex
	db   *history.DB
	file os.FileInfo // state of the file that db has open
	uses int         // reads of db under way

	known map[string]any // results of slow reads: see remember
	state string         // state of the files then
}

// errNoHistory says that a request needs a history.
var errNoHistory = &failure{404, "this needs a history. Start the dashboard with the folder of robots-audit schedule"}

// read calls do with the history.
func (p *past) read(do func(*history.DB) error) error {
	if p.dir == "" {
		return errNoHistory
	}
	db, err := p.take()
	if err != nil {
		return err
	}
	defer func() {
		p.mu.Lock()
		p.uses--
		p.mu.Unlock()
	}()
	return do(db)
}

// take returns the history, opened again if the file was replaced.
func (p *past) take() (*history.DB, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	file, err := os.Stat(filepath.Join(p.dir, "history.db"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &failure{410, "the history is gone. Its folder was moved or removed while the dashboard was open"}
	}
	if err != nil {
		return nil, err
	}
	if p.db != nil && (os.SameFile(file, p.file) || p.uses > 0) {
		p.uses++
		return p.db, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	db, err := history.OpenReader(ctx, p.dir)
	if err != nil {
		return nil, err
	}
	if p.db != nil {
		p.db.Close() // opened only for reading
	}
	p.db, p.file = db, file
	p.uses++
	return db, nil
}

func (p *past) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.db == nil {
		return nil
	}
	db := p.db
	p.db = nil
	return db.Close()
}

// runs are the runs in the history.
func (p *past) runs() (list []*listed, err error) {
	err = p.read(func(db *history.DB) error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		totals, err := remember(p, "totals", func() ([]history.RunTotal, error) { return db.RunTotals(ctx, maxRuns) })
		if err != nil {
			return err
		}
		root, err := disk.OpenRoot(p.dir)
		if err != nil {
			return err
		}
		defer root.Close()
		later := map[string]*listed{} // the next run of a schedule
		for i := range totals {
			t := &totals[i]
			l := &listed{Run: t.Run.ID, Schedule: t.Run.Schedule, Started: t.Run.Started, Finished: t.Run.Finished, Version: t.Run.Program, Sites: &t.Sites, Known: &t.Known, Blocked: &t.Blocked, Critical: &t.States.Critical, Warn: &t.States.Warn, Unknown: &t.States.Unknown, Changes: &t.Changes, OK: &t.States.OK, Alerts: &t.Alerts}
			l.Partial = checkPlain(root, "partial/"+t.Run.ID+".json", false) == nil
			if n := later[l.Schedule]; n != nil && !l.Partial {
				n.Before, n.before = l.Run, l
			}
			if !l.Partial {
				later[l.Schedule] = l
			}
			if t.Run.Folder == "" || checkPlain(root, t.Run.Folder, true) != nil {
				l.Gone = true // a folder elsewhere does not belong to this history
			} else {
				l.dir = filepath.Join(p.dir, filepath.FromSlash(t.Run.Folder))
			}
			if checkPlain(root, "comparisons/"+t.Run.ID+"/changes.json", false) == nil {
				l.Compared = p.base + "/comparisons/" + t.Run.ID + "/index.html"
			}
			list = append(list, l)
		}
		for i, l := range list {
			if l.Before != "" || l.Partial { // the first run of a schedule has nothing to compare with
				l.Newly, l.Freed = &totals[i].Flipped.Blocked, &totals[i].Flipped.Allowed
			}
		}
		return err
	})
	return list, err
}

// has reports whether the history has a run, however old.
func (p *past) has(key string) (known bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	p.read(func(db *history.DB) error { // an error was reported by runs
		runs, err := db.Runs(ctx)
		known = slices.ContainsFunc(runs, func(r history.Run) bool { return r.ID == key })
		return err
	})
	return known
}

// remember returns the result of a slow read of the history, which is read again only after something was written. There
// are a few keys, each for one type.
func remember[T any](p *past, key string, read func() (T, error)) (T, error) {
	state := stateOf(filepath.Join(p.dir, "history.db"), filepath.Join(p.dir, "history.db-wal"))
	p.mu.Lock()
	if p.state != state {
		p.state, p.known = state, map[string]any{}
	}
	known, ok := p.known[key].(T)
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	result, err := read()
	if err == nil {
		p.mu.Lock()
		if p.state == state {
			p.known[key] = result
		}
		p.mu.Unlock()
	}
	return result, err
}

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
