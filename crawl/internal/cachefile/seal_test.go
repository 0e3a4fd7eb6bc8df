package cachefile

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"
)

// What is in files of earlier versions is read as it was put.
func TestSealFormat(t *testing.T) {
	const written = "60fd7f860000000069a42d00" + "68656164626f6479" // checksum, time, "headbody"
	at := time.Date(2026, 3, 1, 12, 11, 44, 0, time.UTC)
	sealed := seal("key", at, [][]byte{[]byte("head"), []byte("body")})
	if got := hex.EncodeToString(sealed); got != written {
		t.Errorf("got  %s\nwant %s", got, written)
	}
	if when, ok := writtenAt(sealed); !ok || !when.Equal(at) {
		t.Errorf("written at %v, %v", when, ok)
	}
	if !isWhole("key", sealed) || string(contentOf(sealed)) != "headbody" {
		t.Errorf("content %q", contentOf(sealed))
	}
	if isWhole("other", sealed) {
		t.Error("whole under another key")
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if isWhole("key", bad) || isWhole("key", sealed[:i]) {
			t.Errorf("byte %d changed, or all from it on missing, and still whole", i)
		}
	}
	if seal("key", at, nil) != nil || contentOf(nil) != nil {
		t.Error("nothing is put, and something is written")
	}
}
