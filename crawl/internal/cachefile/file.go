package cachefile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// File is an open file of keys and values. Any number of goroutines may use it.
type File struct {
	Warning string // why an older file was set aside, and where it is now; "" = none was

	path string
	now  func() time.Time

	mu           sync.Mutex
	file         *os.File // of db, which holds its lock
	info         os.FileInfo
	db           *bbolt.DB
	broken       bool              // something of db has panicked
	pending      map[string][]byte // entries to be written
	pendingBytes int               // bytes of them
	pendingSince time.Time         // when the first of them came
	err          error             // ended the use of a file
}

// ErrBusy is the error of Open where another run uses the file.
var ErrBusy = errors.New("the cache is in use by another run")

// Bounds of a file. Values are written many at a time, since every write
// waits for the disk; a power cut loses those that still wait.
const (
	lockTimeout     = time.Nanosecond     // a run that uses the file may last for days: it is not waited for
	keepTime        = 60 * 24 * time.Hour // entries that nobody asked for in so long are dropped
	sweepInterval   = 24 * time.Hour      // between two searches for such entries
	maxPending      = 256                 // that wait to be written, at most
	maxPendingBytes = 4 << 20             // likewise
	maxPendingTime  = 2 * time.Second     // likewise
)

// bucketPrefix begins the names of all buckets of all versions.
const bucketPrefix = "robots-audit "

// The buckets of the file. Another form of entries takes another name, so that a newer version
// may use the same file: its entries are left alone.
var (
	entriesBucket = []byte("robots-audit robots.txt 2")
	notesBucket   = []byte("robots-audit notes")
	sweptNote     = []byte("swept")
)

// olderBucket held entries whose checksum did not cover their key.
const olderBucket = "robots-audit robots.txt 1"

// Open opens the file at path; where there is none, it makes the file and its
// folder. A file that is damaged, or none of this program's, is set aside under
// another name (path.corrupt-<time>), and Warning says so. The error is ErrBusy,
// or of the file system. now tells the time.
func Open(path string, now func() time.Time) (*File, error) {
	c := &File{path: path, now: now, pending: map[string][]byte{}}
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

// setAside renames the file and says so. One that has taken its place
// meanwhile is another run's.
func (c *File) setAside(why error) (string, error) {
	aside := c.path + ".corrupt-" + c.now().UTC().Format("20060102T150405")
	info, err := os.Lstat(c.path)
	if err != nil {
		return "", err
	}
	if !os.SameFile(info, c.info) {
		return "", ErrBusy
	}
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); err != nil {
			break
		}
		aside = fmt.Sprintf("%s-%d", strings.TrimSuffix(aside, fmt.Sprintf("-%d", n-1)), n)
	}
	if err := os.Rename(c.path, aside); err != nil {
		return "", err
	}
	return fmt.Sprintf("the cache %s cannot be used (%v) and was set aside as %s", c.path, why, aside), nil
}

// open opens the file, if it is whole and ours.
func (c *File) open() error {
	info, err := os.Lstat(c.path)
	if err == nil && !info.Mode().IsRegular() {
		return errors.New("not a regular file; links are not followed")
	}
	if err == nil && info.Size() > 0 {
		// Before bbolt reads more of it than its heads. Another run may check at the same time.
		if err := c.openDB(c.check, true); err != nil {
			return err
		}
		c.close()
	}
	return c.openDB(c.prepare, false)
}

// openDB opens the file with bbolt and calls first; where that fails, the file is not in use.
func (c *File) openDB(first func() error, readOnly bool) error {
	options := &bbolt.Options{
		Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType, NoStatistics: true, ReadOnly: readOnly,
		OpenFile: func(path string, flag int, mode os.FileMode) (f *os.File, err error) {
			if f, err = os.OpenFile(path, flag, mode); err == nil {
				c.file = f
				c.info, err = f.Stat()
			}
			return f, err
		},
	}
	c.file, c.broken = nil, false
	err := c.recovering(func() (err error) { c.db, err = bbolt.Open(c.path, 0o600, options); return err })
	if err != nil {
		c.db = nil
		if errors.Is(err, bolterrors.ErrTimeout) {
			return ErrBusy
		}
		return damage(err)
	}
	if err = c.recovering(first); err != nil {
		c.close()
		return err
	}
	return c.remember()
}

// remember remembers the file as it is now.
func (c *File) remember() (err error) {
	c.info, err = c.file.Stat()
	return err
}

// reopenIfChanged opens the file anew where somebody else has written to it since we did,
// so that it is checked again before anything of it is followed.
func (c *File) reopenIfChanged() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == c.info.Size() && info.ModTime().Equal(c.info.ModTime()) {
		return nil
	}
	c.close()
	return c.open()
}

// close closes the file. What panicked in bbolt may hold its locks, and is not asked to.
func (c *File) close() (err error) {
	if c.db != nil && !c.broken {
		err = c.recovering(c.db.Close)
	}
	c.db, c.broken = nil, false
	return err
}

// check looks at every page of the file.
func (c *File) check() error { return damage(check(c.file, c.info.Size())) }

// prepare makes sure that the file is ours, and drops old entries.
func (c *File) prepare() error {
	swept := time.Time{}
	err := c.db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
			switch string(name) {
			case string(notesBucket):
				if swept.UnmarshalText(tx.Bucket(name).Get(sweptNote)) != nil {
					swept = time.Time{}
				}
				return nil
			case string(entriesBucket), olderBucket:
				return nil
			}
			if bytes.HasPrefix(name, []byte(bucketPrefix)) {
				return nil
			}
			return &unusableError{errors.New("it is a database of another program")}
		})
	})
	if err != nil {
		return damage(err)
	}
	now := c.now()
	age := now.Sub(swept)
	if age >= 0 && age < sweepInterval {
		return nil
	}
	before := now.Add(-keepTime)
	if age > keepTime { // nobody has asked for anything in so long, or a clock is ahead for one run: the next search tells
		before = time.Time{}
	}
	return c.sweep(now, before)
}

// Close writes what waits to be written, and closes the file. Its error is
// what ended the use of the file or had it set aside.
func (c *File) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return c.err
	}
	c.flush()
	if err := c.close(); c.err == nil && err != nil {
		c.fail(err)
	}
	return c.err
}

// fail ends the use of the file. One that is damaged is set aside, and a new
// one takes its place, once in a run. What does not fit on the disk is no damage.
func (c *File) fail(err error) {
	if err == nil {
		return
	}
	clear(c.pending)
	c.pendingBytes = 0
	c.close()
	if unusable := (*unusableError)(nil); errors.As(err, &unusable) {
		if warning, failed := c.setAside(err); failed == nil {
			err = errors.New(warning)
			if c.err == nil && c.open() != nil {
				c.close()
			}
		}
	}
	c.err = fmt.Errorf("cache %s: %w", c.path, err)
}
