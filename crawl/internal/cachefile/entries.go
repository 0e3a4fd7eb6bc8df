package cachefile

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"hash/crc32"
	"strconv"
	"time"
)

// value is a value stored under a key.
type value struct {
	content []byte // nil = the key is deleted
	put     int64  // Unix seconds
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a value. It covers the key too: a flipped bit in the key makes it another
// site's.
func (v *value) sum(key string) uint32 {
	head := strconv.AppendInt([]byte(key+"\x00"), v.put, 10)
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, v.content)
}

// Get returns the value of a key; nil = there is none, or it is damaged.
func (c *File) Get(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.pending[key]; ok {
		return v.content
	}
	if c.db == nil {
		return nil
	}
	var v value
	var sum uint32
	err := c.get.QueryRow(key).Scan(&v.put, &sum, &v.content)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		c.fail(explain(err))
		return nil
	case sum != v.sum(key):
		return nil
	}
	return v.content
}

// Put stores the value of a key: the parts, joined. Without parts, the key is
// deleted.
func (c *File) Put(key string, parts ...[]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return
	}
	if len(c.pending) == 0 {
		c.pendingSince = time.Now()
	}
	v := value{put: c.now().Unix()}
	if len(parts) > 0 {
		v.content = append([]byte{}, bytes.Join(parts, nil)...)
	}
	c.pendingBytes += len(v.content) - len(c.pending[key].content)
	c.pending[key] = v
	if len(c.pending) >= maxPending || c.pendingBytes >= maxPendingBytes || time.Since(c.pendingSince) >= maxPendingTime {
		c.flush()
	}
}

// flush writes the pending values. The caller must have the lock.
func (c *File) flush() {
	if c.db == nil || len(c.pending) == 0 {
		return
	}
	err := c.write(func(tx *sql.Tx) error {
		for key, v := range c.pending {
			var err error
			if v.content == nil {
				_, err = tx.Exec("DELETE FROM robots_3 WHERE key = ?", key)
			} else {
				_, err = tx.Stmt(c.put).Exec(key, v.put, v.sum(key), v.content)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	c.fail(err)
	clear(c.pending)
	c.pendingBytes = 0
}

// write calls f in a transaction.
func (c *File) write(f func(tx *sql.Tx) error) error {
	tx, err := c.db.BeginTx(context.Background(), nil)
	if err != nil {
		return explain(err)
	}
	if err = f(tx); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		tx.Rollback() // also after a failed commit
	}
	return explain(err)
}
