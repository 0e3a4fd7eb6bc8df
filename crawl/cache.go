package crawl

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"robots-audit/crawl/internal/cachefile"
)

// Cache keeps the robots.txt answers of earlier runs in one file, so that a
// site is not asked again within a day, a refresh costs it a 304, and one that
// cannot be reached is judged by its last good copy and by how long it has
// been away. One run uses a file at a time; within the run, any number of
// sites at once.
//
// A cache is a convenience: trouble with the file after it was opened ends its
// use, and no audit; one that is damaged is set aside for a new one. Close tells of it.
type Cache struct {
	Warning string // why an older file was set aside, and where it is now; "" = none was

	file *cachefile.File
	now  func() time.Time
}

// ErrCacheBusy is the error of OpenCache where another run uses the file.
var ErrCacheBusy = cachefile.ErrBusy

// OpenCache opens the cache at path; where there is none, it makes the file and
// its folder. A file that is damaged, or none of this program's, is set aside
// under another name (path.corrupt-<time>), and Warning says so. The error is errBusy, or
// of the file system.
func OpenCache(path string) (*Cache, error) { return openCache(path, time.Now) }

func openCache(path string, now func() time.Time) (*Cache, error) {
	file, err := cachefile.Open(path, now)
	if err != nil {
		return nil, err
	}
	return &Cache{Warning: file.Warning, file: file, now: now}, nil
}

// Close writes what waits to be written, and closes the file. Its error is
// what ended the use of the file or had it set aside.
func (c *Cache) Close() error { return c.file.Close() }

// entry is what a cache knows about one origin.
type entry struct {
	Answer  Outcome   `json:"answer"`           // the last good answer; Status 0 = none so far
	Came    time.Time `json:"came"`             // when Answer came
	Checked time.Time `json:"checked"`          // when it was last had or confirmed by a 304
	Until   time.Time `json:"until"`            // as long as it is used without asking
	Failing time.Time `json:"failing,omitzero"` // the first failure since the last answer of any kind; zero = there was none
	body    []byte    // of Answer
}

// entryHead is the length of what begins an entry in the file: how many bytes of
// JSON follow, as a big-endian number. The body is all that comes after the JSON.
const entryHead = 4

// encode returns the entry as it is written, in parts.
func (e *entry) encode() (parts [][]byte, err error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return [][]byte{binary.BigEndian.AppendUint32(nil, uint32(len(text))), text, e.body}, nil
}

// decodeEntry reads what encode wrote; false = it is none. The body points into b.
func decodeEntry(b []byte) (*entry, bool) {
	if len(b) < entryHead {
		return nil, false
	}
	text := uint64(binary.BigEndian.Uint32(b))
	if uint64(len(b)) < entryHead+text {
		return nil, false
	}
	e := &entry{body: b[entryHead+text:]}
	return e, json.Unmarshal(b[entryHead:entryHead+text], e) == nil
}
