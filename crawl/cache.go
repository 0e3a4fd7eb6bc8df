package crawl

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"robots-audit/crawl/internal/cachefile"
)

// Cache keeps the robots.txt answers of earlier runs in one file. So a site is not
// asked again within a day, and a refresh costs it only a 304. A site that is
// unreachable is judged by its last good copy and by how long it has been unreachable.
// Only one run may use a file at a time; within it, any number of sites may.
//
// A cache is optional: an error of the file after it was opened ends the use of the
// cache, but no audit. A damaged file is replaced by a new one. Close reports this.
type Cache struct {
	Warning string // why an older file was replaced, and its new name; "" = it was not
	Confirm bool   // ask for each robots.txt again, even if the copy is fresh

	file *cachefile.File
	now  func() time.Time
}

// ErrCacheBusy is the error of OpenCache if another run uses the file.
var ErrCacheBusy = cachefile.ErrBusy

// OpenCache opens the cache at path. If there is none, it creates the file and its
// folder. A file that is damaged, or not of this program, is renamed to
// path.corrupt-<time>, and Warning says so. The error is ErrCacheBusy, or one of the file
// system.
func OpenCache(path string) (*Cache, error) { return openCache(path, time.Now) }

func openCache(path string, now func() time.Time) (*Cache, error) {
	file, err := cachefile.Open(path, now)
	if err != nil {
		return nil, err
	}
	return &Cache{Warning: file.Warning, file: file, now: now}, nil
}

// Close writes pending data and closes the file. It returns the error that
// ended the use of the file or caused its replacement.
func (c *Cache) Close() error { return c.file.Close() }

// entry is what a cache knows about one origin.
type entry struct {
	Answer  Outcome   `json:"answer"`           // the last good answer; Status 0 = none so far
	Came    time.Time `json:"came"`             // when Answer came
	Checked time.Time `json:"checked"`          // when Answer was last received or confirmed by a 304
	Until   time.Time `json:"until"`            // how long it is used without asking
	Failing time.Time `json:"failing,omitzero"` // the first failure since the last answer of any kind; zero = there was none
	body    []byte    // of Answer
}

// entryHead is the length of the header of an entry in the file: the number of
// bytes of JSON, big-endian. The JSON follows, and the rest is the body.
const entryHead = 4

// encode returns the parts of the entry to write.
func (e *entry) encode() (parts [][]byte, err error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return [][]byte{binary.BigEndian.AppendUint32(nil, uint32(len(text))), text, e.body}, nil
}

// decodeEntry reads the result of encode; false = it is not an entry. The body
// points into b.
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
