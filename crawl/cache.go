package crawl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Cache keeps the robots.txt answers of earlier runs in one file, so that a
// site is not asked again within a day, a refresh costs it a 304, and one that
// cannot be reached is judged by its last good copy and by how long it has
// been away. One run uses a file at a time; within the run, any number of
// sites at once.
//
// A cache is a convenience: trouble with the file after it was opened ends its
// use, and no audit. Close tells of it.
type Cache struct {
	Warning string // why an older file was set aside, and where it is now; "" = none was

	path string
	now  func() time.Time

	mu      sync.Mutex
	file    *os.File // of db, which holds its lock
	db      *bbolt.DB
	waiting map[string][]byte // entries to be written
	size    int               // bytes of them
	since   time.Time         // when the first of them came
	err     error             // ended the use of db
}

// ErrCacheBusy is the error of OpenCache where another run uses the file.
var ErrCacheBusy = errors.New("the cache is in use by another run")

// Bounds of a cache. Entries are written many at a time, since every write
// waits for the disk; a power cut loses those that still wait.
const (
	cacheLock    = 2 * time.Second     // waiting for another run to end
	cacheKeeps   = 60 * 24 * time.Hour // entries that nobody asked for in so long are dropped
	cacheSweeps  = 24 * time.Hour      // between two looks for such entries
	cacheEntries = 256                 // that wait to be written, at most
	cacheBytes   = 4 << 20             // likewise
	cacheDelay   = 2 * time.Second     // likewise
)

// The buckets of the file. Another form of entries takes another name.
var (
	robotsBucket = []byte("robots-audit robots.txt 1")
	notesBucket  = []byte("robots-audit notes")
	sweptNote    = []byte("swept")
)

// OpenCache opens the cache at path; where there is none, it makes the file and
// its folder. A file that is damaged, or none of this program's, is set aside
// under another name (path.corrupt-<time>), and Warning says so. The error is ErrCacheBusy, or
// of the file system.
func OpenCache(path string) (*Cache, error) { return openCache(path, time.Now) }

func openCache(path string, now func() time.Time) (*Cache, error) {
	c := &Cache{path: path, now: now, waiting: map[string][]byte{}}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	err := c.open()
	if unusable := (*unusableError)(nil); errors.As(err, &unusable) {
		if c.Warning, err = c.setAside(unusable); err == nil {
			err = c.open()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", path, err)
	}
	return c, nil
}

// setAside renames the file and says so.
func (c *Cache) setAside(why error) (string, error) {
	aside := c.path + ".corrupt-" + c.now().UTC().Format("20060102T150405")
	if err := os.Rename(c.path, aside); err != nil {
		return "", err
	}
	return fmt.Sprintf("the cache %s cannot be used (%v) and was set aside as %s", c.path, why, aside), nil
}

func (c *Cache) open() error {
	if info, err := os.Stat(c.path); err == nil && !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	options := &bbolt.Options{
		Timeout: cacheLock, FreelistType: bbolt.FreelistMapType, NoStatistics: true,
		OpenFile: func(path string, flag int, mode os.FileMode) (f *os.File, err error) {
			f, err = os.OpenFile(path, flag, mode)
			c.file = f
			return f, err
		},
	}
	err := c.safely(func() (err error) { c.db, err = bbolt.Open(c.path, 0o600, options); return err })
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrCacheBusy
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return &unusableError{err}
	case err != nil:
		return err
	}
	if err = c.safely(c.prepare); err != nil && !errors.As(err, new(*unusableError)) {
		c.db.Close()
	}
	return err
}

// prepare looks whether the file is whole and ours, and drops old entries.
func (c *Cache) prepare() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	swept := time.Time{}
	err = c.db.View(func(tx *bbolt.Tx) error {
		if tx.Size() > info.Size() {
			return &unusableError{fmt.Errorf("%d bytes of %d are left of it", info.Size(), tx.Size())}
		}
		if notes := tx.Bucket(notesBucket); notes != nil {
			return swept.UnmarshalText(notes.Get(sweptNote))
		}
		if name, _ := tx.Cursor().First(); name != nil {
			return &unusableError{errors.New("it is a database of another program")}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if age := c.now().Sub(swept); age >= 0 && age < cacheSweeps {
		return nil
	}
	return c.sweep()
}

// Close writes what waits to be written, and closes the file. Its error is
// what ended the cache's use; the file is set aside then if it is damaged.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return c.err
	}
	c.flush()
	if c.db != nil {
		c.fail(c.safely(c.db.Close))
		c.db = nil
	}
	return c.err
}

// fail ends the use of the file. What does not fit on the disk is no damage.
func (c *Cache) fail(err error) {
	if err == nil {
		return
	}
	c.waiting, c.size = nil, 0
	if unusable := (*unusableError)(nil); errors.As(err, &unusable) {
		c.db = nil // not to be closed: what panicked in bbolt may hold its locks
		if warning, failed := c.setAside(err); failed == nil {
			err = errors.New(warning)
		}
	} else if c.db != nil {
		c.safely(c.db.Close)
		c.db = nil
	}
	c.err = fmt.Errorf("cache %s: %w", c.path, err)
}
