package crawl

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"time"
)

// entry is what a cache knows about one origin.
type entry struct {
	Answer  Outcome   `json:"answer"`           // the last good answer; Status 0 = none so far
	Came    time.Time `json:"came"`             // when Answer came
	Checked time.Time `json:"checked"`          // when it was last had or confirmed by a 304
	Until   time.Time `json:"until"`            // as long as it is used without asking
	Failing time.Time `json:"failing,omitzero"` // the first failure since the last answer of any kind; zero = there was none
	body    []byte    // of Answer
}

// An entry in the file is a head of fixed length, JSON, and the body:
//
//	4 bytes   CRC-32C of its key and of all that follows
//	8 bytes   when it was written, Unix seconds
//	4 bytes   length of the JSON
const entryHead = 4 + 8 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key, too: a bit of it that flips makes it another site's.
func checksum(key string, b []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(key), castagnoli), castagnoli, b[4:])
}

// encode returns the entry as it is written under a key at a time.
func (e *entry) encode(key string, now time.Time) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	b := make([]byte, entryHead, entryHead+len(text)+len(e.body))
	binary.BigEndian.PutUint64(b[4:], uint64(now.Unix()))
	binary.BigEndian.PutUint32(b[12:], uint32(len(text)))
	b = append(append(b, text...), e.body...)
	binary.BigEndian.PutUint32(b, checksum(key, b))
	return b, nil
}

// entryUsed returns when a written entry was last put.
func entryUsed(b []byte) (time.Time, bool) {
	if len(b) < entryHead {
		return time.Time{}, false
	}
	return time.Unix(int64(binary.BigEndian.Uint64(b[4:])), 0), true
}

// decodeEntry reads what is written under a key; false = damaged. The body points into b.
func decodeEntry(key string, b []byte) (*entry, bool) {
	if len(b) < entryHead || checksum(key, b) != binary.BigEndian.Uint32(b) {
		return nil, false
	}
	text := uint64(binary.BigEndian.Uint32(b[12:]))
	if uint64(len(b)) < entryHead+text {
		return nil, false
	}
	e := &entry{body: b[entryHead+text:]}
	return e, json.Unmarshal(b[entryHead:entryHead+text], e) == nil
}
