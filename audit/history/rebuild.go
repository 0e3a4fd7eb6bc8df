package history

import (
	"context"
	"time"
)

// Carried counts what Rebuild took over from the old file.
type Carried struct {
	Runs             int // whose folders are gone
	Alerts           int // that they raised
	Acknowledgements int
	Deliveries       int
	Lost             error  // why some of the old file could not be read; nil = all of it was
	Kept             string // where the damaged file lies now; "" = it was not damaged
}

// Rebuild begins a history that is made anew: an empty one beside the old file, with the
// folder locked. The caller replays the runs whose folders are there, the oldest first,
// with Begin, AddRun and so on. Runs that only the old file knows are taken over from it
// in their places, with the alerts that they raised. finish takes over acknowledgements
// and deliveries, puts the new file in the place of the old one, and closes it: the
// damaged old one is kept as history.db.damaged-<time>. Close without finish leaves the
// old file as it was.
func Rebuild(ctx context.Context, dir string) (db *DB, finish func(ctx context.Context, now time.Time) (Carried, error), err error) {
	return rebuild(ctx, dir, usual)
}
