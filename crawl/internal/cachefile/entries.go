package cachefile

import (
	"time"

	"go.etcd.io/bbolt"
)

// Get returns the value of a key as it was put; nil = there is none, or it is damaged.
func (c *File) Get(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sealed, ok := c.pending[key]; ok {
		return contentOf(sealed)
	}
	if c.db != nil {
		c.fail(c.reopenIfChanged())
	}
	if c.db == nil {
		return nil
	}
	var sealed []byte
	c.fail(c.recovering(func() error {
		return c.db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(entriesBucket); b != nil {
				sealed = append(sealed, b.Get([]byte(key))...) // what bbolt returns lies in the file
			}
			return nil
		})
	}))
	if !isWhole(key, sealed) {
		return nil
	}
	return contentOf(sealed)
}

// Put has the value of a key written: the parts, one after the other. Without
// any, the key is deleted.
func (c *File) Put(key string, parts ...[]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return
	}
	if len(c.pending) == 0 {
		c.pendingSince = time.Now()
	}
	sealed := seal(key, c.now(), parts)
	c.pendingBytes += len(sealed) - len(c.pending[key])
	c.pending[key] = sealed
	if len(c.pending) >= maxPending || c.pendingBytes >= maxPendingBytes || time.Since(c.pendingSince) >= maxPendingTime {
		c.flush()
	}
}

// flush writes the entries that wait. The caller holds the lock.
func (c *File) flush() {
	if c.db == nil || len(c.pending) == 0 {
		return
	}
	if err := c.reopenIfChanged(); err != nil {
		c.fail(err)
		return
	}
	err := c.recovering(func() error {
		return c.db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(entriesBucket)
			for key, value := range c.pending {
				switch {
				case err != nil:
				case len(value) == 0:
					err = b.Delete([]byte(key))
				default:
					err = b.Put([]byte(key), value)
				}
			}
			return err
		})
	})
	if err == nil {
		err = c.remember()
	}
	c.fail(err)
	clear(c.pending)
	c.pendingBytes = 0
}

// sweepStep is how many entries one transaction of a sweep looks at: it keeps
// what it changes in memory.
const sweepStep = 1000

// sweep drops entries that nobody has asked for since before, and those that cannot be read.
func (c *File) sweep(now, before time.Time) error {
	var next []byte
	for {
		err := c.db.Update(func(tx *bbolt.Tx) error {
			notes, err := tx.CreateBucketIfNotExists(notesBucket)
			if err != nil {
				return err
			}
			text, err := now.UTC().MarshalText()
			if err != nil {
				return err
			}
			if err := notes.Put(sweptNote, text); err != nil {
				return err
			}
			if tx.Bucket([]byte(olderBucket)) != nil {
				if err := tx.DeleteBucket([]byte(olderBucket)); err != nil {
					return err
				}
			}
			next, err = sweepSome(tx.Bucket(entriesBucket), next, before)
			return err
		})
		if err != nil || next == nil {
			return err
		}
	}
}

// sweepSome sweeps from a key on and returns the one to go on with, nil at the end.
func sweepSome(b *bbolt.Bucket, from []byte, before time.Time) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	var old [][]byte
	cursor := b.Cursor()
	key, value := cursor.Seek(from)
	for n := 0; key != nil && n < sweepStep; n++ {
		if used, ok := writtenAt(value); !ok || used.Before(before) {
			old = append(old, append([]byte(nil), key...))
		}
		key, value = cursor.Next()
	}
	next := append([]byte(nil), key...)
	if key == nil {
		next = nil
	}
	for _, key := range old {
		if err := b.Delete(key); err != nil {
			return nil, err
		}
	}
	return next, nil
}
