package cachefile

import (
	"encoding/binary"
	"hash/crc32"
	"time"
)

// A value in the file is sealed: its content stands behind a head of fixed length.
//
//	4 bytes   CRC-32C of its key and of all that follows, big-endian
//	8 bytes   when it was put, Unix seconds, big-endian
const sealHead = 4 + 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key, too: a bit of it that flips makes it another site's.
func checksum(key string, sealed []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(key), castagnoli), castagnoli, sealed[4:])
}

// seal returns the parts of a value as they are written under a key; nil
// without any.
func seal(key string, now time.Time, parts [][]byte) []byte {
	if len(parts) == 0 {
		return nil
	}
	size := sealHead
	for _, p := range parts {
		size += len(p)
	}
	sealed := make([]byte, sealHead, size)
	binary.BigEndian.PutUint64(sealed[4:], uint64(now.Unix()))
	for _, p := range parts {
		sealed = append(sealed, p...)
	}
	binary.BigEndian.PutUint32(sealed, checksum(key, sealed))
	return sealed
}

// isWhole says whether what is written under a key is what seal made for it.
func isWhole(key string, sealed []byte) bool {
	return len(sealed) >= sealHead && checksum(key, sealed) == binary.BigEndian.Uint32(sealed)
}

// contentOf returns the content of a sealed value, nil of none.
func contentOf(sealed []byte) []byte {
	if len(sealed) < sealHead {
		return nil
	}
	return sealed[sealHead:]
}

// writtenAt returns when a sealed value was put; false = it is too short to tell.
func writtenAt(sealed []byte) (time.Time, bool) {
	if len(sealed) < sealHead {
		return time.Time{}, false
	}
	return time.Unix(int64(binary.BigEndian.Uint64(sealed[4:])), 0), true
}
