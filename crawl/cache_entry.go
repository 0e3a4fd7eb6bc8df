package crawl

import (
	"encoding/binary"
	"encoding/json"
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
