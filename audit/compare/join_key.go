package compare

import (
	"bytes"
	"hash/crc32"
	"hash/maphash"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// appendKey appends the key by which URLs of two sides are compared: scheme and host in lower case
// without the default port, and path and query as RFC 9309 compares them.
func appendKey(dst []byte, loc string) []byte {
	scheme := strings.Index(loc, "://")
	if scheme < 0 {
		return engine.AppendPath(dst, loc)
	}
	end := len(loc)
	if i := strings.IndexAny(loc[scheme+3:], "/?#"); i >= 0 {
		end = scheme + 3 + i
	}
	at := len(dst)
	dst = append(dst, loc[:end]...)
	origin := dst[at:]
	for i, c := range origin {
		if 'A' <= c && c <= 'Z' {
			origin[i] = c | 0x20
		}
	}
	for _, usual := range [...]struct{ scheme, port string }{{"https:", ":443"}, {"http:", ":80"}} {
		if bytes.HasPrefix(origin, []byte(usual.scheme)) && bytes.HasSuffix(origin, []byte(usual.port)) {
			dst = dst[:len(dst)-len(usual.port)]
		}
	}
	return engine.AppendPath(dst, loc)
}

// classOf returns the class of a kind: pages, or one kind of other URLs in sitemaps. A page and an
// image with one address are two URLs.
func classOf(k audit.Kind) uint8 {
	if audit.IsPage(k) {
		return 0
	}
	return uint8(k) + 1
}

// keyHash is the hash of a URL for lookups.
type keyHash struct {
	sum  uint64 // of class and key; with a random seed for each comparison, so that no site can provoke collisions
	part uint8  // the URL's partition; the same whenever the same records are compared
}

// hasher hashes URLs, and compares those with equal hashes.
type hasher struct {
	seed     maphash.Seed
	key, two []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (h *hasher) hash(k *known) keyHash {
	h.key = appendKey(h.key[:0], k.loc)
	return keyHash{maphash.Bytes(h.seed, h.key) + uint64(classOf(k.kind))*0x9E3779B97F4A7C15, uint8(crc32.Checksum(h.key, castagnoli))}
}

// equal reports whether two URLs with equal hashes are the same.
func (h *hasher) equal(a, b *known) bool {
	if classOf(a.kind) != classOf(b.kind) {
		return false
	}
	if a.loc == b.loc {
		return true
	}
	h.key, h.two = appendKey(h.key[:0], a.loc), appendKey(h.two[:0], b.loc)
	return bytes.Equal(h.key, h.two)
}
