package cachefile

import (
	"bufio"
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// File is an open file of keys and values. Any number of goroutines may use it.
type File struct {
	Warning string // why an older file was replaced, and its new name; "" = it was not

	path string
	now  func() time.Time

	mu           sync.Mutex
	info         os.FileInfo // of the open file
	db           *sql.DB     // its only connection has the lock of the file; nil = the file is not in use
	get, put     *sql.Stmt
	pending      map[string]value // not written yet
	pendingBytes int              // their size
	pendingSince time.Time        // time of the first of them
	err          error            // the error that ended the use of a file
}

// ErrBusy is the error of Open if another run uses the file.
var ErrBusy = errors.New("the cache is in use by another run")

// Limits of a file. Values are written in batches, since every write waits for
// the disk. A power cut loses the pending ones.
const (
	keepTime        = 60 * 24 * time.Hour // entries that were not written for this time are dropped
	sweepInterval   = 24 * time.Hour      // between two searches for old entries
	maxPending      = 256                 // maximum number of pending values
	maxPendingBytes = 4 << 20             // likewise
	maxPendingTime  = 2 * time.Second     // likewise
)

// applicationID marks our files in SQLite's header.
const applicationID = 0x72616361

// schema is the tables of the file. A new format of entries needs a new table name, so that
// versions can share the file: other tables are ignored.
const schema = `
CREATE TABLE IF NOT EXISTS robots_3 (key TEXT PRIMARY KEY, put INTEGER NOT NULL, sum INTEGER NOT NULL, content BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS swept (at INTEGER NOT NULL);`

// Open opens the file at path. If there is none, it creates the file and its folder. A file
// that is damaged, or not of this program, is renamed to path.corrupt-<time>, and Warning
// says so. A file of a version before SQLite is replaced. The error is ErrBusy, or one of the
// file system. now returns the time.
func Open(path string, now func() time.Time) (*File, error) {
	c := &File{path: path, now: now, pending: map[string]value{}}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	err := c.open()
	if unusable := (*unusableError)(nil); errors.As(err, &unusable) {
		if isOlder(path) {
			if err = os.Remove(path); err != nil {
				err = ErrBusy // Windows cannot remove a file that the older version has open
			}
		} else {
			c.Warning, err = c.setAside(unusable)
		}
		if err == nil {
			err = c.open()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", path, err)
	}
	return c, nil
}

// isOlder reports whether a file is a cache of an older version, which used bbolt.
func isOlder(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	head, _ := in.Peek(20)
	if len(head) < 20 || !bytes.Equal(head[16:], []byte{0xED, 0xDA, 0x0C, 0xED}) {
		return false
	}
	bucket := []byte("robots-audit robots.txt ")
	for {
		part, err := in.Peek(in.Size())
		if bytes.Contains(part, bucket) {
			return true
		}
		if err != nil {
			return false
		}
		in.Discard(len(part) - len(bucket))
	}
}

// setAside renames the file and returns a message about it. If another file has
// replaced it in the meantime, that belongs to another run.
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
	os.Remove(c.path + "-journal") // it belongs to the old file
	return fmt.Sprintf("the cache %s cannot be used (%v) and was renamed to %s", c.path, why, aside), nil
}

// open opens the file, if it is intact and ours.
func (c *File) open() (err error) {
	// An existing file is only opened by SQLite: closing it here would release the lock that
	// another run of this process may have on it.
	if f, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
	} else if !errors.Is(err, os.ErrExist) {
		return err
	}
	if c.info, err = os.Lstat(c.path); err != nil {
		return err
	}
	if !c.info.Mode().IsRegular() {
		return errors.New("not a regular file; links are not followed")
	}
	if size := c.info.Size(); size > 0 && size < 512 { // SQLite would overwrite it
		return &unusableError{errors.New("it is incomplete")}
	}
	name, err := filepath.Abs(c.path)
	if err != nil {
		return err
	}
	if name = filepath.ToSlash(name); name[0] != '/' { // C:/…
		name = "/" + name
	}
	// The lock of the first transaction is kept.
	values := url.Values{"mode": {"rw"}, "_txlock": {"exclusive"}, "_pragma": {"locking_mode(exclusive)", "synchronous(normal)", "cell_size_check(on)", "trusted_schema(off)"}}
	if c.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: name, RawQuery: values.Encode()}).String()); err != nil {
		return err
	}
	c.db.SetMaxOpenConns(1)
	if err = c.write(c.prepare); err == nil {
		c.get, err = c.db.Prepare("SELECT put, sum, content FROM robots_3 WHERE key = ?")
	}
	if err == nil {
		c.put, err = c.db.Prepare("INSERT OR REPLACE INTO robots_3 VALUES (?, ?, ?, ?)")
	}
	if err != nil {
		c.close()
	}
	return explain(err)
}

// close closes the file.
func (c *File) close() (err error) {
	if c.db != nil {
		err = explain(c.db.Close())
		c.db = nil
	}
	return err
}

// prepare checks that the file is ours, and drops old entries.
func (c *File) prepare(tx *sql.Tx) error {
	var id, tables int
	if err := tx.QueryRow("SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id").Scan(&id, &tables); err != nil {
		return err
	}
	if id != applicationID {
		if id != 0 || tables > 0 {
			return &unusableError{errors.New("it is a database of another program")}
		}
		if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	var swept int64
	if err := tx.QueryRow("SELECT coalesce(max(at), 0) FROM swept").Scan(&swept); err != nil {
		return err
	}
	now := c.now()
	age := now.Sub(time.Unix(swept, 0))
	if age >= 0 && age < sweepInterval {
		return nil
	}
	if age <= keepTime { // a longer age means an unused file or a wrong clock: the next search will show
		if _, err := tx.Exec("DELETE FROM robots_3 WHERE put < ?", now.Add(-keepTime).Unix()); err != nil {
			return err
		}
	}
	_, err := tx.Exec("DELETE FROM swept; INSERT INTO swept VALUES (?)", now.Unix())
	return err
}

// Close writes pending values and closes the file. It returns the error that
// ended the use of the file or caused its replacement.
func (c *File) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return c.err
	}
	c.flush()
	c.fail(c.close())
	return c.err
}

// fail ends the use of the file. A damaged file is renamed and replaced by a new
// one, once in a run. A full disk is not damage.
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
