package history

import (
	"context"
	"fmt"
	"time"
)

// SaveDelivery stores a message, or its new state.
func (tx *Tx) SaveDelivery(d Delivery) error {
	run, err := tx.runNumber(d.Run)
	if err != nil {
		return err
	}
	return tx.do(`INSERT INTO delivery (id, run, channel, message, entered, tries, next, accepted, given_up, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET tries = excluded.tries, next = excluded.next, accepted = excluded.accepted, given_up = excluded.given_up, error = excluded.error`,
		d.ID, run, d.Channel, string(d.Message), timeText(d.Entered), d.Tries, timeText(d.Next), nullTime(d.Accepted), nullTime(d.GivenUp), d.Error)
}

// SaveTry stores the new state of a message: Tries, Next, Accepted, GivenUp and Error. The message
// must have been entered.
func (db *DB) SaveTry(ctx context.Context, d Delivery) error {
	return db.update(ctx, func(tx *Tx) error {
		res, err := tx.exec("UPDATE delivery SET tries = ?, next = ?, accepted = ?, given_up = ?, error = ? WHERE id = ?",
			d.Tries, timeText(d.Next), nullTime(d.Accepted), nullTime(d.GivenUp), d.Error, d.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("%s: there is no delivery %q (%v)", db.file, d.ID, err)
		}
		return nil
	})
}

const deliveryColumns = `SELECT d.id, r.id, d.channel, d.message, d.entered, d.tries, d.next, d.accepted, d.given_up, d.error FROM delivery d JOIN run r ON r.run = d.run `

func (d *Delivery) fields() []any {
	return []any{&d.ID, &d.Run, &d.Channel, &d.Message, storedTime{&d.Entered}, &d.Tries, storedTime{&d.Next}, storedTime{&d.Accepted}, storedTime{&d.GivenUp}, &d.Error}
}

// DueDeliveries returns the messages to try now: neither accepted nor given up, and without a later
// try; longest waiting first. A message whose next try is after later is also due, because a clock
// that was ahead has set it.
func (db *DB) DueDeliveries(ctx context.Context, now, later time.Time) ([]Delivery, error) {
	return list(ctx, db, (*Delivery).fields, deliveryColumns+"WHERE d.accepted IS NULL AND d.given_up IS NULL AND NOT (d.next > ? AND d.next <= ?) ORDER BY d.next, d.entered, d.id", timeText(now), timeText(later))
}

// DeliveryCount is the number of messages to a channel in a state: "waiting", "accepted" or "given
// up".
type DeliveryCount struct {
	Channel, State string
	Messages       int
}

// DeliveryCounts counts all messages by channel and state. A digest without news was not sent.
func (db *DB) DeliveryCounts(ctx context.Context) ([]DeliveryCount, error) {
	return list(ctx, db, func(c *DeliveryCount) []any { return []any{&c.Channel, &c.State, &c.Messages} }, `SELECT channel, CASE WHEN accepted IS NOT NULL THEN 'accepted' WHEN given_up IS NOT NULL THEN 'given up' ELSE 'waiting' END AS state, count(*)
FROM delivery WHERE accepted IS NULL OR tries > 0 GROUP BY channel, state ORDER BY channel, state`)
}

// GivenUp returns the messages that were given up and not reported by another message yet.
func (db *DB) GivenUp(ctx context.Context) ([]Delivery, error) {
	return list(ctx, db, (*Delivery).fields, deliveryColumns+"WHERE d.given_up IS NOT NULL AND d.told = 0 ORDER BY d.given_up, d.id")
}

// MarkTold records that a later message has reported messages that were given up, by their ids.
func (tx *Tx) MarkTold(ids ...string) error {
	for _, id := range ids {
		if err := tx.do("UPDATE delivery SET told = 1 WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}
