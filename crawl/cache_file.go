package crawl

import (
	"time"

	"go.etcd.io/bbolt"
)

// get returns the entry of a key as it was put; nil = there is none.
func (c *Cache) get(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, ok := c.waiting[key]; ok {
		return value
	}
	if c.db != nil {
		c.fail(c.unchanged())
	}
	if c.db == nil {
		return nil
	}
	var value []byte
	c.fail(c.safely(func() error {
		return c.db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(robotsBucket); b != nil {
				value = append(value, b.Get([]byte(key))...) // what bbolt returns lies in the file
			}
			return nil
		})
	}))
	return value
}

// put has an entry written; an empty value deletes it.
func (c *Cache) put(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return
	}
	if len(c.waiting) == 0 {
		c.since = time.Now()
	}
	c.size += len(value) - len(c.waiting[key])
	c.waiting[key] = value
	if len(c.waiting) >= cacheEntries || c.size >= cacheBytes || time.Since(c.since) >= cacheDelay {
		c.flush()
	}
}

// flush writes the entries that wait. The caller holds the lock.
func (c *Cache) flush() {
	if c.db == nil || len(c.waiting) == 0 {
		return
	}
	if err := c.unchanged(); err != nil {
		c.fail(err)
		return
	}
	err := c.safely(func() error {
		return c.db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(robotsBucket)
			for key, value := range c.waiting {
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
		err = c.note()
	}
	c.fail(err)
	clear(c.waiting)
	c.size = 0
}

// sweepStep is how many entries one transaction of a sweep looks at: it keeps
// what it changes in memory.
const sweepStep = 1000

// sweep drops entries that nobody asked for in a long time, and those that
// cannot be read.
func (c *Cache) sweep() error {
	now := c.now()
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
			next, err = sweepSome(tx.Bucket(robotsBucket), next, now)
			return err
		})
		if err != nil || next == nil {
			return err
		}
	}
}

// sweepSome sweeps from a key on and returns the one to go on with, nil at the end.
func sweepSome(b *bbolt.Bucket, from []byte, now time.Time) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	var old [][]byte
	cursor := b.Cursor()
	key, value := cursor.Seek(from)
	for n := 0; key != nil && n < sweepStep; n++ {
		if used, ok := entryUsed(value); !ok || now.Sub(used) > cacheKeeps {
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
