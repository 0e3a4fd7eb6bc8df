package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// carrier copies data that only the old file has to the new one.
type carrier struct {
	old     *DB   // nil = it cannot be read
	whole   bool  // it has no damage
	runs    []Run // its runs that are not in the new file yet, in order
	places  map[string]place
	carried Carried
}

// place is the position of a run of the old file in the order of the replay.
type place struct {
	number int       // in the order in which they were entered
	before time.Time // no run that was entered after it started earlier
}

// newCarrier opens the old file. It notes errors of that file, since they are the reason for the
// rebuild.
func newCarrier(ctx context.Context, dir string, o options) *carrier {
	c := &carrier{}
	old, err := openReader(ctx, dir, o)
	if errors.Is(err, fs.ErrNotExist) {
		return c
	}
	if err == nil {
		c.old = old
		c.noteLoss(old.Check(ctx))
		c.runs, err = old.Runs(ctx)
		c.place()
	}
	c.noteLoss(err)
	c.whole = c.carried.Lost == nil
	return c
}

// noteLoss notes why a part of the old file could not be read.
func (c *carrier) noteLoss(err error) {
	if c.carried.Lost == nil {
		c.carried.Lost = err
	}
}

func (c *carrier) close() error {
	if c.old == nil {
		return nil
	}
	return c.old.Close()
}

// before enters the runs that only the old file has, and that are older than next.
func (c *carrier) before(tx *Tx, next Run) error {
	for c.waits(next) {
		if err := c.carryRun(tx, c.runs[0]); err != nil {
			return err
		}
		c.runs = c.runs[1:]
	}
	return nil
}

// waits reports whether before has something to enter.
func (c *carrier) waits(next Run) bool { return len(c.runs) > 0 && c.compare(c.runs[0], next) < 0 }

// replayed drops a run that is entered from its folder.
func (c *carrier) replayed(id string) {
	c.runs = slices.DeleteFunc(c.runs, func(r Run) bool { return r.ID == id })
}

// place sets the positions of the old file's runs.
func (c *carrier) place() {
	c.places = map[string]place{}
	var before time.Time
	for i, r := range slices.Backward(c.runs) {
		if before.IsZero() || r.Started.Before(before) {
			before = r.Started
		}
		c.places[r.ID] = place{i, before}
	}
}

// compare orders runs for the replay: those of the old file in their stored order, because a clock
// may have been wrong, and others by their start.
func (c *carrier) compare(a, b Run) int {
	at := func(r Run) place {
		if p, ok := c.places[r.ID]; ok {
			return p
		}
		return place{math.MaxInt, r.Started}
	}
	of, with := at(a), at(b)
	return cmp.Or(of.before.Compare(with.before), cmp.Compare(of.number, with.number), cmp.Compare(a.ID, b.ID))
}

// carryRun enters a run of the old file, and replays its alerts.
func (c *carrier) carryRun(tx *Tx, r Run) error {
	if _, err := os.Stat(filepath.Join(tx.db.dir, filepath.FromSlash(r.Folder))); r.Folder != "" && errors.Is(err, fs.ErrNotExist) {
		r.Folder = ""
	}
	if err := tx.addRun(r); err != nil {
		return err
	}
	c.carried.Runs++
	sites, err := list(tx.ctx, c.old, textField, "SELECT s.name FROM site_run x JOIN site s ON s.site = x.site WHERE x.run = (SELECT run FROM run WHERE id = ?) ORDER BY s.site", r.ID)
	c.noteLoss(err)
	for _, site := range sites {
		e, err := c.old.entry(tx.ctx, site, r.ID)
		if err != nil {
			if tx.ctx.Err() != nil {
				return err
			}
			c.noteLoss(err)
			continue
		}
		if err := tx.AddSite(tx.ctx, e); err != nil {
			return err
		}
	}
	return c.carryAlerts(tx, r)
}

// carryAlerts enters the alerts that a run raised, as open, and ends those that it ended. Later
// runs enter their own results.
func (c *carrier) carryAlerts(tx *Tx, r Run) error {
	alerts, err := listAlerts(tx.ctx, c.old, (*Alert).fields, alertColumns+"WHERE r.id = ?1 OR e.id = ?1 ORDER BY a.id", r.ID)
	c.noteLoss(err)
	for _, a := range alerts {
		if a.EndedRun != r.ID {
			a.EndedRun, a.Ended = "", time.Time{}
		}
		_, found, err := tx.number("SELECT 1 FROM alert WHERE id = ?", a.ID)
		if err != nil {
			return err
		}
		if !found && a.Raised != r.ID { // the run that raised it was replayed, and did not raise it
			continue
		}
		_, open, err := tx.number("SELECT 1 FROM alert WHERE site = (SELECT site FROM site WHERE name = ?) AND condition = ? AND ended_run IS NULL AND id <> ?", a.Site, a.Condition, a.ID)
		if err != nil {
			return err
		}
		if open && a.EndedRun == "" { // the replay reports the same problem as another alert
			continue
		}
		if a.Base != "" {
			if _, known, err := tx.number("SELECT 1 FROM run WHERE id = ?", a.Base); err != nil {
				return err
			} else if !known { // it was lost with the damage
				a.Base = ""
			}
		}
		if err := tx.SaveAlert(a); err != nil {
			return err
		}
		if !found {
			c.carried.Alerts++
		}
	}
	return nil
}

// finish enters the rest: runs later than all replayed ones, and data that is in no folder.
func (c *carrier) finish(tx *Tx) error {
	if c.old == nil {
		return nil
	}
	for _, r := range c.runs {
		if err := c.carryRun(tx, r); err != nil {
			return err
		}
	}
	c.runs = nil
	return errors.Join(c.acknowledgements(tx), c.owners(tx), c.deliveries(tx))
}

func (c *carrier) acknowledgements(tx *Tx) error {
	type row struct {
		alert, at, until, note string
		accepted               bool
	}
	rows, err := list(tx.ctx, c.old, func(r *row) []any { return []any{&r.alert, &r.at, &r.until, &r.note, &r.accepted} }, "SELECT alert, at, until, note, accepted FROM acknowledgement ORDER BY alert, at")
	c.noteLoss(err)
	for _, r := range rows {
		res, err := tx.exec("INSERT OR REPLACE INTO acknowledgement (alert, at, until, note, accepted) SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM alert WHERE id = ?1)", r.alert, r.at, r.until, r.note, r.accepted)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		c.carried.Acknowledgements += int(n)
	}
	return nil
}

func (c *carrier) owners(tx *Tx) error {
	type row struct{ alert, owner string }
	rows, err := listAlerts(tx.ctx, c.old, func(r *row) []any { return []any{&r.alert, &r.owner} }, "SELECT alert, owner FROM alert_owner WHERE alert <> ''")
	c.noteLoss(err)
	for _, r := range rows {
		if err := tx.do("INSERT INTO alert_owner (alert, owner) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM alert WHERE id = ?1)", r.alert, r.owner); err != nil {
			return err
		}
	}
	return nil
}

// addAccepted adds acceptances from the old file to alerts of the new file, so that replayed runs
// end them as before. finish copies the rows themselves.
func (c *carrier) addAccepted(ctx context.Context, alerts []Alert) error {
	if c.old == nil {
		return nil
	}
	for i := range alerts {
		old, err := c.old.Alert(ctx, alerts[i].ID)
		switch {
		case err == nil:
			alerts[i].Accepted, alerts[i].Note = old.Accepted, old.Note
		case ctx.Err() != nil:
			return err
		case !errors.Is(err, ErrNoAlert):
			c.noteLoss(err)
		}
	}
	return nil
}

// deliveries replaces the replayed deliveries by those of the old file, because only the old file
// knows which were accepted.
func (c *carrier) deliveries(tx *Tx) error {
	type row struct {
		Delivery
		told int
	}
	rows, err := list(tx.ctx, c.old, func(r *row) []any { return append(r.fields(), &r.told) }, "SELECT d.id, r.id, d.channel, d.message, d.entered, d.tries, d.next, d.accepted, d.given_up, d.error, d.told FROM delivery d JOIN run r ON r.run = d.run ORDER BY d.id")
	c.noteLoss(err)
	for _, r := range rows {
		if _, err := tx.runNumber(r.Run); errors.Is(err, ErrNoRun) { // lost with the damage
			continue
		}
		if err := tx.SaveDelivery(r.Delivery); err != nil {
			return err
		}
		if err := tx.do("UPDATE delivery SET message = ?, told = ? WHERE id = ?", string(r.Message), r.told, r.ID); err != nil {
			return err
		}
		c.carried.Deliveries++
	}
	return nil
}

// damagedName returns the new name of a damaged file: that of the current second, or of the next
// one with a free name. A name that already belongs to the file, after a kill, counts as free.
func damagedName(file string, now time.Time) string {
	for ; ; now = now.Add(time.Second) {
		as := fmt.Sprintf("%s.damaged-%s", file, now.UTC().Format("20060102T150405Z"))
		if freeFor(file, as) && freeFor(file+"-wal", as+"-wal") {
			return as
		}
	}
}

// freeFor reports whether a name is unused, or already belongs to the file.
func freeFor(file, as string) bool {
	there, err := os.Lstat(as)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	of, ofErr := os.Lstat(file)
	return err == nil && ofErr == nil && os.SameFile(there, of)
}
